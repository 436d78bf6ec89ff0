"""Numbers with a bound on their errors: shown, snapped to a place, or taken as exact."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernelviz.engine.core.certain import Certain
from kernelviz.engine.core.losses import HINGE, SQUARED_ERROR


@pytest.mark.parametrize(("error", "shown"), [(0.0, 2.0), (0.0019, 2.0), (0.0021, None), (math.nan, None)])
def test_a_number_is_shown_if_its_error_leaves_three_digits(error, shown):
    assert Certain(-2.0, error).or_none() == (None if shown is None else -shown)


def test_a_number_that_is_not_finite_is_not_shown():
    assert Certain(math.inf, 0.0).or_none() is None


def test_values_within_their_error_of_a_place_lie_on_it():
    values = Certain(np.array([1.0 + 1e-6, 1.0 + 1e-4, 1.5]), np.array([1e-5, 1e-5, 1.0])).snapped(1.0)
    assert values.value.tolist() == [1.0, 1.0 + 1e-4, 1.5]  # 1.5 has no digit at all
    assert values.error.tolist() == [0.0, 1e-5, 1.0]


def test_errors_count_as_none_only_if_all_are_negligible():
    values = np.array([1.0, 2.0])
    assert Certain(values, np.array([1e-12, 1e-13])).settled(1.0).error == 0.0
    assert Certain(values, np.array([1e-12, 1e-9])).settled(1.0).error.tolist() == [1e-12, 1e-9]


def test_a_mean_loss_is_as_uncertain_as_its_values():
    on_the_margin = Certain(np.array([1.0, 3.0]), np.array([0.2, 0.2]))
    assert on_the_margin.mean(HINGE).value == 0.0
    assert on_the_margin.mean(HINGE).error == pytest.approx(0.1)
    assert Certain(np.array([2.0]), np.array([0.1])).mean(SQUARED_ERROR).error == pytest.approx(0.41)


def test_the_smallest_number_comes_with_its_own_error():
    smallest = Certain(np.array([3.0, -1.0]), np.array([0.1, 0.2])).smallest()
    assert (smallest.value, smallest.error) == (-1.0, 0.2)
