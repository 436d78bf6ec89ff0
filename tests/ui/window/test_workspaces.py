"""A workspace is added, not threaded through: one from this test works everywhere without a change in the
package."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.scene.export.composition import render_state
from kernelviz.scene.export.options import Options
from kernelviz.session.files import kviz
from kernelviz.session.state import start_up
from kernelviz.session.workspaces.registry import guest, workspace_of, workspaces
from kernelviz.ui.canvas.toolbar import ClassChooser, ToolOptions
from tests.polar_workspace import COLUMNS, Polar
from tests.ui.window.acting import LEFT, come_to_rest, enter, settle


@pytest.fixture
def polar():
    with guest(Polar()) as workspace:
        yield workspace


@pytest.fixture
def state(polar):
    return start_up()


def pixel(window, x, y):
    """Where a place of the canvas is on the screen."""
    area = window.canvas.area
    return area.mapFromScene(area.box.mapViewToScene(_point(x, y)))


def _point(x, y):
    from PySide6.QtCore import QPointF

    return QPointF(x, y)


def test_the_switch_goes_to_its_example_and_undo_comes_back_to_the_very_points(qtbot, window, polar):
    plane = window.session.document
    enter(qtbot, window, "polar")
    assert window.canvas.workspace is polar
    assert window.session.document.data.columns == COLUMNS
    assert window.session.history.undo_name == "go to Polar"
    window.actions_by_name["undo"].trigger()
    assert window.session.document is plane
    assert window.canvas.workspace.name == "plane"
    window.actions_by_name["redo"].trigger()
    assert window.canvas.workspace is polar


def test_three_classes_are_offered_once_after_a_table_for_another_workspace(qtbot, window, tmp_path):
    window.resize(1600, 900)
    path = tmp_path / "curve.csv"
    path.write_text("x,y\n" + "".join(f"{k / 7},{k * k / 9.5}\n" for k in range(30)), encoding="utf-8")

    def choosers() -> int:
        return sum(chooser.isVisible() for chooser in window.findChildren(ClassChooser))

    made = parse_dataset("blobs(classes=3)")
    window.session.change("choose data set", data=made.make(), source=str(made))
    qtbot.waitUntil(lambda: choosers() == 1)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.canvases.workspace.name == "curve")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: choosers() == 0)
    enter(qtbot, window, "plane")
    come_to_rest(window)
    assert choosers() == 1


def test_the_options_of_a_brush_are_shown_only_with_its_canvas_in_front(qtbot, window):
    window.resize(1600, 900)
    enter(qtbot, window, "curve")
    window.canvases.use_tools({"plane": "brush"})
    come_to_rest(window)
    assert not any(options.isVisible() for options in window.findChildren(ToolOptions))


def test_going_there_again_finds_what_was_left(qtbot, window):
    enter(qtbot, window, "polar")
    window.actions_by_name["clear"].trigger()
    left = window.session.document
    enter(qtbot, window, "plane")
    enter(qtbot, window, "polar")
    assert window.session.document is left


def test_a_click_adds_a_point_where_it_is_seen_and_a_drag_moves_it(qtbot, window, polar):
    enter(qtbot, window, "polar")
    n = window.session.document.data.n
    view = window.canvas.area.view
    x, y = view.left + 0.05 * (view.right - view.left), view.bottom + 0.6 * (view.top - view.bottom)
    port = window.canvas.area.viewport()
    qtbot.mouseClick(port, LEFT, pos=pixel(window, x, y))
    data = window.session.document.data
    assert data.n == n + 1
    step = 1.5 * float(window.canvas.area.units(1.0)[0])
    assert polar.positions(data)[-1] == pytest.approx((x, y), abs=step)
    assert data.X[-1] == pytest.approx((np.arctan2(y, x), np.hypot(x, y)), abs=step)
    start, end = pixel(window, x, y), pixel(window, x, y) + QPoint(40, 25)
    qtbot.mousePress(port, LEFT, pos=start)
    qtbot.mouseMove(port, end)
    qtbot.mouseRelease(port, LEFT, pos=end)
    moved = polar.positions(window.session.document.data)[-1]
    there = window.canvas.area.box.mapSceneToView(window.canvas.area.mapToScene(end))
    assert moved == pytest.approx((there.x(), there.y()), abs=step)


@pytest.mark.parametrize("command", ["jitter", "duplicate_selection", "flip_selection", "delete_selection"])
def test_the_edit_menu_works_there(qtbot, window, polar, command):
    enter(qtbot, window, "polar")
    before = window.session.document.data
    window.actions_by_name["select_all"].trigger()
    window.actions_by_name[command].trigger()
    after = window.session.document.data
    assert after is not before
    assert workspace_of(after) is polar
    expected = {"jitter": 1, "duplicate_selection": 2, "flip_selection": 1, "delete_selection": 0}[command]
    assert after.n == expected * before.n
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data is before


def test_its_field_is_the_score_where_it_is_drawn(qtbot, window, polar):
    enter(qtbot, window, "polar")
    frame = window.workbench.frame
    sample = frame.sample
    x, y = sample.x1[10], sample.x2[45]
    expected = frame.model.score([[np.arctan2(y, x), np.hypot(x, y)]])
    assert sample.field[45, 10] == pytest.approx(expected[0])
    assert window.canvas.scene.decoration.frame.model is frame.model


def test_its_own_toggle_is_in_the_menu_only_there(qtbot, window):
    def texts():
        return [a.text() for a in window.findChildren(QAction) if a.text() == "Spokes" and a.isVisible()]

    assert texts() == []
    enter(qtbot, window, "polar")
    assert texts() == ["Spokes"]


def test_it_is_saved_opened_and_rendered(qtbot, window, polar, tmp_path):
    enter(qtbot, window, "polar")
    state = window.session.state
    kviz.save(tmp_path / "polar.kviz", state)
    opened, _ = kviz.load(tmp_path / "polar.kviz")
    assert workspace_of(opened.document.data) is polar
    assert np.array_equal(opened.document.data.X, state.document.data.X)
    window.session.visit(workspaces()[0])
    window.files.open_path(tmp_path / "polar.kviz")
    window.session.mark_saved()
    qtbot.waitUntil(lambda: window.canvas.workspace is polar, timeout=20_000)
    render_state(opened, tmp_path / "polar.png", Options(width=240, height=200, dpi=72))
    with Image.open(tmp_path / "polar.png") as picture:
        assert len(picture.convert("RGB").getcolors(100_000)) > 100


def grab_a_point_of_the_curve(qtbot, window) -> QWidget:
    """Go to the curve and press the mouse on its last point; return where."""
    enter(qtbot, window, "curve")
    workspace, data = window.session.document.workspace, window.session.document.data
    port = window.canvas.area.viewport()
    qtbot.mousePress(port, LEFT, pos=pixel(window, *workspace.positions(data)[-1]))
    return port


def test_undo_while_a_point_is_held_moves_no_point_of_the_workspace_it_goes_back_to(qtbot, window):
    port = grab_a_point_of_the_curve(qtbot, window)
    window.actions_by_name["undo"].trigger()
    plane = window.session.document
    assert plane.workspace.name == "plane"
    qtbot.mouseMove(port, QPoint(60, 60))
    qtbot.mouseRelease(port, LEFT, pos=QPoint(60, 60))
    assert window.session.document is plane


def test_a_point_held_while_a_file_with_fewer_points_is_opened_is_let_go(qtbot, window, tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("0,0,a\n1,1,a\n2,0,b\n3,1,b\n", encoding="utf-8")
    port = grab_a_point_of_the_curve(qtbot, window)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.canvases.workspace.name == "plane")
    opened = window.session.document
    qtbot.mouseRelease(port, LEFT, pos=QPoint(60, 60))
    assert window.session.document is opened


def test_a_second_button_goes_to_no_point_of_a_canvas_that_is_hidden(qtbot, window):
    """Qt sends it to where the first one went down."""
    enter(qtbot, window, "curve")
    data, native = window.session.document.data, window.windowHandle()
    port = window.canvas.area.viewport()
    point = port.mapTo(window, pixel(window, *window.session.document.workspace.positions(data)[-1]))
    beside_the_axes = port.mapTo(window, QPoint(2, 2))
    QTest.mousePress(native, LEFT, pos=beside_the_axes)
    made = parse_dataset("moons(n=6)")
    window.session.change("choose data set", data=made.make(), source=str(made))
    few = window.session.document
    QTest.mousePress(native, Qt.MouseButton.RightButton, pos=point)
    QTest.mouseRelease(native, Qt.MouseButton.RightButton, pos=point)
    QTest.mouseRelease(native, LEFT, pos=beside_the_axes)
    assert window.session.document is few
