"""Print Qt's own messages on stderr, one line for each."""

from __future__ import annotations

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from kernelviz.runtime.diagnosis import LOG
from kernelviz.runtime.streams import complain

_LOG = LOG.getChild("qt")


def install_message_handler() -> None:
    """Print Qt's warnings, and the message with which it aborts, to stderr; only log other messages.

    So is the warning that the locale is not UTF-8, as with LC_ALL=C: Qt then takes another one by itself."""

    locale = "Detected locale "  # The warning begins with this.

    def handle(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        _LOG.debug("%s: %s", kind.name, text)
        if kind == QtMsgType.QtFatalMsg:
            complain(f"Qt gave up: {text}")
        elif kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not text.startswith(locale):
            complain(f"Qt: {text}")

    qInstallMessageHandler(handle)
