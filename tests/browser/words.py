"""Where the words of cards and drawn figures are on record, and what reads them."""

from pathlib import Path

RECORDS = Path(__file__).with_name("words")
SCRIPT = Path(__file__).with_name("words.js").read_text(encoding="utf-8")
DRAWN = "main svg[role=img]:not(.widget *)"  # for the script: all of a page
