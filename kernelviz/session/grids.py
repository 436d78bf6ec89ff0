"""The grid of a figure: the values of one or two parameters, each with a panel of its own.

>>> FigureOptions(grid="gamma=0.1,1,10; C=1:100:3").grid
('gamma=0.1,1,10', 'C=1:100:3')"""

from __future__ import annotations

from typing import Any

from kernelviz.engine.core.params import Parameter
from kernelviz.session.labels import LabelsKind

MOST_PANELS = 36  # Of a figure.


class GridKind(LabelsKind):
    """One or two of NAME=VALUES: a list of them, or a text with semicolons between them. Whether a fit has
    such parameters is seen when it is drawn."""

    name = "grid"

    def check(self, value: Any, parameter: Parameter, where: str) -> tuple[str, ...]:
        return tuple(filter(None, super().check(value, parameter, where)))

    def values(self, parameter: Parameter) -> str:
        return "NAME=VALUES, once or twice"


GRID = GridKind()
