"""Other people's files that the book uses, each with its origin and its hash."""

import hashlib
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ORIGINS = HERE / "origins.toml"


def vendored(name: str) -> bytes:
    """Read a file that `origins.toml` names, and check its hash."""
    content = (HERE / name).read_bytes()
    expected = tomllib.loads(ORIGINS.read_text(encoding="utf-8"))[name]["sha256"]
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise ValueError(f"book/vendor/{name} has sha256 {found}, expected {expected}")
    return content
