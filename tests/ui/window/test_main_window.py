"""The window as a user meets it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QMessageBox,
    QScrollBar,
    QTabBar,
)

from kernelviz.engine.api import algorithm, kernel
from kernelviz.session.state import TOGGLES
from kernelviz.ui.actions import COMMANDS
from kernelviz.ui.main_window import MainWindow
from kernelviz.ui.shortcuts import ShortcutsSheet, sheet
from kernelviz.ui.theme import BASE_POINTS


def settle(qtbot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.workbench.up_to_date, timeout=5000)


def click(qtbot, window: MainWindow, x: float, y: float, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    area = window.canvas.area
    place = area.mapFromScene(area.box.mapViewToScene(QPointF(x, y)))
    qtbot.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def test_a_newcomer_sees_a_fitted_example(window):
    frame = window.workbench.frame
    assert frame is not None
    assert frame.model.converged
    assert frame.model.numbers["training_error"] == 0
    assert "120 points" in window.statusBar().figures.text()


def test_clicking_adds_a_point_and_the_fit_follows(qtbot, window):
    before = window.workbench.frame
    click(qtbot, window, 0.0, 0.0)
    click(qtbot, window, 0.1, 0.1, Qt.KeyboardModifier.ShiftModifier)
    settle(qtbot, window)
    data = window.session.document.data
    assert data.n == 122
    assert data.z[-2:].tolist() == [1, -1]
    assert window.workbench.frame is not before
    assert window.workbench.frame.data is data


def test_undo_and_redo_are_named_in_the_menu(qtbot, window):
    undo, redo = window.actions_by_name["undo"], window.actions_by_name["redo"]
    assert not undo.isEnabled()
    click(qtbot, window, 0.0, 0.0)
    qtbot.waitUntil(lambda: undo.text() == "&Undo add point", timeout=1000)
    undo.trigger()
    assert window.session.document.data.n == 120
    qtbot.waitUntil(lambda: redo.text() == "&Redo add point", timeout=1000)
    redo.trigger()
    assert window.session.document.data.n == 121


def test_no_shortcut_is_given_twice():
    given = Counter(keys for c in COMMANDS if c.shortcut for keys in (c.shortcut, *c.also))
    assert [key for key, count in given.items() if count > 1] == []


def test_no_letter_opens_two_entries_of_a_menu(window):
    for menu in (action.menu() for action in window.menuBar().actions()):
        letters = Counter(
            text[text.index("&") + 1].lower() for a in menu.actions() if "&" in (text := a.text())
        )
        assert [letter for letter, count in letters.items() if count > 1] == [], menu.title()


def test_whatever_can_be_operated_has_a_tooltip(window):
    kinds = (QAbstractButton, QAbstractSpinBox, QComboBox, QAbstractSlider)
    panels = [dock.widget() for dock in window.docks.values()] + [window.playback]
    controls = [w for panel in panels for kind in kinds for w in panel.findChildren(kind)]
    bars = (QScrollBar,)
    bare = [w for w in controls if w.isVisible() and not isinstance(w, bars) and not w.toolTip()]
    assert [(type(w).__name__, w.accessibleName()) for w in bare] == []


def test_every_command_has_a_tooltip_and_a_handler(window):
    for command in COMMANDS:
        action = window.actions_by_name[command.name]
        assert command.help in action.toolTip()
        assert callable(window._handler(command.name))


def test_the_sheet_lists_every_shortcut(qtbot, window):
    text = sheet()
    assert all(c.shortcut in text for c in COMMANDS if c.shortcut)
    window.actions_by_name["shortcuts"].trigger()
    shown = window.findChild(ShortcutsSheet)
    assert shown.isVisible()
    shown.close()


@pytest.mark.parametrize("name", list(TOGGLES))
def test_each_toggle_of_the_view_menu_shows_and_hides(window, name):
    before = name in window.session.look.shown
    window._toggles[name].trigger()
    assert (name in window.session.look.shown) is not before
    assert window._toggles[name].isChecked() is not before
    assert window.session.history.undo_name is None


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_theme_can_be_switched_and_is_remembered(qtbot, window, theme):
    window.set_theme(theme)
    assert window.settings.theme == theme
    lightness = QApplication.palette().window().color().lightnessF()
    assert (lightness < 0.5) == (theme == "dark")
    # The canvas wears it too, well inside its own frame.

    def corner_is_dark() -> bool:
        return window.canvas.grab().toImage().pixelColor(2, 2).lightnessF() < 0.5

    qtbot.waitUntil(lambda: corner_is_dark() == (theme == "dark"), timeout=2000)


def test_one_class_is_said_in_the_canvas_and_points_stay(qtbot, window):
    window.actions_by_name["clear"].trigger()
    click(qtbot, window, 0.0, 0.0)
    settle(qtbot, window)
    assert "one class" in window.canvas.banner.text
    assert window.canvas.banner.isVisible()
    assert "no fit" in window.statusBar().figures.text()
    window.actions_by_name["undo"].trigger()
    window.actions_by_name["undo"].trigger()
    settle(qtbot, window)
    assert not window.canvas.banner.isVisible()
    assert window.session.document.data.n == 120


def test_not_separable_is_a_banner_with_a_suggestion(qtbot, window):
    window.session.change("change kernel", kernel=kernel("linear"))
    window.session.change("change algorithm", algorithm=algorithm("hard-margin-svm"))
    settle(qtbot, window)
    assert "separable" in window.canvas.banner.text
    assert "soft margin" in window.canvas.banner.suggestion
    qtbot.waitUntil(lambda: window.statusBar().warning.text() == "not separable", timeout=1000)
    assert "training error" not in window.statusBar().figures.text(), "of no classifier there is no error"


def test_an_indefinite_kernel_is_said_in_the_status_line(qtbot, window):
    window.session.change("change kernel", kernel=kernel("sigmoid(gamma=5, c=-1)"))
    qtbot.waitUntil(lambda: "not positive semi-definite" in window.statusBar().warning.text(), timeout=5000)


def test_space_plays_and_arrows_step(qtbot, window):
    window.session.change("change algorithm", algorithm=algorithm("perceptron"))
    area = window.canvas.area
    area.setFocus()
    qtbot.keyClick(area, Qt.Key.Key_Right)
    settle(qtbot, window)
    assert window.session.look.mode == "watch"
    first = window.session.look.step
    qtbot.keyClick(area, Qt.Key.Key_Right)
    settle(qtbot, window)
    assert window.session.look.step == first + 1
    qtbot.keyClick(area, Qt.Key.Key_Left)
    assert window.session.look.step == first
    qtbot.keyClick(area, Qt.Key.Key_Space)
    assert window.playback.playing
    qtbot.keyClick(area, Qt.Key.Key_Space)
    assert not window.playback.playing
    qtbot.keyClick(area, Qt.Key.Key_L)
    assert window.session.look.mode == "live"


def test_hovering_empty_plane_shows_its_score_in_the_inspector(qtbot, window):
    area = window.canvas.area
    for shift in (0, 1):
        place = area.mapFromScene(area.box.mapViewToScene(QPointF(1.1, 0.4))) + QPoint(shift, 0)
        qtbot.mouseMove(area.viewport(), place)
    expected = window.workbench.frame.model.score(np.array([[1.1, 0.4]]))[0]
    inspector = window.docks["inspector"].widget().widget()
    qtbot.waitUntil(lambda: inspector.values["score"].text() not in ("", "–"), timeout=2000)
    shown = float(inspector.values["score"].text().replace("−", "-"))
    assert shown == pytest.approx(expected, abs=0.05)


def test_presentation_mode_hides_the_chrome_and_brings_it_back(qtbot, window):
    action = window.actions_by_name["presentation"]
    size = QApplication.font().pointSizeF()
    action.trigger()
    assert not window.menuBar().isVisible()
    assert not any(dock.isVisible() for dock in window.docks.values())
    assert QApplication.font().pointSizeF() > size
    action.trigger()
    assert window.menuBar().isVisible()
    assert window.docks["kernel"].isVisible()
    assert QApplication.font().pointSizeF() == size


def test_reset_layout_brings_closed_panels_back(window):
    window.docks["kernel"].close()
    window.actions_by_name["reset_layout"].trigger()
    assert window.docks["kernel"].isVisible()


def test_the_layout_is_remembered(qtbot, window, settings):
    from kernelviz.session.session import Session
    from kernelviz.session.state import start_up

    window.docks["data"].close()
    window.close()
    again = MainWindow(Session(start_up()), settings)
    qtbot.addWidget(again)
    again.show()
    assert not again.docks["data"].isVisible()
    assert again.docks["kernel"].isVisible()
    again.close()


def test_dropping_a_file_opens_it(qtbot, window, tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x,y,label\n0,0,a\n1,1,b\n0,1,a\n")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(10, 10),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: window.session.document.data.n == 3, timeout=3000)
    assert window.session.document.data.class_names == ("a", "b")
    assert window.session.history.undo_name == "open data"


def test_a_broken_file_is_a_sentence_and_changes_nothing(qtbot, window, tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("1,2,a\n3,x,b\n")
    before = window.session.document
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.canvas.banner.isVisible(), timeout=3000)
    assert "line 2" in window.canvas.banner.text
    assert window.session.document is before


def test_closing_with_unsaved_changes_asks(qtbot, window, monkeypatch):
    click(qtbot, window, 0.0, 0.0)
    asked = []

    def answer(*args, **_):
        asked.append(args[2])
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "question", answer)
    window.close()
    assert window.isVisible()
    assert "not saved" in asked[0]


def test_an_exception_in_a_slot_becomes_a_sentence(qtbot, window, capsys):
    import sys

    from kernelviz.ui.crash import install_hook

    before = sys.excepthook
    try:
        install_hook(window.complain)
        try:
            raise RuntimeError("boom")
        except RuntimeError:
            sys.excepthook(*sys.exc_info())
    finally:
        sys.excepthook = before
    assert "boom" in window.canvas.banner.text
    assert "safe" in window.canvas.banner.text
    assert "Traceback" in capsys.readouterr().err


def test_axis_limits_can_be_typed(window):
    from kernelviz.session.state import ViewRange
    from kernelviz.ui.limits import LimitsDialog, read_limits

    assert read_limits(["0", "1", "-2,5", "2"]) == ViewRange(0, 1, -2.5, 2)
    assert "not a number" in read_limits(["a", "1", "0", "1"])
    assert "ends" not in read_limits(["1", "0", "0", "1"])
    dialog = LimitsDialog(window.session.look.view, window)
    dialog._fields[0].setText("nonsense")
    dialog._accept()
    assert "not a number" in dialog.findChildren(QLabel)[-1].text() or dialog._complaint.text()
    dialog._fields[0].setText("-9")
    dialog._accept()
    assert dialog.chosen.left == -9
    dialog.deleteLater()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_panels_share_the_height_so_that_each_shows_what_matters(window, size):
    window.resize(*size)
    QApplication.processEvents()
    data, algorithm_panel = (window.docks[name].widget() for name in ("data", "algorithm"))
    assert data.height() >= data.widget().sizeHint().height()
    control = algorithm_panel.form.current.controls["C"]
    assert control.mapTo(algorithm_panel, control.rect().bottomLeft()).y() < algorithm_panel.height()
    assert window.docks["inspector"].height() >= 200
    assert window.docks["loss"].height() >= 200
    if size == (1920, 1080):
        inside = window.docks["inspector"].widget()
        assert inside.height() >= inside.widget().minimumSizeHint().height()


def test_lines_moved_by_hand_stay_where_they_are(qtbot, window):
    algorithm_dock, loss = window.docks["algorithm"], window.docks["loss"]
    line = QPoint(loss.geometry().center().x(), algorithm_dock.geometry().bottom() + 3)
    qtbot.mousePress(window, Qt.MouseButton.LeftButton, pos=line)
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=line)
    window.resizeDocks([algorithm_dock], [320], Qt.Orientation.Vertical)
    QApplication.processEvents()
    tall = algorithm_dock.height()
    window.resize(1280, 860)
    QApplication.processEvents()
    assert algorithm_dock.height() >= tall
    window.reset_layout()
    QApplication.processEvents()
    assert algorithm_dock.height() < tall


def test_escape_leaves_the_presentation_and_the_panels_are_where_they_were(qtbot, window):
    before = {name: dock.geometry() for name, dock in window.docks.items()}
    window.docks["weights"].raise_()
    for _ in range(2):
        window.actions_by_name["presentation"].trigger()
        window.canvas.setFocus()
        qtbot.keyClick(window.canvas.area, Qt.Key.Key_Escape)
        QApplication.processEvents()
    assert not window.actions_by_name["presentation"].isChecked()
    for name in ("data", "kernel", "algorithm", "inspector"):
        assert window.docks[name].geometry() == before[name]
    assert not window.docks["weights"].visibleRegion().isEmpty()
    form = window.docks["data"].widget().form.current
    qtbot.waitUntil(lambda: all(c.label.height() == c.row_height() for c in form.controls.values()))


def test_another_theme_keeps_the_large_type_of_a_presentation(window):
    window.actions_by_name["presentation"].trigger()
    large = QApplication.font().pointSizeF()
    window.set_theme("dark")
    assert QApplication.font().pointSizeF() == large > BASE_POINTS
    window.actions_by_name["presentation"].trigger()
    assert QApplication.font().pointSizeF() == BASE_POINTS


def test_tab_goes_round_the_whole_window(qtbot, window):
    window.activateWindow()
    window.canvas.area.setFocus()
    qtbot.keyClick(window.canvas.area, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    visited = []
    while (widget := QApplication.focusWidget()) is not window.canvas.area and widget not in visited:
        visited.append(widget)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is window.canvas.area, f"{visited[-1]} leads back into the round"
    for name in ("data", "kernel", "algorithm", "loss"):
        panel = window.docks[name].widget()
        assert any(panel.isAncestorOf(widget) for widget in visited), name


def test_of_several_tabs_only_the_one_in_front_works(qtbot, window):
    tabs = ("loss", "convergence", "weights", "gram")
    for front in (*tabs, "loss"):
        window.docks[front].raise_()
        qtbot.waitUntil(lambda front=front: window.docks[front].widget().isVisible())
        assert [name for name in tabs if window.docks[name].widget().isVisible()] == [front]
        qtbot.waitUntil(lambda front=front: window.docks[front].widget().taken is window.workbench.frame)
    assert window.docks["gram"].height() == window.docks["loss"].height()


def test_tabs_and_check_boxes_keep_the_keys_they_need(qtbot, window):
    window.activateWindow()
    bar = next(bar for bar in window.findChildren(QTabBar) if bar.count() == 4)
    bar.setFocus()
    qtbot.keyClick(bar, Qt.Key.Key_Right)
    assert bar.currentIndex() == 1
    qtbot.keyClick(bar, Qt.Key.Key_Left)
    box = window.docks["loss"].widget().findChild(QCheckBox)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
    assert window.session.look.mode == "live", "neither was a step or a start of the playback"


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("floating", [False, True])
def test_sliders_and_lists_keep_the_keys_they_need(qtbot, window, floating):
    dock = window.docks["algorithm"]
    dock.setFloating(floating)
    dock.activateWindow()
    slider = dock.widget().form.current.controls["C"].slider
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert window.session.history.undo_name == "change C"
    picker = dock.widget().picker
    picker.setFocus()
    qtbot.keyClick(picker, Qt.Key.Key_R)
    assert window.session.look.mode == "live", "no step of the playback, and no restart"
    assert window.session.look.step == 0


def test_control_y_redoes_as_well(qtbot, window):
    click(qtbot, window, 0.0, 0.0)
    window.actions_by_name["undo"].trigger()
    assert window.session.document.data.n == 120
    qtbot.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert window.session.document.data.n == 121
