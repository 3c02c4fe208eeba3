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


@pytest.mark.parametrize("text", ["page,verdict\nx,right\n", ""])
def test_a_file_with_other_columns_is_accepted_or_not_named(tmp_path, text):
    (tmp_path / "Ada.csv").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"Ada\.csv must be .*Save results.* columns"):
        main([str(tmp_path / "Ada.csv")])


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([], r"FILES must name the students' files, as \"class/\*\.csv\", got \[\]"),
        (["none.csv"], r"none\.csv cannot be read: "),
        (["."], r"\. cannot be read: "),
    ],
)
def test_a_missing_file_or_a_folder_is_not_named(files, message):
    with pytest.raises(SystemExit, match=message):
        main(files)
