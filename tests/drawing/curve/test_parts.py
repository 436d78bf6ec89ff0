"""Bumps: the curve is their sum."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.drawing.curve.parts import MOST_BUMPS, VERTICES, bumps_of, outlines

X = np.linspace(-3.0, 3.0, 301)


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


def test_bumps_are_drawn_with_few_vertices_and_still_look_the_same():
    bumps = np.exp(-20 * (X - np.array([[-1.0], [0.3]])) ** 2) * [[1.0], [-0.5]]
    drawn = outlines(X, bumps, -1.0, 1.0)
    breaks = np.flatnonzero(np.isnan(drawn[:, 0]))
    assert len(breaks) == 2
    for bump, outline in zip(bumps, (drawn[: breaks[0]], drawn[breaks[0] + 1 : -1]), strict=True):
        assert len(outline) <= VERTICES + 2
        seen = (outline[0, 0] <= X) & (outline[-1, 0] >= X)
        assert np.interp(X[seen], *outline.T) == pytest.approx(bump[seen], abs=0.008)
        assert np.abs(bump[~seen]).max() < 0.01


def test_a_bump_too_low_to_be_seen_is_not_drawn():
    assert outlines(X, 1e-5 * np.exp(-(X[None] ** 2)), -1.0, 1.0).size == 0
