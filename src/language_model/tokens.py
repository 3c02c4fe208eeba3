"""Cuts a text into word pieces, the tokens of the model, and joins pieces to text."""

from collections.abc import Sequence

SPECIAL = 3
"""The kind that the GGUF file gives special pieces such as <|im_start|>."""


class Pieces:
    """The 49,152 word pieces of the model: byte-pair encoding, one piece per digit.

    A piece's number is its index in `tokens`, and `kinds` has its kind (see `SPECIAL`).
    `merges` are pairs of pieces to join, in order of priority.
    """

    def __init__(
        self, tokens: Sequence[str], merges: Sequence[str], kinds: Sequence[int]
    ) -> None:
        from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

        pairs = [tuple(pair.split(" ")) for pair in merges]
        numbers = {token: number for number, token in enumerate(tokens)}
        self._tokenizer = Tokenizer(models.BPE(numbers, pairs))
        self._tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Digits(individual_digits=True),
                pre_tokenizers.ByteLevel(add_prefix_space=False),
            ]
        )
        self._tokenizer.decoder = decoders.ByteLevel()
        special = [t for t, kind in zip(tokens, kinds, strict=True) if kind == SPECIAL]
        self._tokenizer.add_special_tokens(
            [AddedToken(token, special=True, normalized=False) for token in special]
        )

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def tokens(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces."""
        return self._tokenizer.encode(text).ids

    def text(self, tokens: Sequence[int]) -> str:
        """Return the text of some pieces."""
        return self._tokenizer.decode(list(tokens), skip_special_tokens=False)

    def words(self, tokens: Sequence[int]) -> list[str]:
        """Return the text of each piece; most begin with a space."""
        return [self.text([token]) for token in tokens]
