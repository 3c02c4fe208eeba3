"""Citations stand beside the terms and the names of their authors."""

import re

from committed import CHAPTERS, sources

from book.build import ROOT
from book.citations import entries

BIB = ROOT / "references.bib"
CITED = re.compile(r"(?<=[,(])\s?\[(\w+)[^\],]*((?:, \d{4})?)\]\(\.\./sources\.md\)")
SUBJECT = re.compile(r"\[(\w+)[^\]]*\]\(\.\./sources\.md\)( [a-z][^.]*)")
DEEDS = {
    "OV circuit": "Elhage", "removed the value matrices": "He",
    "dot products then grow": "Yang", "all words approach one": "Dong",
    "is not an explanation": "Jain", "found such pairs": "Olsson",
    "keep the first few": "Xiao", "compute the softmax": "Milakov",
}  # fmt: skip
AUTHORS = {
    "ALiBi": "Press", "Adam": "Kingma", "FlashAttention": "Dao", "Mamba": "Gu",
    "RMSNorm": "Zhang", "grouped-query": "Ainslie", "Relative": "Shaw",
    "Ring attention": "Liu", "Rotary": "Su", "SwiGLU": "Shazeer, 2020",
    "a share can be exactly 0": "Martins",
    "attention sink": "Xiao", "byte-pair": "Sennrich", "delta rule": "Schlag",
    "heads can be switched off": "Michel", "linear attention": "Katharopoulos",
    "mixture of experts": "Shazeer", "multi-head latent": "DeepSeek",
    "multi-query": "Shazeer, 2019", "share one head of keys": "Ainslie",
    "sparse pattern": "Child", "window": "Beltagy",
}  # fmt: skip


def test_a_term_is_cited_with_other_authors():
    found = set()
    for path in CHAPTERS:
        text = " ".join("\n".join(sources(path, "markdown")).split())
        for cited in CITED.finditer(text):
            before = text[max(0, cited.start() - 150) : cited.start()]
            sentence = re.split(r"\]\(|[.:?] (?=[A-Z*-])", before)[-1].lower()
            at = {term: sentence.rfind(term.lower()) for term in AUTHORS}
            term = max(at, key=at.__getitem__)
            if at[term] >= 0:
                found.add(term)
                work = cited[1] + cited[2]
                assert work == AUTHORS[term], f"{path.stem} cites {work} for {term!r}"
        for name, deed in SUBJECT.findall(text):
            expected = {DEEDS[words] for words in DEEDS if words in deed} or {name}
            assert expected == {name}, f"{path.stem} says that {name} did this:{deed}"
    assert len(found) > len(AUTHORS) / 2


NO_NAME = {"vaswani2017", "radford2019"}  # "the paper", and the same authors' next one


def test_the_page_of_sources_cites_a_work_beside_other_authors():
    text = " ".join((ROOT / "sources.md").read_text(encoding="utf-8").split())
    pieces = re.split(r"\{cite\}`(\w+)`", text)
    for before, key in zip(pieces[::2], pieces[1::2], strict=False):
        [name, *_] = entries(BIB)[key].persons["author"]
        near = " ".join(before.split()[-4:])
        assert name.last_names[-1].strip("{}") in near or key in NO_NAME, (
            f"{near} {key}"
        )


def test_a_work_has_another_year_than_its_key():
    years = {key: entry.fields["year"] for key, entry in entries(BIB).items()}
    assert [key for key, year in years.items() if not key.endswith(year)] == []
