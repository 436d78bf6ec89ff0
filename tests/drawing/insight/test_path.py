"""The plots of the regularisation path."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.drawing.insight.path import PathPicture, _relative
from kernelviz.drawing.theme import LIGHT
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.arrays import Array
from kernelviz.runtime.paths import Along


def picture(training: Array, squares: bool = False, **errors: Array) -> PathPicture:
    values = np.geomspace(1e-3, 1e3, len(training))
    along = Along(
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


def test_the_width_of_the_margin_is_a_curve_from_its_narrowest_to_its_widest() -> None:
    assert _relative(np.array([np.inf, 100.0, 10.0, 1.0])) == pytest.approx(
        [np.nan, 1.0, 0.5, 0.0], nan_ok=True
    )
    assert np.isnan(_relative(np.full(3, 2.0))).all()
