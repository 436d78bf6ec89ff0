"""The label at the pointer in presentation mode."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.ui.window.main_window import MainWindow
from tests.ui.window.acting import LEFT, PLAIN, come_to_rest, enter, present, settle


def pixel(window: MainWindow, x: float, y: float):
    area = window.canvas.area
    return area.mapFromScene(area.box.mapViewToScene(QPointF(x, y)))


def point_at(qtbot, window: MainWindow, at) -> None:
    """Move the mouse to a pixel of the canvas, and let the canvas take that in."""
    for place in (at - QPoint(1, 1), at):  # a mouse that was there already would not move
        QTest.mouseMove(window.canvas.area.viewport(), place)
    pulse = window.canvas.row.plots[0].pulse
    with qtbot.waitSignal(pulse.beat):
        pulse.ask(0)


def told(window: MainWindow) -> str:
    label = window.findChild(QLabel, "pointed")
    return label.text() if label.isVisible() else ""


def lines_at(window: MainWindow, level: float) -> np.ndarray:
    return np.vstack(window.canvas.scene.decoration.picture.lines_at(level))


def middle_of(window: MainWindow, level: float):
    """A pixel on a level line, away from the points."""
    points = window.canvas.scene.places()
    line = lines_at(window, level)
    distances = np.min(np.hypot(*(line[:, None] - points[None]).transpose(2, 0, 1)), axis=1)
    return pixel(window, *line[int(np.argmax(distances))])


@pytest.fixture
def stage(qtbot, window) -> MainWindow:
    present(window)
    settle(qtbot, window)
    return window


def test_a_point_is_told_with_its_class_and_its_numbers(qtbot, stage):
    point_at(qtbot, stage, pixel(stage, *stage.canvas.scene.places()[3]))
    heading, kind, numbers, *_ = told(stage).split("\n")
    assert heading.startswith("Point 4, ")
    assert kind == str(stage.workbench.frame.table.kind[3])
    assert numbers.startswith("α = ")
    assert "z·s(x) = " in numbers
    assert "slack = " in numbers


def test_of_a_point_of_the_curve_the_residual_is_told(qtbot, window):
    enter(qtbot, window, "curve")
    present(window)
    settle(qtbot, window)
    point_at(qtbot, window, pixel(window, *window.canvas.scene.places()[3]))
    assert "y − s(x) = " in told(window)


@pytest.mark.parametrize(
    ("level", "name"), [(0.0, "boundary s = 0"), (1.0, "margin line s = +1"), (-1.0, "margin line s = −1")]
)
def test_a_line_is_told_by_its_name(qtbot, stage, level, name):
    point_at(qtbot, stage, middle_of(stage, level))
    assert told(stage) == name


def test_a_line_that_is_not_shown_is_not_told(qtbot, stage):
    stage.session.toggle("boundary")
    settle(qtbot, stage)
    point_at(qtbot, stage, middle_of(stage, 0.0))
    assert "boundary" not in told(stage)


def test_the_curve_is_told_by_its_name(qtbot, window):
    enter(qtbot, window, "curve")
    present(window)
    settle(qtbot, window)
    curve = window.canvas.scene.decoration.picture.curve[0]
    points = window.canvas.scene.places()
    far = np.argmax(np.min(np.hypot(*(curve[:, None] - points[None]).transpose(2, 0, 1)), axis=1))
    point_at(qtbot, window, pixel(window, *curve[far]))
    assert told(window) == "s(x)"


def test_an_entry_of_the_legend_is_told(qtbot, stage):
    scene = stage.canvas.scene
    entries = scene.legend.legend.entries
    place = scene.area.box.mapToScene(scene.card.center())
    point_at(qtbot, stage, scene.area.mapFromScene(place))
    assert told(stage) in {entry.text for entry in entries}


def test_the_label_is_gone_where_there_is_nothing_and_when_the_mouse_leaves(qtbot, stage):
    stage.session.toggle("levels")
    settle(qtbot, stage)
    at = pixel(stage, *stage.canvas.scene.places()[3])
    point_at(qtbot, stage, at)
    assert told(stage)
    view = stage.canvas.area.view
    point_at(qtbot, stage, pixel(stage, view.left + 0.01, view.top - 0.01))
    assert not told(stage)
    point_at(qtbot, stage, at)
    QApplication.sendEvent(stage.canvas.area, QEvent(QEvent.Type.Leave))
    assert not told(stage)


def test_no_label_is_in_the_way_of_a_drag(qtbot, stage):
    area, at = stage.canvas.area, pixel(stage, *stage.canvas.scene.places()[3])
    there = at + QPoint(60, 10)
    point_at(qtbot, stage, at)
    label = stage.findChild(QLabel, "pointed")
    assert told(stage)
    assert not label.geometry().contains(area.mapTo(stage, at))
    QTest.mousePress(area.viewport(), LEFT, PLAIN, at)
    assert not told(stage)
    point_at(qtbot, stage, there)
    assert not told(stage)
    QTest.mouseRelease(area.viewport(), LEFT, PLAIN, there)
    settle(qtbot, stage)
    point_at(qtbot, stage, pixel(stage, *stage.canvas.scene.places()[3]))
    qtbot.waitUntil(lambda: told(stage).startswith("Point 4"))


def test_the_label_is_within_the_canvas_at_every_edge(qtbot, stage):
    label, view = stage.findChild(QLabel, "pointed"), stage.canvas.area.view
    stage.session.change(
        "add",
        data=stage.canvas.workspace.added(
            stage.session.document.data,
            np.array([[x, y] for x in (0.99, 0.01) for y in (0.99, 0.01)])
            * (view.right - view.left, view.top - view.bottom)
            + (view.left, view.bottom),
            1,
        ),
    )
    settle(qtbot, stage)
    come_to_rest(stage)  # the legend may have gone below
    for place in stage.canvas.scene.places()[-4:]:
        point_at(qtbot, stage, pixel(stage, *place))
        assert told(stage)
        corner = stage.canvases.mapTo(stage, QPoint())
        assert stage.canvases.rect().translated(corner).contains(label.geometry())


def test_while_the_fit_waits_the_label_does_not_give_it_away(qtbot, stage):
    stage.actions_by_name["toggle_freeze"].trigger()
    point_at(qtbot, stage, pixel(stage, *stage.canvas.scene.places()[3]))
    assert told(stage).startswith("Point 4")
    assert "\n" not in told(stage)
    point_at(qtbot, stage, middle_of(stage, 0.0))
    assert "boundary" not in told(stage)


def test_there_is_no_label_outside_of_presentation_mode(qtbot, window):
    point_at(qtbot, window, pixel(window, *window.canvas.scene.places()[3]))
    assert not told(window)


@pytest.mark.parametrize(
    ("view", "part", "words"),
    [
        ("weights", "weights", "α = "),
        ("gram", "matrix", "points "),
        ("components", "shares", "% of the variance"),
    ],
)
def test_bars_and_cells_of_a_view_are_told(qtbot, window, view, part, words):
    present(window)
    window.keyboard.go_to_view(view)
    settle(qtbot, window)
    made = window.insight.views[view]
    qtbot.waitUntil(lambda: not made.busy and made.scene.reason == "")
    come_to_rest(window)
    sheet = made.sheet
    places = (QPoint(x, y) for x in range(4, sheet.width(), 5) for y in range(4, sheet.height(), 5))
    at = next(at for at in places if sheet.hit(QPointF(at) * POINTS_PER_PIXEL).part == part)
    for place in (at - QPoint(1, 0), at):
        QTest.mouseMove(sheet, place)
    qtbot.waitUntil(lambda: words in told(window))
    label = window.findChild(QLabel, "pointed")
    assert window.rect().contains(label.geometry())
    assert not label.geometry().contains(sheet.mapTo(window, at))
    assert not sheet.toolTip()
    QTest.mousePress(sheet, LEFT, PLAIN, at)
    QTest.mouseMove(sheet, at + QPoint(1, 0))
    assert not told(window)
    QTest.mouseRelease(sheet, LEFT, PLAIN, at)
    QApplication.sendEvent(sheet, QEvent(QEvent.Type.Leave))
    assert not told(window)
