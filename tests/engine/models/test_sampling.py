"""Where a curve is sampled: everywhere a little, and where it bends."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.generators import finished
from kernelviz.engine.models.sampling import MOST_NODES, CurveStrip, followed

LINE = CurveStrip(0.0, 1.0, 0.0, 1.0)


def distance_to(f, x, s):
    """The largest distance, in heights of the view, between a function and the polyline through its nodes."""
    fine = np.linspace(0.0, 1.0, 20_001)
    return np.abs(np.interp(fine, x, s) - f(fine)).max()


@pytest.mark.parametrize(
    "f",
    [
        lambda x: 0.5 + 0.4 * np.sin(40 * x),
        lambda x: np.abs(x - 0.3217),
        lambda x: np.exp(-2000 * (x - 0.5) ** 2),
    ],
)
def test_the_polyline_is_the_curve_to_the_eye(f):
    assert distance_to(f, *followed(LINE, f, LINE.nodes())) < 1e-3


def test_a_jump_is_followed_to_a_fraction_of_a_pixel():
    x, s = followed(LINE, lambda x: (x > np.pi / 10).astype(float), LINE.nodes())
    (jump,) = np.flatnonzero(np.diff(s))
    assert x[jump] <= np.pi / 10 <= x[jump + 1]
    assert x[jump + 1] - x[jump] < 1 / 10_000


def test_a_straight_line_needs_no_further_nodes():
    x, _ = followed(LINE, lambda x: 0.2 * x, LINE.nodes())
    assert len(x) == len(LINE.nodes())


def test_what_bends_out_of_sight_needs_no_further_nodes():
    x, _ = followed(LINE, lambda x: 5.0 + np.sin(90 * x), LINE.nodes())
    assert len(x) == len(LINE.nodes())


def test_however_wild_the_nodes_are_limited():
    rng = np.random.default_rng(0)
    x, s = followed(LINE, lambda x: rng.random(len(x)), LINE.nodes())
    assert len(x) == len(s) <= MOST_NODES
    assert (np.diff(x) > 0).all()


def test_a_bump_narrower_than_the_space_between_nodes_is_not_missed():
    model = kernelviz.fit(
        kernelviz.Data.regression([[0.12345], [0.7]], [1.0, 0.5]),
        kernel="rbf(gamma=1e7)",
        algorithm="ridge(lam=1e-6)",
    )
    sample = finished(LINE.sample(model))
    assert sample.s.max() == pytest.approx(1.0, abs=1e-4)


def test_numbers_that_overflow_are_no_reason_to_stop():
    x, s = followed(LINE, lambda x: np.where(x > 0.5, np.inf, np.nan), LINE.nodes())
    assert len(x) == len(s)
