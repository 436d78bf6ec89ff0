"""Training points as marks."""

from __future__ import annotations

import numpy as np

from kernelviz.scene.figure.stamps import thinned


def test_of_many_points_only_those_the_eye_can_tell_apart_are_drawn():
    xy = np.random.default_rng(0).random((20_000, 2)) * [300, 3]
    groups = np.arange(20_000) % 2
    chosen = thinned(xy, groups, 1.5)
    assert len(chosen) <= 2 * 201 * 3
    assert set(groups[chosen]) == {0, 1}
    # Nothing is further than a cell from something drawn of its own group.
    for i in range(0, 20_000, 997):
        same = chosen[groups[chosen] == groups[i]]
        assert np.abs(xy[same] - xy[i]).max(axis=1).min() <= 1.5


def test_few_points_are_all_drawn():
    xy = np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 5.0]])
    assert thinned(xy, np.zeros(3), 1.5).tolist() == [0, 1, 2]
    assert thinned(np.empty((0, 2)), np.empty(0), 1.5).tolist() == []
