"""Lines that separate two classes: drawn from all of them, with the margins they have."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.analysis.straight_lines import linear_form, separating_lines
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset

APART = "gaussians(n=40, distance=5, seed=3)"


def test_every_line_separates_and_has_the_margin_it_says():
    data = dataset(APART)
    lines = separating_lines(data, 200)
    distances = data.z * (lines.normals @ data.X.T - lines.offsets[:, None])
    assert (distances > 0).all()
    assert distances.min(axis=1) == pytest.approx(lines.margins)


def test_the_largest_margin_is_that_of_the_hard_margin_machine():
    data = dataset(APART)
    widest = kernelviz.fit(data, None, "linear", "hard-margin-svm").summary()["margin"]
    lines = separating_lines(data, 200)
    assert lines.widest == pytest.approx(widest, rel=1e-5)
    assert lines.margins.max() <= lines.widest


def test_the_share_left_is_that_of_lines_thrown_at_random():
    """Lines thrown at the disc around all points, those that separate kept, have the same margins."""
    data, rng = dataset(APART), np.random.default_rng(0)
    lines = separating_lines(data, 20_000)
    reach = np.linalg.norm(data.X, axis=1).max()
    angle, offset = rng.uniform(0, 2 * np.pi, 200_000), rng.uniform(-reach, reach, 200_000)
    u = np.stack([np.cos(angle), np.sin(angle)])
    margins = (data.z[:, None] * (data.X @ u - offset)).min(axis=0)
    thrown = margins[margins > 0]
    assert len(thrown) > 1000
    for margin in np.array([0.1, 0.3, 0.6]) * lines.widest:
        expected = float((thrown >= margin).mean())
        assert lines.share_left(margin) == pytest.approx(expected, abs=0.03)
        assert float((lines.margins >= margin).mean()) == pytest.approx(lines.share_left(margin), abs=0.015)


@pytest.mark.parametrize(
    "data",
    [
        dataset("rings(n=30)"),
        Data.labelled(np.array([[0.0, 0.0], [0.0, 0.0]]), [1, -1]),
        Data.labelled(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), [1, -1, 1]),
        Data.labelled(np.array([[0.0, 0.0], [1.0, 0.0]]), [1, 1]),
        dataset("sine"),
    ],
)
def test_there_are_none_where_no_line_separates(data):
    assert separating_lines(data, 10) is None


def test_two_points_are_separated_by_lines_up_to_half_their_distance():
    lines = separating_lines(Data.labelled(np.array([[0.0, 0.0], [3.0, 4.0]]), [-1, 1]), 50)
    assert lines.widest == pytest.approx(2.5, rel=1e-5)


def test_w_and_b_of_a_machine_give_its_scores():
    data = dataset("gaussians(n=30)")
    for algorithm in ("soft-margin-svm", "feature-map(features=coordinates)", "by-hand(angle=10)"):
        model = kernelviz.fit(data, None, "linear", algorithm)
        w, b = linear_form(model)
        assert data.X @ w + b == pytest.approx(model.score(data.X))
    assert linear_form(kernelviz.fit(data, None, "rbf", "soft-margin-svm")) is None
