"""The File menu: nothing is ever lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton

from kernelviz.engine.api import algorithm, kernel
from kernelviz.engine.data import Data
from kernelviz.session import files
from kernelviz.session.edits import add_points
from kernelviz.session.recovery import orphans, recovery_directory
from kernelviz.session.state import State
from kernelviz.ui.dialogs.column_picker import ColumnPicker

ANSWER = QMessageBox.StandardButton


def add_a_point(window, x: float = 0.3, y: float = -0.2) -> None:
    data = add_points(window.session.document.data, np.array([[x, y]]), 1)
    window.session.change("add point", data=data, source="")


def test_saving_and_opening_brings_everything_back(qtbot, window, tmp_path, monkeypatch):
    path = tmp_path / "lecture.kviz"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.session.change("change kernel", kernel=kernel("rbf(gamma=2.5) + 0.5*linear"))
    window.session.change("change algorithm", algorithm=algorithm("soft-margin-svm(C=3)"))
    add_a_point(window)
    window.session.toggle("slack")
    saved = window.session.state
    window.actions_by_name["save"].trigger()
    assert not window.session.unsaved
    qtbot.waitUntil(lambda: window.windowTitle().startswith("lecture.kviz"))
    add_a_point(window)
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: ANSWER.Discard)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.data.n == saved.document.data.n)
    opened = window.session.state
    assert opened.document.kernel == saved.document.kernel
    assert opened.document.algorithm == saved.document.algorithm
    assert opened.look.shown == saved.look.shown
    np.testing.assert_array_equal(opened.document.data.X, saved.document.data.X)
    assert window.settings.recent == [str(path)]


def test_the_title_tells_unsaved_changes(qtbot, window):
    assert not window.isWindowModified()
    add_a_point(window)
    qtbot.waitUntil(window.isWindowModified)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: not window.isWindowModified())


def test_a_file_that_cannot_be_written_is_a_sentence_and_stays_unsaved(window, tmp_path):
    add_a_point(window)
    assert not window.files._save(tmp_path / "no such folder" / "a.kviz")
    assert window.session.unsaved
    assert "cannot be saved" in window.canvas.banner.text


def test_cancelling_the_question_keeps_the_work(qtbot, window, tmp_path, monkeypatch):
    other = tmp_path / "other.kviz"
    files.save(other, window.session.state)
    add_a_point(window)
    asked = []
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: asked.append(1) or ANSWER.Cancel)
    window.files.open_path(other)
    qtbot.waitUntil(lambda: bool(asked))
    assert window.session.document.data.n == 121


def test_new_is_an_empty_plane_with_the_same_kernel(window):
    window.session.change("change kernel", kernel=kernel("linear"))
    window.session.mark_saved()
    window.actions_by_name["new"].trigger()
    assert window.session.document.data.n == 0
    assert window.session.document.kernel == kernel("linear")
    assert not window.session.unsaved


def test_pasting_cells_from_a_spreadsheet(window):
    QGuiApplication.clipboard().setText("0\t0\tno\n1\t1\tyes\n2\t0\tno\n")
    window.actions_by_name["paste"].trigger()
    assert window.session.document.data.n == 3
    assert window.session.document.data.class_names == ("no", "yes")
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data.n == 120


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello world",
        "hello world, this is no table",
        "1 2\n3 4",
        "a b c\nd e f\ng h i",
        "1,2,a\n3,nan,b",
    ],
)
def test_pasting_nonsense_is_a_sentence(window, text, monkeypatch):
    monkeypatch.setattr(ColumnPicker, "exec", lambda _: pytest.fail("there is nothing to choose from"))
    QGuiApplication.clipboard().setText(text)
    before = window.session.document
    window.actions_by_name["paste"].trigger()
    assert window.session.document is before
    assert "clipboard" in window.canvas.banner.text
    assert window.canvas.banner.text.endswith(".")


def test_a_wide_table_asks_for_its_columns(qtbot, window, tmp_path, monkeypatch):
    path = tmp_path / "wide.csv"
    path.write_text("id,height,weight,age,kind\n1,2,3,4,a\n2,5,6,7,b\n3,8,8,9,a\n")

    def choose(picker: ColumnPicker) -> int:
        picker.x1.setCurrentIndex(1)
        picker.x2.setCurrentIndex(1)
        assert picker.complaint.text()
        picker.x2.setCurrentIndex(3)
        picker.label.setCurrentIndex(4)
        assert not picker.complaint.isVisibleTo(picker)
        picker.standardise.setChecked(True)
        picker.accept()
        return 1

    monkeypatch.setattr(ColumnPicker, "exec", choose)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.data.n == 3)
    data = window.session.document.data
    assert data.columns == ("height", "age")
    assert data.X.mean(axis=0) == pytest.approx([0, 0])
    assert data.X.std(axis=0) == pytest.approx([1, 1])
    qtbot.waitUntil(lambda: "standardised" in window.statusBar().warning.text())


def test_points_and_model_can_be_saved_for_other_programs(window, tmp_path):
    for name in ("points.csv", "points.svm", "points.npz", "model.json"):
        window.files.save_points(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    window.files.save_points(tmp_path / "points.xyz")
    assert ".csv" in window.canvas.banner.text


def test_the_recent_menu_lists_and_forgets(window, tmp_path):
    path = tmp_path / "a.kviz"
    window.files._save(path)
    menu = window.findChild(type(window.menuBar().addMenu("x")), "recent")
    assert menu is not None
    window.files._list_recent(menu)
    assert menu.actions()[0].text() == str(path)
    menu.actions()[-1].trigger()
    assert window.settings.recent == []


CHILD = """
import sys
from PySide6.QtWidgets import QApplication
import numpy as np
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.session.edits import add_points
from kernelviz.ui.window.main_window import MainWindow
app = QApplication([])
window = MainWindow(Session(start_up()))
window.show()
data = add_points(window.session.document.data, np.array([[0.25, 0.5]]), -1)
window.session.change("add point", data=data, source="")
print("changed", flush=True)
app.exec()
"""


def test_after_kill_9_the_next_start_offers_the_session(qtbot, window, tmp_path):
    # The fixture's XDG_STATE_HOME is inherited, so both look in the same place.
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path / "config")},
    )
    try:
        assert child.stdout.readline() == "changed\n"
        qtbot.waitUntil(lambda: any(recovery_directory().glob("*.kviz")))
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
    assert len(orphans()) == 1
    window.files.offer_recovery()
    box = window.findChild(QMessageBox)
    assert "did not close properly" in box.text()
    next(b for b in box.findChildren(QPushButton) if b.text() == "Recover").click()
    data = window.session.document.data
    assert data.n == 121
    assert data.X[-1].tolist() == [0.25, 0.5]
    assert window.session.unsaved
    assert orphans() == []


def many_points(window, name: str, n: int = 6000):
    x = np.linspace(-2, 2, n)
    data = Data.labelled(np.column_stack([x, np.sin(3 * x)]), x > 0)
    return window.session.document.replace(data=data, algorithm=algorithm(name))


def test_an_algorithm_that_cannot_take_all_points_gets_a_sample_and_it_is_said(qtbot, window):
    rows = many_points(window, "random-features(q=5, model=ridge)")
    window.session.open(State(rows, window.session.look))
    window.session.change("choose algorithm", algorithm=algorithm("nearest-neighbours"))
    assert window.session.document.data.n == 5000
    assert "5,000 of 6,000 rows" in window.canvas.banner.text
    window.actions_by_name["undo"].trigger()
    assert window.session.document is rows


def test_a_session_with_too_many_points_is_opened_with_a_sample_and_never_saved_over(qtbot, window, tmp_path):
    path = tmp_path / "many.kviz"
    files.save(path, State(many_points(window, "nearest-neighbours"), window.session.look), {})
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.data.n == 5000)
    assert "5,000 of 6,000 rows" in window.canvas.banner.text
    assert window.files.path is None
