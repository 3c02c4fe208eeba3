"""The page of sources cites each work beside the name of its first author."""

import re

from book.build import ROOT
from book.citations import entries

BIB = ROOT / "references.bib"
NO_NAME = {"vaswani2017", "radford2019"}  # "the paper", and the same authors' next one


def test_the_page_of_sources_cites_a_work_beside_other_authors():
    text = " ".join((ROOT / "sources.md").read_text(encoding="utf-8").split())
    pieces = re.split(r"\{cite\}`(\w+)`", text)
    assert len(pieces) > 20
    for before, key in zip(pieces[::2], pieces[1::2], strict=False):
        [name, *_] = entries(BIB)[key].persons["author"]
        near = " ".join(before.split()[-4:])
        assert name.last_names[-1].strip("{}") in near or key in NO_NAME, (
            f"{near} {key}"
        )
