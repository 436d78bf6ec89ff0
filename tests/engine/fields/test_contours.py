"""Level lines: where they run, which are chosen, and how they are sharpened where a score jumps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kernelviz
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fields.contours import (
    contours,
    level_lines,
    nearest_on_lines,
    nice_levels,
    nice_step,
    quick_contours,
)
from kernelviz.engine.models.sampling import SampleGrid

AXIS = np.linspace(-2.0, 2.0, 81)
PARABOLOID = AXIS[None, :] ** 2 + AXIS[:, None] ** 2


def test_the_level_line_of_a_paraboloid_is_a_closed_circle():
    ((level, lines),) = contours(AXIS, AXIS, PARABOLOID, [1.0])
    assert level == 1.0
    assert len(lines) == 1
    assert np.array_equal(lines[0][0], lines[0][-1])
    assert np.hypot(*lines[0].T) == pytest.approx(1.0, abs=1e-3)


def test_a_level_that_is_never_reached_has_no_line():
    assert contours(AXIS, AXIS, PARABOLOID, [-1.0]) == ((-1.0, []),)


def test_rows_run_along_the_second_coordinate():
    F = np.tile(AXIS[:, None], (1, 81))
    ((_, (line,)),) = contours(AXIS, AXIS, F, [0.5])
    assert line[:, 1] == pytest.approx(0.5)


def zero_lines(F):
    return [line for level, lines in level_lines(AXIS, AXIS, F, 6) for line in lines if level == 0.0]


def test_a_narrow_gaussian_has_no_zero_line_where_it_is_too_small_for_a_number():
    F = np.exp(-300.0 * PARABOLOID)
    assert not F.all()
    assert zero_lines(F) == []
    assert [len(lines) for level, lines in level_lines(AXIS, AXIS, F, 6) if level > 0.0] == [1] * 4


@pytest.mark.parametrize("width", [0.0, 300.0])
def test_the_zero_line_is_where_the_sign_changes_also_if_nodes_lie_on_it(width):
    F = AXIS[None, :] * np.exp(-width * PARABOLOID)
    lines = zero_lines(F)
    assert lines
    assert np.concatenate(lines)[:, 0] == pytest.approx(0.0, abs=0.051)


@given(st.floats(1e-9, 1e9), st.integers(1, 20))
def test_a_nice_step_divides_the_span_into_at_most_count_parts(span, count):
    step = nice_step(span, count)
    assert count + 1e-6 >= span / step > count / 2.5 - 1e-6
    mantissa = step / 10.0 ** np.floor(np.log10(step * (1 + 1e-9)))
    assert min(abs(mantissa - m) for m in (1, 2, 2.5, 5)) < 1e-6


@given(st.floats(1e-6, 1e6))
def test_levels_are_symmetric_and_always_hold_boundary_and_margins(scale):
    levels = nice_levels(scale * np.sin(np.linspace(0, 9, 400)).reshape(20, 20))
    assert {-1.0, 0.0, 1.0} <= set(levels)
    assert list(levels) == sorted(levels)
    assert {-level for level in levels} == set(levels)
    assert len(levels) <= 13


def test_levels_of_several_fields_and_of_a_flat_field():
    assert nice_levels(np.zeros((3, 4, 4))) == ()
    assert nice_levels(np.zeros((4, 4))) == (-1.0, 0.0, 1.0)


def test_levels_surround_narrow_peaks_rather_than_what_is_left_far_from_them():
    F = np.exp(-400 * PARABOLOID)
    assert np.quantile(F, 0.98) < 1e-12
    levels = nice_levels(F)
    assert min(level for level in levels if level > 0) >= 1e-3
    assert min(level for level in nice_levels(1e-9 * F) if level > 0) >= 1e-12


def test_the_nearest_point_of_a_line_is_the_foot_of_the_perpendicular():
    line = np.array([[0.0, 0.0], [4.0, 0.0]])
    feet = nearest_on_lines(np.array([[1.0, 3.0], [-2.0, 1.0]]), [line])
    assert feet.tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert np.isnan(nearest_on_lines(np.zeros((1, 2)), [])).all()


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1e308])
@pytest.mark.parametrize("count", [1, 81 * 81])
def test_infinite_and_undefined_scores_do_not_change_the_levels(odd, count):
    F = PARABOLOID.copy()
    F.ravel()[:count] = odd
    levels = nice_levels(F)
    assert np.isfinite(levels).all()
    assert max(levels) <= 8
    contours(AXIS, AXIS, F, levels)


@pytest.mark.parametrize("hole", [False, True])
def test_the_lines_are_those_of_contourpys_checked_entry(hole):
    from contourpy import contour_generator

    x1, x2 = np.linspace(-2, 2, 31), np.linspace(-1, 3, 23)
    F = np.sin(2 * x1) + np.cos(x2)[:, None]
    if hole:
        F[5:8, 10:14] = np.nan
        F[0, 0] = np.inf
    theirs = contour_generator(x1, x2, F)
    for level, lines in contours(x1, x2, F, (-0.5, 0.0, 1.2)):
        expected = theirs.lines(level)
        assert len(lines) == len(expected) > 0
        for line, other in zip(lines, expected, strict=True):
            np.testing.assert_array_equal(line, other)


def waves(bend: float, columns: int = 61, rows: int = 41):
    x1, x2 = np.linspace(-2, 2, columns), np.linspace(-1, 3, rows)
    return x1, x2, 2 * np.sin(bend * x1) * np.cos(0.7 * bend * x2)[:, None] + 0.3 * x1


@given(bend=st.floats(0.2, 2.5), shift=st.floats(-0.4, 0.4))
def test_quick_lines_run_through_vertices_of_the_full_ones(bend, shift):
    x1, x2, F = waves(bend)
    levels = (-1.0, 0.0, 1.0)
    F = F + shift
    for (level, quick), (_, full) in zip(
        quick_contours(x1, x2, F, levels), contours(x1, x2, F, levels), strict=True
    ):
        assert bool(quick) == bool(full) or sum(map(len, full)) < 8
        for line in quick:
            distance = np.abs(line[:, None] - np.concatenate(full)[None]).max(axis=2).min(axis=1)
            assert distance.max() < 1e-9, level


def test_quick_lines_have_half_the_vertices_where_the_field_is_smooth():
    x1, x2, F = waves(1.5)
    count = [
        sum(len(line) for line in lines)
        for of in (quick_contours, contours)
        for _, lines in of(x1, x2, F, [0.3])
    ]
    assert 0.4 < count[0] / count[1] < 0.6


@pytest.mark.parametrize("odd", [{"bend": 30.0}, {"bend": 1.5, "columns": 60}, {"bend": 1.5, "rows": 3}])
def test_a_rough_field_or_an_uneven_grid_gets_its_full_lines(odd):
    x1, x2, F = waves(**odd)
    ((_, quick),), ((_, full),) = quick_contours(x1, x2, F, [0.3]), contours(x1, x2, F, [0.3])
    assert len(quick) == len(full) > 0
    for line, other in zip(quick, full, strict=True):
        np.testing.assert_array_equal(line, other)


def test_rough_quantiles_are_values_at_their_place():
    values = np.random.default_rng(0).permutation(101).astype(float)
    from kernelviz.engine.fields.contours import rough_quantile

    assert rough_quantile(values, 0.98) == 98.0
    assert rough_quantile(np.empty(0), 0.5) == 0.0


def boundary(model, nodes=101):
    sample = finished(SampleGrid(-2.0, 2.0, -2.0, 2.0, nodes, nodes).sample(model))
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
    sample = finished(SampleGrid(-2.0, 2.0, -2.0, 2.0, 51, 51).sample(model))
    levels = [level for level, _ in sample.lines]
    assert {1.0, -1.0}.isdisjoint(levels)
    assert 0.0 in levels
    assert len(levels) <= 5  # between the six values a vote of five can have


def test_the_nearest_neighbour_has_one_line():
    data = kernelviz.dataset("moons(n=60, noise=0.3)")
    model = kernelviz.fit(data, kernel="linear", algorithm="nearest-neighbours(k=1)")
    sample = finished(SampleGrid(-2.0, 2.0, -2.0, 2.0, 51, 51).sample(model))
    assert [level for level, _ in sample.lines] == [0.0]
