"""A whole window on the start-up example, with settings of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QMessageBox

from kernelviz.scene import qt_messages
from kernelviz.session.session import Session
from kernelviz.session.state import State, start_up
from kernelviz.ui import app, process
from kernelviz.ui.window import main_window
from kernelviz.ui.window.main_window import MainWindow
from kernelviz.ui.workbench.settings import Settings
from tests.patience import wait_until
from tests.qt_fixtures import SHARED, look_kept


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def state() -> State:
    """What the window opens on; a test file may have its own."""
    return start_up()


@pytest.fixture
def window(qtbot, state, settings, tmp_path, monkeypatch) -> MainWindow:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def unexpected(*args: object, **_: object) -> None:
        pytest.fail(f"an unexpected question: {args[2]}")

    # A modal question nobody answers would hang the tests for ever.
    monkeypatch.setattr(QMessageBox, "question", unexpected)
    made = MainWindow(Session(state), settings)
    qtbot.addWidget(made, before_close_func=lambda w: w.session.mark_saved())
    made.show()
    qtbot.waitUntil(lambda: made.workbench.up_to_date)
    return made


@pytest.fixture(scope="module")
def kept_window(qapp, tmp_path_factory) -> Iterator[MainWindow]:
    """The window of `shared_window`."""
    folder = tmp_path_factory.mktemp("shared")
    with look_kept(qapp), pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder))
        made = MainWindow(Session(start_up()), Settings(folder / "settings.ini"))
        SHARED.update((made, made.workbench))
        made.show()
        wait_until(lambda: qapp.processEvents() or made.workbench.up_to_date)
        yield made
        made.session.mark_saved()
        made.close()
        made.deleteLater()


@pytest.fixture
def shared_window(qtbot, kept_window) -> Iterator[MainWindow]:
    """One window for all tests of a file that change nothing but the session, which begins anew in each.

    Making a window takes a quarter of a second and more."""
    kept_window.session.open(start_up())
    qtbot.waitUntil(lambda: kept_window.workbench.up_to_date)
    yield kept_window
    qtbot.waitUntil(lambda: kept_window.workbench.up_to_date)
    kept_window.session.mark_saved()


@pytest.fixture
def start_again(qtbot, settings) -> Callable[[], MainWindow]:
    """Opens a window as the next start would, with what the last one has remembered."""

    def start() -> MainWindow:
        made = MainWindow(Session(start_up()), settings)
        qtbot.addWidget(made)
        made.show()
        return made

    return start


@pytest.fixture
def started(qtbot, settings, tmp_path, monkeypatch) -> Callable[[], MainWindow]:
    """Opens the window as the program does, but without what belongs to a process of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(main_window, "Settings", lambda: settings)
    monkeypatch.setattr(process, "install_hook", lambda *_: None)
    monkeypatch.setattr(qt_messages, "install_message_handler", lambda *_: None)

    def start() -> MainWindow:
        interval = sys.getswitchinterval()
        try:
            _, made = app.open_window(start_up())
        finally:
            sys.setswitchinterval(interval)
        qtbot.addWidget(made)
        return made

    return start
