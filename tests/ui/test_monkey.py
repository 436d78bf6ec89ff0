"""The short form of the random user; `python -m tests.monkey` is the long one."""

from __future__ import annotations

import pytest

from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.fits.solve import can_be_polished
from kernelviz.runtime import runner
from kernelviz.session.session import Desk
from kernelviz.session.state import Document, start_up
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.monkey.checks import Broken, frame_is_fresh, memory, memory_is_bounded
from tests.monkey.walk import Failed, Walk
from tests.patience import PATIENCE

EVENTS = 80


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder the random user may write into, and nowhere else."""
    for variable in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.delenv("KERNELVIZ_STATE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("seed", [1, 2])
def test_a_random_user_breaks_nothing(qapp, home, seed):
    walk = Walk(home, seed)
    walk.go(EVENTS)
    assert (walk.problems, walk.hand.number) == ([], EVENTS - 1)


def test_what_a_random_user_breaks_is_told_with_its_seed_and_its_last_actions(qapp, home):
    walk = Walk(home, seed=4)
    walk.window.workbench.state_changed.connect(lambda *_: 1 / 0)
    with pytest.raises(
        Failed, match=r"(?s)ZeroDivisionError.*The last actions of seed 4:.*--seed 4 --events"
    ):
        walk.go(EVENTS)


def test_a_fit_of_three_classes_that_is_not_polished_yet_is_as_good_as_a_fresh_one(qapp, home, monkeypatch):
    monkeypatch.setattr(runner, "RESTING", PATIENCE)  # nothing is polished meanwhile
    walk = Walk(home, seed=5)
    points, how = dataset("blobs(n=90, classes=3, noise=0.8, seed=5)"), algorithm("soft-margin-svm(C=100)")
    walk.window.session.replace("open", Document.of(points, kernel("rbf(gamma=1)"), how))
    walk.quieten()
    assert can_be_polished(walk.window.workbench.frame.model)
    frame_is_fresh(walk.window)
    walk.go(0)


def test_memory_that_is_kept_counts_and_memory_that_is_given_back_does_not():
    before = memory()
    kept = [bytearray(10_000) for _ in range(10_000)]
    assert memory() - before == pytest.approx(100.0, abs=15.0)
    del kept
    assert memory() - before == pytest.approx(0.0, abs=15.0)


def test_growth_after_the_first_quarter_is_called_a_leak():
    memory_is_bounded([100.0, 300.0, 280.0, *[200.0, 230.0, 210.0] * 3])
    with pytest.raises(Broken, match="from 200 to 245 MB"):
        memory_is_bounded([100.0, 300.0, 280.0, *[200.0, 230.0, 210.0] * 2, 250.0, 245.0, 260.0])


def test_undo_leads_to_where_the_work_began_although_a_lesson_came_between(qapp, home):
    walk = Walk(home, seed=6)
    session = walk.window.session
    session.change("choose the kernel", kernel=kernel("linear"))
    work = session.exchange(Desk(start_up(PlaneWorkspace())))
    session.change("choose the kernel", kernel=kernel("rbf(gamma=3)"))
    session.exchange(work)
    walk.go(0)
    assert (walk.problems, len(session.history)) == ([], 1)
