"""Kernel PCA on screen: made beside the window, linked, chosen by lists and bars."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.drawing.insight.components import ComponentsPicture
from kernelviz.engine.fits.parsing import kernel
from kernelviz.session.workspaces.plane import Plane
from kernelviz.ui.insight.components_view import ComponentsView


@pytest.fixture
def view(bench, show, qtbot):
    shown = show(ComponentsView(bench("rings(n=60, seed=1)")), 640, 480)
    qtbot.waitUntil(lambda: isinstance(shown.picture, ComponentsPicture))
    shown.grab()
    return shown


def move(view, i: int, x: float, y: float) -> None:
    session = view.workbench.session
    session.change("move point", data=Plane().placed(session.document.data, [i], [[x, y]]))


def bar(view, k: int) -> QPoint:
    """A pixel on the bar of a component."""
    sheet = view.sheet
    for x in range(sheet.width()):
        at = QPoint(x, sheet.height() - 20)
        if view.picture.component_at(at * POINTS_PER_PIXEL, sheet.room, sheet.style_of_picture) == k:
            return at + QPoint(3, 0)
    raise AssertionError(f"component {k} has no bar")


def test_the_picture_is_never_made_on_the_thread_of_the_window(view, qtbot, monkeypatch):
    threads, made = [], ComponentsPicture.of
    monkeypatch.setattr(
        ComponentsPicture, "of", lambda *a: threads.append(threading.current_thread()) or made(*a)
    )
    before = view.picture
    move(view, 0, 1.0, 1.0)
    qtbot.waitUntil(lambda: view.picture is not before)
    assert threads
    assert threading.main_thread() not in threads


def test_the_map_follows_a_dragged_point_without_turning_round(view, qtbot):
    for d in np.linspace(0.0, 1.0, 5):
        before = view.picture
        move(view, 0, d, d)
        qtbot.waitUntil(lambda before=before: view.picture.cloud is not before.cloud)
        first, second = before.cloud.places[1:, 0], view.picture.cloud.places[1:, 0]
        assert np.corrcoef(first, second)[0, 1] > 0.9


def test_pointing_at_a_mark_on_the_map_or_on_the_plane_highlights_the_point(view, qtbot, to_pixel):
    sheet = view.sheet
    marks = view.picture._marks_of(sheet.room, sheet.style_of_picture)
    assert len(marks) == 2
    for xy, drawn in marks:
        i = int(drawn[7])
        qtbot.mouseMove(sheet, QPoint(1, 1))
        qtbot.mouseMove(sheet, to_pixel(QPointF(*xy[i].tolist())))
        found = view.workbench.hovered_point
        assert np.hypot(*(xy[found] - xy[i])) < 2.0


def test_what_is_highlighted_elsewhere_is_lit_here_and_computes_nothing(view, monkeypatch):
    monkeypatch.setattr(ComponentsPicture, "of", None)
    plain = view.grab().toImage()
    view.workbench.hover(5)
    hovered = view.grab().toImage()
    view.workbench.hover(None)
    view.workbench.session.adjust(selection=(5,))
    assert hovered != plain
    assert view.grab().toImage() not in (plain, hovered)


def test_a_click_on_a_mark_selects_its_point(view, qtbot, to_pixel):
    sheet = view.sheet
    xy, drawn = view.picture._marks_of(sheet.room, sheet.style_of_picture)[0]
    i = int(drawn[7])
    qtbot.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=to_pixel(QPointF(*xy[i].tolist())))
    (selected,) = view.workbench.session.look.selection
    assert np.hypot(*(xy[selected] - xy[i])) < 2.0


def test_a_click_on_a_bar_shows_its_component_to_the_right_and_as_contours(view, qtbot):
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=bar(view, 2))
    assert view.lists["across"].currentText() == "3"
    qtbot.waitUntil(lambda: view.picture.axes_shown == (2, 1))
    assert "component 3" in view.picture.landscape.name


def test_arrow_keys_go_through_the_components(view, qtbot):
    qtbot.keyClick(view.lists["up"], Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: view.picture.axes_shown == (0, 2))
    assert view.maker.make(view.workbench.frame).axes_shown == (0, 2), "exported as it is seen"


def test_a_hidden_view_computes_nothing_and_catches_up_when_shown(view, qtbot, qapp, monkeypatch):
    frames, made = [], ComponentsPicture.of
    monkeypatch.setattr(ComponentsPicture, "of", lambda frame, *a: frames.append(frame) or made(frame, *a))
    view.hide()
    move(view, 0, 0.3, 0.3)
    qapp.processEvents()
    assert frames == []
    view.show()
    qtbot.waitUntil(lambda: frames == [view.workbench.frame])
    qtbot.waitUntil(lambda: view.picture.cloud.problem.data is view.workbench.session.document.data)


def test_hidden_while_a_picture_is_on_its_way_it_is_made_again_when_seen(view, qtbot, monkeypatch):
    begun, hidden, made = threading.Event(), threading.Event(), ComponentsPicture.of
    monkeypatch.setattr(ComponentsPicture, "of", lambda *a: begun.set() or (hidden.wait(60) and made(*a)))
    view.workbench.session.change("kernel", kernel=kernel("rbf(gamma=3)"))
    qtbot.waitUntil(begun.is_set)
    view.hide()
    hidden.set()
    view.show()
    qtbot.waitUntil(lambda: "gamma=3" in str(view.picture.cloud.problem.kernel))


def test_without_a_result_the_view_says_why(view, qtbot):
    view.workbench.session.change("clear", data=Plane().empty())
    qtbot.waitUntil(lambda: view.workbench.failure is not None)
    qtbot.waitUntil(lambda: getattr(view.picture, "reason", "") == view.workbench.failure.sentence)


def test_a_kernel_without_numbers_on_these_points_says_so_and_the_next_one_is_shown(view, qtbot):
    session = view.workbench.session
    session.change("move", data=Plane().placed(session.document.data, [0], [[300.0, 300.0]]))
    session.change("kernel", kernel=kernel("exponential(gamma=1)"))
    qtbot.waitUntil(lambda: not isinstance(view.picture, ComponentsPicture))
    session.change("kernel", kernel=kernel("linear"))
    qtbot.waitUntil(lambda: isinstance(view.picture, ComponentsPicture))
