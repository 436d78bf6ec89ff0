"""A boundary drawn by hand, compared with the boundary of a model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices

CLOSED = 0.1  # Ends of a line closer than this share of the picture belong together.
STRAIGHT = 0.02  # Of the picture: over this length an end has its direction.


def agreement(
    lines: Sequence[Array], x1: Array, x2: Array, F: Array, points: Array, classes: Indices
) -> float | None:
    """Return the share of the plane on which hand-drawn lines, each (m, 2), agree with the score F on the
    nodes (len(x2), len(x1)); None where they divide nothing.

    The lines divide the picture into regions. A region is + or − as most of its points are, (n, 2) with
    classes 1 and 0; one without points is as the nearest point. Lines end at the edge of the picture: their
    ends are drawn on until there, unless they meet.

    >>> agreement([np.array([[0, -1], [0, 1]])], x1, x2, F, points, classes)
    0.87"""
    from scipy.ndimage import distance_transform_edt, label  # 0.1 s, which no start of the window should pay

    corner = np.array([x1[0], x2[0]])
    nodes = np.array([len(x1), len(x2)]) - 1.0
    per_unit = nodes / (np.array([x1[-1], x2[-1]]) - corner)
    drawn = np.zeros((len(x2), len(x1)), dtype=bool)
    for line in lines:
        _draw(_to_the_edge((np.asarray(line, dtype=float) - corner) * per_unit, nodes), drawn)
    regions, count = label(~drawn)
    if count < 2 or not len(points):
        return None
    places = np.rint((points - corner) * per_unit).astype(np.intp)
    inside = ((places >= 0) & (places <= nodes)).all(axis=1)
    columns, rows = places[inside].T
    votes = np.zeros(count + 1)
    np.add.at(votes, regions[rows, columns], 2.0 * np.asarray(classes)[inside] - 1.0)
    sign = np.sign(votes)[regions]
    if not np.any(sign[~drawn]):
        return None
    nearest = distance_transform_edt(sign == 0, return_distances=False, return_indices=True)
    sign = sign[tuple(nearest)]
    return float(np.mean((sign > 0)[~drawn] == (F > 0)[~drawn]))


def _to_the_edge(line: Array, nodes: Array) -> Array:
    """Return a line in nodes, closed if its ends are near each other, otherwise with both ends drawn on in
    their direction until the edge."""
    size = float(np.hypot(*nodes))
    if np.hypot(*(line[0] - line[-1])) < CLOSED * size:
        return np.vstack([line, line[:1]])
    ends = []
    for way in (line, line[::-1]):
        far = np.hypot(*(way - way[0]).T) > STRAIGHT * size
        direction = way[0] - way[np.argmax(far)] if far.any() else np.zeros(2)
        length = float(np.hypot(*direction)) or 1.0  # of a dot
        ends.append(way[0] + size * direction / length)
    return np.vstack([ends[0], line, ends[1]])


def _draw(line: Array, drawn: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> None:
    """Mark the nodes on a line, and their neighbours to the right and above, so that no region leaks."""
    for begin, end in pairwise(line):
        steps = int(2 * np.abs(end - begin).max()) + 1
        way = np.rint(begin + np.linspace(0.0, 1.0, steps + 1)[:, None] * (end - begin)).astype(np.intp)
        for shift in ((0, 0), (1, 0), (0, 1)):
            columns, rows = (way + shift).T
            inside = (rows >= 0) & (rows < drawn.shape[0]) & (columns >= 0) & (columns < drawn.shape[1])
            drawn[rows[inside], columns[inside]] = True
