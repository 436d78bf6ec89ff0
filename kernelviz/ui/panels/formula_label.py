"""A typeset formula that fits a narrow panel: broken into lines where it may be, shrunk where it must."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QPointF, QSize, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kernelviz.ui.formula import draw_formula, formula_size, plain
from kernelviz.ui.panels.typesetter import typesetter
from kernelviz.ui.theme import current_theme

__all__ = ["FormulaLabel", "pieces"]

PAUSE = 120
"""Milliseconds a formula must stand still before it is set: a slider's drag is not worth hundreds of them."""
LEADING = 6.0
SMALLEST = 0.6


def pieces(latex: str) -> list[str]:
    """A formula cut where a line may end: at wide spaces, and before every + outside all brackets."""
    parts: list[str] = []
    for part in re.split(r"\\q?quad(?![A-Za-z])", latex):
        depth, begin = 0, 0
        for match in re.finditer(r"\\left|\\right|[{}()]| \+ ", part):
            token = match.group()
            if token in ("{", "(", "\\left"):
                depth += 1
            elif token in ("}", ")", "\\right"):
                depth -= 1
            elif token == " + " and depth == 0:
                parts.append(part[begin : match.start()].strip())
                begin = match.start()
        parts.append(part[begin:].strip())
    # With nothing before it a plus would be set as a sign, too close to what follows.
    return [f"{{}} {part}" if part.startswith("+") else part for part in parts if part]


class FormulaLabel(QWidget):
    """Shows LaTeX typeset in the theme's ink, as soon as it has been set elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._latex = ""
        self._wanted: list[str] = []
        self._lines: list[list[tuple[str, QPointF]]] = []
        self._scale = 1.0
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._ask)
        typesetter().done.connect(self._on_done)
        self._extent = 0.0

    @property
    def latex(self) -> str:
        return self._latex

    def set_latex(self, latex: str) -> None:
        """Show another formula; the old one stays until the new one is set."""
        if latex == self._latex:
            return
        first = not self._latex
        self._latex = latex
        self.setAccessibleName(plain(latex))
        self._timer.start(0 if first else PAUSE)

    # Setting ------------------------------------------------------------------------------------------
    def _ask(self) -> None:
        self._wanted = pieces(self._latex)
        self._arrange()

    def _on_done(self, latex: str) -> None:
        if latex in self._wanted:
            self._arrange()

    def _arrange(self) -> None:
        """Break into lines for the present width once every piece has been set."""
        missing = [piece for piece in self._wanted if not typesetter().ready(piece)]
        if missing:
            return
        size = self._type_size()
        room = max(1.0, float(self.width()))
        boxes = [(piece, *formula_size(piece, size)) for piece in self._wanted]
        widest = max((width for _, width, _ in boxes), default=1.0)
        self._scale = min(1.0, max(SMALLEST, room / widest))
        self._lines, y, line, x, tallest = [], 0.0, [], 0.0, 0.0
        for piece, width, height in boxes:
            width, height = width * self._scale, height * self._scale
            if line and x + width > room:
                self._lines.append(_centred(line, y, tallest))
                y, line, x, tallest = y + tallest + LEADING, [], 0.0, 0.0
            line.append((piece, x, height))
            x, tallest = x + width + size / 4, max(tallest, height)
        if line:
            self._lines.append(_centred(line, y, tallest))
        self._extent = y + tallest
        self.updateGeometry()
        self.update()

    def _type_size(self) -> float:
        return 1.15 * self.fontInfo().pixelSize()

    # Qt -----------------------------------------------------------------------------------------------
    def sizeHint(self) -> QSize:
        return QSize(200, round(self._extent or 1.6 * self._type_size()) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._wanted and event.size().width() != event.oldSize().width():
            self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_extent"):
            self._timer.start(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        ink = current_theme().text
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line in self._lines:
            for piece, at in line:
                if typesetter().ready(piece):
                    draw_formula(painter, at, piece, self._type_size() * self._scale, ink)


def _centred(line: list[tuple[str, float, float]], y: float, tallest: float) -> list[tuple[str, QPointF]]:
    return [(piece, QPointF(x, y + (tallest - height) / 2 + 2)) for piece, x, height in line]
