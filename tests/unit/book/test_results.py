"""The results of a class are counted for each student and page."""

import pytest

from book.results import SAVED, main

ANSWERS = """\
chapters/01,"What, and why?","a ""quoted"" word",b,right,wrong
chapters/01,Another?,b,b,right,right
chapters/03,Third?,c,c,wrong,wrong
chapters/03-b,Fourth?,c,c,right,right
"""


def test_files_of_several_students_are_not_joined(tmp_path, capsys):
    for name, answers in (("Ada", ANSWERS), ("Bo", "")):
        text = ",".join(SAVED) + "\n" + answers
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8-sig")
    main([str(tmp_path / "*.csv")])  # Windows passes the pattern on
    assert capsys.readouterr().out.split("\n")[:-1] == [
        "student,page,answered,right,right_at_first",
        "Ada,chapters/01,2,2,1",
        "Ada,chapters/03,1,0,0",
        "Ada,chapters/03-b,1,1,1",
    ]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([], r"FILES must name the students' files, as \"class/\*\.csv\", got \[\]"),
        (["none.csv"], r"none\.csv cannot be read: "),
        (["."], r"\. cannot be read: "),
        (["Ada.csv"], r"Ada\.csv must be .*Save results.* columns"),
        (["empty.csv"], r"empty\.csv must be .*Save results.* columns"),
    ],
)
def test_a_file_that_holds_no_results_is_not_named(
    files, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Ada.csv").write_text("page,verdict\nx,right\n", encoding="utf-8")
    (tmp_path / "empty.csv").touch()
    with pytest.raises(SystemExit, match=message):
        main(files)
