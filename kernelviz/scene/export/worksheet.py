"""Worksheets of lessons as PDF: prose with typeset formulas, figures of the stages, boxes and room to write.

Items become blocks with a height, blocks are put on pages, and pages are painted, so that the page numbers of
the contents are known before anything is drawn. All lengths are in points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.export.composition import Composition
from kernelviz.scene.export.files import ensure_application, pdf_pages
from kernelviz.scene.export.options import Options
from kernelviz.scene.export.worksheet_items import WorksheetItem, questions, solutions
from kernelviz.scene.figure.typeface import font
from kernelviz.scene.painter import Layout
from kernelviz.scene.panels import opened
from kernelviz.scene.prose import TextLayout, lay_out, parse
from kernelviz.scene.workspace_painter import Subject, painter_of
from kernelviz.session.lessons.lesson import Lesson, Stage
from kernelviz.session.themes import LIGHT

Paper = Literal["a4", "letter"]
PAPERS = {"a4": (210 / 25.4 * 72, 297 / 25.4 * 72), "letter": (612.0, 792.0)}
PAGE_FOOT = 30.0  # From the page number to the lower edge.
TYPE, TITLE, HEADING, NOTE = 10.5, 19.0, 13.0, 9.0  # Sizes of type.
BLOCK_GAP = 7.0  # Below a block.
WRITING_LINE = 22.0  # Between lines to write on.
INDENT = 18.0  # Where the text beside a box begins.
FIGURE = Options(text=8.5, strokes=0.75, dpi=150.0, formula=False)
STAGE_VIEWS = FIGURE.replace(canvas=False, caption=False)  # The insight views of a stage, below its figure.
FINE = 10.0  # Type is set at ten times its size: fonts have whole-number sizes.


@dataclass(frozen=True)
class PageBlock:
    """Something on a page. paint: with its top left corner at the origin."""

    height: float
    paint: Callable[[QPainter], None]
    above: float = 0.0  # White space, except at the top of a page.
    with_next: bool = False  # Stays on the page of the block after it.


@dataclass
class Page:
    """Blocks with the y of their tops, and the words at the foot of the page."""

    foot: str
    placed: list[tuple[float, PageBlock]] = field(default_factory=list)


def worksheets(lessons: Sequence[Lesson], paper: Paper = "a4", with_solutions: bool = False) -> bytes:
    """Return the worksheets of lessons as one PDF; several have a table of contents, and solutions come
    last.

    >>> Path("lessons.pdf").write_bytes(worksheets(lessons, paper="a4", with_solutions=True))"""
    chapters = [(lesson.title, list(questions(lesson))) for lesson in lessons]
    if with_solutions:
        chapters += [(f"Solutions: {lesson.title}", list(solutions(lesson))) for lesson in lessons]
    if len(lessons) == 1:
        return sheets(chapters, paper, lessons[0].title)
    return sheets(chapters, paper, "Lessons", contents=True)


def sheets(
    chapters: Sequence[tuple[str, list[WorksheetItem]]], paper: Paper, title: str, contents: bool = False
) -> bytes:
    """Return chapters as one PDF, after a table of contents if that is wanted."""
    ensure_application()
    margin = 54.0  # Around the page.
    room = QRectF(0, 0, *PAPERS[paper]).adjusted(margin, margin, -margin, -margin)
    laid = [(foot, _pages(foot, _blocks(items, room.width()), room)) for foot, items in chapters]
    pages = [page for _, own in laid for page in own]
    if contents:
        # How many pages the contents take does not depend on the numbers in them.
        before = len(_pages("Contents", _contents(laid, 0, room.width()), room))
        pages = [*_pages("Contents", _contents(laid, before, room.width()), room), *pages]
    return _written(pages, PAPERS[paper], room, title)


# Blocks ------------------------------------------------------------------------------------------------
def _blocks(items: Iterable[WorksheetItem], width: float) -> Iterator[PageBlock]:
    """Yield the blocks of items, in the order of the page."""
    step_gap = 14.0  # Above a heading.
    for item in items:
        match item.kind:
            case "title":
                yield _text(item.text, width, TITLE, bold=True)
            case "heading":
                heading = _text(item.text, width, HEADING, bold=True)
                yield replace(heading, above=step_gap, with_next=True)
            case "words":
                yield from _lines(item.text, width)
            case "lead":
                yield replace(_text(item.text, width), with_next=True)
            case "note":
                yield from _lines(item.text, width, NOTE, LIGHT.muted)
            case "box":
                yield replace(_boxed(_text(item.text, width - INDENT)), with_next=True)
            case "room":
                yield replace(_room(item.text, width, item.lines), with_next=item.with_next)
            case "figure" if item.stage is not None:
                yield from _figures(item.stage, width)


def _text(
    text: str, width: float, size: float = TYPE, *, bold: bool = False, ink: str = LIGHT.text
) -> PageBlock:
    """Return a text that stays together."""
    return _block(lay_out(parse(text), FINE * width, font(FINE * size, bold=bold)), ink, BLOCK_GAP)


def _lines(text: str, width: float, size: float = TYPE, ink: str = LIGHT.text) -> Iterator[PageBlock]:
    """Yield the lines of a text, between which a page may end."""
    for paragraph in parse(text):
        *lines, last = lay_out([paragraph], FINE * width, font(FINE * size)).split()
        yield from (_block(line, ink) for line in lines)
        yield _block(last, ink, BLOCK_GAP)


def _block(layout: TextLayout, ink: str, below: float = 0.0) -> PageBlock:
    """Return laid-out text as a block; the text is set FINE times as large as it is painted."""

    def paint(painter: QPainter) -> None:
        painter.scale(1 / FINE, 1 / FINE)
        layout.paint(painter, ink)

    return PageBlock(layout.height / FINE + below, paint)


def _boxed(text: PageBlock) -> PageBlock:
    """Return a text with a box to tick before it."""

    box = 9.0  # The side of a box to tick.

    def paint(painter: QPainter) -> None:
        painter.setPen(QPen(QColor(LIGHT.text), 0.8))
        painter.drawRect(QRectF(0.5, 2.0, box, box))
        painter.translate(INDENT, 0)
        text.paint(painter)

    return replace(text, paint=paint)


def _room(words: str, width: float, lines: int) -> PageBlock:
    """Return lines to write on. The first begins after the words."""
    label = _text(words, width, NOTE, ink=LIGHT.muted)
    begin = 8 + lay_out(parse(words), FINE * width, font(FINE * NOTE)).lines[0][1].width / FINE

    def paint(painter: QPainter) -> None:
        painter.setPen(QPen(QColor(LIGHT.muted), 0.5))
        for k in range(lines):
            y = 11.0 + k * WRITING_LINE
            painter.drawLine(QLineF(0.0 if k else begin, y, width, y))
        label.paint(painter)

    return PageBlock(11.0 + (lines - 1) * WRITING_LINE + 2 * BLOCK_GAP, paint)


def _figures(stage: Stage, width: float) -> Iterator[PageBlock]:
    """Yield the figure of a stage, and below it one of the views that are open. A single plot is narrower."""
    staged = stage.state()
    state, panels = staged.shown(), opened(staged.open_views)
    document = state.document
    alone = len(document.fits) == 1 or document.workspace.lays_over
    try:
        shown = Composition.computed(state) if panels else Composition.of_state(state)
        figures = [shown.figure(FIGURE)]
        if panels:
            figures.append(shown.figure(STAGE_VIEWS, shown.worked_out(panels)))
    except BadInput:  # a fit that refuses its data, as some lessons mean it to
        points = Subject(document.data, state.look, kernel=document.kernel)
        figures, alone = [painter_of(document.workspace).figure(points)], True
    figure_height, narrow_figure = 185.0, 0.6  # A figure of one plot takes this share of the width.
    for figure, narrow in zip(figures, (alone, False), strict=False):
        rect = QRectF(0, 0, narrow_figure * width if narrow else width, figure_height)
        yield PageBlock(
            figure_height + BLOCK_GAP, Layout(figure, rect, FIGURE.style()).paint, BLOCK_GAP, True
        )


# Pages -------------------------------------------------------------------------------------------------
def _pages(foot: str, blocks: Iterable[PageBlock], room: QRectF) -> list[Page]:
    """Put blocks on pages. Those that belong together go to the next page together, if one page is enough."""
    pages, y = [Page(foot)], 0.0
    for group in _groups(blocks):
        height = sum(block.above + block.height for block in group)
        for some in [group] if height <= room.height() else [[block] for block in group]:
            height = sum(block.above + block.height for block in some)
            if y > 0 and y + height > room.height():
                pages.append(Page(foot))
                y = 0.0
            for block in some:
                y += block.above if y else 0.0
                pages[-1].placed.append((y, block))
                y += block.height
    return pages


def _groups(blocks: Iterable[PageBlock]) -> Iterator[list[PageBlock]]:
    """Group the blocks that must share a page."""
    group: list[PageBlock] = []
    for block in blocks:
        group.append(block)
        if not block.with_next:
            yield group
            group = []
    if group:
        yield group


def _contents(chapters: Sequence[tuple[str, list[Page]]], before: int, width: float) -> Iterator[PageBlock]:
    """Yield the table of contents. before: the number of pages before the first chapter."""
    yield _text("Contents", width, TITLE, bold=True)
    number = before + 1
    for title, pages in chapters:
        yield _entry(title, str(number), width)
        number += len(pages)


def _entry(title: str, number: str, width: float) -> PageBlock:
    """Return a line of the contents: a title, and the number of its page on the right."""
    words, digits = _text(title, width - 40), _text(number, 40)

    def paint(painter: QPainter) -> None:
        painter.save()
        words.paint(painter)
        painter.restore()
        painter.translate(width - 30, 0)
        digits.paint(painter)

    return PageBlock(words.height, paint)


def _written(pages: Sequence[Page], size: tuple[float, float], room: QRectF, title: str) -> bytes:
    """Return the pages as a PDF, each with a line at its foot."""

    def paint(painter: QPainter, new_page: Callable[[], object]) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, page in enumerate(pages, 1):
            if number > 1:
                new_page()
            foot = _text(f"{page.foot} · {number} of {len(pages)}", room.width(), NOTE, ink=LIGHT.muted)
            for y, block in (*page.placed, (room.height() + PAGE_FOOT - 8, foot)):
                painter.save()
                painter.translate(QPointF(room.left(), room.top() + y))
                block.paint(painter)
                painter.restore()

    return pdf_pages(size, title, paint)
