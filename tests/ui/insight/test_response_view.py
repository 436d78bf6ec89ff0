"""The kernel response, by real events."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.drawing.insight.response import ResponsePicture
from kernelviz.ui.insight.response_view import ResponseView

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(bench, show, qtbot):
    made = show(ResponseView(bench()))
    qtbot.waitUntil(lambda: isinstance(made.picture, ResponsePicture))
    return made


def middle(view) -> QPoint:
    """Of the first function."""
    sheet, first = view.sheet, view.picture.landscapes[0]
    tile = view.picture._tiles(sheet.room, sheet.style_of_picture)[0]
    return (first.room(tile, sheet.style_of_picture).center() / POINTS_PER_PIXEL).toPoint()


def place(view, pixel: QPoint) -> tuple[float, ...]:
    sheet = view.sheet
    return view.picture.place_at(QPointF(pixel) * POINTS_PER_PIXEL, sheet.room, sheet.style_of_picture)


def test_a_drag_takes_the_point_along(view, qtbot):
    start = middle(view)
    end = start + QPoint(30, 12)
    wanted = place(view, end)
    QTest.mousePress(view.sheet, LEFT, pos=start)
    qtbot.waitUntil(lambda: np.allclose(view.picture.centres[0], place(view, start)))
    QTest.mouseMove(view.sheet, end)
    QTest.mouseRelease(view.sheet, LEFT, pos=end)
    qtbot.waitUntil(lambda: np.allclose(view.picture.centres[0], wanted, atol=0.05))


def test_a_key_turns_to_the_next_face(view, qtbot):
    view.lists["face"].setFocus()
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: view.picture.face == "three widths")
    assert len(view.picture.landscapes) == 3
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: view.picture.face == "Taylor sums")
