"""Sheets with keys of their own: a click or Tab leads to them, and from then on the arrows are theirs."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPaintEvent

from kernelviz.drawing.figure.strokes import pen
from kernelviz.ui.insight.sheet import Sheet
from kernelviz.ui.widgets.buttons import KeepsKeys
from kernelviz.ui.widgets.in_points import painter_in_points

FRAME = 1.5  # Width in points of the frame around a sheet that has the keyboard.


class KeyedSheet(KeepsKeys, Sheet):
    """Keeps the keyboard after a click, unlike what is only pressed, and shows by a frame that it has it."""

    keys: ClassVar[tuple[tuple[str, str], ...]]  # What its keys do, for the sheet of shortcuts.

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        Sheet.mouseReleaseEvent(self, event)  # and not that which gives the keyboard back

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            with painter_in_points(self) as painter:
                painter.setPen(pen(self.style_of_picture.theme.accent, FRAME))
                painter.drawRect(self.room.adjusted(FRAME / 2, FRAME / 2, -FRAME / 2, -FRAME / 2))
