"""What a lifted fit is painted with: the colours of its sheet, and its planes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from kernelviz.drawing.figure.colours import blend, field_colours, field_unit
from kernelviz.drawing.insight.space import Box, Patches, plane_patches
from kernelviz.drawing.theme import Theme
from kernelviz.engine.analysis.lift3d import LiftedFit, Plane
from kernelviz.engine.core.arrays import Array

VERTICES = 201  # Of a line, which is cut where it leaves the box.

SHEET, PLANE, MARGIN = 0xD8, 0x66, 0x2A  # How opaque they are, of 255.


def argb(colour: str, alpha: int) -> int:
    """A colour as 0xAARRGGBB."""
    ink = QColor(colour)
    ink.setAlpha(alpha)
    return ink.rgba()


def sheet_colours(fit: LiftedFit, theme: Theme, classes: int) -> NDArray[np.uint32]:
    """Of every cell of a sheet: by its score, by the class that wins there, or of no meaning."""
    assert fit.sheet is not None
    if fit.scores is not None:
        F = fit.scores
        middle = 0.25 * (F[:-1, :-1] + F[:-1, 1:] + F[1:, 1:] + F[1:, :-1])
        colours = field_colours(middle, theme, field_unit(F))
    elif fit.classes is not None:
        tints = [
            argb(blend(theme.zero, theme.of_class(k, classes), theme.tint), 0xFF) for k in range(classes)
        ]
        colours = np.array(tints, dtype=np.uint32)[fit.classes[:-1, :-1].astype(np.intp)]
    else:
        rows, columns = fit.sheet.shape[:2]
        colours = np.full((rows - 1, columns - 1), argb(theme.grid, 0xFF), dtype=np.uint32)
    return (colours & np.uint32(0xFFFFFF)) | np.uint32(SHEET << 24)


def planes_of(fit: LiftedFit, box: Box, theme: Theme, margins: bool = True) -> list[Patches]:
    """The boundary, and of classes the margins s = ±1, where the score is linear in three coordinates."""
    if fit.plane is None or fit.lift.flat:
        return []
    normal, offset = _in_box(fit.plane, box)
    levels = (-1.0, 1.0) if margins and (fit.scores is not None or fit.sheet is None) else ()
    made = [plane_patches(normal, offset - level, argb(theme.boundary, MARGIN), 0) for level in levels]
    strong = theme.highlight
    return [*made, plane_patches(normal, offset, argb(strong, PLANE), argb(strong, 0x30))]


def straight_lines(fit: LiftedFit, box: Box) -> list[tuple[float, Array]]:
    """The boundary and the margins by level, in the box, where the score is linear in two coordinates."""
    if fit.plane is None or not fit.lift.flat:
        return []
    normal, offset = _in_box(fit.plane, box)
    k = int(np.argmax(np.abs(normal[:2])))
    found = []
    for level in (-1.0, 0.0, 1.0):
        line = np.zeros((VERTICES, 3))
        line[:, 1 - k] = np.linspace(-1.0, 1.0, VERTICES)
        line[:, k] = -(offset - level + normal[1 - k] * line[:, 1 - k]) / normal[k]
        found.append((level, line))
    return found


def _in_box(plane: Plane, box: Box) -> tuple[Array, float]:
    """The plane's normal and offset where the box goes from -1 to 1."""
    return plane.weights * box.half, plane.offset + float(plane.weights @ box.middle)
