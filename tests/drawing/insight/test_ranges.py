"""Ranges that hold still."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.drawing.insight.ranges import SteadyRange, decades

numbers = st.floats(-1e6, 1e6)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_whatever_comes_is_covered(wanted):
    steady = SteadyRange.at_least(-1.0, 2.0)
    for a, b in wanted:
        steady = steady.covering(min(a, b), max(a, b))
        assert steady.low <= min(a, b, -1.0)
        assert steady.high >= max(a, b, 2.0)


def test_small_moves_change_nothing():
    steady = SteadyRange.at_least(-1.0, 2.0).covering(-3.0, 5.0)
    assert all(steady.covering(-3.0 + d, 5.0 - d) is steady for d in np.linspace(0, 1.5, 30))


def test_a_range_that_has_become_mostly_empty_shrinks():
    wide = SteadyRange.at_least(-1.0, 2.0).covering(-100.0, 2.0)
    assert -3.0 < wide.covering(-2.0, 2.0).low <= -2.0


def test_an_axis_does_not_flicker_between_growing_and_shrinking():
    steady, seen = SteadyRange.at_least(0.0, 1.0), set()
    for t in np.linspace(0, 60, 500):
        steady = steady.covering(0.0, 10.0 + 2.0 * np.sin(t))
        seen.add(steady)
    assert len(seen) <= 3


@pytest.mark.parametrize("size", [1e-30, 1e-8, 1.0, 1e12])
def test_a_range_of_any_size_is_as_large_as_its_values(size):
    steady = SteadyRange.of_any_size().covering(0.0, 0.0).covering(0.0, size)
    assert steady.low == 0.0
    assert size <= steady.high < 1.5 * size


def test_values_that_are_not_finite_are_ignored():
    steady = SteadyRange.at_least(0.0, 1.0)
    assert steady.covering(0.0, np.inf) == steady


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.02, 5.0], (0.01, 10.0)),
        ([1.0, 10.0], (1.0, 10.0)),
        ([3.0], (1.0, 10.0)),
        ([0.0, -1.0, np.nan], (1e-3, 1.0)),
        ([0.0, 100.0, np.nan], (100.0, 1000.0)),
    ],
)
def test_decades_are_whole(values, expected):
    assert decades(np.array(values)) == pytest.approx(expected)
