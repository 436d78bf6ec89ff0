"""Bumps: the curve is their sum."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.models.sampling import CurveStrip
from kernelviz.scene.curve.polylines import FAINTEST, MOST_BUMPS, VERTICES, bumps_of, outlines

X = np.linspace(-3.0, 3.0, 301)
LINE = CurveStrip(-3.0, 3.0, -2.0, 2.0)


def split(drawn):
    """The pieces of a polyline between its breaks."""
    pieces = np.split(drawn, np.flatnonzero(np.isnan(drawn[:, 0])) + 1)
    assert not len(pieces[-1])
    return [piece[:-1] for piece in pieces[:-1]]


def fitted(kernel="rbf(gamma=2)", algorithm="ridge(lam=0.1)", n=30):
    x = np.linspace(-2.0, 2.0, n)
    data = kernelviz.Data.regression(x[:, None], np.sin(3 * x))
    return kernelviz.fit(data, kernel=kernel, algorithm=algorithm)


def test_the_bumps_add_up_to_the_curve():
    model = fitted()
    assert bumps_of(model, X).sum(axis=0) + model.b == pytest.approx(model.score(X[:, None]), abs=1e-10)


def test_the_bump_of_a_point_is_its_weight_times_the_kernel_there():
    model = fitted()
    (bump,) = bumps_of(model, X, [7])
    assert bump == pytest.approx(model.beta[7] * model.problem.kernel(X[:, None], model.problem.X[[7]])[:, 0])


def test_of_very_many_points_the_largest_bumps_are_drawn():
    model = fitted(n=MOST_BUMPS + 40)
    drawn = bumps_of(model, X)
    assert len(drawn) == MOST_BUMPS
    smallest = np.sort(np.abs(model.beta))[40]
    assert np.abs(drawn).max(axis=1).min() >= 0.99 * smallest


def test_what_is_no_sum_over_the_points_has_no_bumps():
    assert len(bumps_of(fitted(algorithm="nearest-neighbours(k=3)"), X)) == 0


@pytest.mark.parametrize("kernel", ["rbf(gamma=20)", "laplacian(gamma=4)", "rbf(gamma=9) + 0.5*periodic"])
def test_bumps_that_are_alike_are_drawn_with_few_vertices_and_still_look_the_same(kernel):
    model = fitted(kernel)
    outline = split(outlines(model, LINE, 0.0))
    bumps = bumps_of(model, X)
    shown = [bump for bump in bumps if np.abs(bump).max() > 0.01]
    assert len(outline) == len(shown)
    for bump, drawn in zip(shown, outline, strict=True):
        assert len(drawn) < 100
        assert drawn[:, 0].min() >= LINE.left
        assert drawn[:, 0].max() <= LINE.right
        seen = (drawn[0, 0] <= X) & (drawn[-1, 0] >= X)
        assert np.interp(X[seen], *drawn.T) == pytest.approx(bump[seen], abs=FAINTEST * 4.0)
        assert np.abs(bump[~seen]).max(initial=0.0) <= 0.01


@pytest.mark.parametrize("bottom", [-0.2, 0.01])
def test_a_bump_reaches_from_edge_to_edge_of_a_view_into_which_one_has_zoomed(bottom):
    model = fitted("rbf(gamma=2)")
    near = CurveStrip(-0.01, 0.01, bottom, bottom + 0.4)
    x = np.linspace(near.left, near.right, 301)
    inside = [
        b
        for b in bumps_of(model, x)
        if (bottom < b).all() and (np.abs(b) > 0.001).all() and b.max() < bottom + 0.4
    ]
    drawn = [bump for bump in split(outlines(model, near, 0.0)) if bump[0, 0] == near.left]
    found = [np.interp(x, *bump.T) for bump in drawn]
    assert inside
    for bump in inside:
        assert min(np.abs(bump - other).max() for other in found) < 4e-4


@pytest.mark.parametrize("kernel", ["polynomial(degree=3)", "linear * rbf(gamma=20)"])
def test_bumps_of_other_kernels_have_a_shape_each(kernel):
    model = fitted(kernel)
    bumps = bumps_of(model, X)
    outline = split(outlines(model, CurveStrip(-3.0, 3.0, -1.0, 1.0), 0.0))
    shown = [bump for bump in bumps if np.abs(bump).max() > 0.004]
    assert len(outline) == len(shown)
    for bump, drawn in zip(shown, outline, strict=True):
        assert len(drawn) <= VERTICES + 2
        seen = (drawn[0, 0] <= X) & (drawn[-1, 0] >= X) & (np.abs(bump) < 1.0)
        assert np.interp(X[seen], *drawn.T) == pytest.approx(bump[seen], abs=0.03)


def test_a_bump_too_low_to_be_seen_is_not_drawn():
    assert outlines(fitted(), CurveStrip(-3.0, 3.0, -1e5, 1e5), 0.0).size == 0
