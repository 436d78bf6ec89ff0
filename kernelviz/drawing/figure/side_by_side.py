"""Figures of several fits in a row: plots of the same size at the same height, in the same type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kernelviz.drawing.figure.captions import Captions
from kernelviz.drawing.figure.figure import AxesFigure

__all__ = ["side_by_side"]


def side_by_side(figures: Sequence[AxesFigure], names: Sequence[str]) -> list[AxesFigure]:
    """The figures, which have their legends already, with room for the longest words and the widest ticks of
    any. Captions tell the fits apart, or where they would take too much room the names; formulas of different
    heights would not leave the plots alike."""
    longest = max((text for f in figures for text in (f.captions.caption, f.captions.longest)), key=len)
    found = []
    for figure, name in zip(figures, names, strict=True):
        title = figure.captions.title
        brief = Captions(title, caption=name, longest=max(names, key=len)) if longest else None
        words = replace(figure.captions, formula="", longest=longest, brief=brief)
        found.append(replace(figure, captions=words, alike=tuple(figures)))
    return found
