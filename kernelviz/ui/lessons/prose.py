"""Prose as a widget, with formulas that appear once they are typeset."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from kernelviz.scene.prose import TextLayout, lay_out, parse, spoken
from kernelviz.scene.theme import current_theme
from kernelviz.ui.sidebar.formula_label import typesetter
from kernelviz.ui.widgets.labels import Tone

"""The number of layouts kept: Qt asks for the height in a few widths again and again."""


class Prose(QWidget):
    """Shows a text in the available width, formulas as soon as another thread has typeset them."""

    def __init__(self, text: str = "", tone: Tone = "text", *, size: float = 1.0, bold: bool = False) -> None:
        """size: of the type, compared with the application's."""
        super().__init__()
        self._tone, self._relative, self._bold = tone, size, bold
        self._text = ""
        self._laid_out: dict[tuple[float, float], TextLayout] = {}  # Its lines by width and type size.
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        typesetter().done.connect(self._on_typeset)
        self.set_text(text)

    @property
    def text(self) -> str:
        return self._text

    def set_text(self, text: str, tone: Tone | None = None) -> None:
        """Show another text."""
        if (text, tone or self._tone) == (self._text, self._tone):
            return
        self._text, self._tone = text, tone or self._tone
        self.setAccessibleName(spoken(text))
        self._forget()

    def _on_typeset(self, latex: str) -> None:
        if f"${latex}" in self._text or f"$ {latex}" in self._text:
            self._forget()

    def _forget(self) -> None:
        self._laid_out.clear()
        self.updateGeometry()
        self.update()

    def _font(self) -> QFont:
        font = QFont(QApplication.font())
        font.setPointSizeF(max(1.0, font.pointSizeF() * self._relative))
        if self._bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def layout_in(self, width: float) -> TextLayout:
        """Return the lines of the text in a width."""
        widths = 8
        font = self._font()
        how = width, font.pointSizeF()
        if how not in self._laid_out:
            if len(self._laid_out) == widths:
                self._laid_out.clear()
            self._laid_out[how] = lay_out(parse(self._text), width, font, typesetter().ready)
        return self._laid_out[how]

    # Qt -------------------------------------------------------------------------------------------------
    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return int(self.layout_in(float(width)).height) + 1

    def sizeHint(self) -> QSize:
        width = self.width() if self.width() > 60 else 260
        return QSize(200, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, int(QFontMetricsF(self._font()).height()) if self._text else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange) and hasattr(self, "_laid_out"):
            self._forget()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.layout_in(float(self.width())).paint(painter, getattr(current_theme(), self._tone))


class Clickable(Prose):
    """Prose that stands for the button next to it: a click on the words is a click on the button."""

    def __init__(self, text: str, button: QWidget) -> None:
        super().__init__(text)
        self._button = button

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._button.click()  # type: ignore[attr-defined]
