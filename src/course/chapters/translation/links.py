"""Links in the text that set the translator of the page."""

import json
from collections.abc import Sequence
from urllib.parse import quote


def translator(
    words: str,
    sentence: str,
    step: int = 0,
    off: Sequence[str] = (),
    forced: Sequence[str] = (),
) -> str:
    """Return a link, in Markdown, that sets the translator of the page.

    Parameters
    ----------
    words : str
        Text of the link.
    sentence : str
        English words.
    step : int
        Number of the selected French word; 0 for all words.
    off, forced : sequence of str
        Parts to switch off, and French words that the model must write.
    """
    state = {
        "sentence": sentence,
        "level": "heads" if off else "sentence",
        "step": str(step),
        "forced": json.dumps(list(forced)),
        "off": json.dumps(list(off)),
    }
    pairs = (f"translator.{name}={quote(value)}" for name, value in state.items())
    return f"[{words}](#{'&'.join(pairs)})"
