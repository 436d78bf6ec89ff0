"""Start the program: check that Qt can run, make the window, show the fitted example within a second."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kernelviz.engine.core.errors import BadInput, NotWritten
from kernelviz.scene import qt_check
from kernelviz.session.files.link import is_link
from kernelviz.session.session import Session
from kernelviz.session.state import State, start_up
from kernelviz.ui import process

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from kernelviz.ui.window.main_window import MainWindow


def main(*files: str) -> int:
    """Open the window on a file, on several as one lecture, or on the start-up example; return the exit code
    of the program."""
    # Imported before Qt, because PySide reads the source of every module that is imported after it.
    importlib.import_module("kernelviz.runtime.runner")
    state = start_up()
    _require(qt_check.library_problem("QtWidgets"))
    _require(qt_check.plugin_problem())
    _require(qt_check.display_problem())
    return _run(state, files)


def _require(problem: str | None) -> None:
    """Raise BadInput if there is a problem."""
    if problem:
        raise BadInput(problem)


def open_at_start(window: MainWindow, *files: str) -> None:
    """Open the files given on the command line, or offer to recover unsaved sessions, once the window is
    up."""
    file = files[0] if files else None
    if len(files) > 1:
        window.files.open_paths([Path(name) for name in files])
        return
    if file is not None and is_link(file) and not Path(file).exists():
        window.files.open_link(file)
    elif file is not None:
        window.files.start_with(Path(file))
    else:
        window.files.offer_recovery()
        window.welcome()


def _run(state: State, files: Sequence[str]) -> int:
    """Run the event loop until the window closes; return the exit code of the program."""
    app, window = open_window(state)
    from PySide6.QtCore import QTimer

    QTimer.singleShot(0, window, lambda: open_at_start(window, *files))
    interrupts = close_on_signals(window)
    code = int(app.exec())
    interrupts.close()
    if window.files.lost:
        raise NotWritten(window.files.lost)
    return code


def close_on_signals(window: MainWindow) -> process.Signals:
    """Make Ctrl-C, SIGTERM and the end of the terminal close the window without a question."""
    from PySide6.QtCore import QTimer

    return process.Signals(lambda: QTimer.singleShot(0, window, window.leave), window)


def open_window(state: State) -> tuple[QApplication, MainWindow]:
    """Make the application and its window, show it and return both."""
    process.begin()
    process.check_scale()
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    process.skip_source_checks()
    from kernelviz.scene.qt_messages import install_message_handler
    from kernelviz.ui.window.main_window import MainWindow

    install_message_handler()
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication([sys.argv[0]])
    app.setApplicationName("kernelviz")
    app.setApplicationDisplayName("kernelviz")
    app.setOrganizationName("kernelviz")
    window = MainWindow(Session(state))
    process.install_hook(window.complain)
    once = Qt.ConnectionType.SingleShotConnection
    window.workbench.frame_arrived.connect(process.freeze_garbage, once)
    collecting = process.garbage_timer(window)
    for first in (window.workbench.frame_arrived, window.workbench.failed):
        first.connect(lambda _: collecting.start(), once)
    room = window.screen().availableSize()
    if window.width() > room.width() or window.height() > room.height():
        window.setWindowState(Qt.WindowState.WindowMaximized)  # a small laptop, a projector, large type
        window.arrangement.follow_size()
    window.show()
    return app, window
