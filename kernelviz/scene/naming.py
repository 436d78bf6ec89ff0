"""What a line on the canvas is called, for a label at the pointer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields.contours import nearest_on_lines
from kernelviz.scene.layers import Polylines
from kernelviz.scene.wording import shown
from kernelviz.scene.workspace_painter import Decoration

OF_LEVELS = {0.0: "boundary", 1.0: "margins", -1.0: "margins"}  # The toggles of level lines; "levels" else.


def line_at(fit: Decoration[Any], toggles: frozenset[str], place: Array, reach: Array) -> str:
    """Return what the line that is nearest to a place is called, such as "margin line s = +1".

    `reach` is how far from the place it may be along either axis; the text is empty where no line is."""
    nearest, found = 1.0, ""
    for name, lines in _named_lines(fit, toggles):
        foot = nearest_on_lines((place / reach)[None], [line / reach for line in lines])[0]
        distance = float(np.hypot(*(foot - place / reach)))
        if distance < nearest:  # false for NaN: there are no lines
            nearest, found = distance, name
    return found


def _named_lines(fit: Decoration[Any], toggles: frozenset[str]) -> Iterator[tuple[str, list[Array]]]:
    """Yield the lines that are drawn, by name: level lines, then those that the legend names."""
    margins = fit.layer("margins")
    classified = isinstance(margins, Polylines) and bool(margins.names[0])
    for level, lines in fit.picture.lines:
        if fit.picture.levels_alike and "levels" in toggles:
            yield f"level line s = {shown(level)}", lines
        elif OF_LEVELS.get(level, "levels") in toggles:
            yield _of_level(level, fit.picture.several, classified), lines
    for name, layer in fit.layers(fit.painter.legend, toggles).items():
        if isinstance(layer, Polylines) and name not in ("above", *OF_LEVELS.values()):
            for (lines, _), text in zip(layer.groups, layer.names, strict=False):
                yield text, list(lines)


def _of_level(level: float, several: bool, classified: bool) -> str:
    """Return what a level line is called; several: it is between several classes."""
    if level == 0.0:
        return "boundary" if several else "boundary s = 0"
    if level in OF_LEVELS:
        return f"{'margin line' if classified else 'line'} s = {level:+.0f}".replace("-", "−")
    return f"level line s = {shown(level)}"
