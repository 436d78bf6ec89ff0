"""The marks of points: + and − as in the notes, other shapes for more classes, all with a halo; rings
around support vectors, and strokes around misclassified points.

`rings_of` says which points get rings and strokes, and the draw functions draw many marks of one look,
which `stamps.py` uses to make stamps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache, cached_property
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from shiboken6 import wrapInstance

from kernelviz.engine.core.arrays import Array, Indices, distinct
from kernelviz.engine.models.base import Model
from kernelviz.scene.figure.strokes import pen, polygon
from kernelviz.scene.figure.style import Style

UNLABELLED = -1  # The class of points without one: plain dots.
RING_SIZES = 5  # Ring sizes are quantised: few sprites, and distinguishable sizes.
NO_POINTS: Indices = np.empty(0, dtype=np.intp)


# Which marks ------------------------------------------------------------------------------------------------
class Ring(IntEnum):
    """The kinds of support vectors."""

    FREE = 0
    BOUNDED = 1


@dataclass(frozen=True, eq=False)
class SupportRings:
    """Support vectors by index, kind, and strength in {0, 1/4, 1/2, 3/4, 1} growing with alpha; and the
    misclassified points, support vectors or not."""

    points: Indices
    kinds: Indices
    strengths: Array
    mistakes: Indices
    possible: frozenset[int] = frozenset()  # Kinds that support vectors may have at any step of a run.
    judged: bool = False  # Whether points may be misclassified.

    @cached_property
    def groups(self) -> tuple[tuple[Ring, float, Indices], ...]:
        """The kind, the strength and the indices of rings that look alike, computed once for all paints."""
        code = self.kinds * RING_SIZES + np.rint(self.strengths * (RING_SIZES - 1)).astype(np.intp)
        return tuple(
            (Ring(c // RING_SIZES), c % RING_SIZES / (RING_SIZES - 1), np.flatnonzero(code == c))
            for c in distinct(code)
        )

    @classmethod
    def none(cls, mistakes: Indices = NO_POINTS) -> SupportRings:
        """Return no rings around support vectors."""
        return cls(NO_POINTS, NO_POINTS, np.empty(0), mistakes)


def rings_of(model: Model) -> SupportRings:
    """Find the support vectors, with their kinds and strengths, and the misclassified points.

    There are no rings where every point takes part, by construction as in ridge regression or because it so
    happened to many points without a box: they would say nothing."""
    n, support, alpha = model.problem.n, model.support, model.alpha
    wrong = NO_POINTS if model.mistakes is None else np.flatnonzero(model.mistakes)
    every, boxed = model.algorithm.weighs_every_point, model.box is not None
    possible = frozenset(() if every or alpha is None else Ring if boxed else (Ring.FREE,))
    judged = bool(model.problem.data.class_names) and not model.algorithm.ignores_labels
    all_ringed_up_to = 12
    if every or len(support) == 0 or (not boxed and len(support) == n > all_ringed_up_to):
        return replace(SupportRings.none(wrong), possible=possible, judged=judged)
    own = alpha[support] if alpha is not None else np.zeros(len(support))
    kinds = np.full(len(support), Ring.FREE, dtype=np.intp)
    if model.box is not None:
        kinds[own >= model.box[support] * (1 - 1e-9)] = Ring.BOUNDED
    top = own.max()
    share = own / top if top > 0 else own
    strengths = np.rint(share * (RING_SIZES - 1)) / (RING_SIZES - 1)
    return SupportRings(support, kinds, strengths, wrong, possible, judged)


def glyph_sizes(weights: Array | None) -> Array | None:
    """Return how many times as large as usual points with weights are drawn: w^(1/4), from 1/2 to 2, in few
    steps; None without weights."""
    if weights is None:
        return None
    lightest, heaviest, steps = 1 / 16, 16, 8  # Eight steps to twice the size: few sprites.
    size = np.clip(weights, lightest, heaviest) ** 0.25
    return np.asarray(2.0 ** (np.rint(steps * np.log2(size)) / steps))


# How they are drawn -----------------------------------------------------------------------------------------
def _corners(count: int, turn: float, inner: float = 1.0) -> Array:
    """Return the corners of a regular polygon, or of a star when they alternate with `inner` ones."""
    steps = count if inner == 1.0 else 2 * count
    angle = turn + 2 * np.pi * np.arange(steps) / steps
    radius = np.where(np.arange(steps) % 2 == 0, 1.0, inner) if inner != 1.0 else np.ones(steps)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


@cache
def _shapes() -> tuple[tuple[Array, float], ...]:
    """Return corners on the unit circle and a size that gives all shapes about the same weight."""
    up, diagonal = -np.pi / 2, np.pi / 4
    return (
        (_corners(36, 0.0), 0.88),
        (_corners(3, up), 1.18),
        (_corners(4, diagonal), 1.08),
        (_corners(4, up), 1.14),
        (_corners(5, up, 0.45), 1.3),
        (_corners(3, -up), 1.18),
        (_corners(4, diagonal, 0.35), 1.35),
        (_corners(6, up), 1.0),
    )


def draw_glyphs(painter: QPainter, style: Style, xy: Array, k: int, count: int, hollow: bool = False) -> None:
    """Draw points, given in the painter's points, of class k among `count` classes; hollow for held-out
    points."""
    if k == UNLABELLED:
        _draw_shapes(painter, style, xy, 0, style.theme.ink, 0.95, hollow)
    elif count <= 2:
        _draw_signs(painter, style, xy, k == 1, hollow)
    else:
        _draw_shapes(painter, style, xy, k, style.theme.of_class(k, count), 1.0, hollow)


def _draw_signs(painter: QPainter, style: Style, xy: Array, plus: bool, hollow: bool) -> None:
    """Draw + or − at all places: a halo and the sign on it, or the outline of a hollow sign."""
    if len(xy) == 0:
        return
    arm = style.arm
    lines = [QLineF(x - arm, y, x + arm, y) for x, y in xy.tolist()]
    if plus:
        lines += [QLineF(x, y - arm, x, y + arm) for x, y in xy.tolist()]
    colour = style.theme.positive if plus else style.theme.negative
    width, halo = style.glyph_width, style.theme.halo
    solid = [pen(halo, width + 2 * style.halo_width), pen(colour, width)]
    for stroke in [pen(colour, 1.3 * width), pen(halo, 0.6 * width)] if hollow else solid:
        painter.setPen(stroke)
        painter.drawLines(lines)


def _draw_shapes(
    painter: QPainter, style: Style, xy: Array, k: int, colour: str, size: float, hollow: bool
) -> None:
    """Draw the shape of class k at all places, `size` times as large as usual."""
    corners, weight = _shapes()[k % len(_shapes())]
    outline = corners * (weight * size * style.arm)
    line, inside = (colour, style.theme.halo) if hollow else (style.theme.halo, colour)
    painter.setPen(pen(line, style.halo_width))
    painter.setBrush(QColor(inside))
    for at in xy:
        painter.drawPolygon(polygon(outline + at))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def draw_rings(painter: QPainter, style: Style, xy: Array, kind: Ring, strength: float) -> None:
    """Draw rings of one kind and size around centres in points."""
    theme, radius, width = style.theme, style.ring_radius(strength), style.ring_width
    bounded_dash = (2.2, 1.6)
    dash = [length * style.glyphs for length in bounded_dash] if kind is Ring.BOUNDED else ()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for stroke in (
        pen(theme.halo, width + style.halo_width, alpha=0.5),
        pen(theme.bounded, width, dash=dash),
    ):
        painter.setPen(stroke)
        for x, y in xy.tolist():
            painter.drawEllipse(QPointF(x, y), radius, radius)


def draw_mistakes(painter: QPainter, style: Style, xy: Array) -> None:
    """Draw four diagonal strokes around each misclassified point, which differ in shape, not only in
    colour."""
    if not len(xy):
        return
    ends = (4.6, 7.8)  # Where the strokes around a misclassified point begin and end, from its centre.
    near, far = (end * style.glyphs * np.sqrt(0.5) for end in ends)
    strokes = [
        QLineF(x + i * near, y + j * near, x + i * far, y + j * far)
        for x, y in xy.tolist()
        for i in (-1, 1)
        for j in (-1, 1)
    ]
    theme, width = style.theme, 1.5 * style.ring_width
    painter.setPen(pen(theme.halo, width + style.halo_width, alpha=0.5))
    painter.drawLines(strokes)
    painter.setPen(pen(theme.misclassified, width))
    painter.drawLines(strokes)


def draw_copies(painter: QPainter, pixmap: QPixmap, centres: Array) -> None:
    """Draw copies of a pixmap around all centres, in the painter's coordinates, by a single call of Qt."""
    ratio = pixmap.devicePixelRatio()
    # The members of QPainter::PixmapFragment: x, y, left, top, width, height, scales, rotation, opacity.
    fragments = np.zeros((len(centres), 10))
    fragments[:, :2] = centres
    fragments[:, 4:6] = pixmap.width(), pixmap.height()
    fragments[:, 6:8] = 1.0 / ratio
    fragments[:, 9] = 1.0
    first: Any = wrapInstance(fragments.__array_interface__["data"][0], QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(fragments), pixmap)
