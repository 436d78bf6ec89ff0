"""Model selection by several processes: the same answer, given up at any time, never left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.parsing import Fit, parse_fit
from kernelviz.runtime.jobs import GivenUpError, Job, Jobs, News, Report
from kernelviz.runtime.parallel_selection import SelectionRun, prepare_selection, select
from tests.elsewhere import exists
from tests.patience import PATIENCE, wait_until

MOONS = kernelviz.dataset("moons(n=60, noise=0.35)")
FIT = parse_fit("rbf(gamma=1) ; soft-margin-svm(C=10)")
OVER = ("gamma=0.1:10:4", "C=1:100:4")


def run(jobs: int, data: kernelviz.Data = MOONS, fit: Fit = FIT, over: Sequence[str] = OVER) -> SelectionRun:
    """By processes of their own, however small the work."""
    ready = prepare_selection(data, fit, over)
    return SelectionRun(ready.grid, ready.trial, ready.note, jobs, apart=True)


def test_several_processes_find_what_one_finds() -> None:
    here = select(MOONS, over=OVER)
    for jobs in (1, 2):
        assert finished(run(jobs).work(lambda: None)).report() == here.report()


def test_small_work_is_done_before_processes_could_have_started() -> None:
    started: list[int] = []
    ready = prepare_selection(MOONS, FIT, OVER)
    finished(ready.work(lambda: started.append(len(active_children()))))
    assert set(started) == {0}


def test_the_library_takes_ranges_in_any_form() -> None:
    texts = select(MOONS, over={"gamma": "0.1:10:3", "C": (1, 100, 2)})
    assert [row["C"] for row in texts.table] == [1, 100] * 3
    assert texts.face("error").shape == (3, 2)
    assert texts.table[0]["gamma"] == 0.1
    best = texts.fit(texts.best)
    assert kernelviz.fit(MOONS, kernel=best.kernel, algorithm=best.algorithm).converged


def test_labels_of_any_kind_are_judged() -> None:
    words = np.where(MOONS.z > 0, "cat", "dog")
    assert select(MOONS.X, words, over=OVER).table == select(MOONS.X, -MOONS.z, over=OVER).table


def test_what_is_known_so_far_fills_up_coarse_cells_first() -> None:
    trial = run(1)
    coarse = SelectionRun(trial.grid, trial.trial, jobs=1, coarse_first=True)
    known = []
    with closing(coarse.work(lambda: None)) as work:
        for share in work:
            known.append(coarse.so_far.done)
            assert share == pytest.approx(known[-1] / 16)
    assert known == sorted(known)
    assert (known[0], known[-1]) == (4, 16)


@pytest.mark.parametrize("known", [0, 4, 12])
def test_given_up_at_any_time_it_leaves_no_process(known: int) -> None:
    line_by_line = parse_fit("rbf(gamma=1) ; squared-slack-svm(lam=0.1)")
    trial = run(2, fit=line_by_line, over=("gamma=0.1:10:8", "lam=0.01:1:4"))

    def beat() -> None:
        if trial.so_far.done >= known:
            raise GivenUpError

    with pytest.raises(GivenUpError):
        list(trial.work(beat))
    assert active_children() == []


def test_a_job_that_is_cancelled_leaves_no_process() -> None:
    told: list[Report] = []
    large = kernelviz.dataset("moons(n=400, noise=0.35)")
    jobs, job = Jobs("kernelviz-test", told.append), Job(run(2, large).work)
    jobs.start(job)
    wait_until(lambda: len(active_children()) == 2)
    jobs.clear()
    assert jobs.join(PATIENCE)
    assert [piece.news for piece in told if piece.news is not News.PROGRESSED] == [News.GIVEN_UP, News.IDLE]
    assert active_children() == []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at children as Linux has them")
def test_processes_do_not_outlive_a_program_that_is_killed() -> None:
    command = [sys.executable, "-m", "kernelviz", "select", "moons(n=600, noise=0.4)", "--jobs", "3"]
    with subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE) as program:
        children: list[int] = []

        def both_at_work() -> bool:
            children[:] = _workers_of(program.pid)
            return len(children) == 2

        wait_until(both_at_work)
        program.send_signal(signal.SIGKILL)
    wait_until(lambda: not any(map(exists, children)))


def _workers_of(pid: int) -> list[int]:
    """Its children that do work: all but the one that tidies up after them."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return [child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"by": "magic"}, "judged by cv, loo, likelihood"),
        ({"jobs": 0}, "between 1 and 1024"),
        ({"jobs": "x"}, "The number of processes is a whole number, not 'x'"),
        ({"folds": 1}, "folds"),
        ({"folds": 2.5}, "The number of folds is a whole number, not 2.5"),
        ({"folds": "x"}, "The number of folds is a whole number, not 'x'"),
        ({"seed": -5}, "A seed cannot be negative: -5"),
        ({"seed": 1.5}, "The seed is a whole number, not 1.5"),
        ({"seed": None}, "The seed is a whole number, not None"),
        ({"over": 3}, "Give the grid as a dict"),
        ({"over": "gamma"}, "NAME=LOW:HIGH:COUNT"),
        ({"over": {"gamma": 3}}, "LOW:HIGH:COUNT"),
        ({"kernel": "linear", "algorithm": "prototype"}, "no parameter to choose"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(changes: dict, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        select(MOONS, **changes)
