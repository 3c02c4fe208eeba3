"""The processes of a pool end with the program that started the pool."""

import subprocess
import sys

from book.build import ROOT

PROGRAM = """
import os, signal, time
from concurrent.futures import ProcessPoolExecutor
from book.processes import end_with_parent

if __name__ == "__main__":
    pool = ProcessPoolExecutor(2, initializer=end_with_parent)
    assert list(pool.map(abs, range(9))) == list(range(9))
    pool.submit(time.sleep, 60), pool.submit(time.sleep, 60)
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_process_of_a_pool_stays_after_its_program_was_killed(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    # `run` waits until no process holds the pipe of the output, and raises after 10 s.
    subprocess.run(
        [sys.executable, program],
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        timeout=10,
    )
