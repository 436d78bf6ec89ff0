"""Zooming and panning as pure geometry."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.scene.figure.transform import widened
from kernelviz.session.view import FARTHEST, NARROWEST_SPAN, ViewRange, panned, sane, zoomed

coordinates = st.floats(-1e5, 1e5)
spans = st.floats(1e-3, 1e5)
anything = st.floats(allow_nan=True, allow_infinity=True)


@st.composite
def views(draw):
    left, bottom = draw(coordinates), draw(coordinates)
    return sane(ViewRange(left, left + draw(spans), bottom, bottom + draw(spans)))


@given(views(), st.floats(0.2, 5.0), st.floats(0, 1), st.floats(0, 1))
def test_zooming_keeps_the_spot_under_the_mouse_in_place(view, factor, across, up):
    width, height = view.right - view.left, view.top - view.bottom
    x, y = view.left + across * width, view.bottom + up * height
    new = zoomed(view, factor, x, y)
    room = 1e-6 * max(1.0, abs(x) / width, abs(y) / height)
    assert (x - new.left) / (new.right - new.left) == pytest.approx(across, abs=room)
    assert (y - new.bottom) / (new.top - new.bottom) == pytest.approx(up, abs=room)


@pytest.mark.parametrize("factor", [1.7, 1 / 1.7])
def test_a_view_zoomed_to_the_limits_or_widened_there_is_opened_again_as_it_was(factor):
    view = ViewRange(0.5, 0.7, 0.4, 0.5)
    for _ in range(200):
        view = zoomed(view, factor, 0.61, 0.43)
        assert sane(view) is view
        wide = widened(view, 2.5)
        assert sane(wide) is wide


@pytest.mark.parametrize("factor", [1.7, 1 / 1.7])
def test_zooming_without_end_stops_at_the_limits_without_drifting(factor):
    view = ViewRange(-2, 2, -1, 1)
    for _ in range(200):
        view = zoomed(view, factor, 0.3, 0.2)
    assert view.top - view.bottom >= NARROWEST_SPAN * 0.99
    assert view.right - view.left <= FARTHEST * 1.01
    assert (view.right - view.left) / (view.top - view.bottom) == pytest.approx(2.0)
    assert view.left <= 0.3 <= view.right


@given(anything, anything, anything, anything)
def test_any_four_numbers_make_a_view_that_can_be_drawn(left, right, bottom, top):
    view = sane(ViewRange(left, right, bottom, top))
    assert all(math.isfinite(v) for v in (view.left, view.right, view.bottom, view.top))
    for low, high in ((view.left, view.right), (view.bottom, view.top)):
        assert NARROWEST_SPAN * 0.9 <= high - low <= FARTHEST * 1.1


@pytest.mark.parametrize("size", [1e-6, 1e12])
@pytest.mark.parametrize("other", [1.0, 1e-6])
def test_points_of_any_size_can_be_looked_at(size, other):
    wanted = ViewRange(size, 3 * size, 2 * size * other, 5 * size * other)
    seen = sane(wanted)
    for name in ("left", "right", "bottom", "top"):
        assert getattr(seen, name) == pytest.approx(getattr(wanted, name), rel=1e-9, abs=0)


@given(views())
def test_a_sane_view_stays_as_it_is(view):
    again = sane(view)
    for name in ("left", "right", "bottom", "top"):
        assert getattr(again, name) == pytest.approx(getattr(view, name), rel=1e-9, abs=1e-9)


@given(views(), st.floats(-1e12, 1e12), st.floats(-1e12, 1e12))
def test_panning_keeps_the_size_and_stays_within_reach(view, dx, dy):
    new = panned(view, dx, dy)
    assert new.right - new.left == pytest.approx(view.right - view.left, rel=1e-6, abs=1e-6)
    assert abs(new.left + new.right) / 2 <= FARTHEST * 1.001
