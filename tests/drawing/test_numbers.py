"""Numbers as people read them."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.drawing.numbers import counted, shown


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


def test_things_are_counted_in_the_singular_and_the_plural():
    assert [counted(n, "point") for n in (0, 1, 7)] == ["0 points", "1 point", "7 points"]
