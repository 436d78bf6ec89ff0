"""Regression with two inputs in the window: seen, edited, read, undone, saved."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.scene.surface.painter import TARGET_STEPS
from kernelviz.session.files import kviz
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.sidebar.data_panel import DataPanel
from tests.ui.window.acting import LEFT, enter, settle


@pytest.fixture
def hills(qtbot, window):
    made = parse_dataset("hills(n=40, seed=1)")
    window.session.change("choose data set", data=made.make(), source=str(made))
    settle(qtbot, window)
    return window


def pixel(window, x, y):
    area = window.canvas.area
    return area.mapFromScene(area.box.mapViewToScene(QPointF(x, y)))


def test_it_stands_in_the_place_of_the_curve_and_has_a_fit(hills, qtbot):
    assert hills.canvases.workspace.name == "surface"
    assert hills.canvases.switch.buttons["curve"].isChecked()
    assert hills.workbench.frame.model.residuals is not None
    enter(qtbot, hills, "curve")
    assert hills.canvases.workspace.name == "curve"
    hills.actions_by_name["undo"].trigger()
    assert hills.canvases.workspace.name == "surface"


@pytest.mark.parametrize(("button", "end"), [(LEFT, np.max), (Qt.MouseButton.RightButton, np.min)])
def test_a_click_adds_a_high_point_and_a_right_click_a_low_one(hills, qtbot, button, end):
    before = hills.session.document.data
    view = hills.canvas.area.view
    x, y = view.left + 0.05 * (view.right - view.left), view.bottom + 0.5 * (view.top - view.bottom)
    qtbot.mouseClick(hills.canvas.area.viewport(), button, pos=pixel(hills, x, y))
    after = hills.session.document.data
    assert after.n == before.n + 1
    assert after.y[-1] == end(before.y)
    assert after.X[-1] == pytest.approx((x, y), abs=2 * float(hills.canvas.area.units(1.0)[0]))


def test_the_points_on_screen_have_the_colours_of_their_targets(hills):
    data, shown = hills.session.document.data, hills.canvas.scene.now["points"]
    assert shown.classes[data.y.argmax()] == TARGET_STEPS - 1
    assert shown.classes[data.y.argmin()] == 0


def test_commands_for_classes_are_not_offered(hills):
    for name in ("flip_selection", "swap_classes", "next_class"):
        assert not hills.actions_by_name[name].isVisible()
    assert hills.actions_by_name["jitter"].isVisible()


def test_it_is_saved_and_opened(hills, tmp_path):
    kviz.save(tmp_path / "hills.kviz", hills.session.state)
    opened, _ = kviz.load(tmp_path / "hills.kviz")
    assert workspace_of(opened.document.data).name == "surface"
    assert np.array_equal(opened.document.data.y, hills.session.document.data.y)


def test_swapping_classes_is_a_step_of_undo(qtbot, window):
    before = window.session.document
    window.actions_by_name["swap_classes"].trigger()
    assert np.array_equal(window.session.document.data.z, -before.data.z)
    assert window.session.history.undo_name == "swap classes"
    window.actions_by_name["undo"].trigger()
    assert window.session.document is before


def test_a_formula_is_typed_in_the_panel(qtbot, window):
    made = parse_dataset("above(x)")
    window.session.change("choose data set", data=made.make(), source=str(made))
    settle(qtbot, window)
    control = window.findChild(DataPanel).form.current.controls["formula"]
    line = control.line
    line.selectAll()
    qtbot.keyClicks(line, "x^2 - 1")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    data = window.session.document.data
    assert np.array_equal(data.z > 0, data.X[:, 1] > data.X[:, 0] ** 2 - 1)
    line.selectAll()
    qtbot.keyClicks(line, "x +")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert "is not a formula such as" in control.message.text()
    assert window.session.document.data is data
