"""Objects in the window: a Gram matrix is opened, mapped and listed; what cannot be typed says so."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from kernelviz.session.state import start_up
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.dialogs.column_picker import ColumnPicker

OBJECTS = next(workspace for workspace in workspaces() if workspace.name == "objects")


@pytest.fixture
def state():
    return start_up(OBJECTS)


def test_a_gram_matrix_is_opened_from_a_file(qtbot, window, tmp_path):
    rng = np.random.default_rng(0)
    F = rng.standard_normal((10, 3)) + np.repeat([[2.0], [-2.0]], 5, axis=0)
    names = [f"<b>{k}</b>" for k in range(10)]
    np.savez(tmp_path / "k.npz", K=F @ F.T, labels=["up"] * 5 + ["down"] * 5, names=names)
    window.files.open_path(tmp_path / "k.npz")
    qtbot.waitUntil(lambda: window.session.document.data.n == 10)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    assert window.canvas.workspace is OBJECTS
    table = window.canvas.table
    assert [table.points.index(row, 1).data() for row in range(10)] == names
    assert window.workbench.frame.model.summary()["training_error"] == 0.0
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data.n == 30


def test_a_matrix_with_a_mistake_changes_nothing(qtbot, window, tmp_path):
    before = window.session.document
    np.savez(tmp_path / "k.npz", K=np.triu(np.ones((4, 4))), labels=[0, 1, 0, 1])
    window.files.open_path(tmp_path / "k.npz")
    qtbot.waitUntil(lambda: "must be symmetric" in window.canvas.banner.text)
    assert window.session.document is before


@pytest.mark.parametrize(
    ("cell", "message"),
    [("7", "must be symmetric: row 1, column 3 is 7"), ("nan", "column 3 (k2): the number is missing")],
)
def test_a_table_with_a_mistake_is_named_as_a_gram_matrix(
    qtbot, window, tmp_path, monkeypatch, cell, message
):
    monkeypatch.setattr(ColumnPicker, "exec", lambda _: pytest.fail("asks for columns"))
    before = window.session.document
    rows = [["1" if i == j else "0" for j in range(12)] + ["up" if i < 6 else "down"] for i in range(12)]
    rows[0][2] = cell
    lines = [[*(f"k{j}" for j in range(12)), "label"], *rows]
    (tmp_path / "k.csv").write_text("\n".join(map(",".join, lines)))
    window.files.open_path(tmp_path / "k.csv")
    qtbot.waitUntil(lambda: message in window.canvas.banner.text)
    assert window.session.document is before


def test_an_object_cannot_be_typed_but_its_class_can(qtbot, window):
    assert not window.canvas.trial.isVisible()
    table = window.canvas.table
    table.begin_typing(0)
    editor = table.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "other")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "keeps the name" in window.canvas.banner.text)
    window.session.adjust(selection=(0,))
    window.actions_by_name["flip_selection"].trigger()
    assert window.session.document.data.class_of_each[0] == "cycle"
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data.class_of_each[0] == "tree"


def test_all_objects_can_be_erased_and_come_back(qtbot, window):
    window.actions_by_name["clear"].trigger()
    assert window.session.document.data.n == 0
    assert window.canvas.workspace is OBJECTS
    assert window.session.document.fit.suits(window.session.document.data)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    assert window.session.document.data.n == 30
