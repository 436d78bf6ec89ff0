"""Lines of a score that jumps lie where it jumps, not on the steps of a grid."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.generators import finished
from kernelviz.engine.models.sampling import Grid


def boundary(model, nodes=101):
    sample = finished(Grid(-2.0, 2.0, -2.0, 2.0, nodes, nodes).sample(model))
    return dict(sample.lines)[0.0]


def test_the_boundary_of_two_nearest_neighbours_is_their_bisector():
    model = kernelviz.fit([[-0.3, -0.5], [0.7, 0.4]], [-1, 1], "linear", "nearest-neighbours(k=1)")
    (line,) = boundary(model)
    off = (line - [0.2, -0.05]) @ np.array([1.0, 0.9]) / np.hypot(1.0, 0.9)
    assert np.abs(off).max() < 0.02 * 4.0 / 100  # of a cell


@pytest.mark.parametrize("k", [1, 3, 5])
def test_on_the_boundary_of_more_neighbours_the_vote_changes_within_a_fiftieth_of_a_cell(k):
    data = kernelviz.dataset("moons(n=60, noise=0.3)")
    model = kernelviz.fit(data, kernel="linear", algorithm=f"nearest-neighbours(k={k})")
    places = np.concatenate(boundary(model))
    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    around = places + 8e-4 * np.stack([np.cos(angle), np.sin(angle)], axis=-1)[:, None]
    signs = np.array([model.score(ring) > 0 for ring in around])
    assert (signs != signs[0]).any(axis=0).mean() > 0.98


def test_a_vote_of_neighbours_has_no_margin_lines():
    data = kernelviz.dataset("moons(n=60, noise=0.3)")
    model = kernelviz.fit(data, kernel="linear", algorithm="nearest-neighbours(k=5)")
    sample = finished(Grid(-2.0, 2.0, -2.0, 2.0, 51, 51).sample(model))
    levels = [level for level, _ in sample.lines]
    assert {1.0, -1.0}.isdisjoint(levels)
    assert 0.0 in levels
    assert len(levels) <= 5  # between the six values a vote of five can have


def test_the_nearest_neighbour_has_one_line():
    data = kernelviz.dataset("moons(n=60, noise=0.3)")
    model = kernelviz.fit(data, kernel="linear", algorithm="nearest-neighbours(k=1)")
    sample = finished(Grid(-2.0, 2.0, -2.0, 2.0, 51, 51).sample(model))
    assert [level for level, _ in sample.lines] == [0.0]
