"""The A|B button: a second fit of the same data, which of them is edited, and what is kept of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolBar, QToolButton

from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.scene.export.arrangement import FigureLayout
from kernelviz.scene.export.files import as_bytes
from kernelviz.scene.export.options import Options
from kernelviz.session.files import kviz
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.dialogs.snapshot import Snapshot
from tests.ui.window.acting import CONTROL, LEFT, settle

PAIR = (parse_fit("rbf(gamma=1) ; perceptron"), parse_fit("rbf(gamma=1) ; soft-margin-svm(C=10)"))
SMALL = Options(width=400, height=300)


def button(window, name: str) -> QToolButton:
    """What is pressed in the toolbar for a command or a fit."""
    bar = window.findChild(QToolBar, "commands")
    return bar.widgetForAction(next(a for a in bar.actions() if a.objectName() == name))


def press(qtbot, window, name: str) -> None:
    qtbot.mouseClick(button(window, name), LEFT)
    settle(qtbot, window)


def visit(qtbot, window, name: str) -> None:
    window.session.visit(next(w for w in workspaces() if w.name == name))
    settle(qtbot, window)


def test_with_one_fit_nothing_of_it_is_seen_but_the_button(window):
    assert button(window, "add_fit").isVisible()
    assert button(window, "add_fit").text() == "A|B"
    assert not any(action.isVisible() for action in window.fits.letters)
    assert len(window.canvas.row.plots) == 1


def test_the_button_adds_a_copy_of_the_fit_which_the_panels_edit_from_then_on(qtbot, window):
    first = window.session.document.fit
    press(qtbot, window, "add_fit")
    document = window.session.document
    assert (document.fits, document.active) == ((first, first), 1)
    assert window.session.history.undo_name == "compare with a copy"
    QTest.keyClick(window.canvas.focusProxy(), Qt.Key.Key_Up, CONTROL)
    settle(qtbot, window)
    changed = window.session.document.fits
    assert changed[0] == first
    assert changed[1].kernel != first.kernel
    window.session.undo()
    window.session.undo()
    settle(qtbot, window)
    assert window.session.document.fits == (first,)
    assert window.canvas.row.shown == window.canvas.row.plots[:1]


def test_letters_choose_among_the_fits_and_the_keyboard_stays_with_the_canvas(qtbot, window):
    press(qtbot, window, "add_fit")
    window.session.change("kernel", kernel=window.session.document.kernel.replace(gamma=20.0))
    press(qtbot, window, "fit A")
    assert window.session.document.active == 0
    assert [action.isChecked() for action in window.fits.letters[:2]] == [True, False]
    assert window.workbench.frame.model.problem.kernel.gamma == 1.0
    assert window.canvas.hasFocus()
    press(qtbot, window, "fit A")  # once more: it stays chosen
    assert window.fits.letters[0].isChecked()
    QTest.keyClick(window.canvas.focusProxy(), Qt.Key.Key_B, CONTROL)
    settle(qtbot, window)
    assert window.session.document.active == 1
    assert window.workbench.frame.model.problem.kernel.gamma == 20.0
    assert window.canvas.hasFocus()


def test_there_is_room_for_four_and_a_fifth_is_refused_in_words(qtbot, window):
    for _ in range(4):
        press(qtbot, window, "add_fit")
    assert len(window.session.document.fits) == 4
    assert "room for 4 fits" in window.canvas.banner.text
    for left in (3, 2, 1):
        window.actions_by_name["close_fit"].trigger()
        settle(qtbot, window)
        assert len(window.session.document.fits) == left
    assert not window.actions_by_name["close_fit"].isEnabled()


def test_several_fits_are_saved_and_opened_with_the_one_that_was_active(qtbot, window, tmp_path):
    press(qtbot, window, "add_fit")
    window.session.change("kernel", kernel=window.session.document.kernel.replace(gamma=20.0))
    kviz.save(tmp_path / "two.kviz", window.session.state)
    window.session.mark_saved()
    press(qtbot, window, "fit A")
    assert not window.session.unsaved
    window.session.undo()
    window.session.undo()
    window.session.mark_saved()
    window.files.open_path(tmp_path / "two.kviz")
    qtbot.waitUntil(lambda: len(window.session.document.fits) == 2)
    settle(qtbot, window)
    assert window.session.document.active == 1
    assert len(window.canvas.row.shown) == 2
    kernels = [c.scene.decoration.frame.model.problem.kernel.gamma for c in window.canvas.row.shown]
    assert kernels == [1.0, 20.0]


def test_another_workspace_has_fits_of_its_own(qtbot, window):
    press(qtbot, window, "add_fit")
    visit(qtbot, window, "curve")
    assert not any(action.isVisible() for action in window.fits.letters)
    press(qtbot, window, "add_fit")
    assert len(window.canvas.row.shown) == 1  # curves are laid over each other
    visit(qtbot, window, "plane")
    assert [action.isVisible() for action in window.fits.letters] == [True, True, False, False]
    assert len(window.canvas.row.shown) == 2


def test_words_have_one_table_and_a_map_for_each_fit(qtbot, window):
    visit(qtbot, window, "words")
    session = window.session
    session.replace("compare", session.document.with_fit(parse_fit("spectrum(length=2) ; logistic")))
    settle(qtbot, window)
    first, second = window.canvas.row.shown
    assert first.table is second.table
    assert first.table.isVisible()
    kernels = [type(c.scene.decoration.frame.model.problem.kernel).name for c in (first, second)]
    assert kernels == ["subsequence", "spectrum"]
    first.trial.line.setText("sentence")
    qtbot.waitUntil(lambda: second.scene.guest is not None)
    assert first.scene.guest is None
    scored = window.workbench.frame.model.score(["sentence"])[0]
    assert first.trial.verdict.text().startswith(f"s = {scored:.2g}"[:6])
    session.activate(0)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: first.scene.guest is not None)
    assert second.scene.guest is None


@pytest.mark.parametrize("size", [(1024, 768), (800, 600), (420, 320)])
def test_in_windows_of_any_size_there_is_a_canvas_for_each_fit_or_for_the_active_one(qtbot, window, size):
    press(qtbot, window, "add_fit")
    window.resize(*size)
    qtbot.waitUntil(lambda: len(window.canvas.row.shown) == (2 if size[0] > 500 else 1))
    settle(qtbot, window)
    for canvas in window.canvas.row.shown:
        assert canvas.area.isVisible()
        assert min(canvas.area.pixels) > 40


def test_the_menu_of_the_button_has_the_pairs_that_suit_the_workspace(qtbot, window):
    def offered() -> list[str]:
        menu = button(window, "add_fit").menu()
        menu.aboutToShow.emit()
        return [
            action.text() for action in menu.actions() if action.isVisible() and "against" in action.text()
        ]

    assert "Perceptron against maximum margin" in offered()
    assert "Kernel ridge against Nadaraya-Watson" not in offered()
    visit(qtbot, window, "curve")
    assert offered() == ["Kernel ridge against Nadaraya-Watson"]


def test_a_pair_is_one_step_of_undo(qtbot, window):
    before = window.session.document
    pairs = window.fits.presets.values()
    next(pair for pair in pairs if pair.text() == "Perceptron against maximum margin").trigger()
    settle(qtbot, window)
    algorithms = [fit.algorithm.name for fit in window.session.document.fits]
    assert algorithms == ["perceptron", "hard-margin-svm"]
    assert window.session.history.undo_name == "compare perceptron against maximum margin"
    window.session.undo()
    assert window.session.document is before


@pytest.mark.parametrize("size", [(800, 600), (1024, 768), (1920, 1080)])
def test_with_two_fits_nothing_of_the_titles_is_cut_off(qtbot, window, size):
    window.resize(*size)
    press(qtbot, window, "add_fit")
    qtbot.waitUntil(lambda: len(window.canvas.row.shown) == 2)
    for plot in window.canvas.row.shown:
        title = plot.title
        assert plot.rect().contains(title.geometry())
        assert title.rect().contains(title.cross.geometry())
        assert title.name.shown() == title.name.text()
        assert plot.area.height() > 0.7 * plot.height()


def test_fits_are_watched_in_step_until_the_last_of_them_has_ended(qtbot, window):
    session = window.session
    session.replace("compare", session.document.replace(fits=PAIR, active=0))
    window.playback.speed.picked.emit(1000, None)
    window.playback.play_pause()
    qtbot.waitUntil(lambda: not window.playback.playing and session.look.mode == "watch")
    settle(qtbot, window)
    first, second = (window.workbench.latest[k] for k in range(2))
    assert first.finished
    assert second.finished
    assert first.step < second.step == window.playback.position
    window.playback.step_back()
    settle(qtbot, window)
    assert not window.playback.finished
    assert window.workbench.latest[1].step == second.step - 1
    assert window.workbench.latest[0].step == first.step
    window.playback.step_forward()
    settle(qtbot, window)
    assert window.playback.finished


def test_a_figure_has_all_fits_with_their_letters(qtbot, window):
    session = window.session
    session.replace("compare", session.document.replace(fits=PAIR, active=1))
    settle(qtbot, window)
    snapshot = Snapshot.of(window.workbench)
    models = [own.model for own in snapshot.together]
    assert models == [window.workbench.latest[k].model for k in range(2)]  # and not fitted again
    canvas = snapshot.figure()
    assert isinstance(canvas, FigureLayout)
    captions = [figure.captions.caption for figure in canvas.panels]
    assert [caption[:14] for caption in captions] == ["A: Gaussian (γ", "B: Gaussian (γ"]
    assert "Soft-margin" in captions[1]
    alone = replace(snapshot, together=())
    assert as_bytes(snapshot.figure(), ".png", SMALL) != as_bytes(alone.figure(), ".png", SMALL)


def test_curves_of_all_fits_are_in_one_figure(qtbot, window):
    visit(qtbot, window, "curve")
    pair = next(preset for preset in window.fits.presets if "Nadaraya" in preset.title)
    window.fits.presets[pair].trigger()
    settle(qtbot, window)
    snapshot = Snapshot.of(window.workbench)
    figure = snapshot.figure()
    assert "A: " in figure.captions.caption
    assert "B: " in figure.captions.caption
    assert as_bytes(snapshot.figure(), ".png", SMALL)


def test_the_copied_figure_is_as_large_as_all_canvases_together(qtbot, window):
    QGuiApplication.clipboard().clear()
    press(qtbot, window, "add_fit")
    window.actions_by_name["copy_figure"].trigger()
    qtbot.waitUntil(lambda: not QGuiApplication.clipboard().image().isNull())
    assert QGuiApplication.clipboard().image().width() == 2 * window.canvas.row.width()
