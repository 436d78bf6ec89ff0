"""Several fits of the same points in one figure: each curve in its own colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kernelviz.drawing.curve.layers import LineLayer, fit_ink
from kernelviz.drawing.curve.legend import NAMES, fit_entries
from kernelviz.drawing.figure.figure import AxesFigure, Drawing
from kernelviz.engine.fits import Fit
from kernelviz.session.state import ViewRange

__all__ = ["laid_over"]

OF_ONE = ("band", "rings", "bumps", "terms", "residuals", "draws", "prior", "raised", "marks")
"""What belongs to a single fit, and would not be told apart."""
SHARED = (NAMES["truth"], "held out")
"""What the legend says of all of them."""


def laid_over(figures: Sequence[AxesFigure], fits: Sequence[Fit]) -> AxesFigure:
    """One figure with the points and the curve of each fit, and all their captions."""
    first = figures[0]

    def make(view: ViewRange, columns: int, rows: int) -> Drawing:
        drawings = [figure.make(view, columns, rows) for figure in figures]
        curves = {}
        for k, drawing in enumerate(drawings):
            if isinstance(curve := drawing.layers.get("curve"), LineLayer):
                curves[f"curve {k}"] = LineLayer([(lines, fit_ink(k)) for lines, _ in curve.groups])
        below = {name: layer for name, layer in drawings[0].layers.items() if name in ("grid", "truth")}
        above = {
            name: layer
            for name, layer in drawings[0].layers.items()
            if name not in (*below, *OF_ONE, "curve")
        }
        own = [entry for entry in drawings[0].entries if entry.text in SHARED]
        told = fit_entries(fits)
        return Drawing(view, {**below, **curves, **above}, (*told, *own) if drawings[0].entries else ())

    captions = replace(first.captions, formula="", caption=" — ".join(f.captions.caption for f in figures))
    return replace(first, make=make, captions=captions)
