"""The faults: what an author might get wrong without noticing."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A replacement in one file, and the tests that are to notice it.

    `built`: whether the site has to be built anew for them.
    """

    name: str
    file: str
    right: str
    wrong: str
    caught_by: tuple[str, ...]
    built: bool = False


FAULTS: list[Fault] = [
    Fault(
        "a written word sees the next one",
        "src/course/widgets/translator/forward.js",
        "j <= i",
        "j <= i + 1",
        (
            "tests/browser/test_translator.py::test_200_sentences_agree_word_for_word_and_in_every_attention_weight",
        ),
    ),
    Fault(
        "a half-precision fraction is divided by one too few",
        "src/course/widgets/translator/weights.js",
        "fraction / 1024",
        "fraction / 1023",
        (
            "tests/browser/test_translator.py::test_200_sentences_agree_word_for_word_and_in_every_attention_weight",
        ),
    ),
    Fault(
        "a cell of the translator is cut instead of rounded",
        "src/course/widgets/translator/sheet.js",
        "fixed(value, 2)",
        "said(value).slice(0, -2)",
        ("tests/browser/test_translator.py::test_the_matrix_says_pythons_weights",),
    ),
    Fault(
        "a stays a before a vowel",
        "src/course/widgets/translator/sentence.js",
        '"aeiou".includes',
        '"".includes',
        (
            "tests/browser/test_translator.py::test_what_can_be_chosen_is_a_sentence_of_the_grammar",
        ),
    ),
    Fault(
        "a head that is off still speaks",
        "src/course/chapters/transformer/translation.py",
        "* width] = 0",
        "* width] *= 1",
        ("tests/unit/course/chapters/transformer/test_translation.py",),
    ),
    Fault(
        "a gradient passes the forget gate",
        "src/course/chapters/transformer/before.py",
        "d_sums @ self.W.T, d_c * f",
        "d_sums @ self.W.T, d_c",
        ("tests/unit/course/chapters/transformer/test_before.py",),
    ),
    Fault(
        "the found scores are d_k times too large",
        "src/course/chapters/transformer/experiments.py",
        "np.sqrt(d_k) * (logs",
        "d_k * (logs",
        ("tests/unit/course/chapters/transformer/test_experiments.py",),
    ),
]
