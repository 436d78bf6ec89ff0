"""A screen reader says which point was selected, and how the fit has ended."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible

from kernelviz.engine.fits.parsing import algorithm
from kernelviz.ui.window import announcements
from tests.ui.canvas.hand import turn_wheel
from tests.ui.window.acting import add_a_point, focus_canvas, press, settle

pytestmark = pytest.mark.skipif(
    announcements.AnnouncementEvent is None, reason="this Qt has no announcements: it is older than 6.8"
)


@pytest.fixture
def said(window, monkeypatch):
    """What a screen reader has been told."""
    told: list[str] = []
    monkeypatch.setattr(announcements.QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(
        announcements.QAccessible, "updateAccessibility", lambda event: told.append(event.message())
    )
    return told


def test_a_selected_point_is_announced_with_its_part_in_the_fit(qtbot, window, said):
    focus_canvas(window)
    press(qtbot, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: bool(said))
    inspector = window.insight.view("inspector")
    assert said[0].startswith("Point 1, class +")
    assert inspector.kind.text() in said[0]
    press(qtbot, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: len(said) > 1)
    assert said[1].startswith("Point 2, class")
    assert "error" not in said[1]


def test_the_weight_of_a_selected_point_is_announced_when_it_changes(qtbot, window, said):
    window.canvas.editor.select([0])
    qtbot.waitUntil(lambda: bool(said))
    assert "weight 4" not in said[0]
    area = window.canvas.area
    at = area.mapFromScene(area.box.mapViewToScene(QPointF(*window.canvas.editor.points[0])))
    turn_wheel(area.viewport(), at, 480, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: len(said) > 1)
    assert ", weight 4" in said[1]


def test_a_new_error_is_announced_once_the_user_rests(qtbot, window, said):
    for C in (1, 2, 3, 0.001):
        window.session.change("change C", algorithm=algorithm(f"soft-margin-svm(C={C})"))
    settle(qtbot, window)
    qtbot.waitUntil(lambda: bool(said))
    assert len(said) == 1
    assert "training error" in said[0]
    assert window.status_line.figures.text().split(" · ")[2].strip() in said[0]


def test_why_there_is_no_fit_is_announced(qtbot, window, said):
    window.actions_by_name["clear"].trigger()
    qtbot.waitUntil(lambda: bool(said))
    assert said[-1] == window.workbench.failure.sentence


def test_nothing_is_said_without_a_screen_reader(qtbot, window, said, monkeypatch):
    monkeypatch.setattr(announcements.QAccessible, "isActive", lambda: False)
    add_a_point(window)
    settle(qtbot, window)
    qtbot.wait(900)
    assert said == []


def test_the_event_is_one_that_qt_takes(window):
    QAccessible.updateAccessibility(announcements.AnnouncementEvent(window, "training error 0 %"))
