"""Links that set the translator, for what the page says of parts that code chooses."""

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
    """Write a link that sets the translator of the page.

    Parameters
    ----------
    words : str
        What the link says.
    sentence : str
        In English.
    step : int, default 0
        The French word that is chosen; 0 for all of them.
    off, forced : sequence of str, optional
        Parts that are switched off, and French words that have to stand.

    Returns
    -------
    str
        Markdown.
    """
    state = {
        "sentence": sentence,
        "step": str(step),
        "forced": json.dumps(list(forced)),
        "off": json.dumps(list(off)),
    }
    pairs = (f"translator.{name}={quote(value)}" for name, value in state.items())
    return f"[{words}](#{'&'.join(pairs)})"
