"""Categories in the window: a panel each, points dragged between them, fits side by side."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from kernelviz.session.panels import Panels
from kernelviz.session.state import start_up
from kernelviz.session.tables.formats import read_text
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from tests.ui.window.acting import settle

CATEGORIES = next(workspace for workspace in workspaces() if workspace.name == "categories")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def state():
    return start_up(CATEGORIES)


def on_screen(canvas, xy) -> QPoint:
    """Return the pixel of the viewport at which a place of the canvas is."""
    area = canvas.area
    return area.mapFromScene(area.box.mapViewToScene(QPointF(*map(float, xy))))


def test_a_point_dragged_into_another_panel_gets_its_category(qtbot, window):
    settle(qtbot, window)
    canvas, data = window.canvas, window.session.document.data
    panels, view = Panels.of(data), canvas.area.viewport()
    canvas.use("move")
    start, end = (
        on_screen(canvas, CATEGORIES.positions(data)[0]),
        on_screen(canvas, panels.offsets[2] + [0.4, 1.2]),
    )
    qtbot.mousePress(view, LEFT, pos=start)
    qtbot.mouseMove(view, (start + end) / 2)
    qtbot.mouseMove(view, end)
    qtbot.mouseRelease(view, LEFT, pos=end)
    settle(qtbot, window)
    now = window.session.document.data
    assert data.category_of_each[0] == "blue"
    assert now.category_of_each[0] == "red"
    np.testing.assert_allclose(now.numbers[0], [0.4, 1.2], atol=0.03)
    assert window.canvas.area.panels == panels
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data.category_of_each[0] == "blue"


def test_a_click_adds_a_point_to_the_category_of_its_panel(qtbot, window):
    settle(qtbot, window)
    canvas, panels = window.canvas, Panels.of(window.session.document.data)
    at = on_screen(canvas, panels.offsets[1] + [-0.7, -1.55])
    qtbot.mouseClick(canvas.area.viewport(), LEFT, pos=at)
    qtbot.waitUntil(lambda: window.session.document.data.n == 151)
    assert window.session.document.data.category_of_each[-1] == "green"


def test_the_kernel_panel_offers_kernels_on_numbers_and_on_categories(qtbot, window):
    settle(qtbot, window)
    panel = window.docks["kernel"].widget()
    titles = {action.text() for action in panel.multiply.menu().actions()}
    assert {"Category", "Linear"} <= titles
    assert "Words" not in titles
    window.session.change("choose kernel", kernel=window.session.document.kernel.parts[0])
    settle(qtbot, window)
    assert str(window.workbench.frame.model.problem.kernel) == "rbf(gamma=0.5)*category(share=1)"


def test_a_table_with_a_category_is_opened_and_undone(qtbot, window, tmp_path):
    rows = [f"{k % 5},{k % 7},{'<i>a</i>' if k % 2 else 'b&'},{'yes' if k > 9 else 'no'}" for k in range(20)]
    (tmp_path / "t.csv").write_text("\n".join(["u,v,kind,answer", *rows]))
    window.files.open_path(tmp_path / "t.csv")
    qtbot.waitUntil(lambda: window.session.document.data.n == 20)
    settle(qtbot, window)
    assert window.session.document.data.categories.names == ("<i>a</i>", "b&")
    assert window.canvas.area.panels.names == ("<i>a</i>", "b&")
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data.n == 150


def test_a_hovered_place_is_named_with_its_category(qtbot, window):
    settle(qtbot, window)
    canvas, panels = window.canvas, Panels.of(window.session.document.data)
    qtbot.mouseMove(canvas.area.viewport(), on_screen(canvas, panels.offsets[2] + [1.45, -1.45]))
    inspector = window.insight.view("inspector")
    qtbot.waitUntil(lambda: "red" in inspector.heading.text())


def test_of_a_wide_table_the_column_of_words_is_proposed_as_the_category(window):
    rows = "".join(f"{k},{k / 3},{k * k},{'north' if k % 2 else 'south'},{k % 3 > 0}\n" for k in range(9))
    picker = ColumnPicker(read_text("a,b,c,region,label\n" + rows), window, CATEGORIES)
    assert [box.currentText() for box in picker.pickers] == ["a", "b", "region", "label"]
    assert picker.data is not None
    assert picker.data.categories.names == ("north", "south")
