"""What is in the other workspace is neither lost nor forgotten."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from kernelviz.session.files import kviz
from kernelviz.session.workspaces.curve import CurveWorkspace
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.ui.window.acting import CONTROL


@pytest.fixture
def edited(window):
    """A point added in the curve, and then back to the plane."""
    session = window.session
    session.visit(CurveWorkspace())
    data = session.document.data
    session.change("add point", data=CurveWorkspace().added(data, [[0.5, 2.0]], 1), source="")
    session.visit(PlaneWorkspace())
    return window


def test_only_looking_at_another_workspace_leaves_nothing_to_save(window):
    window.session.visit(CurveWorkspace())
    assert not window.session.unsaved
    window.session.visit(PlaneWorkspace())
    assert not window.session.unsaved


def test_an_edit_elsewhere_is_unsaved_and_asked_about(edited, monkeypatch, qtbot):
    assert edited.session.unsaved
    qtbot.waitUntil(edited.isWindowModified)
    asked = []
    monkeypatch.setattr(
        QMessageBox, "question", lambda *a: asked.append(a) or QMessageBox.StandardButton.Cancel
    )
    assert not edited.files.may_close()
    assert len(asked) == 1


@pytest.mark.parametrize("answer", ["Cancel", "Discard"])
def test_new_says_that_it_closes_every_workspace_and_where_changes_are_not_saved(
    edited, monkeypatch, qtbot, answer
):
    edited.canvas.clear()
    before = edited.session.state
    asked = []

    def ask(*words: object) -> QMessageBox.StandardButton:
        asked.append(words[2])
        return getattr(QMessageBox.StandardButton, answer)

    monkeypatch.setattr(QMessageBox, "question", ask)
    qtbot.keyClick(edited, Qt.Key.Key_N, CONTROL)
    assert asked == [
        "A new session closes this one in every workspace. Untitled has unsaved changes in Plane and Curve."
    ]
    assert (edited.session.state is before) == (answer == "Cancel")
    assert (len(edited.session.history) > 0) == (answer == "Cancel")
    assert (edited.session.elsewhere != {}) == (answer == "Cancel")


def test_a_question_names_only_the_workspaces_with_unsaved_changes(edited, monkeypatch):
    asked = []
    monkeypatch.setattr(
        QMessageBox, "question", lambda *a: asked.append(a[2]) or QMessageBox.StandardButton.Cancel
    )
    edited.close()
    assert asked == ["Untitled has unsaved changes in Curve."]


def test_new_after_saving_says_where_the_other_workspaces_are(edited, tmp_path, qtbot):
    assert edited.files.save_to(tmp_path / "both.kviz")
    qtbot.keyClick(edited, Qt.Key.Key_N, CONTROL)
    assert edited.session.document.data.n == 0
    assert "every workspace" in edited.canvas.banner.text
    assert "both.kviz" in edited.canvas.banner.text


def open_again(qtbot, window, path):
    before = window.session.document
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document is not before)


def test_one_file_keeps_both_and_opens_with_both(edited, tmp_path, qtbot):
    path = tmp_path / "both.kviz"
    assert edited.files.save_to(path)
    assert not edited.session.unsaved
    qtbot.waitUntil(lambda: not edited.isWindowModified())
    plane = edited.session.document.data
    open_again(qtbot, edited, path)
    assert edited.session.document.data.n == plane.n
    assert not edited.session.unsaved
    edited.session.visit(CurveWorkspace())
    assert edited.session.document.data.n == 61
    assert not edited.session.unsaved
    edited.session.visit(PlaneWorkspace())
    assert edited.files.save_to(path)
    again = kviz.load(path)[1]
    assert list(again["elsewhere"]) == ["curve"], "and neither grows nor nests"
    assert "elsewhere" not in again["elsewhere"]["curve"]


def test_what_cannot_be_read_of_it_does_not_keep_the_rest_from_opening(edited, tmp_path, qtbot):
    path = tmp_path / "both.kviz"
    edited.files.save_to(path)
    for damage in ({"curve": {"kernelviz": 1}}, {"curve": 7}, [], "x"):
        state, extra = kviz.load(path)
        kviz.save(path, state, extra | {"elsewhere": damage})
        open_again(qtbot, edited, path)
        assert edited.session.document.data.n == 120
        assert edited.session.elsewhere == {}


def test_what_is_kept_for_recovery_has_both(edited, qtbot):
    recovery = edited.files.recovery
    qtbot.waitUntil(lambda: recovery.path.exists(), timeout=20_000)
    qtbot.waitUntil(lambda: b'"elsewhere"' in recovery.path.read_bytes(), timeout=20_000)
