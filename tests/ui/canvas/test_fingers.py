"""Fingers and pens do on the canvas what a mouse does, and what a mouse has a second button for."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QInputDevice, QPointingDevice, QTabletEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.ui.canvas.hand import LEFT, NOTHING, Hand, two_clouds

FREE = (-1.0, 1.5)  # A place without a point.
SCREEN = QTest.createTouchDevice()


class Fingers:
    """One or two fingers on the canvas of a hand, in coordinates of the plane."""

    def __init__(self, h: Hand) -> None:
        self.h, self.viewport = h, h.plot.area.viewport()
        self.places: dict[int, object] = {}

    def down(self, where, finger=0):
        self._tell(finger, "press", self.h.at(where))

    def move(self, where, finger=0):
        self._tell(finger, "move", self.h.at(where))
        self.h.beat()

    def up(self, finger=0):
        self._tell(finger, "release", self.places[finger])
        del self.places[finger]

    def tap(self, where):
        self.down(where)
        self.up()
        self.h.settle()

    def _tell(self, finger, what, pixel):
        self.places[finger] = pixel
        sequence = QTest.touchEvent(self.viewport, SCREEN)
        for other, place in self.places.items():
            if other == finger:
                getattr(sequence, what)(other, place, self.viewport)
            else:
                sequence.move(other, place, self.viewport)  # `stationary` would be at (0, 0)
        sequence.commit()


@pytest.fixture
def fingers(h):
    return Fingers(h)


def menu(qtbot) -> QMenu:
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    return QApplication.activePopupWidget()


def test_a_tap_adds_a_point_when_the_finger_is_lifted(h, fingers):
    fingers.down(FREE)
    h.beat()
    assert h.data.n == 8
    fingers.up()
    h.settle()
    assert h.data.n == 9
    np.testing.assert_allclose(h.points[8], FREE, atol=0.03)
    assert h.data.z[8] == 1
    assert h.undo_name == "add point"


def test_a_tap_on_a_point_selects_it(h, fingers):
    fingers.tap(3)
    assert h.selection == (3,)
    assert h.data.n == 8


def test_a_finger_drags_a_point_once_it_has_moved_by_more_than_a_tremble(h, fingers):
    start = h.points[3].copy()
    fingers.down(3)
    fingers.move(h.at(3) + h.at((0, 0)) - h.at((0.05, 0)))
    assert h.steps == 0
    fingers.move(FREE)
    fingers.up()
    h.settle()
    np.testing.assert_allclose(h.points[3], FREE, atol=0.05)
    assert h.steps == 1
    h.session.undo()
    np.testing.assert_array_equal(h.points[3], start)


def test_two_fingers_zoom_and_pan_and_add_nothing(h, fingers):
    before, middle = h.plot.area.view, (0.0, 0.0)
    fingers.down((-0.5, 0))
    fingers.down((0.5, 0), finger=1)
    fingers.move((1.5, 0), finger=1)
    h.beat()
    after = h.plot.area.view
    assert after.right - after.left == pytest.approx((before.right - before.left) / 2, rel=0.05)
    at_rest = h.pixel(*middle)
    fingers.move((-0.3, 0.2))
    fingers.move(h.at((0.5, 0)) + h.at((0.2, 0.2)) - h.at((0, 0)), finger=1)
    assert h.pixel(*middle) != at_rest
    fingers.up()
    fingers.up(finger=1)
    h.settle()
    assert h.data.n == 8
    assert h.steps == 0


def test_a_second_finger_takes_back_what_the_first_had_begun_to_drag(h, fingers):
    start = h.points.copy()
    fingers.down(3)
    fingers.move(FREE)
    assert not np.array_equal(h.points, start)
    fingers.down((0.5, 0), finger=1)
    fingers.move((1.0, 0), finger=1)
    fingers.up(finger=1)
    fingers.move((0.0, 1.0))
    fingers.up()
    h.settle()
    np.testing.assert_array_equal(h.points, start)
    assert h.steps == 0


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_finger_that_rests_on_a_point_opens_its_menu(qtbot, h, fingers):
    fingers.down(5)
    qtbot.waitUntil(lambda: h.selection == (5,))
    fingers.up()
    found = menu(qtbot)
    assert [action.text() for action in found.actions()] == ["Delete", "Flip class", "Type its coordinates…"]
    flip = found.actionGeometry(found.actions()[1]).center()
    QTest.mouseClick(found, LEFT, NOTHING, flip)
    h.settle()
    assert h.data.z[5] == 1
    assert h.data.n == 8


def test_a_finger_that_rests_elsewhere_does_nothing(qtbot, h, fingers):
    fingers.down(FREE)
    qtbot.wait(700)
    fingers.up()
    h.settle()
    assert h.data.n == 8
    assert QApplication.activePopupWidget() is None


def test_a_tap_outside_the_axes_does_nothing(h, fingers):
    fingers.tap(h.pixel(0, 0) - h.pixel(0, 0))
    assert h.steps == 0


def test_no_point_stays_marked_under_a_finger_that_has_gone(h, fingers):
    fingers.tap(3)
    assert h.bench.hovered_point is None


def test_with_fingers_one_chooses_the_class_of_two(qtbot, h, fingers):
    assert h.canvas.editor.classes == ()
    fingers.tap(FREE)
    assert h.canvas.editor.classes == h.data.class_names
    h.canvas.choose_class(0)
    fingers.tap((-1.0, -1.5))
    assert h.data.z[[8, 9]].tolist() == [1, -1]
    h.click((0.5, 1.5), Qt.MouseButton.RightButton)
    h.settle()
    assert h.data.z[10] == 1


# Pens -------------------------------------------------------------------------------------------------
def pen(h, kind, where, what):
    """Send an event of a pen, its tip or its other end."""
    pointer = QPointingDevice.PointerType
    device = QPointingDevice(
        "stylus",
        7,
        QInputDevice.DeviceType.Stylus,
        getattr(pointer, kind),
        QInputDevice.Capability.Position,
        1,
        1,
    )
    viewport, at = h.plot.area.viewport(), QPointF(h.at(where))
    button = Qt.MouseButton.NoButton if what == QEvent.Type.TabletRelease else LEFT
    event = QTabletEvent(
        what,
        device,
        at,
        QPointF(viewport.mapToGlobal(at.toPoint())),
        1.0,
        0,
        0,
        0.0,
        0.0,
        0.0,
        NOTHING,
        LEFT,
        button,
    )
    QApplication.sendEvent(viewport, event)
    return event


def test_the_other_end_of_a_pen_erases_whatever_the_tool(h):
    gone = h.points[[4, 7]].copy()
    for what, where in (
        (QEvent.Type.TabletPress, tuple(gone[0])),
        (QEvent.Type.TabletMove, tuple(gone[1])),
        (QEvent.Type.TabletRelease, tuple(gone[1])),
    ):
        assert pen(h, "Eraser", where, what).isAccepted()
        h.beat()
    h.settle()
    assert h.canvas.tool.name == "add"
    assert h.data.n <= 6
    assert not any((h.points == place).all(axis=1).any() for place in gone)
    assert h.steps == 1
    h.session.undo()
    assert h.data.n == 8


def test_the_tip_of_a_pen_is_left_to_be_a_mouse(h):
    assert h.canvas.editor.classes == ()
    pen(h, "Pen", FREE, QEvent.Type.TabletPress)
    assert h.steps == 0
    assert h.canvas.editor.classes == two_clouds().class_names
