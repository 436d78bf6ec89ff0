"""The window as a user meets it."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMessageBox,
    QScrollBar,
)

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.session import history
from kernelviz.session.lessons.lecture_reader import lectures, read_lecture
from kernelviz.session.session import Session
from kernelviz.session.state import start_up
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.window.commands import COMMANDS
from kernelviz.ui.window.main_window import MainWindow
from tests.ui.window.acting import LEFT, SHIFT, click, enter, press, settle


def test_a_newcomer_sees_a_fitted_example(qtbot, window):
    frame = window.workbench.frame
    assert frame is not None
    assert frame.model.converged
    assert frame.model.numbers["training_error"] == 0
    # The picture comes first, the words a moment later.
    qtbot.waitUntil(lambda: "120 points" in window.statusBar().figures.text())


def test_clicking_adds_a_point_and_the_fit_follows(qtbot, window):
    before = window.workbench.frame
    click(qtbot, window, 0.0, 0.0)
    click(qtbot, window, 0.1, 0.1, SHIFT)
    settle(qtbot, window)
    data = window.session.document.data
    assert data.n == 122
    assert data.z[-2:].tolist() == [1, -1]
    assert window.workbench.frame is not before
    assert window.workbench.frame.data is data


def test_where_undo_ends_because_memory_does_it_is_said(window, monkeypatch):
    monkeypatch.setattr(history, "BYTES_FOR_UNDO", 0)
    for _ in range(3):
        window.actions_by_name["jitter"].trigger()
    jittered = window.session.document
    window.actions_by_name["undo"].trigger()
    assert not window.actions_by_name["undo"].isEnabled()
    assert "Nothing more to undo" in window.canvas.banner.text
    window.actions_by_name["redo"].trigger()
    assert window.session.document is jittered


def test_undo_and_redo_are_named_in_the_menu(qtbot, window):
    undo, redo = window.actions_by_name["undo"], window.actions_by_name["redo"]
    assert not undo.isEnabled()
    click(qtbot, window, 0.0, 0.0)
    qtbot.waitUntil(lambda: undo.text() == "&Undo add point")
    undo.trigger()
    assert window.session.document.data.n == 120
    qtbot.waitUntil(lambda: redo.text() == "&Redo add point")
    redo.trigger()
    assert window.session.document.data.n == 121


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
        part = window if command.by == "window" else getattr(window, command.by)
        assert callable(getattr(part, command.name))


def test_each_toggle_of_the_view_menu_shows_and_hides(window):
    for name in PlaneWorkspace.toggles:
        before = window.session.look.shown
        window.menus.toggles[name].trigger()
        assert window.session.look.shown == before ^ {name}
        assert window.menus.toggles[name].isChecked() is (name not in before)
        assert window.session.history.undo_name is None


def test_the_legend_drops_the_lines_of_a_run_when_live_is_chosen(qtbot, window):
    def legend() -> list[str]:
        return [entry.text for entry in window.canvas.scene.legend.legend.entries]

    qtbot.waitUntil(lambda: "support vector" in legend())
    before, modes = legend(), window.playback.mode.buttons
    qtbot.mouseClick(modes["watch"], LEFT)
    for _ in range(2):
        settle(qtbot, window)
        press(qtbot, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: {"misclassified", "this step"} <= set(legend()))
    qtbot.mouseClick(modes["live"], LEFT)
    qtbot.waitUntil(lambda: legend() == before, timeout=5000)


def test_the_theme_can_be_switched_and_is_remembered(qtbot, window):
    def corner_is_dark() -> bool:
        return window.canvas.grab().toImage().pixelColor(2, 2).lightnessF() < 0.5

    for theme in ("dark", "light"):
        window.set_theme(theme)
        assert window.settings.theme == theme
        lightness = QApplication.palette().window().color().lightnessF()
        assert (lightness < 0.5) == (theme == "dark")
        # The canvas uses it too, well inside its own frame.
        qtbot.waitUntil(lambda theme=theme: corner_is_dark() == (theme == "dark"))


def test_one_class_is_said_in_the_canvas_and_points_stay(qtbot, window):
    window.actions_by_name["clear"].trigger()
    click(qtbot, window, 0.0, 0.0)
    settle(qtbot, window)
    assert "one class" in window.canvas.banner.text
    assert window.canvas.banner.isVisible()
    qtbot.waitUntil(lambda: "no fit" in window.statusBar().figures.text())
    window.actions_by_name["undo"].trigger()
    window.actions_by_name["undo"].trigger()
    settle(qtbot, window)
    assert not window.canvas.banner.isVisible()
    assert window.session.document.data.n == 120


def test_that_there_are_no_bumps_is_said_when_they_are_switched_on_until_they_are_off(qtbot, window):
    enter(qtbot, window, "curve")
    window.session.change("algorithm", algorithm=algorithm("nadaraya-watson"))
    settle(qtbot, window)
    banner, bumps = window.canvas.banner, window.menus.toggles["bumps"]
    for _ in range(2):
        bumps.trigger()
        assert banner.isVisible()
        assert "no bumps" in banner.text
        bumps.trigger()
        assert not banner.isVisible()
    bumps.trigger()
    qtbot.mouseClick(banner.remedy_button, LEFT)
    assert not bumps.isChecked()
    assert not banner.isVisible()


def test_not_separable_is_a_banner_with_a_suggestion(qtbot, window):
    window.session.change("change kernel", kernel=kernel("linear"))
    window.session.change("change algorithm", algorithm=algorithm("hard-margin-svm"))
    settle(qtbot, window)
    assert "separable" in window.canvas.banner.text
    assert "soft margin" in window.canvas.banner.suggestion
    qtbot.waitUntil(lambda: window.statusBar().warning.text() == "not separable")
    assert "training error" not in window.statusBar().figures.text(), "of no classifier there is no error"


def test_an_indefinite_kernel_is_said_in_the_status_line(qtbot, window):
    window.session.change("change kernel", kernel=kernel("sigmoid(gamma=5, c=-1)"))
    qtbot.waitUntil(lambda: "not positive semi-definite" in window.statusBar().warning.text())


def test_hovering_empty_plane_shows_its_score_in_the_inspector(qtbot, window):
    area = window.canvas.area
    for shift in (0, 1):
        place = area.mapFromScene(area.box.mapViewToScene(QPointF(1.1, 0.4))) + QPoint(shift, 0)
        qtbot.mouseMove(area.viewport(), place)
    expected = window.workbench.frame.model.score(np.array([[1.1, 0.4]]))[0]
    inspector = window.insight.view("inspector")
    qtbot.waitUntil(lambda: inspector.values["score"].text() not in ("", "–"))
    shown = float(inspector.values["score"].text().replace("−", "-"))
    assert shown == pytest.approx(expected, abs=0.05)


def test_dropping_a_file_opens_it(qtbot, window, tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x,y,label\n0,0,a\n1,1,b\n0,1,a\n")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(10, 10),
        Qt.DropAction.CopyAction,
        mime,
        LEFT,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: window.session.document.data.n == 3)
    assert window.session.document.data.class_names == ("a", "b")
    assert window.session.history.undo_name == "open data"


def test_a_broken_file_is_a_sentence_and_changes_nothing(qtbot, window, tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("1,2,a\n3,x,b\n")
    before = window.session.document
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.canvas.banner.isVisible())
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
    assert "unsaved changes" in asked[0]


def test_an_exception_in_a_slot_becomes_a_sentence(qtbot, window, capsys):
    import sys

    from kernelviz.ui.process import install_hook

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
    qtbot.mouseClick(window.canvas.banner.copy_button, LEFT)
    copied = QGuiApplication.clipboard().text()
    assert "RuntimeError: boom" in copied
    assert "request 1: fit 0, n = 120, rbf(gamma=1) ; soft-margin-svm(C=10)" in copied
    assert "kernelviz.window: uncaught RuntimeError: boom" in copied


def test_advice_without_an_error_offers_no_details(qtbot, window):
    window.complain("This cannot be done.")
    assert not window.canvas.banner.copy_button.isVisible()


def test_axis_limits_can_be_typed(window):
    from kernelviz.session.view import ViewRange
    from kernelviz.ui.canvas.points import LimitsDialog, labels_of, read_limits

    labels = labels_of(("x1", "x2"))
    assert labels == ("x₁ from", "x₁ to", "x₂ from", "x₂ to")
    assert read_limits(["0", "1", "-2,5", "2"], labels) == ViewRange(0, 1, -2.5, 2)
    assert "not a number" in read_limits(["a", "1", "0", "1"], labels)
    assert "ends" not in read_limits(["1", "0", "0", "1"], labels)
    dialog = LimitsDialog(window.session.look.view, ("x1", "x2"), window)
    left = dialog.findChild(QLineEdit)
    left.setText("nonsense")
    dialog.accept()
    assert any("not a number" in label.text() for label in dialog.findChildren(QLabel))
    left.setText("-9")
    dialog.accept()
    assert dialog.chosen.left == -9
    dialog.deleteLater()


def test_what_is_wrong_with_axis_limits_can_be_read_in_full(qtbot, window):
    from kernelviz.ui.canvas.points import LimitsDialog

    dialog = LimitsDialog(window.session.look.view, ("x1", "x2"), window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.findChild(QLineEdit).setText("1e9")
    dialog.accept()
    (said,) = (label for label in dialog.findChildren(QLabel) if label.wordWrap())
    qtbot.waitUntil(lambda: said.height() >= said.heightForWidth(said.width()) > 0)


def test_another_theme_does_not_take_longer_after_looking_at_every_kernel(qtbot, window):
    """Styling costs by the widget: forms out of sight are let go, and are back when they are asked for."""
    panel = window.docks["kernel"].widget()
    gamma = panel.form.current.controls["gamma"]
    fresh = len(window.findChildren(QAbstractSlider))
    for name in ("matern32", "polynomial", "periodic", "rational_quadratic", "ard"):
        panel.picker.picked.emit(name)
    assert len(window.findChildren(QAbstractSlider)) > fresh + 5
    window.set_theme("dark")
    assert len(window.findChildren(QAbstractSlider)) <= fresh + 2
    panel.picker.picked.emit("rbf")
    again = panel.form.current.controls["gamma"]
    assert again is not gamma
    assert again.isVisible()
    for _ in range(2):
        window.actions_by_name["presentation"].trigger()
        qtbot.waitUntil(window.updatesEnabled)
    assert panel.form.current.controls["gamma"] is again
    settle(qtbot, window)


def test_the_layout_is_in_its_file_as_soon_as_the_window_has_closed(window, tmp_path):
    window.close()
    assert "geometry=" in (tmp_path / "settings.ini").read_text()


def test_what_was_picked_is_on_top_of_the_list_at_the_next_start_too(qtbot, window, settings):
    picker = window.docks["kernel"].widget().picker
    picker.activated.emit(picker.findData("laplacian"))
    window.session.mark_saved()
    window.close()
    again = MainWindow(Session(start_up()), settings)
    qtbot.addWidget(again, before_close_func=lambda w: w.session.mark_saved())
    assert again.docks["kernel"].widget().picker.recent == ["laplacian"]


def test_a_window_that_is_closed_may_be_closed_once_more(window):
    """As behind a file dialogue, which does not go with the window."""
    assert window.close()
    window.show()
    assert window.close()


def test_a_window_that_was_closed_leaves_nothing_in_memory(qtbot, settings, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made = MainWindow(Session(start_up()), settings)
    window, session = weakref.ref(made), weakref.ref(made.session)
    made.show()
    qtbot.waitUntil(lambda: window().workbench.up_to_date and window().workbench.verdict is not None)
    for name in ("curve", "words"):
        made.session.visit(next(one for one in workspaces() if one.name == name))
        qtbot.waitUntil(lambda: window().workbench.up_to_date)
    made.insight.show_view("gram")
    made.lessons.begin(read_lecture(lectures()[0]))
    made.lessons.end_lesson()
    made.session.mark_saved()
    made.close()
    made.deleteLater()
    del made
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def collected() -> bool:
        gc.collect()
        return window() is None and session() is None

    qtbot.waitUntil(collected)
