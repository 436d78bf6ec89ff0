"""Numbers as people read them."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.fits.parsing import kernel
from kernelviz.scene.wording import counted, in_short, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.5, "1.5"),
        (-2.0, "−2"),
        (0.123456, "0.1235"),
        (123456.0, "1.23e5"),
        (-0.00001, "−1e−5"),
        (np.nan, "–"),
        (-np.inf, "−∞"),
    ],
)
def test_numbers_are_short_and_have_a_true_minus_sign(value, text):
    assert shown(value) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"), [(1600.0, 3, "1600"), (10_000.0, 4, "10000"), (-9999.7, 4, "−10000")]
)
def test_numbers_below_100000_need_no_power_of_ten_however_few_their_digits(value, digits, text):
    assert shown(value, digits) == text


def test_things_are_counted_in_the_singular_and_the_plural():
    assert [counted(n, "point") for n in (0, 1, 7)] == ["0 points", "1 point", "7 points"]


def test_of_an_expression_to_be_read_four_digits_are_enough():
    told = in_short(kernel("0.123456*rbf(gamma=1.196702646537077) + polynomial(degree=3)"))
    assert told.startswith("0.1235*rbf(gamma=1.197) + polynomial(degree=3")
    assert in_short("rbf(gamma=1.5e-07) ; ridge(lam=0.1)") == "rbf(gamma=1.5e-07) ; ridge(lam=0.1)"
