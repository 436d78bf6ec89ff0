"""Prose with formulas between dollar signs, drawn word by word: nothing in it is ever taken for HTML.

Of Markdown it shows paragraphs, lists, *emphasis*, **strong words** and `code`; of a link or a picture it
shows the words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from kernelviz.scene.formula import draw_formula, formula_ascent, formula_size, plain
from kernelviz.scene.theme import current_theme
from kernelviz.ui.sidebar.formula_label import typesetter
from kernelviz.ui.widgets.labels import Tone

PIECES = re.compile(r"(\$[^$]+\$|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
ITEM = re.compile(r"\s*(?:[-*•]|(\d{1,3})[.)])\s+")
LONGEST_WORD = 18  # Characters after which a word may be broken.
FORMULA_SCALE = 1.16  # The size of formulas, compared with the type around them.
LINE_GAP, PARAGRAPH_GAP, INDENT = 0.28, 0.6, 1.3  # In units of the type's height.
SMALLEST = 0.55  # A formula that is too wide is made smaller, down to this share.


@dataclass(frozen=True)
class Fragment:
    """A piece of a word: text in one style, or a formula."""

    text: str
    style: str = ""  # Empty, "strong", "emphasis", "code" or "formula".


@dataclass(frozen=True)
class Paragraph:
    """Words, each of fragments that stay together; mark: the bullet or number of a list item."""

    words: tuple[tuple[Fragment, ...], ...]
    mark: str = ""


@dataclass
class _Line:
    placed: list[tuple[float, Fragment]] = field(default_factory=list)
    width: float = 0.0
    ascent: float = 0.0
    descent: float = 0.0


def parse(text: str) -> list[Paragraph]:
    """Return the paragraphs of a Markdown text."""
    found: list[Paragraph] = []
    for block in re.split(r"\n\s*\n", LINK.sub(r"\1", text)):
        lines: list[tuple[str, str]] = []  # (mark, text) of each item
        for line in block.splitlines():
            if match := ITEM.match(line):
                lines.append((f"{match[1]}." if match[1] else "•", line[match.end() :]))
            elif lines:
                lines[-1] = lines[-1][0], f"{lines[-1][1]} {line}"
            else:
                lines.append(("", line))
        found += [Paragraph(tuple(_words(content)), mark) for mark, content in lines if content.strip()]
    return found


def _words(text: str) -> Iterator[tuple[Fragment, ...]]:
    word: list[Fragment] = []
    for k, piece in enumerate(PIECES.split(text)):
        if k % 2 and piece.startswith("$"):
            word.append(Fragment(piece[1:-1].strip(), "formula"))
            continue
        style = (
            "" if not k % 2 else "code" if piece[0] == "`" else "emphasis" if piece[1] != "*" else "strong"
        )
        content = piece.strip("`") if style == "code" else piece.strip("*") if style else piece
        for part in re.split(r"(\s+)", content):
            if part.isspace():
                if word:
                    yield tuple(word)
                word = []
            elif len(part) > LONGEST_WORD:
                for begin in range(0, len(part), LONGEST_WORD):
                    if word:
                        yield tuple(word)
                    word = [Fragment(part[begin : begin + LONGEST_WORD], style)]
            elif part:
                word.append(Fragment(part, style))
    if word:
        yield tuple(word)


def spoken(text: str) -> str:
    """Return a text as a screen reader speaks it."""
    words = (
        "".join(plain(f.text) if f.style == "formula" else f.text for f in word)
        for paragraph in parse(text)
        for word in paragraph.words
    )
    return " ".join(words)


class Prose(QWidget):
    """Shows a text in the width there is, formulas as soon as they are typeset elsewhere."""

    def __init__(self, text: str = "", tone: Tone = "text", *, size: float = 1.0, bold: bool = False) -> None:
        """size: of the type, compared with the application's."""
        super().__init__()
        self._tone, self._relative, self._bold = tone, size, bold
        self._text = ""
        self._paragraphs: list[Paragraph] = []
        self._lines: list[tuple[float, _Line]] = []  # Each with the y of its baseline.
        self._laid_out_for = (-1.0, 0.0)  # The width and the type size that the lines are for.
        self._height = 0.0
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
        self._paragraphs = parse(text)
        self.setAccessibleName(spoken(text))
        self._forget()

    def _on_typeset(self, latex: str) -> None:
        if f"${latex}" in self._text or f"$ {latex}" in self._text:
            self._forget()

    def _forget(self) -> None:
        self._laid_out_for = (-1.0, 0.0)
        self.updateGeometry()
        self.update()

    # Layout ---------------------------------------------------------------------------------------------
    def _font(self, style: str) -> QFont:
        font = QFont(QApplication.font())
        font.setPointSizeF(max(1.0, font.pointSizeF() * self._relative))
        font.setBold(self._bold or style == "strong")
        font.setItalic(style == "emphasis")
        if style == "code":
            font.setFamilies(["DejaVu Sans Mono", "monospace", *font.families()])
        return font

    def _formula_points(self, fragment: Fragment, width: float) -> float:
        """Return the size to set a formula at, smaller for one that is wider than the line."""
        size = FORMULA_SCALE * QFontMetricsF(self._font("")).height() * 0.72
        wide = formula_size(fragment.text, size)[0]
        return size * max(SMALLEST, min(1.0, width / wide)) if wide > width else size

    def _measured(self, fragment: Fragment, width: float) -> tuple[float, float, float]:
        """Return (width, ascent, descent) of a fragment; a formula not ready yet counts as its letters."""
        if fragment.style == "formula" and typesetter().ready(fragment.text):
            size = self._formula_points(fragment, width)
            wide, high = formula_size(fragment.text, size)
            above = formula_ascent(fragment.text, size)
            return wide + 2, above, high - above
        metrics = QFontMetricsF(self._font(fragment.style))
        text = plain(fragment.text) if fragment.style == "formula" else fragment.text
        return metrics.horizontalAdvance(text), metrics.ascent(), metrics.descent()

    def _lay_out(self, width: float) -> float:
        """Place all words for a width and return the height they take."""
        if self._laid_out_for == (width, QApplication.font().pointSizeF()):
            return self._height
        metrics = QFontMetricsF(self._font(""))
        space, type_height = metrics.horizontalAdvance(" "), metrics.height()
        self._lines, y = [], 0.0
        for number, paragraph in enumerate(self._paragraphs):
            left = INDENT * type_height if paragraph.mark else 0.0
            line = _Line()
            lines = [line]
            if paragraph.mark:
                line.placed.append((0.0, Fragment(paragraph.mark)))
            line.width = left
            for word in paragraph.words:
                sizes = [self._measured(fragment, width - left) for fragment in word]
                wide = sum(size[0] for size in sizes)
                if line.width > left and line.width + space + wide > width:
                    line = _Line(width=left)
                    lines.append(line)
                x = line.width + (space if line.width > left else 0.0)
                for fragment, (advance, above, below) in zip(word, sizes, strict=True):
                    line.placed.append((x, fragment))
                    line.ascent, line.descent = max(line.ascent, above), max(line.descent, below)
                    x += advance
                line.width = x
            y += PARAGRAPH_GAP * type_height if number else 0.0
            for made in lines:
                y += max(made.ascent, metrics.ascent())
                self._lines.append((y, made))
                y += max(made.descent, metrics.descent()) + LINE_GAP * type_height
        self._laid_out_for, self._height = (width, QApplication.font().pointSizeF()), y
        return y

    # Qt -------------------------------------------------------------------------------------------------
    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return int(self._lay_out(float(width))) + 1

    def sizeHint(self) -> QSize:
        width = self.width() if self.width() > 60 else 260
        return QSize(200, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, int(QFontMetricsF(self._font("")).height()) if self._text else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange) and hasattr(self, "_height"):
            self._forget()

    def paintEvent(self, event: QPaintEvent) -> None:
        width = float(self.width())
        self._lay_out(width)
        ink = getattr(current_theme(), self._tone)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(ink)
        for baseline, line in self._lines:
            for x, fragment in line.placed:
                if fragment.style == "formula" and typesetter().ready(fragment.text):
                    size = self._formula_points(fragment, width)
                    top = baseline - formula_ascent(fragment.text, size)
                    draw_formula(painter, QPointF(x + 1, top), fragment.text, size, ink)
                    continue
                painter.setFont(self._font(fragment.style))
                text = plain(fragment.text) if fragment.style == "formula" else fragment.text
                painter.drawText(QPointF(x, baseline), text)


class Clickable(Prose):
    """Prose that stands for the button beside it: a click on the words is a click on the button."""

    def __init__(self, text: str, button: QWidget) -> None:
        super().__init__(text)
        self._button = button

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._button.click()  # type: ignore[attr-defined]
