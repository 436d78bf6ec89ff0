"""A link is copied, pasted, dropped and opened; nothing is lost by a bad one."""

from __future__ import annotations

import json
from dataclasses import replace

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QMenu, QMessageBox

from kernelviz.engine.fits.parsing import kernel
from kernelviz.session.files import kviz
from kernelviz.session.files.link import link_to
from kernelviz.session.sources import Requested
from kernelviz.session.state import start_up
from kernelviz.ui import app
from tests.session.states import same
from tests.ui.window.acting import CONTROL, add_a_point, focus_canvas, press

COPY, LEFT, PLAIN = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
OTHER, _ = Requested("rings(n=30)", kernel="rbf(gamma=3)", test="0.3").state()


def shows(window, state):
    """Whether the window has the points and fits of a state; its view depends on the window."""
    present = window.session.state
    return same(replace(present, look=state.look), state) and present.look.shown == state.look.shown


def drop(window, mime):
    entering = QDragEnterEvent(QPoint(300, 300), COPY, mime, LEFT, PLAIN)
    window.dragEnterEvent(entering)
    assert entering.isAccepted()
    dropped = QDropEvent(QPointF(300, 300), COPY, mime, LEFT, PLAIN)
    window.dropEvent(dropped)
    assert dropped.isAccepted()


def test_a_copied_link_brings_back_what_was_on_screen(qtbot, window):
    window.session.change("change kernel", kernel=kernel("rbf(gamma=2.5)"))
    window.session.toggle("slack")
    copied = window.session.state
    window.actions_by_name["copy_link"].trigger()
    link = QGuiApplication.clipboard().text()
    assert f"{len(link):,} characters" in window.statusBar().currentMessage()
    window.session.change("change kernel", kernel=kernel("linear"))
    window.session.toggle("slack")
    window.session.mark_saved()
    focus_canvas(window)
    press(qtbot, Qt.Key.Key_V, CONTROL)
    qtbot.waitUntil(lambda: shows(window, copied))


def test_a_link_that_names_a_lesson_opens_no_file(qtbot, window, tmp_path):
    (tmp_path / "secret.md").write_bytes(b"\xff")
    before = {"before": json.loads(kviz.dumps(start_up())), "progress": "stop 1 press 0"}
    lesson = {"file": str(tmp_path / "secret.md"), "name": "secret", **before}
    window.files.open_link(link_to(OTHER, {"lesson": lesson, "views": ["gram"]}))
    qtbot.waitUntil(lambda: shows(window, OTHER) and "gram" in window.insight.shown)
    qtbot.wait(200)
    assert window.canvas.banner.text == ""
    assert shows(window, OTHER)


def test_a_link_can_be_dropped_as_text_or_from_a_page(qtbot, window):
    text, url = QMimeData(), QMimeData()
    text.setText(link_to(OTHER))
    other = Requested("spirals(n=40)").state()[0]
    url.setUrls([QUrl(link_to(other))])
    for mime, state in ((text, OTHER), (url, other)):
        drop(window, mime)
        qtbot.waitUntil(lambda state=state: shows(window, state))


def test_a_link_asks_before_it_replaces_unsaved_work(qtbot, window, monkeypatch):
    add_a_point(window)
    mine, asked = window.session.state, []

    def cancel(*args):
        asked.append(args)
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "question", cancel)
    QGuiApplication.clipboard().setText(link_to(OTHER))
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: bool(asked))
    assert window.session.state is mine
    assert window.session.unsaved


def test_a_broken_link_is_a_sentence_and_changes_nothing(qtbot, window):
    mine = window.session.state
    QGuiApplication.clipboard().setText(link_to(OTHER)[:-4])
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: "The link cannot be opened" in window.canvas.banner.text)
    assert window.session.state is mine


def test_the_program_starts_with_a_link(qtbot, started):
    window = started()
    app.open_at_start(window, link_to(OTHER))
    qtbot.waitUntil(lambda: shows(window, OTHER))
    assert window.files.path is None


def test_a_link_carries_the_open_views_and_the_hidden_controls(qtbot, window):
    controls = next(menu for menu in window.findChildren(QMenu) if menu.title() == "&Controls")
    controls.aboutToShow.emit()
    actions = {action.text(): action for action in controls.actions()}
    actions["&Data"].trigger()
    actions["&Playback"].trigger()
    assert window.docks["data"].isHidden()
    window.insight.restore(["gram", "weights"])
    window.actions_by_name["copy_link"].trigger()
    for name in ("&Data", "&Playback"):
        actions[name].trigger()
    assert not window.docks["data"].isHidden()
    window.insight.restore(["loss"])
    window.actions_by_name["paste"].trigger()
    qtbot.waitUntil(lambda: window.docks["data"].isHidden())
    assert window.playback.isHidden()
    assert sorted(window.insight.shown) == ["gram", "weights"]


def test_hidden_controls_are_saved_with_the_session_and_gone_in_a_new_one(qtbot, window, tmp_path):
    controls = next(menu for menu in window.findChildren(QMenu) if menu.title() == "&Controls")
    actions = {action.text(): action for action in controls.actions()}
    controls.aboutToShow.emit()
    actions["&Kernel"].trigger()
    assert window.files.save_to(tmp_path / "exam.kviz")
    window.actions_by_name["new"].trigger()
    assert not window.docks["kernel"].isHidden()
    window.session.mark_saved()
    window.files.open_path(tmp_path / "exam.kviz")
    qtbot.waitUntil(lambda: window.docks["kernel"].isHidden())
    controls.aboutToShow.emit()
    assert not actions["&Kernel"].isChecked()
    window.docks["kernel"].toggleViewAction().trigger()
    assert not window.docks["kernel"].isHidden()


def test_nonsense_in_a_link_hides_and_opens_nothing(qtbot, window):
    bad = {"hidden": ["data", 5, "nothing", ["kernel"]], "views": ["nothing", "gram(face=none)", 7]}
    window.files.open_link(link_to(OTHER, bad))
    qtbot.waitUntil(lambda: shows(window, OTHER))
    assert window.docks["data"].isHidden()
    assert not window.docks["kernel"].isHidden()
