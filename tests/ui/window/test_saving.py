"""Saving asks before it replaces anything, and says when the work is not kept safe."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from kernelviz.session.files import kviz
from kernelviz.ui.dialogs.animation_dialog import AnimationDialog
from kernelviz.ui.dialogs.figure_dialog import FigureDialog
from kernelviz.ui.dialogs.questions import completed
from kernelviz.ui.window.shell import OpenFile
from tests.ui.window.acting import CONTROL, add_a_point
from tests.ui.window.answers import answering, ask_really, press, type_name

BUTTON = QMessageBox.StandardButton


@pytest.fixture(autouse=True)
def questions_are_asked(window, monkeypatch):
    monkeypatch.setattr(QMessageBox, "question", ask_really)


def saved_as(window, path: Path) -> None:
    assert window.files.save_to(path)


# Names ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("typed", ["talk", "talk.kviz"])
@pytest.mark.parametrize("answer", [BUTTON.Yes, BUTTON.No])
def test_saving_over_another_session_is_asked_about_however_its_name_is_typed(
    typed, answer, window, tmp_path
):
    other = tmp_path / "talk.kviz"
    other.write_bytes(b"precious")
    add_a_point(window)
    answers = [type_name(str(tmp_path / typed)), press(answer)]
    with answering(*answers) as seen:
        # Whoever says no is asked for another name, and leaves.
        assert window.files.save_as() == (answer == BUTTON.Yes)
    assert "talk.kviz" in seen[1]
    assert (other.read_bytes() == b"precious") == (answer == BUTTON.No)
    assert window.session.unsaved == (answer == BUTTON.No)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("talk", "talk.kviz"),
        ("lecture 1.5", "lecture 1.5.kviz"),
        ("A.KVIZ", "A.KVIZ"),
        ("a.csv", "a.csv.kviz"),
    ],
)
def test_a_session_gets_its_suffix_and_can_be_opened_again(qtbot, typed, written, window, tmp_path):
    folder = tmp_path / "sessions"
    folder.mkdir()
    add_a_point(window)
    with answering(type_name(str(folder / typed))):
        assert window.files.save_as()
    assert [path.name for path in folder.iterdir()] == [written]
    assert window.files.title == written
    add_a_point(window)
    with answering(press(BUTTON.Discard)):
        window.files.open_path(folder / written)
        qtbot.waitUntil(lambda: window.session.document.data.n == 121)
    assert window.files.path == folder / written


def test_a_name_typed_for_data_gets_the_suffix_of_the_chosen_kind(window, tmp_path):
    (tmp_path / "points.csv").write_bytes(b"precious")
    with answering(type_name(str(tmp_path / "points")), press(BUTTON.No)) as seen:
        window.data_files.export_data()
    assert "points.csv" in seen[1]
    assert (tmp_path / "points.csv").read_bytes() == b"precious"
    with answering(type_name(str(tmp_path / "v1.2"))):
        window.data_files.export_data()
    assert (tmp_path / "v1.2.csv").exists()


def test_the_chosen_kind_gives_the_suffix():
    kinds = "CSV (*.csv);;svmlight (*.svm *.libsvm);;numpy (*.npz)"
    assert completed(Path("a"), kinds, "numpy (*.npz)") == Path("a.npz")
    assert completed(Path("a.libsvm"), kinds, "CSV (*.csv)") == Path("a.libsvm")
    assert completed(Path("a.b"), kinds, "svmlight (*.svm *.libsvm)") == Path("a.b.svm")
    assert completed(Path("a"), kinds) == Path("a.csv")


def test_a_figure_is_not_written_over_another_unasked(window, tmp_path):
    (tmp_path / "fig 1.5.png").write_bytes(b"precious")
    dialog = FigureDialog(window.exports.source(), window)
    with answering(type_name(str(tmp_path / "fig 1.5")), press(BUTTON.No)) as seen:
        dialog.ask_where()
    assert "fig 1.5.png" in seen[1]
    assert (tmp_path / "fig 1.5.png").read_bytes() == b"precious"
    assert not dialog.writer.busy
    dialog.deleteLater()


def test_numbered_pictures_are_not_written_over_others_unasked(window, tmp_path):
    (tmp_path / "film-0001.png").write_bytes(b"precious")
    dialog = AnimationDialog(window.exports.source(), window)
    dialog.choose("format", "PNGs")
    with answering(type_name(str(tmp_path / "film")), press(BUTTON.No)) as seen:
        dialog.ask_where()
    assert "film-0001.png" in seen[1]
    assert (tmp_path / "film-0001.png").read_bytes() == b"precious"
    assert not dialog.writer.busy
    dialog.deleteLater()


# Others at the same file --------------------------------------------------------------------------------
@pytest.mark.parametrize("answer", [BUTTON.Yes, BUTTON.Cancel, BUTTON.No])
def test_a_file_changed_by_another_program_is_replaced_only_when_the_user_says_so(
    answer, qtbot, window, tmp_path
):
    path = tmp_path / "lecture.kviz"
    saved_as(window, path)
    path.write_bytes(b"theirs")
    add_a_point(window)
    further = [type_name(str(tmp_path / "mine"))] if answer == BUTTON.No else []
    with answering(press(answer), *further) as seen:
        qtbot.keyClick(window, Qt.Key.Key_S, CONTROL)
    assert "lecture.kviz has been changed by another program" in seen[0]
    assert (path.read_bytes() == b"theirs") == (answer != BUTTON.Yes)
    assert window.session.unsaved == (answer == BUTTON.Cancel)
    assert (tmp_path / "mine.kviz").exists() == (answer == BUTTON.No)


def test_a_file_only_this_window_has_changed_is_saved_without_a_question(qtbot, window, tmp_path):
    path = tmp_path / "lecture.kviz"
    saved_as(window, path)
    with answering() as seen:
        for x in (0.1, 0.2):
            add_a_point(window, x)
            os.utime(path)
            assert window.files.save()
        add_a_point(window)
        path.unlink()
        assert window.files.save()
    assert seen == []
    assert kviz.load(path)[0].document.data.n == 123


def test_a_file_changed_between_opening_and_saving_is_asked_about(qtbot, window, tmp_path):
    path = tmp_path / "lecture.kviz"
    kviz.save(path, window.session.state)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.files.path == path)
    add_a_point(window)
    path.write_bytes(path.read_bytes() + b"\n")
    with answering(press(BUTTON.Cancel)):
        assert not window.files.save()


def test_a_read_only_file_stays_and_so_does_the_work(window, tmp_path):
    path = tmp_path / "lecture.kviz"
    saved_as(window, path)
    before = path.read_bytes()
    path.chmod(0o444)
    add_a_point(window)
    assert not window.files.save()
    assert path.read_bytes() == before
    assert window.session.unsaved
    assert "lecture.kviz cannot be saved: it is read-only" in window.canvas.banner.text
    path.chmod(0o644)


# Autosave -----------------------------------------------------------------------------------------------
def test_the_status_line_says_that_autosave_fails_until_it_works_again(qtbot, window, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    line = window.status_line.warning
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        add_a_point(window)
        qtbot.waitUntil(lambda: "autosave fails: no space left on device" in line.text())
        assert line.isVisible()
    qtbot.waitUntil(lambda: "autosave" not in line.text())


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_session_whose_name_is_no_text_is_opened_kept_and_saved(qtbot, window, tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/l\xff.kviz"))
    kviz.save(path, window.session.state)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.files.path == path)
    add_a_point(window)
    qtbot.waitUntil(window.files.recovery.path.exists)
    assert window.files.save()
    assert kviz.load(path)[0].document.data.n == 121


# Pipes --------------------------------------------------------------------------------------------------
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no such files")
@pytest.mark.parametrize("suffix", [".kviz", ".csv"])
def test_a_pipe_is_not_waited_for(suffix, qtbot, window, tmp_path):
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    window.files.open_path(pipe)
    qtbot.waitUntil(lambda: "pipe" in window.canvas.banner.text)
    assert "pipe" in window.canvas.banner.text


def test_the_dialogue_for_files_is_gone_after_its_answer(window, tmp_path):
    with answering(type_name(str(tmp_path / "a"))):
        window.files.save_as()
    assert not any(box.isVisible() for box in window.findChildren(QFileDialog))


# Names the system does not take ---------------------------------------------------------------------------
def test_a_name_that_its_suffix_makes_too_long_is_a_sentence_and_the_work_stays(window, tmp_path):
    add_a_point(window)
    with answering(type_name(str(tmp_path / ("n" * 252)))):
        assert not window.files.save_as()
    assert "cannot be saved: file name too long" in window.canvas.banner.text
    assert window.session.unsaved


def test_saving_where_nobody_can_look_any_more_is_a_sentence(window, tmp_path):
    add_a_point(window)
    window.files.file = OpenFile(tmp_path / ("n" * 300 + kviz.SUFFIX))
    assert not window.files.save()
    assert "cannot be saved" in window.canvas.banner.text


@pytest.mark.parametrize("suffix", [".kviz", ".csv", ""])
def test_opening_a_name_that_is_too_long_is_a_sentence(suffix, qtbot, window, tmp_path):
    window.files.open_path(tmp_path / ("n" * 300 + suffix))
    qtbot.waitUntil(lambda: "too long" in window.canvas.banner.text)
    assert "went wrong inside" not in window.canvas.banner.text
