"""What part of the plane is seen: wheel, limits, aspect, resizing, and what the worker is told."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.state import State
from kernelviz.session.view import FARTHEST, NARROWEST_SPAN, Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.canvas.points import LimitsDialog


def _unit_ratio(h) -> float:
    dx, dy = h.canvas.area.units(1.0)
    return dx / dy


def _contains(outer: ViewRange, inner: ViewRange) -> bool:
    room = 1e-9
    return (
        outer.left <= inner.left + room
        and outer.right >= inner.right - room
        and outer.bottom <= inner.bottom + room
        and outer.top >= inner.top - room
    )


def test_the_wheel_zooms_around_the_mouse_and_the_worker_computes_what_is_seen(h):
    before, pixel = h.canvas.area.view, h.at((1.0, 0.5))
    h.wheel((1.0, 0.5), 360)
    after = h.canvas.area.view
    assert after.right - after.left < 0.7 * (before.right - before.left)
    assert (h.at((1.0, 0.5)) - pixel).manhattanLength() <= 2
    h.settle()
    grid = h.bench.frame.request.sampling
    assert (grid.left, grid.right, grid.bottom, grid.top) == (
        after.left,
        after.right,
        after.bottom,
        after.top,
    )


def test_the_view_is_no_step_of_undo(h):
    h.wheel((0.0, 0.0), 120)
    h.settle()
    assert h.steps == 0


def test_equal_aspect_makes_units_equally_long_and_can_be_switched_off(h):
    wanted = ViewRange(-1, 5, -1, 1)
    h.canvas.row.look_at(wanted)
    assert _unit_ratio(h) == pytest.approx(1.0)
    assert _contains(h.canvas.area.view, wanted)
    h.session.toggle("equal_aspect")
    assert h.canvas.area.view == wanted
    h.settle()
    assert h.session.look.view == wanted
    h.session.toggle("equal_aspect")
    assert _unit_ratio(h) == pytest.approx(1.0)


def test_a_view_set_in_the_session_is_shown(h):
    wanted = ViewRange(10, 12, 20, 22)
    h.session.adjust(view=wanted)
    h.settle()
    assert _contains(h.canvas.area.view, wanted)
    assert _unit_ratio(h) == pytest.approx(1.0)
    assert h.session.look.view == h.canvas.area.view


def test_reset_shows_all_points_again(h):
    h.canvas.row.look_at(ViewRange(100, 101, 100, 101))
    h.canvas.reset_view()
    view = h.canvas.area.view
    x, y = h.points.T
    assert view.left < x.min() < x.max() < view.right
    assert view.bottom < y.min() < y.max() < view.top


def test_resizing_there_and_back_leaves_the_view_as_it_was(h):
    before = h.canvas.area.view
    for size in ((900, 300), (200, 600), (560, 500)):
        h.canvas.resize(*size)
        h.settle()
        assert _unit_ratio(h) == pytest.approx(1.0)
    assert h.canvas.area.view == before


@pytest.mark.parametrize("turned", [12000, -12000])
def test_the_wheel_stops_at_the_limits(h, turned):
    for _ in range(30):
        h.wheel((0.4, 0.2), turned)
    h.picture()
    view = h.canvas.area.view
    assert 0.1 * NARROWEST_SPAN < view.right - view.left < 2 * FARTHEST


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (30, 400), (400, 30)])
def test_a_canvas_without_room_does_not_mind(h, size):
    h.canvas.setMinimumSize(0, 0)
    h.canvas.resize(*size)
    h.settle()
    h.wheel((0.0, 0.0), 120)
    h.click((0.0, 0.0))
    h.canvas.reset_view()
    h.canvas.grab()
    h.settle()
    view = h.canvas.area.view
    assert np.isfinite([view.left, view.right, view.bottom, view.top]).all()
    assert view.left < view.right
    assert view.bottom < view.top


def test_a_new_document_brings_its_own_view(hand):
    from kernelviz.session.workspaces.plane import PlaneWorkspace

    h = hand()
    data = dataset("blobs(n=30, seed=2)")
    h.session.open(State(h.session.document.replace(data=data), PlaneWorkspace().look(data)))
    h.settle()
    assert _contains(h.canvas.area.view, PlaneWorkspace().extent(data))
    assert h.bench.frame.data is data


def test_the_numbers_on_the_axes_follow_the_view(h):
    h.session.adjust(view=ViewRange(10, 12, 20, 22))
    h.settle()
    after_the_change = h.picture()
    h.canvas.area.resetCachedContent()
    h.canvas.area.viewport().update()
    h.settle()
    assert (after_the_change == h.picture()).all()


def test_marks_and_type_of_a_large_canvas_are_larger(hand):
    small, large = hand(size=(600, 500)), hand(size=(1600, 1000))
    assert large.canvas.style_of_figure.text > 1.2 * small.canvas.style_of_figure.text
    assert large.canvas.style_of_figure.glyphs > 1.2 * small.canvas.style_of_figure.glyphs
    large.canvas.resize(600, 500)
    large.settle()
    assert large.canvas.style_of_figure == small.canvas.style_of_figure


def type_limits(h, *texts: str) -> None:
    """View > Axis limits…, four numbers, Enter."""

    def fill() -> None:
        dialog = h.canvas.findChild(LimitsDialog)
        for field, text in zip(dialog.findChildren(QLineEdit), texts, strict=True):
            field.selectAll()
            QTest.keyClicks(field, text)
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    QTimer.singleShot(0, fill)
    h.canvas.set_limits()
    h.settle()


def test_typed_limits_are_seen_whole_and_kept_as_typed_while_the_window_changes_its_size(h):
    type_limits(h, "0.1", "0.7", "-2", "2.5")
    typed = ViewRange(0.1, 0.7, -2.0, 2.5)
    for size in ((900, 400), (400, 700), (560, 500)):
        h.canvas.resize(*size)
        h.settle()
        assert _contains(h.canvas.area.view, typed)
        assert h.session.look.limits == typed


@pytest.mark.parametrize("how", ["wheel", "fit", "another view"])
def test_who_looks_elsewhere_has_no_typed_limits_any_more(h, how):
    type_limits(h, "0", "1", "0", "1")
    assert h.session.look.limits == ViewRange(0, 1, 0, 1)
    if how == "wheel":
        h.wheel((0.5, 0.5), 120)
    elif how == "fit":
        h.canvas.reset_view()
    else:
        h.session.adjust(view=ViewRange(-4, 4, -4, 4))
    h.settle()
    assert h.session.look.limits is None


def test_a_document_with_typed_limits_is_opened_with_them(h):
    typed = ViewRange(-1, 0, 5, 6)
    h.session.open(
        State(
            h.session.document, Look(view=ViewRange(-9, 9, -9, 9), limits=typed, shown=PlaneWorkspace().shown)
        )
    )
    h.settle()
    assert _contains(h.canvas.area.view, typed)
    assert h.canvas.area.view.right < 2
    assert h.session.look.limits == typed
