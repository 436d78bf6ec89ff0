"""The words around a plot or around several: title and formula above, a caption below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.scene.figure.style import CAPTION, Style
from kernelviz.scene.figure.text import draw_text, line_height, overshoot, text_width, with_dots, wrapped
from kernelviz.scene.formula import draw_formula, formula_size
from kernelviz.scene.nodes import Node, Placed


@dataclass(frozen=True)
class Captions:
    """The words around a plot; those that are empty take no room."""

    title: str = ""
    formula: str = ""
    caption: str = ""
    # The captions of the frames of a film, or of the panels of a figure: all keep room for the one with the
    # most lines, or the plot would jump.
    others: tuple[str, ...] = ()
    brief: Captions | None = None  # What to say instead where there is no room for all of it.
    letter: str = ""  # Of one of several fits: it stands in the plot where there is no room for a caption.

    def untitled(self) -> Captions:
        """Return the captions without the title, which stands elsewhere."""
        return replace(self, title="", brief=self.brief and self.brief.untitled())


NO_WORDS = Captions()


@dataclass(frozen=True, eq=False)
class Captioned(Node):
    """Captions around another node."""

    padding = 0.0
    body: Node
    words: Captions

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        style = style.for_room(rect.width(), rect.height())
        words = PlacedWords(self.words, rect, style)
        yield words
        if words.inner.width() > 0 and words.inner.height() > 0:
            yield from self.body.leaves(self.body.padded(words.inner, style), style)


class PlacedWords(Placed):
    """Title and formula above, the caption below, as far as the plot has room; `inner` is what they leave.

    A title that leaves the formula no room on its line stands above it, and one wider than the figure ends in
    dots."""

    def __init__(self, words: Captions, rect: QRectF, style: Style) -> None:
        super().__init__("words", rect, style)
        plain = replace(words, formula="")
        brief = words.brief or plain
        tried = (words, plain, brief, replace(brief, caption="", others=()), NO_WORDS)
        most_words = 0.22  # Share of the height that the words may take: the plot matters most.
        most = most_words * rect.height()
        self.words = next(w for w in tried if sum(_heights(w, rect.width(), style)) <= most)
        for what in ("title", "formula", "caption"):
            if getattr(words, what) and not getattr(self.words, what):
                style.leave_out(f"the {what}")
        if self.words.caption not in ("", words.caption):
            style.make_smaller("the caption")
        above, below = _heights(self.words, rect.width(), style)
        self.inner = rect.adjusted(0, above, 0, -below)

    def draw_ground(self, painter: QPainter) -> None:
        words, rect, style = self.words, self.rect, self.style
        big, small = 1.3 * style.text, CAPTION * style.text
        width, height, stacked = _formula(words, rect.width(), style)
        foot = self.inner.top() - 0.6 * style.text  # of the formula, and of the title on its line
        if words.title:
            depth = 0.35 * big + overshoot(words.title, big)[1]
            at = QPointF(rect.left(), foot - (height + 0.3 * big if stacked else 0.0) - depth)
            title = with_dots(words.title, big, rect.width(), bold=True)
            if title != words.title:
                style.make_smaller("the title")
            draw_text(painter, style, at, title, points=big, bold=True)
        if words.formula:
            size = big * width / max(formula_size(words.formula, big)[0], 1e-9)
            if size < 0.99 * big:
                style.make_smaller("the formula")
            corner = QPointF(rect.right() - width, foot - height)
            draw_formula(painter, corner, words.formula, size, style.theme.ink)
        y = self.inner.bottom() + 0.35 * small
        for line in wrapped(words.caption, small, rect.width()):
            above, depth = overshoot(line, small)
            y += line_height(small) + above
            draw_text(
                painter, style, QPointF(rect.left(), y), line, points=small, colour=style.theme.soft_ink
            )
            y += depth


def _formula(words: Captions, room: float, style: Style) -> tuple[float, float, bool]:
    """Return the width and height of the formula, and whether it stands below the title."""
    if not words.formula:
        return 0.0, 0.0, False
    big = 1.3 * style.text
    width, height = formula_size(words.formula, big)
    fits = min(1.0, room / width) if width else 1.0
    beside = text_width(words.title, big, bold=True) + 1.5 * big + fits * width if words.title else 0.0
    return fits * width, fits * height, beside > room


def _heights(words: Captions, room: float, style: Style) -> tuple[float, float]:
    """Return the heights of the words above and below the plot."""
    above = below = 0.0
    if words.title or words.formula:
        _, height, stacked = _formula(words, room, style)
        line = line_height(1.3 * style.text) + sum(overshoot(words.title, 1.3 * style.text))
        above = (line + height + 0.3 * style.text if stacked else max(line, height)) + 0.6 * style.text
    small = CAPTION * style.text
    for text in (words.caption, *words.others):
        lines = wrapped(text, small, room)
        tall = sum(line_height(small) + sum(overshoot(line, small)) for line in lines)
        below = max(below, tall + 0.6 * small if lines else 0.0)
    return above, below
