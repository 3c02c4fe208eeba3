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


CARD = "src/course/widgets/card"
SHEET = "src/course/widgets/worksheet"
SHOWN = ("tests/browser/test_what_figures_show.py",)
MARKS = ("tests/browser/test_figures.py", "-k", "marks_stand or gauge")
PRESETS = ("tests/browser/test_worksheet.py", "-k", "presets_agree")
COLOURS = ("tests/browser/test_worksheet.py", "-k", "colours_and_bars")
VERDICTS = ("tests/browser/test_every_question.py", "-k", "01-self or 03-multi")
EXERCISES = ("tests/browser/test_exercises.py",)
PROGRESS = ("tests/browser/test_progress.py",)
KEPT = "tests/browser/test_kept.py"
LINKS = "tests/browser/test_links.py"
UNDO = "tests/browser/test_undo.py"
SAID = ("tests/book/test_what_is_said.py",)
UNIT = "tests/unit"
WORDS = ("tests/browser/test_words.py",)
ANSWERS = "tests/browser/test_answers.py"
CONTRACT = "tests/browser/test_contract.py"
ENDS = ("tests/browser/test_views_end.py",)
PRACTICE = (f"{UNIT}/course/practice",)
SEARCH = ("tests/browser/test_search.py",)
PLACES = ("tests/book/test_search_places.py",)

