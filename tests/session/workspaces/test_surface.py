"""Regression with two inputs: which data it shows, and what edits do to them."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.session.workspaces.registry import datasets_for, workspace_of
from kernelviz.session.workspaces.surface import SurfaceWorkspace

SURFACE = SurfaceWorkspace()
HILLS = kernelviz.dataset("hills(n=30, seed=2)")


def test_two_inputs_and_a_number_are_shown_there_and_nothing_else():
    assert workspace_of(HILLS).name == "surface"
    assert workspace_of(kernelviz.dataset("sine")).name == "curve"
    assert workspace_of(kernelviz.dataset("moons")).name == "plane"
    wide = Data.regression(np.eye(3), [0.1, 0.2, 0.4])
    assert SURFACE.refusal(wide) == "The surface needs two inputs; these data have 3."


def test_its_data_sets_are_offered_with_those_of_the_curve():
    assert {"hills", "surface", "sine", "function"} <= set(datasets_for(SURFACE))
    assert "moons" not in datasets_for(SURFACE)


def test_moving_a_point_keeps_its_target_and_typing_changes_it():
    moved = SURFACE.placed(HILLS, [3], np.array([[0.5, -0.5]]))
    assert moved.X[3].tolist() == [0.5, -0.5]
    assert np.array_equal(moved.y, HILLS.y)
    assert SURFACE.typable(HILLS) == ("x1", "x2", "y")
    typed = SURFACE.typed(HILLS, 3, np.array([0.5, -0.5, 7.0]))
    assert SURFACE.values(typed)[3].tolist() == [0.5, -0.5, 7.0]
    with pytest.raises(BadInput, match="finite"):
        SURFACE.typed(HILLS, 3, np.array([0.5, -0.5, np.nan]))


def test_an_added_point_is_as_high_as_the_highest_or_as_low_as_the_lowest():
    place = np.array([[0.0, 0.0]])
    assert SURFACE.added(HILLS, place, 1).y[-1] == HILLS.y.max()
    assert SURFACE.added(HILLS, place, -1).y[-1] == HILLS.y.min()
    first = SURFACE.added(SURFACE.empty(), place, 1)
    assert (first.n, first.y.tolist(), SURFACE.refusal(first)) == (1, [1.0], "")


def test_level_lines_are_round_values_between_the_lowest_and_the_highest():
    data = kernelviz.dataset("surface(100 + 10*x1, n=40, noise=0)")
    model = kernelviz.fit(data, kernel="linear + 1*polynomial(degree=1)", algorithm="ridge(lam=1e-6)")
    sample = finished(SURFACE.sampling(data, SURFACE.extent(data)).sample(model))
    levels = [level for level, _ in sample.lines]
    assert levels == sorted(levels)
    assert 4 <= len(levels) <= 11
    assert all(level % 5 == 0 and 60 < level < 140 for level in levels)
    for level, lines in sample.lines:
        x = np.concatenate(lines)[:, 0]
        assert np.allclose(100 + 10 * x, level, atol=0.5)
