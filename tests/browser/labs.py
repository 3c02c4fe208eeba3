"""JupyterLab as `make lab` starts it, for the tests that open it."""

import contextlib
import json
import os
import re
import runpy
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from found import ROOT

NOTEBOOK = "chapters/01-self-attention.ipynb"  # `make lab` opens this notebook
ALL_CELLS = {"windowingMode": "none"}  # the page also contains the cells out of sight


def settings(folder):
    """Return an environment in which JupyterLab ignores the user's own settings."""
    path = "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(json.dumps(ALL_CELLS))
    places = {
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
    }
    return os.environ | {name: str(folder / place) for name, place in places.items()}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address, process):
    """Wait until the server answers."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/api"):
            return
        time.sleep(0.2)
    pytest.fail("JupyterLab did not start")


@contextlib.contextmanager
def running_lab(folder):
    """Start JupyterLab like `make lab`, in ``folder / "work"``; yield its address."""
    port = free_port()
    root, plugins, page = runpy.run_path(str(ROOT / "run.py"))["LAB"]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    options = [
        *(root, plugins.replace("=", f"={ROOT}/"), page),
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        "--LabApp.extension_manager=readonly",
    ]
    with (folder / "lab.log").open("w") as log:
        process = subprocess.Popen(
            command + options,
            cwd=folder / "work",
            env=settings(folder),
            stdout=log,
            stderr=log,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, process)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=30)


def wait_until_idle(page):
    """Wait until the kernel of a page's notebook is idle."""
    page.get_by_text(re.compile(r"Python 3.* \| Idle")).wait_for()


def run_all(page):
    """Wait for the kernel of a page's notebook, then run all cells."""
    wait_until_idle(page)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
