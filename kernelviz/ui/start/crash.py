"""Nets under the trapeze: exceptions in slots and fatal Qt messages become sentences."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

__all__ = ["install_hook", "install_message_handler"]


def install_hook(show: Callable[[str], None]) -> None:
    """Show an exception nobody caught as one sentence, with its traceback on stderr for a bug report."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        traceback.print_exception(kind, error, trace)
        show(f"Something went wrong inside ({kind.__name__}: {error}). Your points are safe; you can go on.")

    sys.excepthook = hook


def install_message_handler() -> None:
    """Qt's fatal messages in one line before it aborts; warnings as usual, chatter dropped."""

    def handle(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if kind == QtMsgType.QtFatalMsg:
            sys.stderr.write(f"kernelviz: Qt gave up: {text.splitlines()[0]}\n")
        elif kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            sys.stderr.write(f"{text}\n")

    qInstallMessageHandler(handle)
