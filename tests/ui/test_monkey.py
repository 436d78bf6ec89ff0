"""The short form of the random user; `python -m tests.monkey` is the long one."""

from __future__ import annotations

import pytest

from tests.monkey.walk import Failed, Walk

EVENTS = 80


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder the random user may write into, and nowhere else."""
    for variable in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.delenv("KERNELVIZ_STATE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("seed", [1, 2, 3])
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
