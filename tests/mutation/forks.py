"""Try the mutants of the library, each in a fork of one session that has its tests.

``python tests/mutation/forks.py`` follows a `mutmut run` of one mutant, which writes
all of them to ``mutants/``, and which test reaches which function. mutmut would start
pytest anew for each mutant; here the tests are collected once. A mutant is asked the
tests that reach its function and take at most `LONGEST` seconds. It is killed by the
first that fails, or if it does not end within `MOST` seconds of computing.

The outcomes go where mutmut looks for them. Begun again, this tries what is left and
what survived.
"""

import gc
import os
import resource
import signal
import sys
from collections import Counter, defaultdict
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

import pytest
from _pytest.runner import runtestprotocol
from mutmut.configuration import config
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state
from mutmut.stats import load_stats
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import mangled_name_from_mutant_name

LONGEST = 0.35
MOST = 60
SURVIVED, KILLED, TIMEOUT = 0, 1, 36  # as mutmut numbers them
NO_MUTANT = "attention.unchanged__mutmut_0"
FORK = get_context("fork")


class Trial:
    """A plugin of pytest that tries mutants with the tests, and does not run these."""

    def __init__(self, mutants: dict[str, SourceFileMutationData]) -> None:
        self.mutants = mutants  # with where to note what became of each
        self.items: dict[str, pytest.Item] = {}
        self.kills: Counter[tuple[str, str]] = Counter()

    def pytest_sessionstart(self) -> None:
        """Keep Hypothesis from looking for the smallest example that fails."""
        from hypothesis import Phase, settings  # not before pytest, which rewrites it

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("as found", settings.default, phases=phases)
        settings.load_profile("as found")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the mutants, as many at once as there are cores for this."""
        self.items = {item.nodeid: item for item in session.items}
        if killer := self.begin(NO_MUTANT).recv():
            pytest.exit(f"{killer} fails without any change", returncode=1)
        gc.freeze()  # what is here is shared with the forks, and stays where it is
        waiting = list(self.mutants)[::-1]
        running: dict[Connection, str] = {}
        while waiting or running:
            while waiting and len(running) < len(os.sched_getaffinity(0)):
                name = waiting.pop()
                running[self.begin(name)] = name
            ready = wait(list(running))
            for answer in [each for each in running if each in ready]:
                self.note(running.pop(answer), answer)
        return True

    def begin(self, name: str) -> Connection:
        """Begin to try a mutant, and return where the answer will come."""
        answer, sender = FORK.Pipe(duplex=False)
        FORK.Process(target=self.attempt, args=(name, sender), daemon=True).start()
        sender.close()
        return answer

    def attempt(self, name: str, sender: Connection) -> None:
        """Send the test that kills a mutant, or nothing; in a process of its own."""
        silence = os.open(os.devnull, os.O_WRONLY)
        for output in (1, 2):
            os.dup2(silence, output)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST))
        signal.alarm(2 * MOST)  # for one that waits and does not compute
        set_mutant_under_test(name)
        tests = [self.items[test] for test in self.tests(name)]
        for test, following in zip(tests, [*tests[1:], None], strict=True):
            if fails(test, following):
                sender.send(test.nodeid)
                return
        sender.send("")

    def tests(self, name: str) -> list[str]:
        """Return the tests to ask: first those that kill its like, then the quick."""
        function = mangled_name_from_mutant_name(name)
        seconds = state().duration_by_test

        def cost(test: str) -> tuple[float, float, float]:
            elsewhere = min(self.kills["", test], 5)
            return -self.kills[function, test], -elsewhere, seconds[test]

        reach = state().tests_by_mangled_function_name.get(function) or seconds
        quick = (test for test in reach if seconds[test] <= LONGEST)
        return sorted(self.items.keys() & set(quick), key=cost)

    def note(self, name: str, answer: Connection) -> None:
        """Note what became of a mutant."""
        try:
            killer = answer.recv()
        except EOFError:
            killer = "no end"
        answer.close()
        for function in (mangled_name_from_mutant_name(name), ""):
            self.kills[function, killer] += 1
        outcome = {"": SURVIVED, "no end": TIMEOUT}.get(killer, KILLED)
        if outcome == SURVIVED:
            print(name, flush=True)
        self.mutants[name].exit_code_by_key[name] = outcome
        self.mutants[name].save()


def fails(test: pytest.Item, following: pytest.Item | None) -> bool:
    """Run a test and say whether it fails, or something ends the whole session."""
    try:
        reports = runtestprotocol(test, nextitem=following, log=False)
    except BaseException:
        return True
    return any(report.failed for report in reports)


def left_to_try() -> dict[str, SourceFileMutationData]:
    """Return the mutants that were not tried, and then those that survived."""
    found: dict[int | None, dict[str, SourceFileMutationData]] = defaultdict(dict)
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        data.meta_path = data.meta_path.resolve()
        for name, code in data.exit_code_by_key.items():
            found[code][name] = data
    return found[None] | found[SURVIVED]


def main() -> None:
    """Try what is left to try."""
    set_mutant_under_test("")
    load_stats()
    trial = Trial(left_to_try())
    how, which = (
        config().pytest_add_cli_args,
        config().pytest_add_cli_args_test_selection,
    )
    os.chdir("mutants")
    sys.path.insert(0, os.path.abspath("src"))
    quiet = ["-q", "-s", "--tb=native", "--rootdir=."]
    sys.exit(pytest.main([*quiet, *how, *which], plugins=[trial]))


if __name__ == "__main__":
    main()
