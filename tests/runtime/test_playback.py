"""Walking an algorithm forward and back."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime import runs as module
from kernelviz.runtime.messages import END
from kernelviz.runtime.runs import Playback


@pytest.fixture
def run(counting, data):
    return Playback(counting(length=50), Problem(data, Gaussian()))


def arrive(run, step):
    """(position, the weight that tells which iterate it is) at the end of the way."""
    *_, (position, iterate) = run.go(step)
    return position, float(iterate.model.beta[0])


def test_going_forward_passes_every_step(run):
    assert [position for position, _ in run.go(5)] == [0, 1, 2, 3, 4, 5]


def test_going_on_begins_where_it_stopped(run):
    arrive(run, 5)
    assert [position for position, _ in run.go(8)] == [6, 7, 8]


def test_going_back_shows_the_same_iterate_again(run):
    assert arrive(run, 20) == (20, 20.0)
    assert arrive(run, 7) == (7, 7.0)
    assert arrive(run, 21) == (21, 21.0)


def test_going_back_does_not_run_the_algorithm_again(run, counting):
    for step in (30, 3, 29, 0, 31):
        assert arrive(run, step) == (step, float(step))
    assert counting.begun == [50]


def test_going_back_further_than_is_kept_replays_the_run(run, counting, monkeypatch):
    monkeypatch.setattr(module, "ITERATES_KEPT", 10)
    fresh = Playback(counting(length=50), run.problem)
    arrive(fresh, 40)
    assert arrive(fresh, 31) == (31, 31.0)
    assert counting.begun == [50]
    assert arrive(fresh, 4) == (4, 4.0)
    assert counting.begun == [50, 50]
    assert arrive(fresh, 45) == (45, 45.0)


def test_of_many_points_fewer_iterates_are_kept(counting, monkeypatch):
    many = Data.labelled(np.random.default_rng(0).normal(size=(400, 2)), np.arange(400) % 2)
    monkeypatch.setattr(module, "BYTES_OF_ITERATES", 20 * module.BYTES_PER_POINT * len(many))
    run = Playback(counting(length=50), Problem(many, Gaussian()))
    arrive(run, 40)
    assert arrive(run, 22) == (22, 22.0)
    assert counting.begun == [50]
    assert arrive(run, 18) == (18, 18.0)
    assert counting.begun == [50, 50]


def test_beyond_the_end_is_the_end(run):
    assert arrive(run, END) == (50, 50.0)
    assert arrive(run, END) == (50, 50.0)
    assert arrive(run, 1000) == (50, 50.0)
    assert arrive(run, 50) == (50, 50.0)


def test_a_walk_left_halfway_goes_on_later(run):
    for position, _ in run.go(40):
        if position == 12:
            break
    assert [position for position, _ in run.go(15)] == [13, 14, 15]


def test_the_trace_shows_the_whole_course_also_after_stepping_back(run):
    arrive(run, 20)
    arrive(run, 2)
    assert np.array_equal(run.trace().column("step"), np.arange(21.0))
