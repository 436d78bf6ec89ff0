"""The File menu: nothing is ever lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.scene.export.composition import render_state
from kernelviz.scene.export.options import Options
from kernelviz.session.files import kviz
from kernelviz.session.files.crashed_sessions import crashed_sessions, recovery_directory
from kernelviz.session.state import State, start_up
from kernelviz.ui import app
from kernelviz.ui.dialogs.column_picker import ColumnPicker
from kernelviz.ui.dialogs.questions import PasteQuestion
from kernelviz.ui.dialogs.recovery_dialog import RecoveryDialog
from tests.ui.window.acting import CONTROL, LEFT, add_a_point, click, settle
from tests.ui.window.answers import answering

ANSWER = QMessageBox.StandardButton


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


def test_a_state_opened_from_a_picture_has_the_name_of_the_picture(qtbot, window, tmp_path, monkeypatch):
    picture, saved = tmp_path / "02-perceptron.png", tmp_path / "02-perceptron.kviz"
    render_state(window.session.state, picture, Options(width=400, height=300, dpi=72))
    window.files.open_path(picture)
    qtbot.waitUntil(lambda: "02-perceptron.png" in window.windowTitle())
    offered = []
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *args, **_: (offered.append(args[2]), (str(saved), ""))[1]
    )
    before = picture.read_bytes()
    window.actions_by_name["save"].trigger()
    assert offered == [str(saved)]
    assert picture.read_bytes() == before
    qtbot.waitUntil(lambda: "02-perceptron.kviz" in window.windowTitle())
    window.actions_by_name["new"].trigger()
    qtbot.waitUntil(lambda: "Untitled" in window.windowTitle())


def test_the_title_tells_unsaved_changes(qtbot, window):
    assert not window.isWindowModified()
    add_a_point(window)
    qtbot.waitUntil(window.isWindowModified)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: not window.isWindowModified())


def test_a_file_that_cannot_be_written_is_a_sentence_and_stays_unsaved(window, tmp_path):
    add_a_point(window)
    assert not window.files.save_to(tmp_path / "no such folder" / "a.kviz")
    assert window.session.unsaved
    assert "cannot be saved" in window.canvas.banner.text


def test_cancelling_the_question_keeps_the_work(qtbot, window, tmp_path, monkeypatch):
    other = tmp_path / "other.kviz"
    kviz.save(other, window.session.state)
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


@pytest.mark.parametrize("source", ["rings(n=120)", "colours(n=60)"])
def test_new_has_no_held_out_points_that_could_come_back(window, source, monkeypatch):
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: ANSWER.Discard)
    document = window.session.document.replace(data=dataset(source), source=source)
    window.session.replace("hold out", document.with_share_aside(0.3))
    window.session.mark_saved()
    window.actions_by_name["new"].trigger()
    assert window.session.document.held_out is None
    assert window.session.document.together.n == 0


def press_paste(qtbot, window) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_V, CONTROL)


def answer(qtbot, window, button: str) -> None:
    """What becomes of the points there are when others are pasted."""
    qtbot.waitUntil(lambda: window.findChild(PasteQuestion) is not None)
    question = window.findChild(PasteQuestion)
    qtbot.mouseClick(getattr(question, button), LEFT)
    qtbot.waitUntil(lambda: window.findChild(PasteQuestion) is None)


def test_pasted_points_can_be_added_to_those_there_are(qtbot, window):
    before = window.session.document.data
    QGuiApplication.clipboard().setText("0\t9\t1\n1\t1\t-1\n")
    press_paste(qtbot, window)
    answer(qtbot, window, "add")
    data = window.session.document.data
    assert np.array_equal(data.X, [*before.X.tolist(), [0, 9], [1, 1]])
    assert data.z.tolist() == [*before.z, 1, -1]
    assert data.class_names == ("-", "+")
    assert window.session.look.selection == (120, 121)
    assert window.session.look.view.top > 9
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data is before


def test_a_paste_that_nobody_confirms_changes_nothing_and_an_empty_plane_asks_nothing(qtbot, window):
    before = window.session.document
    QGuiApplication.clipboard().setText("0\t0\t1\n1\t1\t-1\n")
    press_paste(qtbot, window)
    qtbot.waitUntil(lambda: window.findChild(PasteQuestion) is not None)
    qtbot.keyClick(window.findChild(PasteQuestion), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(PasteQuestion) is None)
    assert window.session.document is before
    window.actions_by_name["clear"].trigger()
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: window.session.document.data.n == 2)


def test_pasting_cells_from_a_spreadsheet(qtbot, window):
    QGuiApplication.clipboard().setText("0\t0\tno\n1\t1\tyes\n2\t0\tno\n")
    press_paste(qtbot, window)
    answer(qtbot, window, "replace")
    assert window.session.document.data.n == 3
    assert window.session.document.data.class_names == ("no", "yes")
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data.n == 120


def test_the_data_panel_says_what_is_on_the_canvas_after_new_a_click_open_and_paste(qtbot, window, tmp_path):
    panel = window.docks["data"].widget()

    def says(words: str) -> None:
        qtbot.waitUntil(lambda: panel.picker.unlisted == words)
        assert panel.picker.currentIndex() == -1
        assert not panel.form.isVisible()

    window.actions_by_name["new"].trigger()
    says("No points yet")
    click(qtbot, window, 0.3, 0.2)
    says("1 point placed by hand")
    flowers = tmp_path / "flowers.csv"
    flowers.write_text("a,b,kind\n0,0,x\n1,2,y\n3,1,x\n")
    window.files.open_path(flowers)
    says("flowers.csv, 3 rows")
    QGuiApplication.clipboard().setText("0\t0\tno\n1\t1\tyes\n")
    window.actions_by_name["paste"].trigger()
    answer(qtbot, window, "replace")
    says("clipboard, 2 rows")
    for _ in range(2):
        window.actions_by_name["undo"].trigger()
    says("1 point placed by hand")


def test_a_pasted_text_is_read_off_the_thread_of_the_window(qtbot, window, monkeypatch):
    reader = []

    def noted(text: str) -> bool:
        reader.append(threading.current_thread())
        return False

    monkeypatch.setattr("kernelviz.session.tables.svmlight.looks_like", noted)
    QGuiApplication.clipboard().setText("1,2,a\n3,4,b\n" * 500)
    press_paste(qtbot, window)
    assert window.session.document.data.n == 120
    answer(qtbot, window, "replace")
    assert window.session.document.data.n == 1000
    assert reader
    assert threading.main_thread() not in reader


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello world",
        "hello world, this is no table",
        "1\n3",
        "a b c\nd e f\ng h i",
        "1,2,a\n3,inf,b",
    ],
)
def test_pasting_nonsense_is_a_sentence(qtbot, window, text, monkeypatch):
    monkeypatch.setattr(ColumnPicker, "exec", lambda _: pytest.fail("there is nothing to choose from"))
    QGuiApplication.clipboard().setText(text)
    before = window.session.document
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: "clipboard" in window.canvas.banner.text)
    assert window.session.document is before
    assert window.canvas.banner.text.endswith(".")


def test_a_wide_table_asks_for_its_columns(qtbot, window, tmp_path, monkeypatch):
    path = tmp_path / "wide.csv"
    path.write_text("id,height,weight,age,kind\n1,2,3,4,a\n2,5,6,7,b\n3,8,8,9,a\n")

    def choose(picker: ColumnPicker) -> int:
        picker.pickers[0].setCurrentIndex(1)
        picker.pickers[1].setCurrentIndex(1)
        assert picker.problem.text()
        picker.pickers[1].setCurrentIndex(3)
        picker.pickers[2].setCurrentIndex(4)
        assert not picker.problem.isVisibleTo(picker)
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


@pytest.mark.parametrize("values", ["0 1 0 1", "2 2 2", "2"])
def test_numbers_with_a_number_each_open_as_points_of_a_curve_however_few_values_there_are(
    qtbot, window, tmp_path, values
):
    path = tmp_path / "line.csv"
    path.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in enumerate(values.split())))
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.source == "line.csv")
    assert window.canvases.workspace.name == "curve"
    assert window.session.document.data.y.tolist() == [float(y) for y in values.split()]


def test_a_file_of_points_too_far_away_is_refused_and_the_work_stays(qtbot, window, tmp_path):
    path = tmp_path / "huge.csv"
    path.write_text("x,y\n1,1e30\n2,-1e30\n3,2e30\n")
    before = window.session.document
    window.files.open_path(path)
    qtbot.waitUntil(lambda: "too large to compute with" in window.canvas.banner.text, timeout=10_000)
    assert window.session.document is before


def test_pasted_points_too_far_away_are_refused_and_the_work_stays(qtbot, window):
    before = window.session.document
    QGuiApplication.clipboard().setText("x,y,label\n0,0,+\n1e13,1,-\n")
    press_paste(qtbot, window)
    qtbot.waitUntil(lambda: "too large to compute with" in window.canvas.banner.text, timeout=10_000)
    assert window.session.document is before


def test_points_and_model_can_be_saved_for_other_programs(window, tmp_path):
    for name in ("points.csv", "points.svm", "points.npz", "model.json"):
        window.data_files.save_points(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    window.data_files.save_points(tmp_path / "points.xyz")
    assert ".csv" in window.canvas.banner.text


def test_the_recent_menu_lists_and_forgets(window, tmp_path):
    path = tmp_path / "a.kviz"
    window.files.save_to(path)
    menu = window.findChild(type(window.menuBar().addMenu("x")), "recent")
    assert menu is not None
    menu.aboutToShow.emit()
    assert menu.actions()[0].text() == str(path)
    menu.actions()[-1].trigger()
    assert window.settings.recent == []


CHILD = """
import sys
from PySide6.QtWidgets import QApplication
import numpy as np
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.window.main_window import MainWindow
app = QApplication([])
window = MainWindow(Session(start_up()))
window.show()
data = PlaneWorkspace().added(window.session.document.data, np.array([[0.25, 0.5]]), -1)
window.session.change("add point", data=data, source="")
print(data.n, flush=True)
app.exec()
"""


ON_THE_CURVE = """
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.ui.window.main_window import MainWindow
app = QApplication([])
window = MainWindow(Session(start_up()))
window.show()
QTest.mouseClick(window.canvases.switch.buttons["curve"], Qt.MouseButton.LeftButton)
before = window.session.document.data.n
port = window.canvas.area.viewport()
QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=(port.rect().center() + port.rect().topRight()) / 2)
assert window.session.document.data.n == before + 1
print(window.session.document.data.n, flush=True)
app.exec()
"""


def killed(qtbot, tmp_path, program: str) -> None:
    """Run a program until as many points as it says are kept, and then kill it."""
    # The fixture's XDG_STATE_HOME is inherited, so both look in the same place.
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path / "config")},
    )
    try:
        n = int(child.stdout.readline())
        kept = recovery_directory()
        qtbot.waitUntil(lambda: n in [kviz.load(path)[0].document.data.n for path in kept.glob("*.kviz")])
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
    assert len(crashed_sessions()) == 1


def test_after_kill_9_the_next_start_offers_the_session(qtbot, window, tmp_path):
    killed(qtbot, tmp_path, CHILD)
    dialog = recovery_offered(qtbot, window)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    data = window.session.document.data
    assert data.n == 121
    assert data.X[-1].tolist() == [0.25, 0.5]
    assert window.session.unsaved
    assert crashed_sessions() == []


def test_after_kill_9_a_curve_comes_back_with_its_points_and_is_drawn(qtbot, window, tmp_path):
    killed(qtbot, tmp_path, ON_THE_CURVE)
    (kept,) = (kviz.load(path)[0].document.data for path in recovery_directory().glob("*.kviz"))
    qtbot.keyClick(recovery_offered(qtbot, window), Qt.Key.Key_Return)
    settle(qtbot, window)
    data = window.session.document.data
    assert window.canvases.workspace.name == "curve"
    assert (data.X.tolist(), data.y.tolist()) == (kept.X.tolist(), kept.y.tolist())
    qtbot.waitUntil(lambda: window.canvas.scene.decoration is not None)
    x, s = np.vstack(window.canvas.scene.decoration.picture.curve).T
    assert s == pytest.approx(window.workbench.frame.model.score(x[:, None]), abs=1e-9)
    assert window.session.unsaved
    assert crashed_sessions() == []


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
    kviz.save(path, State(many_points(window, "nearest-neighbours"), window.session.look), {})
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.data.n == 5000)
    assert "5,000 of 6,000 rows" in window.canvas.banner.text
    assert window.files.path is None


def test_a_table_with_too_many_rows_says_in_banner_and_panel_how_many_are_used(qtbot, window, tmp_path):
    path = tmp_path / "huge.csv"
    rows = np.random.default_rng(0).normal(size=(6000, 3)).round(3)
    lines = [f"{a},{b},{c},{'yes' if a + b > 0 else 'no'}" for a, b, c in rows]
    path.write_text("\n".join(["a,b,c,class", *lines]))
    with answering(lambda picker: QTest.keyClick(picker, Qt.Key.Key_Return)):
        window.files.open_path(path)
        qtbot.waitUntil(lambda: window.session.document.source == "huge.csv")
    window.workbench.busy_changed.emit(True)  # a fit of so many points is late
    settle(qtbot, window)
    assert window.canvas.banner.isVisible()
    assert "5,000 of 6,000 rows" in window.canvas.banner.text
    picker = window.docks["data"].widget().picker
    qtbot.waitUntil(lambda: picker.unlisted == "huge.csv, 5,000 of 6,000 rows")
    saved = tmp_path / "sample.kviz"
    window.files.save_to(saved)
    assert kviz.load(saved)[0].document.sampled_from == 6000
    window.actions_by_name["undo"].trigger()
    settle(qtbot, window)
    assert not window.canvas.banner.isVisible()


# What was left behind -----------------------------------------------------------------------------------
def leave_behind(window, points: int, age: float) -> Path:
    """A session as a window that was killed leaves it."""
    folder = recovery_directory()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{points}.kviz"
    document = start_up().document.replace(data=dataset(f"rings(n={points})"))
    extra = {"recovery": {"path": f"/home/me/lecture{points}.kviz", "seen": "abc"}}
    kviz.save(path, State(document), extra)
    path.with_suffix(".lock").touch()
    os.utime(path, (time.time() - age, time.time() - age))
    return path


def recovery_offered(qtbot, window) -> RecoveryDialog:
    window.files.offer_recovery()
    qtbot.waitUntil(lambda: window.findChild(RecoveryDialog) is not None)
    return window.findChild(RecoveryDialog)


def lines(dialog: RecoveryDialog) -> list[list[str]]:
    found = [dialog.list.topLevelItem(i) for i in range(dialog.list.topLevelItemCount())]
    return [[line.text(column) for column in range(4)] for line in found]


def test_everything_left_behind_is_offered_with_its_time_and_size(qtbot, window):
    damaged = leave_behind(window, 10, 0)
    damaged.write_bytes(b"{".ljust(500))
    good = [leave_behind(window, 20, 100), leave_behind(window, 30, 200)]
    dialog = recovery_offered(qtbot, window)
    told = lines(dialog)
    assert [line[1] for line in told] == ["", "20", "30"]
    assert [line[3] for line in told] == [
        "cannot be opened: it is cut off in the middle.",
        "lecture20.kviz",
        "lecture30.kviz",
    ]
    assert [line[2] for line in told] == ["500 bytes", *(f"{p.stat().st_size / 1000:.0f} kB" for p in good)]
    assert told[1][0] == time.strftime("%d %B %Y, %H:%M", time.localtime(good[0].stat().st_mtime))
    assert dialog.chosen is not None
    assert dialog.chosen.points == 20  # the newest that is whole
    qtbot.keyClick(dialog.list, Qt.Key.Key_Down)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert window.session.document.data.n == 30
    assert window.session.unsaved
    assert window.files.title == "lecture30.kviz"
    assert {orphan.path for orphan in crashed_sessions()} == {damaged, good[0]}


def test_only_what_the_user_discards_is_deleted(qtbot, window):
    damaged, good = leave_behind(window, 10, 0), leave_behind(window, 20, 100)
    damaged.write_bytes(b"{")
    dialog = recovery_offered(qtbot, window)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Up)
    assert not dialog.recover_button.isEnabled()
    qtbot.mouseClick(dialog.discard_button, LEFT)
    assert not damaged.exists()
    assert [line[1] for line in lines(dialog)] == ["20"]
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert good.exists()
    assert window.session.document.data.n == 120
    window.actions_by_name["recover"].trigger()
    qtbot.waitUntil(lambda: any(d.isVisible() for d in window.findChildren(RecoveryDialog)))
    dialog = next(d for d in window.findChildren(RecoveryDialog) if d.isVisible())
    qtbot.mouseClick(dialog.discard_button, LEFT)
    assert not dialog.isVisible()
    assert crashed_sessions() == []


def test_recovering_asks_what_becomes_of_the_present_work(qtbot, window, monkeypatch):
    leave_behind(window, 20, 100)
    add_a_point(window)
    dialog = recovery_offered(qtbot, window)
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: ANSWER.Cancel)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert window.session.document.data.n == 121
    assert len(crashed_sessions()) == 1


def test_a_recovered_session_does_not_replace_a_file_that_has_changed_since(
    qtbot, window, tmp_path, monkeypatch
):
    path = leave_behind(window, 20, 100)
    mine = tmp_path / "lecture.kviz"
    mine.write_bytes(b"theirs")
    state, extra = kviz.load(path)
    kviz.save(path, state, extra | {"recovery": {"path": str(mine), "seen": "another"}})
    qtbot.keyClick(recovery_offered(qtbot, window), Qt.Key.Key_Return)
    asked = []
    monkeypatch.setattr(QMessageBox, "question", lambda *words, **__: asked.append(words[2]) or ANSWER.Cancel)
    assert not window.files.save()
    assert "changed by another program" in asked[0]
    assert mine.read_bytes() == b"theirs"


def left_of(window, path: Path) -> Path:
    """A session of 20 points that a crash has left of a file."""
    kept = leave_behind(window, 20, 100)
    state, extra = kviz.load(kept)
    kviz.save(kept, state, extra | {"recovery": {"path": str(path), "seen": "abc"}})
    return kept


@pytest.mark.parametrize("wanted", [True, False])
def test_a_start_with_a_file_offers_what_a_crash_has_left_of_it(qtbot, window, tmp_path, wanted):
    path, link = tmp_path / "work.kviz", tmp_path / "link.kviz"
    kviz.save(path, State(start_up().document.replace(data=dataset("rings(n=12)"))))
    link.symlink_to(path)
    others = leave_behind(window, 30, 0)
    kept = left_of(window, path)
    app.open_at_start(window, str(link))
    qtbot.waitUntil(lambda: window.findChild(RecoveryDialog) is not None)
    dialog = window.findChild(RecoveryDialog)
    assert [line[3] for line in lines(dialog)] == ["work.kviz"]
    qtbot.keyClick(dialog, Qt.Key.Key_Return if wanted else Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.session.document.data.n == (20 if wanted else 12))
    assert window.session.unsaved == wanted
    assert window.files.title == ("work.kviz" if wanted else "link.kviz")
    assert others.exists()
    assert kept.exists() != wanted


def test_a_start_with_a_file_does_not_offer_what_is_left_of_others(qtbot, window, tmp_path):
    leave_behind(window, 30, 0)
    path = tmp_path / "work.kviz"
    kviz.save(path, State(start_up().document.replace(data=dataset("rings(n=12)"))))
    app.open_at_start(window, str(path))
    qtbot.waitUntil(lambda: window.session.document.data.n == 12)
    assert window.findChild(RecoveryDialog) is None
    assert len(crashed_sessions()) == 1
    settle(qtbot, window)
    assert window.notice.isVisible()
    assert window.notice.text() == "An unsaved session can be recovered: File > Recover…"


@pytest.mark.parametrize(("content", "seen"), [("a,b,c\n1,2,no\n3,4,yes\n", 2), ("a", 120)])
def test_a_start_with_a_table_mentions_the_sessions_that_can_be_recovered(
    qtbot, window, tmp_path, content, seen
):
    for points in (20, 30):
        leave_behind(window, points, 0)
    path = tmp_path / "data.csv"
    path.write_text(content)
    app.open_at_start(window, str(path))
    qtbot.waitUntil(lambda: window.session.document.data.n == seen)
    qtbot.waitUntil(window.notice.isVisible)
    assert window.notice.text() == "2 unsaved sessions can be recovered: File > Recover…"
    qtbot.waitUntil(lambda: window.canvas.banner.isVisible() == (seen == 120))


def test_a_start_with_a_file_mentions_nothing_when_nothing_was_left(qtbot, window, tmp_path):
    path = tmp_path / "work.kviz"
    kviz.save(path, State(start_up().document.replace(data=dataset("rings(n=12)"))))
    app.open_at_start(window, str(path))
    qtbot.waitUntil(lambda: window.session.document.data.n == 12)
    assert not window.notice.isVisible()


def test_what_a_crash_has_left_is_offered_though_the_file_itself_is_damaged(qtbot, window, tmp_path):
    path = tmp_path / "work.kviz"
    path.write_bytes(b"{")
    left_of(window, path)
    app.open_at_start(window, str(path))
    qtbot.waitUntil(lambda: window.findChild(RecoveryDialog) is not None)
    qtbot.waitUntil(lambda: "cut off" in window.canvas.banner.text)
    qtbot.keyClick(window.findChild(RecoveryDialog), Qt.Key.Key_Return)
    assert window.session.document.data.n == 20


def test_nothing_to_recover_is_said(window):
    window.actions_by_name["recover"].trigger()
    assert window.canvas.banner.text == "There is nothing to recover."
