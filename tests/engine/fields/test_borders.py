"""Borders between several classes are what the vote really is, as sharp as the scores and not as the grid."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.fields.borders import borders

CIRCLE = np.exp(2j * np.pi * (np.arange(24) + 0.37) / 24)


def drawn(model, nodes=41, low=-4.0, high=4.0):
    x = np.linspace(low, high, nodes)
    return borders(x, x, np.stack([pair.model.on_grid(x, x) for pair in model.pairs]), model.votes)


def around(places, radius):
    """Places on small circles: (24, places, 2)."""
    turn = radius * np.column_stack([CIRCLE.real, CIRCLE.imag])
    return places + turn[:, None, :]


def blobs(classes, kernel, noise=0.9):
    data = kernelviz.dataset(f"blobs(n=90, classes={classes}, noise={noise}, seed=3)")
    return kernelviz.fit(data, kernel=kernel)


@pytest.mark.parametrize("classes", [3, 4, 6])
def test_with_a_linear_kernel_every_border_is_a_straight_piece_of_a_pair_or_of_a_tie(classes):
    model = blobs(classes, "linear")
    lines = drawn(model)
    assert len(lines) >= classes
    for line in lines:
        chord = line[-1] - line[0]
        off = np.abs(np.cross(np.append(chord, 0.0), np.c_[line - line[0], np.zeros(len(line))])[:, 2])
        assert off.max() < 1e-9 * max(1.0, np.hypot(*chord)) ** 2


@pytest.mark.parametrize(("kernel", "nodes"), [("linear", 21), ("linear", 200), ("rbf(gamma=0.3)", 200)])
def test_on_a_border_the_winner_changes(kernel, nodes):
    model = blobs(4, kernel)
    places = np.concatenate([0.5 * (line[1:] + line[:-1]) for line in drawn(model, nodes)])
    won = np.array([model.codes(circle) for circle in around(places, 0.01)])
    assert (won != won[0]).any(axis=0).mean() > (0.99 if kernel == "linear" else 0.97)


def test_away_from_the_borders_the_winner_does_not_change():
    model = blobs(4, "linear")
    line = np.concatenate(drawn(model, 81))
    places = np.random.default_rng(0).uniform(-3.5, 3.5, (400, 2))
    far = places[np.hypot(*(places[:, None] - line).T).min(axis=0) > 0.15]
    assert len(far) > 100
    won = np.array([model.codes(circle) for circle in around(far, 0.05)])
    assert (won == won[0]).all()


def test_where_votes_tie_the_borders_are_those_of_the_summed_scores_and_meet_in_one_place():
    model = blobs(3, "linear", noise=0.6)
    lines = drawn(model, 400, -1.5, 1.5)
    ends = np.concatenate([line[[0, -1]] for line in lines])
    sums = model.votes.counted(np.column_stack([pair.model.score(ends) for pair in model.pairs]))[1]
    meeting = ends[np.ptp(sums, axis=1) < 1e-2]
    assert len(meeting) == 3  # three borders end where all three classes are equally confident
    assert np.ptp(meeting, axis=0).max() < 1e-2
