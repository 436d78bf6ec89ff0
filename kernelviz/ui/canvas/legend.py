"""The legend on the canvas: in a corner of the plane where it covers no point, or in a row below.

It stands still while the user works: its lines change only between gestures, and it moves only if it would
cover a point, or when the data, the size or the toggles change. Its place has room for the lines that the
steps of a run add, so that it stays there when the user watches one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter

from kernelviz.engine.core.arrays import Array, distinct
from kernelviz.scene.figure.legend import Entry, Legend, kept, merged
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL, image_of
from kernelviz.scene.plane.layers import GlyphLayer
from kernelviz.scene.workspace_painter import Decoration
from kernelviz.session.view import LegendPlace

# The corners in the order they are tried: the name of each, whether it is right, and whether below.
CORNERS: dict[LegendPlace, tuple[bool, bool]] = {
    "top right": (True, False),
    "top left": (False, False),
    "bottom right": (True, True),
    "bottom left": (False, True),
}
WIDEST, TALLEST = 0.6, 0.95  # Of the plane: a larger card would leave too little of it.


class LegendCard:
    """The legend in one of the corners, or "below": in a row below the plane, which the area draws.

    Its methods take the size of the plane in logical pixels, the style, and the toggles that are on."""

    def __init__(self) -> None:
        self.legend = Legend(())
        self._in_run = Legend(())  # With all lines that a run of the fits may add.
        self._for_run = False  # Whether it needs room for these: during a run, and for fits side by side.
        self.place: LegendPlace = "top right"
        self.pinned: LegendPlace | None = None  # Where it stays, whatever it covers.
        # "check": points or the view have moved, or it has grown; it does not return from below for that,
        # because it must not come and go while the user works. "choose": look for the best place.
        self.due: Literal["", "check", "choose"] = "choose"
        self._explained: object = None
        self._context: object = None
        self._size = QSizeF()  # Of the card in a corner.
        self._measured: object = None  # What it was measured for.
        # By resolution, with what they were drawn for: the canvas has one, and its copy for an audience.
        self._drawn: dict[float, tuple[object, QImage]] = {}

    # What it explains ----------------------------------------------------------------------------------
    def explain(
        self,
        fits: Sequence[Decoration[Any]],
        points: Mapping[str, GlyphLayer],
        shown: frozenset[str],
    ) -> bool:
        """Make the entries for fits and points, with the toggles that are on; return True if they changed.

        A line that comes and goes while a number or a point moves is kept: the picture stands still. The
        lines of a run are not kept after it."""
        present = [(name, layer.class_names, distinct(layer.classes)) for name, layer in points.items()]
        explained = (fits, [tuple(fit.others.items()) for fit in fits], shown, present)
        if explained == self._explained:
            return False
        self._explained = explained
        entries = merged(fit.entries(points, shown, run=False) for fit in fits)
        possible = merged(fit.entries(points, shown, fit.in_run or fit.watchable) for fit in fits)
        running = any(fit.in_run for fit in fits)
        context = (shown, present, [_kinds_of_fits(fit) for fit in fits])
        if context == self._context:
            entries = kept(self.legend.entries, entries)
            if running:  # what a step adds takes the place it will always have
                entries = tuple(sorted(entries, key=_place_among(possible)))
        self._context = context
        differs = _texts(entries) != _texts(self.legend.entries)
        if differs:
            self.legend = Legend(entries)
        in_run = kept(entries, possible)
        needs = (_texts(in_run), running or len(fits) > 1)
        if differs or needs != (_texts(self._in_run.entries), self._for_run):
            self._in_run, self._for_run = Legend(in_run), needs[1]
            self.check()
        return differs

    def forget(self) -> None:
        """Keep no line and no place of earlier data."""
        self.due, self._context = "choose", None

    # Where it lies -------------------------------------------------------------------------------------
    @property
    def below(self) -> tuple[Legend, Legend]:
        """Return the legend to show in a row below the plane, and the largest one to reserve room for."""
        return (self.legend, self._in_run) if self.place == "below" else (Legend(()), Legend(()))

    def check(self) -> None:
        """Look for another place if it covers a point."""
        self.due = self.due or "check"

    def settle(self, pixels: Array, plane: QSizeF, style: Style, shown: frozenset[str]) -> bool:
        """Go to a corner that covers no point, below if there is none; stay where that is as good. Return
        True if it moves.

        `pixels`, (n, 2), are the points in the plane as large as it is without a row below it, so that the
        choice does not depend on the one before."""
        place = self.pinned
        if place is None and self.legend.entries:
            corners = CORNERS if self.place == "below" else (self.place, *CORNERS)
            # With room for a run if there is some. Small planes side by side have it below rather than not.
            legends = (self._in_run,) if self._for_run else (self._in_run, self.legend)
            sizes = (QSizeF(*legend.card_size(style)) / POINTS_PER_PIXEL for legend in legends)
            cards = ((c, card_in(size, plane, style, c)) for size in sizes for c in corners)
            reach = style.ring_radius(0.0) / POINTS_PER_PIXEL
            free = (c for c, card in cards if _fits(card, plane) and not covers(card, reach, pixels))
            place = next(free, "below")
        return self._go_to(place)

    def pin(self, place: LegendPlace | None) -> bool:
        """Keep the legend in a place, whatever it covers; with None it looks for a free one. Return True if
        it moves."""
        self.pinned, self.due = place, "choose"
        return self._go_to(place)

    def _go_to(self, place: LegendPlace | None) -> bool:
        """Move to `place`, if there is one; return True if that changed anything."""
        moves = place is not None and place != self.place
        self.place = place or self.place
        return moves

    @staticmethod
    def nearest(column: float, row: float, plane: QSizeF) -> LegendPlace:
        """Return the corner nearest to a place in logical pixels."""
        wanted = (column > plane.width() / 2, row > plane.height() / 2)
        return next(name for name, corner in CORNERS.items() if corner == wanted)

    def card(self, plane: QSizeF, style: Style, shown: frozenset[str]) -> QRectF:
        """Return where the card lies, in logical pixels; it may be empty."""
        if self.place == "below" or not self.legend.entries or "legend" not in shown:
            return QRectF()
        if (self.legend, style) != self._measured:
            self._measured = self.legend, style
            self._size = QSizeF(*self.legend.card_size(style)) / POINTS_PER_PIXEL
        return card_in(self._size, plane, style, self.place)

    # Drawing -------------------------------------------------------------------------------------------
    def draw(self, painter: QPainter, plane: QSizeF, style: Style, shown: frozenset[str]) -> None:
        """Draw the card with a painter in logical pixels; its image is kept."""
        card = self.card(plane, style, shown)
        if card.isEmpty() or not _fits(card, plane):
            return  # a small canvas belongs to the data
        ratio = painter.device().devicePixelRatioF() * round(painter.worldTransform().m11(), 3)
        drawn_for, image = self._drawn.get(ratio, (None, QImage()))
        if (self.legend, style) != drawn_for:
            air = POINTS_PER_PIXEL  # around the card: its frame reaches beyond it
            draw = partial(self.legend.paint_card, corner=QPointF(air, air), style=style)
            size = card.adjusted(0, 0, 3, 3).size() * POINTS_PER_PIXEL
            image = image_of(draw, size, ratio)
            others = list(self._drawn.items())[-1:]
            self._drawn = {**dict(others), ratio: ((self.legend, style), image)}
        painter.drawImage(card.topLeft() - QPointF(1, 1), image)


def _texts(entries: Sequence[Entry]) -> list[str]:
    """Return the texts of the lines of a legend."""
    return [entry.text for entry in entries]


def card_in(size: QSizeF, plane: QSizeF, style: Style, corner: LegendPlace) -> QRectF:
    """Return where a card of that size lies in a corner of the plane."""
    width, height = size.toTuple()
    air = 8.0 * style.strokes
    right, below = CORNERS[corner]
    left = plane.width() - width - air if right else air
    top = plane.height() - height - air if below else air
    return QRectF(round(left), round(top), width, height)


def _fits(card: QRectF, plane: QSizeF) -> bool:
    """Return True if a card leaves enough of the plane free."""
    return card.width() <= WIDEST * plane.width() and card.height() <= TALLEST * plane.height()


def covers(card: QRectF, reach: float, pixels: Array) -> bool:
    """Return True if a mark of this reach around one of the points would touch the card."""
    card = card.adjusted(-reach, -reach, reach, reach)
    low, high = (card.left(), card.top()), (card.right(), card.bottom())
    return bool(((pixels >= low) & (pixels <= high)).all(axis=1).any())


def _kinds_of_fits(decoration: Decoration[Any]) -> object:
    """Return which kernels and algorithms are compared, without their parameters, for which classes, which
    fits failed, and whether a run is watched and has begun."""
    frame = decoration.frame
    fits = () if frame is None else frame.request.fits
    failed = [fit for fit, other in decoration.others.items() if other is None]
    begun = frame is not None and frame.step > 0
    kinds = [(type(fit.kernel), type(fit.algorithm)) for fit in fits]
    return kinds, decoration.data.class_names, failed, decoration.in_run, decoration.in_run and begun


def _place_among(entries: Sequence[Entry]) -> Callable[[Entry], int]:
    """Return a function of an entry that returns its place among others, or behind them."""
    places = {entry.key: k for k, entry in enumerate(entries)}
    return lambda entry: places.get(entry.key, len(places))