FAULTS = [
    Fault(
        "numbers of bars 10 % off",
        f"{CARD}/drawings.js",
        "setValue(places[i], weight, fixed(weight, digits))",
        "setValue(places[i], weight, fixed(1.1 * weight, digits))",
        SHOWN,
    ),
    Fault(
        "numbers of bars 10 % off, and stored so",
        f"{CARD}/drawings.js",
        "setValue(places[i], weight, fixed(weight, digits))",
        "setValue(places[i], 1.1 * weight, fixed(1.1 * weight, digits))",
        SHOWN,
    ),
    Fault(
        "numbers of matrices 10 % off",
        f"{CARD}/grid.js",
        "const text = fixed(value, digits);",
        "const text = fixed(1.1 * value, digits);",
        SHOWN,
    ),
    Fault(
        "cells of the worksheet 10 % off",
        f"{SHEET}/grid.js",
        "writeCell(td, value, cellNumber(value, decimals)",
        "writeCell(td, value, cellNumber(1.1 * value, decimals)",
        PRESETS,
    ),
    Fault(
        "named numbers 10 % off",
        "src/course/widgets/softmax_sharpness.js",
        "fixed(nats, 3)",
        "fixed(1.1 * nats, 3)",
        SHOWN,
    ),
    Fault(
        "bars too short",
        f"{CARD}/drawings.js",
        "[weight.toFixed(5), i + 0.14",
        "[(0.9 * weight).toFixed(5), i + 0.14",
        SHOWN,
    ),
    Fault(
        "bars below weights too long",
        f"{CARD}/drawings.js",
        "scaleX(${Math.min(Math.max(share, 0), 1).toFixed(5)})",
        "scaleX(${Math.min(Math.max(1.2 * share, 0), 1).toFixed(5)})",
        COLOURS,
    ),
    Fault(
        "colours of weights inverted",
        f"{CARD}/drawings.js",
        "const percent = (100 * Math.min(Math.max(weight, 0), 1)).toFixed(1);",
        "const percent = (100 - 100 * Math.min(Math.max(weight, 0), 1)).toFixed(1);",
        COLOURS,
    ),
    Fault(
        "colours of signed numbers swapped",
        f"{CARD}/drawings.js",
        'value < 0 ? "negative" : "positive"',
        'value < 0 ? "positive" : "negative"',
        SHOWN,
    ),
    Fault(
        "an ASCII hyphen for a minus sign",
        f"{CARD}/numbers.js",
        'Number(digits) === 0 ? "" : "\\u2212"',
        'Number(digits) === 0 ? "" : "-"',
        ("tests/browser/test_numbers.py",),
    ),
    Fault(
        "a false sentence: the two sides exchanged",
        "src/course/widgets/sqrt_dk.js",
        "[`${side}_${name}`, read[side][name]]",
        "[`${side}_${name}`, read[SIDES.find((other) => other !== side)][name]]",
        SHOWN,
    ),
    Fault(
        "a false sentence: the least for the most",
        "src/course/widgets/who_looks_at_whom.js",
        "weights[b] - weights[a]",
        "weights[a] - weights[b]",
        SHOWN,
    ),
    Fault(
        "a false sentence: the wrong one of three",
        "src/course/widgets/softmax_sharpness.js",
        'fixed(largest, 3) === "1.000"',
        'fixed(largest, 0) === "1"',
        SHOWN,
    ),
    Fault(
        "a point of a plot in the wrong place",
        "src/course/widgets/sqrt_dk.js",
        "return 100 * (1 - norm / TOP_NORM);",
        "return 100 * (1 - norm / 0.5);",
        MARKS,
    ),
    Fault(
        "a slider that says another value",
        f"{CARD}/controls.js",
        "if (typed() !== value) field.value = String(value);",
        "if (typed() !== value) field.value = String(stops[stop]);",
        SHOWN,
    ),
    Fault(
        "right answers of figures called wrong",
        f"{CARD}/question.js",
        '(choice.right ? "Right." : "Not so.")',
        '(choice.right ? "Not so." : "Right.")',
        VERDICTS,
        built=True,
    ),
    Fault(
        "right answers of quizzes called wrong",
        "src/course/widgets/quiz.js",
        'if (choice.right) return "Right. Each choice now says why.";',
        'if (!choice.right) return "Right. Each choice now says why.";',
        VERDICTS,
        built=True,
    ),
    Fault(
        "the mark of the answer at another choice",
        f"{CARD}/multiple_choice.js",
        'choice.right ? marks[isPicked ? "right" : "answer"]',
        '!choice.right ? marks[isPicked ? "right" : "answer"]',
        VERDICTS,
        built=True,
    ),
    Fault(
        "a slip of an exercise taken as right",
        "src/course/widgets/exercise.js",
        "text: slip ? slip.why : commonSlip(given, answer, digits),",
        "text: commonSlip(given, answer, digits),",
        (*EXERCISES, "-k", "every_slip_is_named"),
        built=True,
    ),
    Fault(
        "a row of the ledger that shows the computed number as printed",
        "src/course/widgets/ledger_table.js",
        "...[row.printed, row.chained, row.source].map(",
        "...[row.chained, row.chained, row.source].map(",
        ("tests/browser/test_ledger_table.py",),
        built=True,
    ),
    Fault(
        "keys shown as if they were not transposed",
        f"{SHEET}/grid.js",
        "cells.map((line) => line[i])) : cells",
        "cells.map((line) => line[(i + 1) % 2])) : cells",
        ("tests/browser/test_worksheet.py", "-k", "as_they_are_multiplied"),
    ),
    Fault(
        "numbers of drawn matrices 10 % off",
        "src/course/kit/matrices.py",
        "matrix.texts[at[0]][at[1]],",
        "number(1.1 * matrix.array[at], 2),",
        (f"{UNIT}/course",),
    ),
    Fault(
        "bars of drawn matrices too long",
        "src/course/kit/matrices.py",
        "length = float(np.clip(value, 0, 1))",
        "length = float(np.clip(1.1 * value, 0, 1))",
        (f"{UNIT}/course/kit/test_matrices.py",),
    ),
    Fault(
        "percentages 10 % off in sentences",
        "src/course/kit/prose.py",
        "100 * value",
        "110 * value",
        (f"{UNIT}/course/kit/test_prose.py",),
    ),
    Fault(
        "one head refused",
        "src/attention/_checks.py",
        'h = integer("num_heads", num_heads, at_least=1)',
        'h = integer("num_heads", num_heads, at_least=2)',
        (f"{UNIT}/attention/test_attention_heads.py",),
    ),
    Fault(
        "the leak read off the wrong place",
        "src/course/chapters/multi_head/experiments.py",
        "softmax(logits, axis=0)[0, :, None]  # of the first place",
        "softmax(logits, axis=0)[1, :, None]  # of the first place",
        (f"{UNIT}/course/chapters/multi_head/test_experiments.py",),
    ),
    Fault(
        "a sign in the formula of what is out of reach",
        "src/course/chapters/output_projection/experiments.py",
        "return float(0.5 - np.sum(own * mixed)",
        "return float(0.5 + np.sum(own * mixed)",
        (f"{UNIT}/course/chapters/output_projection/test_experiments.py",),
    ),
    Fault(
        "a head of the pipeline with a column too many",
        "src/course/chapters/multi_head/figures.py",
        '_grid(ax, x, tops["Z"], (n, d_k)',
        '_grid(ax, x, tops["Z"], (n, d_k + 1)',
        (f"{UNIT}/course/chapters/multi_head/test_figures.py",),
    ),
    Fault(
        "a claim bolder than what was measured",
        "src/course/claims.csv",
        "3,< 0.75,",
        "3,< 0.6,",
        (f"{UNIT}/course/test_claims.py", "-k", "multi_head"),
    ),
    Fault(
        "a name that no open cell imports",
        "chapters/03-multi-head.ipynb",
        '"from course.chapters.multi_head import experiments\\n",',
        '"\\n",',
        ("tests/book/test_names.py",),
    ),
    Fault(
        "folded text read in full",
        "book/reading_time.py",
        "FOLDED = 0.5",
        "FOLDED = 1",
        (f"{UNIT}/book/test_reading_time.py",),
    ),
    Fault(
        "words of the text that set nothing",
        "book/runtime/address.js",
        "    figure.take(values);\n    bringIntoView",
        "    bringIntoView",
        ("tests/browser/test_prose_controls.py", "-k", "02-why"),
        built=True,
    ),
    Fault(
        "a wrong answer told as right at the end of a page",
        "book/runtime/results.js",
        'verdict === "right" ? "Right." : "Not so."',
        '"Right."',
        PROGRESS,
        built=True,
    ),
    Fault(
        "a file of another version imported",
        "book/runtime/file.js",
        "if (file.version !== VERSION)",
        "if (!file.version)",
        PROGRESS,
        built=True,
    ),
    Fault(
        "a mark that calls a page done at its first answer",
        "book/runtime/progress.js",
        "total ? answered === total",
        "total ? answered > 0",
        ("tests/browser/test_progress.py", "-k", "done_only"),
        built=True,
    ),
    Fault(
        "a tab overwrites what another has kept",
        "book/runtime/device.js",
        "if (this.#isHeld || this.changedElsewhere()) return;",
        "if (this.#isHeld) return;",
        (KEPT, "-k", "slept"),
    ),
    Fault(
        "a link replaces what was left, without a word",
        "book/runtime/device.js",
        "if (!this.#isHeld && onDevice.some((trait) => this.#isOtherwise(trait))) "
        "this.#sayLinked();",
        "",
        (KEPT, "-k", "silently_replace"),
    ),
    Fault(
        "what an older version kept is overwritten",
        "book/runtime/device.js",
        "if (unread.length) this.#sayUnread(unread);",
        "",
        (KEPT, "-k", "older"),
    ),
    Fault(
        "a full storage is not told of",
        "book/runtime/device.js",
        "if (why) this.#sayLost(why);",
        "if (why) continue;",
        (KEPT, "-k", "full_storage"),
    ),
    Fault(
        "Back undoes what was typed",
        "book/runtime/address.js",
        "for (const trait of figure.visited) model.set(trait, visitedIn",
        "for (const trait of figure.inLinks) model.set(trait, visitedIn",
        (KEPT, "-k", "back_and_forward"),
    ),
    Fault(
        "each move of a slider is a step of its own",
        f"{CARD}/history.js",
        "event === this.#act || (field && field === this.#field)",
        "event === this.#act",
        (UNDO, "-k", "one_slider"),
    ),
    Fault(
        "what was taken back is still there to redo after an edit",
        f"{CARD}/history.js",
        "    this.#future = [];\n    [this.#act",
        "    [this.#act",
        (UNDO, "-k", "random_sequences"),
    ),
    Fault(
        "a link forgets the padding",
        f"{SHEET}/link.js",
        "inputs.W_O !== null, ...inputs.padding]",
        "inputs.W_O !== null, ...inputs.padding.map(() => false)]",
        (LINKS, "-k", "comes_back"),
    ),
    Fault(
        "a link that was cut is shown",
        f"{SHEET}/link.js",
        "|| proof(body) !== text.slice(-3)",
        "",
        (LINKS, "-k", "cut_or_changed"),
    ),
    Fault(
        "the names of bars upside down",
        f"{CARD}/drawings.js",
        'html("span", { role: "rowheader" }, text)',
        'html("span", { role: "rowheader" }, labels.at(-1 - i))',
        WORDS,
        built=True,
    ),
    Fault(
        "the two ways of dividing at each other's numbers",
        "src/course/widgets/sqrt_dk.js",
        'const heads = ["q · k", "q · k / √dₖ"]',
        'const heads = ["q · k / √dₖ", "q · k"]',
        WORDS,
        built=True,
    ),
    Fault(
        "a drawn curve by the other's name",
        "src/course/chapters/why_sqrt_dk/figures.py",
        '_BOTH = {"not divided": "ink", "divided by √dₖ": "output"}',
        '_BOTH = {"divided by √dₖ": "ink", "not divided": "output"}',
        (f"{UNIT}/course/chapters/why_sqrt_dk/test_figures.py", "-k", "names_its"),
    ),
    Fault(
        "the numbers of another claim",
        "src/course/claims.py",
        "for found in recompute(claim)]",
        "for found in recompute(register()[0])]",
        (f"{UNIT}/course/test_claims.py", "-k", "what_is_said"),
    ),
    Fault(
        "dots of one set in the colour of the other's name",
        "src/course/chapters/transformer/figures.py",
        """    for (name, role, _), x in zip(sets, (0.0, 0.5), strict=True):""",
        """    roles = ("key", "query")
    for (name, _, _), role, x in zip(sets, roles, (0.0, 0.5), strict=True):""",
        (f"{UNIT}/course/chapters/transformer/test_figures.py", "-k", "variants"),
    ),
    Fault(
        "weights with a root inside softmax and outside change places",
        "src/course/chapters/self_attention/figures.py",
        "        for m in (right, wrong)\n",
        "        for m in (wrong, right)\n",
        (f"{UNIT}/course/chapters/self_attention/test_figures.py", "-k", "two_places"),
    ),
    Fault(
        "one head's column under the other's name",
        "src/course/chapters/multi_head/figures.py",
        'names = ("one head", "head 1", "head 2")',
        'names = ("one head", "head 2", "head 1")',
        (f"{UNIT}/course/chapters/multi_head/test_figures.py", "-k", "names_columns"),
    ),
    Fault(
        "printed weights drawn as computed ones",
        "src/course/chapters/walkthrough_apple/figures.py",
        "    ax.scatter(page, rows, s=42, linewidth=1.6, zorder=2, **hollow)\n"
        '    ax.scatter(own, rows, s=46, color=look.colour("output"), zorder=3)',
        "    ax.scatter(own, rows, s=42, linewidth=1.6, zorder=2, **hollow)\n"
        '    ax.scatter(page, rows, s=46, color=look.colour("output"), zorder=3)',
        (f"{UNIT}/course/chapters/walkthrough_apple/test_figures.py",),
    ),
    Fault(
        "a masked word is said to come after the word that it comes before",
        f"{SHEET}/explain.js",
        "`Masked: \\u201c${to}\\u201d comes after \\u201c${from}\\u201d",
        "`Masked: \\u201c${from}\\u201d comes after \\u201c${to}\\u201d",
        ("tests/browser/test_worksheet.py", "-k", "a_mask_adds"),
    ),
    Fault(
        "the translator names rows as columns",
        "src/course/widgets/translator/explain.js",
        "`Row ${i + 1} of ${nameText(left)} times column",
        "`Column ${i + 1} of ${nameText(left)} times row",
        WORDS,
        built=True,
    ),
    Fault(
        "the rows of the stream are named by the layer above",
        "src/course/widgets/translator/translator.js",
        "[`${layer}, ${sublayer",
        "[`${Number(layer) + 1}, ${sublayer",
        WORDS,
        built=True,
    ),
    Fault(
        "weights are left out on paper",
        f"{CARD}/card.css",
        "  .abh-card .abh-button {\n    display: none;",
        "  .abh-card .abh-button, .abh-bars {\n    display: none;",
        ("tests/browser/test_every_page.py", "-k", "at_a_desk"),
        built=True,
    ),
    Fault(
        "a curve stays that of the query before",
        "src/course/widgets/sqrt_dk.js",
        'view.watch(["d_k", "row"]',
        'view.watch(["d_k"]',
        ("tests/browser/test_fresh_or_moved.py",),
    ),
    Fault(
        "a sentence tells the complement of its share",
        "chapters/02-why-sqrt-dk.ipynb",
        "np.mean(many.undivided > many.divided)",
        "np.mean(many.undivided < many.divided)",
        SAID,
        built=True,
    ),
    Fault(
        "a question has another key",
        "src/course/chapters/errata/questions.py",
        """            False,
            "That step is right: from the figures printed before it follows this one.",
        ),
        (
            "A step before it",
            True,
""",
        """            True,
            "That step is right: from the figures printed before it follows this one.",
        ),
        (
            "A step before it",
            False,
""",
        SAID,
        built=True,
    ),
    Fault(
        "a slip is named for another's number",
        "src/course/chapters/walkthrough_apple/exercises.py",
        "products[:-1].sum()",
        "products[:-3].sum()",
        SAID,
        built=True,
    ),
    Fault(
        "an axis cuts a mark off",
        "src/course/chapters/multi_head/figures.py",
        "ylim=(24.5, 26.3)",
        "ylim=(25, 26.3)",
        ("tests/book/test_marks.py",),
        built=True,
    ),
    Fault(
        "what is right stands in the colour of what is wrong",
        f"{CARD}/card.css",
        """.abh-verdict[data-verdict="right"] > strong {\n  color: var(--abh-right)""",
        """.abh-verdict[data-verdict="right"] > strong {\n  color: var(--abh-wrong)""",
        ("tests/browser/test_every_question.py", "-k", "has_its_colour"),
        built=True,
    ),
    Fault(
        "the way on bears the name of the page before",
        "book/theme/layout.html",
        "<small>Next</small> {{ next.title }}",
        "<small>Next</small> {{ (prev or next).title }}",
        ("tests/book/test_pages.py", "-k", "ways_on"),
        built=True,
    ),
    Fault(
        "a mistake is named that explains one result and not the others",
        "src/course/practice/grader.py",
        "return any(all(map(same, got, each)) for each in ways)",
        "return any(any(map(same, got, each)) for each in ways)",
        PRACTICE,
    ),
    Fault(
        "a grader that is content with three digits",
        "src/course/practice/outcomes.py",
        "ROUNDING = 1e-5",
        "ROUNDING = 1e-3",
        PRACTICE,
    ),
    Fault(
        "a wrong attention that is right after all",
        "src/course/practice/gallery/attention.py",
        "np.tri(*s.shape, k=1)",
        "np.tri(*s.shape, k=0)",
        PRACTICE,
    ),
    Fault(
        "a coincidence that is none",
        "src/course/practice/coincidences.py",
        "lambda size: size.d_model == size.d_k**2",
        "lambda size: size.d_model == 2 * size.d_k",
        PRACTICE,
    ),
    Fault(
        "tests that are not run catch somebody",
        "src/course/widgets/suspects.js",
        "filter((is, i) => is && on[i])",
        "filter((is) => is)",
        SHOWN,
    ),
    Fault(
        "a search in which titles weigh no more than the text",
        "book/search/ranking.js",
        "title: 6,",
        "title: 1,",
        SEARCH,
        built=True,
    ),
    Fault(
        "a search that knows no synonyms",
        "book/search/ranking.js",
        "const fits = this.synonyms.filter(isAt);",
        "const fits = [];",
        SEARCH,
        built=True,
    ),
    Fault(
        "a search that takes formulas as they are written",
        "book/search/places.py",
        "yield plain_formula(node.astext())",
        "yield node.astext()",
        PLACES,
        built=True,
    ),
    Fault(
        "a search that goes through code",
        "book/search/places.py",
        "(nodes.literal_block, nodes.doctest_block)",
        "(nodes.doctest_block,)",
        PLACES,
        built=True,
    ),
    Fault(
        "hits that open at the top of the page",
        "book/search/ranking.js",
        "url: `${file}#${anchor}`",
        "url: file",
        SEARCH,
        built=True,
    ),
    Fault(
        "a page that Firefox is told to fetch in advance",
        "book/theme/layout.html",
        "{% for name in stylesheets %}",
        '{% if next %}<link rel="next" href="{{ next.link }}">{% endif %}'
        "{% for name in stylesheets %}",
        ("tests/book/test_pages.py",),
        built=True,
    ),
    Fault(
        "a slider's last stop typed in the view",
        f"{CARD}/controls.js",
        "maximum: max = Infinity, type } = schema",
        "maximum: max = 3, type } = { ...schema, maximum: 3 }",
        (CONTRACT, *SHOWN),
    ),
    Fault(
        "a constant of Python typed anew in the view",
        "src/course/widgets/drawn.js",
        "running[dK] / per_unit ** 2",
        "running[dK] / 15 ** 2",
        SHOWN,
    ),
    Fault(
        "an answer is known by its place",
        f"{CARD}/choices.js",
        "return choices.find((choice) => choice.text === text);",
        "return text ? choices[0] : undefined;",
        (ANSWERS, "-k", "keeps"),
    ),
    Fault(
        "a right answer is demoted by a later one",
        "book/runtime/results.js",
        'if (now !== "right" && once === "right")',
        'if (now === "" && once === "right")',
        (ANSWERS, "-k", "demoted"),
    ),
    Fault(
        "a trait with a control is undone and not linked",
        "src/course/widgets/contract.py",
        "Part(link=True, undo=True, device",
        "Part(undo=True, device",
        (f"{UNIT}/course/widgets/test_contract.py", "-k", "marks"),
    ),
    Fault(
        "a listener outlives its view",
        f"{CARD}/card.js",
        'signal.addEventListener("abort", () => model.off(`change:${trait}`, update));',
        "",
        ENDS,
        built=True,
    ),
    Fault(
        "an observer outlives its view",
        f"{CARD}/elements.js",
        'signal.addEventListener("abort", () => observer.disconnect());',
        "",
        ENDS,
        built=True,
    ),
]
