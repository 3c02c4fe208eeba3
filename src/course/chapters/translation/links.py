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

    The translator shows the English words of the `sentence`, and selects the French
    word number `step`, or all words if it is 0. Parts are switched `off`, and the model
    must write the `forced` French words.
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
