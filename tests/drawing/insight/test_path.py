"""The plots of the regularisation path."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.drawing.insight.path import PathPicture, _relative
from kernelviz.drawing.theme import LIGHT
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.core.arrays import Array
from kernelviz.runtime.background_results import PathCurves


def picture(training: Array, squares: bool = False, **errors: Array) -> PathPicture:
    values = np.geomspace(1e-3, 1e3, len(training))
    along = PathCurves(
        Ridge.parameter("lam"),
        lambda at: along,
        values,
        training,
        np.ones(len(training)),
        squares=squares,
        **errors,
    )
    return PathPicture(along=along, value=1.0)


def test_mistakes_that_most_fits_do_not_make_are_seen() -> None:
    assert picture(np.r_[0.4, 0.2, np.zeros(20)])._height().high == 0.5


@pytest.mark.parametrize("usual", [0.0, 1e-9, 0.1])
def test_squares_of_left_out_points_are_seen_however_small_the_others_are(usual: float) -> None:
    left_out = np.linspace(0.5, 1.0, 20)
    seen = picture(np.r_[np.full(19, usual), 0.3], squares=True, left_out=left_out)._height().high
    assert seen >= 1.0


def test_squares_of_nearly_singular_systems_are_off_the_scale() -> None:
    assert picture(np.r_[1e9, np.full(20, 0.1)], squares=True)._height().high < 10.0


def test_the_leave_one_out_error_is_told_from_the_held_out_one() -> None:
    errors = np.full(5, 0.1)
    _, below = picture(errors, squares=True, left_out=errors, held_out=errors).told(LIGHT)
    looks = {(curve.colour, curve.dash) for curve, _ in below}
    assert len(looks) == 3


def test_the_width_of_the_margin_is_a_curve_between_powers_of_ten_that_its_name_gives() -> None:
    widths = np.array([np.inf, 30.0, 10.0, 1.0, 0.3])
    assert _relative(widths) == pytest.approx([np.nan, 0.8257, 0.6667, 0.3333, 0.1590], abs=1e-4, nan_ok=True)
    assert _relative(np.full(3, 10.0**0.5)) == pytest.approx([0.5] * 3)
    shown = picture(np.zeros(5), margin=widths, weights=np.zeros((5, 2)), signs=np.array([1.0, -1.0]))
    above, _ = shown.told(LIGHT)
    assert above[1][0].name == "margin 1/‖w‖ (from 0.1 to 100, logarithmic)"
