"""What Qt has to say, on stderr: one line for each message."""

from __future__ import annotations

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from kernelviz.runtime.streams import complain


def install_message_handler() -> None:
    """Print Qt's warnings and its last words before it aborts; drop its chatter."""

    def handle(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if kind == QtMsgType.QtFatalMsg:
            complain(f"Qt gave up: {text}")
        elif kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            complain(f"Qt: {text}")

    qInstallMessageHandler(handle)
