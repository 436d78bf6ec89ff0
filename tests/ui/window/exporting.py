"""What tests of the export dialogues do with one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from kernelviz.ui.dialogs.export_dialog import ExportDialog
from kernelviz.ui.window.main_window import MainWindow
from kernelviz.ui.workbench.settings import Settings
from tests.ui.window.acting import LEFT


@contextmanager
def dialogue_on(window: MainWindow, kind: type[ExportDialog], settings: Settings) -> Iterator[ExportDialog]:
    """Show a dialogue of its own on a window that tests share; its threads end with the block."""
    made = kind(replace(window.exports.source(), settings=settings), window)
    made.show()
    yield made
    made.close()
    assert made.stop()
    made.deleteLater()


def previewed(qtbot, dialog: ExportDialog) -> QImage:
    """The preview once it has caught up with everything."""
    qtbot.waitUntil(lambda: not dialog._soon.isActive() and not dialog.previews.busy)
    return dialog.preview.image


def written(qtbot, dialog: ExportDialog, path) -> str:
    """Write a file and return what is said about it."""
    with qtbot.waitSignal(dialog.writer.idle):
        dialog.write(path)
    return dialog.outcome.sentence


def press(qtbot, button: QWidget) -> None:
    qtbot.mouseClick(button, LEFT)
