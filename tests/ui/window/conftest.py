"""A whole window on the start-up example, with settings of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QMessageBox

from kernelviz.session.session import Session
from kernelviz.session.state import State, start_up
from kernelviz.ui.window.main_window import MainWindow
from kernelviz.ui.workbench.settings import Settings


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


@pytest.fixture
def start_again(qtbot, settings) -> Callable[[], MainWindow]:
    """Opens a window as the next start would, with what the last one has remembered."""

    def start() -> MainWindow:
        made = MainWindow(Session(start_up()), settings)
        qtbot.addWidget(made)
        made.show()
        return made

    return start
