"""Prose with formulas between dollar signs, placed and drawn word by word, on screen and on paper.

>>> lay_out(parse("The kernel is $K(x, x')$."), 300.0, font(12)).paint(painter, "#000000")

Of Markdown it shows paragraphs, lists, *emphasis*, **strong words** and `code`; of a link or a picture it
shows the words. Nothing in it is ever taken for HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from kernelviz.scene.formula import draw_formula, formula_ascent, formula_size, plain

PIECES = re.compile(r"(\$[^$]+\$|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
# Spaces at which no line ends: in "5 %", "(0, −1)" and "γ = 2".
TIGHT = re.compile(r"(?<=\d) (?=%)|(?<=\d,) (?=[−-]?[\d.]+\))|(?<=\w) (?== [−\d])|(?<= =) (?=[−\d])")
ITEM = re.compile(r"\s*(?:[-*•]|(\d{1,3})[.)])\s+")
LINE_GAP = 0.28  # Between lines, in units of the type's height.


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
    """Yield the words of a paragraph, each as the fragments that stay together in a line."""
    word: list[Fragment] = []
    for k, piece in enumerate(PIECES.split(text)):
        if k % 2 and piece.startswith("$"):
            word.append(Fragment(piece[1:-1].strip(), "formula"))
            continue
        style = (
            "" if not k % 2 else "code" if piece[0] == "`" else "emphasis" if piece[1] != "*" else "strong"
        )
        content = piece.strip("`") if style == "code" else piece.strip("*") if style else piece
        for part in re.split(r"([^\S\u00a0]+)", TIGHT.sub("\u00a0", content)):
            if part.isspace():
                if word:
                    yield tuple(word)
                word = []
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
    return " ".join(words).replace("\u00a0", " ")


# Lines -------------------------------------------------------------------------------------------------
class PlacedFragment(NamedTuple):
    """A fragment at its place in a line. size: of a formula; 0 for text."""

    x: float
    text: str
    style: str
    size: float = 0.0


@dataclass
class TextLine:
    """Fragments on one baseline."""

    placed: list[PlacedFragment] = field(default_factory=list)
    width: float = 0.0
    ascent: float = 0.0
    descent: float = 0.0


@dataclass(frozen=True)
class TextLayout:
    """The lines of a text, each with the y of its baseline, and the height of all of them."""

    font: QFont
    lines: tuple[tuple[float, TextLine], ...] = ()
    height: float = 0.0

    def split(self) -> list[TextLayout]:
        """Split into single lines, so that a text can continue on the next page."""
        metrics = QFontMetricsF(self.font)
        found, top = [], 0.0
        for baseline, line in self.lines:
            bottom = baseline + max(line.descent, metrics.descent()) + LINE_GAP * metrics.height()
            found.append(TextLayout(self.font, ((baseline - top, line),), bottom - top))
            top = bottom
        return found

    def paint(self, painter: QPainter, ink: str) -> None:
        """Draw the text with its top left corner at the origin."""
        painter.setPen(QColor(ink))
        for baseline, line in self.lines:
            for x, text, style, size in line.placed:
                if size:
                    corner = QPointF(x + 1, baseline - formula_ascent(text, size))
                    draw_formula(painter, corner, text, size, ink)
                else:
                    painter.setFont(_styled(self.font, style))
                    painter.drawText(QPointF(x, baseline), text)


def _styled(font: QFont, style: str) -> QFont:
    """Return a font in the style of a fragment."""
    styled = QFont(font)
    if style == "strong":
        styled.setWeight(QFont.Weight.DemiBold)
    elif style == "emphasis":
        styled.setItalic(True)
    elif style == "code":
        styled.setFamilies(["DejaVu Sans Mono", "monospace", *font.families()])
    return styled


def lay_out(
    paragraphs: Sequence[Paragraph],
    width: float,
    font: QFont,
    typeset: Callable[[str], bool] = lambda latex: True,
) -> TextLayout:
    """Place all words in lines of a width. A formula that is not typeset yet is shown as letters."""
    metrics = QFontMetricsF(font)
    space, type_height = metrics.horizontalAdvance(" "), metrics.height()

    formula_scale = 0.84  # The size of formulas, compared with the height of the type around them.
    smallest = 0.55  # A formula that is too wide is made smaller, down to this share.

    def placed(x: float, fragment: Fragment, line: TextLine, room: float) -> float:
        """Place a fragment in a line, and return where it ends."""
        text, style = fragment.text, fragment.style
        if style == "formula" and typeset(text):
            size = formula_scale * type_height
            wide, high = formula_size(text, size)
            if wide > room:
                size *= max(smallest, room / wide)
                wide, high = formula_size(text, size)
            above = formula_ascent(text, size)
            line.placed.append(PlacedFragment(x, text, style, size))
            line.ascent, line.descent = max(line.ascent, above), max(line.descent, high - above)
            return x + wide + 2
        text = plain(text) if style == "formula" else text
        line.placed.append(PlacedFragment(x, text, style))
        return x + QFontMetricsF(_styled(font, style)).horizontalAdvance(text)

    lines: list[tuple[float, TextLine]] = []
    y = 0.0
    paragraph_gap = 0.6  # Between paragraphs, in units of the type's height.
    indent = 1.3  # Of the items of a list, in units of the type's height.
    for number, paragraph in enumerate(paragraphs):
        y += paragraph_gap * type_height if number else 0.0
        left = indent * type_height if paragraph.mark else 0.0
        line = TextLine([PlacedFragment(0.0, paragraph.mark, "")] if paragraph.mark else [], left)
        own = [line]
        words = [(word, space) for word in paragraph.words]
        while words:
            (word, gap), trial, wide = words.pop(0), TextLine(), 0.0
            for fragment in word:
                wide = placed(wide, fragment, trial, width - left)
            if wide > width - left and len(pieces := _broken(word)) > 1:
                words[:0] = [(pieces[0], gap), *((piece, 0.0) for piece in pieces[1:])]
                continue
            if line.width > left and line.width + gap + wide > width:
                line = TextLine(width=left)
                own.append(line)
            x = line.width + (gap if line.width > left else 0.0)
            line.placed += [piece._replace(x=x + piece.x) for piece in trial.placed]
            line.width = x + wide
            line.ascent = max(line.ascent, trial.ascent)
            line.descent = max(line.descent, trial.descent)
        for line in own:
            y += max(line.ascent, metrics.ascent())
            lines.append((y, line))
            y += max(line.descent, metrics.descent()) + LINE_GAP * type_height
    return TextLayout(font, tuple(lines), y)


def _broken(word: tuple[Fragment, ...]) -> list[tuple[Fragment, ...]]:
    """Return the pieces of a word that is wider than a line."""
    pieces: list[tuple[Fragment, ...]] = []
    longest_piece = 12  # Characters that stay together of a word that is wider than the line.
    for fragment in word:
        size = len(fragment.text) if fragment.style == "formula" else longest_piece
        cuts = range(0, len(fragment.text), size)
        pieces += [(Fragment(fragment.text[cut : cut + size], fragment.style),) for cut in cuts]
    return pieces
