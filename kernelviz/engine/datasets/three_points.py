"""The three points of the slides' picture of the Gaussian kernel."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.engine.data import Data
from kernelviz.engine.datasets.base import DataSet, signed

__all__ = ["ThreePoints"]


@dataclass(frozen=True)
class ThreePoints(DataSet):
    """(0, -1) and (1, -1) are -, (1, 1) is +: small enough to calculate everything by hand."""

    name = "three_points"
    title = "Three points"
    summary_line = "Three points whose kernel values one can work out by hand."
    family = "For a line"
    place = 0

    def make(self) -> Data:
        return signed(Data.labelled([[0.0, -1.0], [1.0, 1.0], [1.0, -1.0]], ["-", "+", "-"]))
