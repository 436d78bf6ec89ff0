"""Starting: look before leaping, dress the application, show the fitted example within about a second."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kernelviz.ui import preflight

if TYPE_CHECKING:
    from kernelviz.ui.main_window import MainWindow

__all__ = ["main"]

PICTURE = "kernelviz.png"


def main(file: str | None = None) -> int:
    """Open the window on a file or on the start-up example; the exit code of the program."""
    if problem := preflight.library_problem():
        return _refuse(problem)
    if not preflight.has_display():
        return _picture_instead(file)
    if problem := preflight.plugin_problem() or preflight.display_problem():
        return _refuse(problem)
    return _run(file)


def _refuse(sentence: str) -> int:
    print(f"kernelviz: {sentence}", file=sys.stderr)
    return 2


def _picture_instead(file: str | None) -> int:
    """Without any display: the picture the window would have shown, in a file."""
    from kernelviz.session.state import START_DATA
    from kernelviz.ui.export.batch import Job, render
    from kernelviz.ui.export.options import Options

    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    path = Path(PICTURE).resolve()
    outcome = render(Job(file or START_DATA, str(path), Options()))
    if outcome.bad:
        return _refuse(outcome.sentence)
    print(f"There is no display, so kernelviz drew {file or 'its start-up example'} to {path}.")
    print("Start it from a desktop session to open the window, or see: kernelviz render --help")
    return 0


def _begin(window: MainWindow, file: str | None) -> None:
    """Once the window is up: the file that was asked for, or what a crash left behind."""
    if file is not None:
        window.files.open_path(Path(file))
    else:
        window.files.offer_recovery()


def _run(file: str | None) -> int:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from kernelviz.session.session import Session
    from kernelviz.session.state import start_up
    from kernelviz.ui.crash import install_hook, install_message_handler
    from kernelviz.ui.main_window import MainWindow

    install_message_handler()
    # The worker's small steps must not keep the window waiting for the interpreter.
    sys.setswitchinterval(0.0005)
    app = QApplication.instance() or QApplication([sys.argv[0]])
    app.setApplicationName("kernelviz")
    app.setApplicationDisplayName("kernelviz")
    app.setOrganizationName("kernelviz")
    window = MainWindow(Session(start_up()))
    install_hook(window.complain)
    window.show()
    QTimer.singleShot(0, window, lambda: _begin(window, file))
    # Ctrl-C in the terminal ends the program as closing the window does.
    signal.signal(signal.SIGINT, lambda *_: window.close())
    return int(app.exec())
