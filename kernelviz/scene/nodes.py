"""The tree of a scene: rows, columns and alternatives, and the leaves that are painted.

Every kind of leaf is two classes: a frozen dataclass with its contents, a `Node`, and a `Placed`, which has
the geometry of that leaf in one rectangle: how it is drawn, how marks are drawn on it, and what is where. A
tree is put together like this:

>>> caption = Text("Four points, two of them support vectors.")
>>> scene = Column(((plot, None), (caption, Size(lines=2.5))))

The plot gets the height that is left when the caption has two and a half lines of type. Nothing is drawn
until a `Layout` (in `painter.py`) asks the tree for its leaves in a rectangle. All lengths are in points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import ceil
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import CAPTION, Style
from kernelviz.scene.figure.text import SMALLEST_TYPE, draw_text, with_dots, wrapped

NO_PLACES: Array = np.empty((0, 2))


# What is found and marked -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Hit:
    """The thing drawn at a place of a scene; empty where there is nothing.

    The painter finds it, and a view answers it: `View.on_click` is given the hit under the mouse."""

    part: str = ""  # The name of the node or layer.
    points: tuple[int, ...] = ()  # The training points drawn there: none, one, or the two of a pair.
    row: str = ""  # The name of the row there.
    at: tuple[float, float] | None = None  # The place in the units of the axes.
    tip: str = ""  # An explanation, for a tooltip.


@dataclass(frozen=True)
class Marks:
    """The highlights: the selected points, the hovered one, its partner in a pair, and the hit under the
    mouse in this scene."""

    selected: tuple[int, ...] = ()
    hovered: int | None = None
    partner: int | None = None
    pointed: Hit = field(default_factory=Hit)

    def among(self, n: int) -> tuple[int, ...]:
        """Return the marked ones of the first n points; the hovered one is the last."""
        chosen = (*self.selected, *(() if self.hovered is None else (self.hovered,)))
        return tuple(i for i in chosen if i < n)

    @property
    def point(self) -> int | None:
        """The point whose details are shown: the hovered one, else the first of the selected, else None."""
        return self.selected[0] if self.hovered is None and self.selected else self.hovered


# The tree ---------------------------------------------------------------------------------------------------


def value_of(thing: object) -> object:
    """Return a key that is equal for equal contents: the bytes of an array, the fields of a node or layer."""
    if isinstance(thing, Valued):
        return thing.value
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tobytes()
    if isinstance(thing, tuple | list):
        return tuple(map(value_of, thing))
    return thing


class Valued:
    """A frozen dataclass that is compared by its contents, arrays included, except for cached fields with
    `compare=False`.

    Two scenes whose grounds have the same `value` share one picture of it, so `value` must change with
    everything that is seen."""

    @cached_property
    def value(self) -> object:
        """A key that is equal for two that look the same: the type and the contents of all compared
        fields."""
        own = (each.name for each in fields(self) if each.compare)  # type: ignore[arg-type]
        return type(self), *(value_of(getattr(self, name)) for name in own)


class Node(Valued, ABC):
    """A part of a scene: a leaf that is drawn, or a layout of other nodes.

    A layout divides its rectangle among its children. This one makes room for a heading above anything:

    >>> @dataclass(frozen=True, eq=False)
    ... class UnderHeading(Node):
    ...     heading: str
    ...     body: Node
    ...
    ...     def leaves(self, rect, style):
    ...         line = QRectF(rect.left(), rect.top(), rect.width(), 1.5 * style.text)
    ...         yield from Text(self.heading, lines=1).leaves(line, style)
    ...         yield from self.body.leaves(rect.adjusted(0, 1.5 * style.text, 0, 0), style)

    A leaf yields a subclass of `Placed`; what is drawn once by a function needs none, see `Custom`."""

    padding: ClassVar[float] = 0.5  # Around it if it is a whole scene, in units of the type size.

    @abstractmethod
    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        """Yield the leaves of this part with their places inside a rectangle of points. The style says how
        large type and strokes are."""

    def padded(self, rect: QRectF, style: Style) -> QRectF:
        """Return the rectangle inside the padding of this node."""
        edge = self.padding * style.text
        return rect.adjusted(edge, edge, -edge, -edge)

    def height(self, width: float, style: Style) -> float:
        """Return the height in points that this part needs, where it can scroll, to be read in a place of
        that width; 0 if it fits any place."""
        return 0.0

    def width(self, style: Style) -> float:
        """Return the width in points that its lines need to be read; 0 if it fits any place."""
        return 0.0


class Placed:
    """A leaf in its rectangle.

    What it shows is drawn in three steps: the ground, which is kept as a picture as long as `ground` is
    equal, the data, which may change with every frame, and the marks above both. `inner` is the part of the
    rectangle where the data are, for a leaf that has axes or a legend around them."""

    ground: object = None
    clip: QRectF | None = None  # Outside this nothing of it is drawn.

    def __init__(self, part: str, rect: QRectF, style: Style) -> None:
        self.part, self.rect, self.style = part, rect, style
        self.inner = rect  # Where the data are, for a leaf that has something around them.

    def draw_ground(self, painter: QPainter) -> None:
        """Draw what stays the same over many frames; when it changes, `ground` must change too."""

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        """Draw the data, which may change with every frame. With `stamps`, on screen, speed matters more than
        precision."""

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        """Draw the marks, above everything else: called whenever the mouse moves."""

    def hit(self, at: QPointF) -> Hit | None:
        """Return what is at a place in points; None where nothing of this leaf is."""
        return None

    def places(self, part: str) -> Array:
        """Return where the marks of a layer are drawn, (m, 2) in points; no rows if it does not have that
        layer."""
        return NO_PLACES

    @property
    def rows(self) -> Mapping[str, QRectF]:
        """The rectangles of the rows of a list or a table, by name."""
        return {}

    @property
    def parts(self) -> tuple[str, ...]:
        """Its own name and those of its layers, by which `Layout.find` finds it."""
        return (self.part,)


# Layout -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Size:
    """The part of a row or column that a child gets: the sum of the first three, up to a share of the whole.

    `Size(lines=3)` is three lines of type, `Size(share=0.4)` two fifths of the length, `Size(across=1.0,
    most=0.5)` a square that takes half of it at most."""

    lines: float = 0.0  # In units of the type size.
    share: float = 0.0  # Of the whole length.
    across: float = 0.0  # In units of the other side: 1 makes a square.
    most: float = 1.0  # Share of the whole length it never exceeds.

    def of(self, length: float, across: float, text: float) -> float:
        """Return the length in points, given that of the whole row or column, that of its other side, and
        the type size."""
        return min(self.lines * text + self.share * length + self.across * across, self.most * length)


@dataclass(frozen=True, eq=False)
class _Sequence(Node):
    """Children one after the other along a row or a column."""

    children: tuple[tuple[Node, Size | None], ...]  # Each with its size; None shares what is left.
    gap: float = 0.0  # Between two children, in units of the type size.

    def _lengths(self, length: float, across: float, text: float) -> Iterator[tuple[Node, float, float]]:
        """Yield the children with where they begin and how long they are."""
        fixed = [None if size is None else size.of(length, across, text) for _, size in self.children]
        rest = length - sum(filter(None, fixed)) - self.gap * text * (len(fixed) - 1)
        begin = 0.0
        for (child, _), given in zip(self.children, fixed, strict=True):
            own = rest / fixed.count(None) if given is None else given
            yield child, begin, own
            begin += own + self.gap * text


class Row(_Sequence):
    """Nodes from left to right.

    >>> Row(((matrix, Size(across=1.0)), (caption, None)), gap=1.0)"""

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        for child, begin, wide in self._lengths(rect.width(), rect.height(), style.text):
            yield from child.leaves(QRectF(rect.left() + begin, rect.top(), wide, rect.height()), style)


class Column(_Sequence):
    """Nodes from top to bottom, with sizes as in a `Row`."""

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        for child, begin, high in self._lengths(rect.height(), rect.width(), style.text):
            yield from child.leaves(QRectF(rect.left(), rect.top() + begin, rect.width(), high), style)


class Stack(Column):
    """Plots above each other along the same horizontal axis: all of them begin at the same place, whatever
    the width of the numbers on their vertical axes."""

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        plots = list(super().leaves(rect, style))
        left = max(plot.inner.left() for plot in plots)
        for plot in plots:
            plot.inner.setLeft(left)
        return iter(plots)


@dataclass(frozen=True, eq=False)
class Headed(Node):
    """A node as high as it needs to be, and another in the room that is left below it."""

    head: Node
    body: Node
    gap: float = 0.0  # Between the two, in units of the type size.

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        high = min(self.head.height(rect.width(), style), rect.height())
        yield from self.head.leaves(QRectF(rect.topLeft(), QSizeF(rect.width(), high)), style)
        below = min(rect.top() + high + self.gap * style.text, rect.bottom())
        yield from self.body.leaves(QRectF(QPointF(rect.left(), below), rect.bottomRight()), style)


@dataclass(frozen=True, eq=False)
class Tiles(Node):
    """Nodes of one size in a grid, with as many columns as make them largest."""

    children: tuple[Node, ...]
    gap: float = 0.0  # To the right of each, in units of the type size.

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        count = len(self.children)

        def shortest(columns: int) -> float:
            return min(rect.width() / columns, rect.height() / ceil(count / columns))

        columns = max(range(1, count + 1), key=shortest)
        wide, high = rect.width() / columns, rect.height() / ceil(count / columns)
        gap = self.gap * style.text
        for k, child in enumerate(self.children):
            row, column = divmod(k, columns)
            left, top = rect.left() + column * wide, rect.top() + row * high
            yield from child.leaves(QRectF(left, top, wide - gap, high), style)


@dataclass(frozen=True, eq=False)
class Either(Node):
    """One of two nodes, as the width and height of the place decide; the test is given both in units of the
    type size.

    >>> Either(lambda width, height: height > 20, both_plots, upper_plot)"""

    test: Callable[[float, float], bool]
    first: Node
    other: Node

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        passed = self.test(rect.width() / style.text, rect.height() / style.text)
        return (self.first if passed else self.other).leaves(rect, style)


@dataclass(frozen=True, eq=False)
class Blank(Node):
    """An empty leaf that only takes up space."""

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        return iter(())


@dataclass(frozen=True, eq=False)
class WithSquare(Node):
    """A square with another node to its right, or below it where the place is higher than wide or too narrow
    for a list. A list below it has the height that its lines need, unless the square would be very small."""

    square: Node
    other: Node
    wide: float = 1.0  # How many times as wide as high a place must be for the other node to its right.

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        room = rect.width() - min(rect.height(), 0.5 * rect.width()) - style.text
        stacked = self.wide * rect.height() > rect.width() or room < self.other.width(style)
        needed = self.other.height(rect.width(), style) + style.text if stacked else 0.0
        smallest_square = 0.25  # The share of the height that a square keeps above a long list.
        share = min(0.5, max(smallest_square, 1.0 - needed / rect.height())) if stacked else 0.5
        children = ((self.square, Size(across=1.0, most=share)), (self.other, None))
        return (Column if stacked else Row)(children, gap=1.0).leaves(rect, style)

    def height(self, width: float, style: Style) -> float:
        beside, below = self._height_beside(width, style), self.other.height(width, style)
        half = 0.5 * width - style.text
        if half >= self.other.width(style) and self.wide * beside <= width:
            return beside
        return below + min(width, below) + style.text

    def _height_beside(self, width: float, style: Style) -> float:
        """Return the least height at which the other node fits to the right of the square: a lower square
        leaves it more width."""
        high = 0.0
        while (needed := self.other.height(width - min(high, 0.5 * width) - style.text, style)) > high:
            high = needed
        return high


@dataclass(frozen=True, eq=False)
class Custom(Node):
    """A leaf drawn by a function, which is called as draw(*contents, painter, rect, style).

    >>> def draw_key(worst: str, best: str, painter: QPainter, rect: QRectF, style: Style) -> None: ...
    >>> Custom("key", ("12 %", "3 %"), draw_key)"""

    part: str
    contents: tuple[Any, ...]  # Two with equal contents look the same.
    draw: Callable[..., None]

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield _PlacedCustom(self, rect, style)


class _PlacedCustom(Placed):
    def __init__(self, node: Custom, rect: QRectF, style: Style) -> None:
        super().__init__(node.part, rect, style)
        self.node, self.ground = node, (node.part, value_of(node.contents))

    def draw_ground(self, painter: QPainter) -> None:
        self.node.draw(*self.node.contents, painter, self.rect, self.style)


# Leaves of text ---------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class Message(Node):
    """A sentence in the middle of its place, broken into lines; a view shows it when there is nothing else to
    show."""

    padding = 0.0
    sentence: str

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        return Custom("message", (self.sentence,), _draw_message).leaves(rect, style)


def _draw_message(sentence: str, painter: QPainter, rect: QRectF, style: Style) -> None:
    """Draw a sentence in the middle of a rectangle."""
    lines = wrapped(sentence, style.text, 0.9 * rect.width())
    top = rect.center().y() - 0.65 * style.text * (len(lines) - 1)
    for k, line in enumerate(lines):
        at = QPointF(rect.center().x(), top + 1.3 * style.text * k)
        draw_text(painter, style, at, line, colour=style.theme.soft_ink, anchor="centre")


@dataclass(frozen=True, eq=False)
class Text(Node):
    """A few lines at the foot of its place. A text that is too long for them is set in smaller type, and ends
    in dots where that would be illegible."""

    text: str
    lines: int = 2

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield _PlacedText(self, rect, style)


class _PlacedText(Placed):
    def __init__(self, node: Text, rect: QRectF, style: Style) -> None:
        super().__init__("text", rect, style)
        self.node = node
        # In units of the type, the first size that fits; the second turns two lines into three.
        text_scales = (1.0, CAPTION, 0.75, SMALLEST_TYPE)
        for scale in text_scales:
            self.size = size = scale * style.text
            self.count = count = min(
                ceil(node.lines / scale), int((rect.height() + 0.35 * size) / (1.3 * size))
            )
            self.lines = lines = wrapped(node.text, size, rect.width()) if count > 0 else []
            if len(lines) <= count:
                return
        self.lines = [*lines[: count - 1], with_dots(" ".join(lines[count - 1 :]), size, rect.width())]

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        for k, line in enumerate(self.lines):
            at = QPointF(self.rect.left(), self.rect.bottom() - (self.count - 1 - k) * 1.3 * self.size)
            draw_text(painter, self.style, at, line, points=self.size, colour=self.style.theme.soft_ink)
