"""A row of the Gram matrix as a function of the input: K(x_i, ·)."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.landscape import Landscape
from kernelviz.drawing.insight.scatter import draw_points, encircle
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.engine.analysis.response import response
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.session.workspaces.registry import workspace_of


@dataclass(frozen=True, eq=False)
class KernelRow:
    """Contours over the plane, or a curve along the line, with the training points on it."""

    problem: Problem
    point: int
    landscape: Landscape

    @classmethod
    def of(cls, model: Model, point: int, before: KernelRow | None) -> KernelRow | None:
        """Of one of a model's points; the same while that and the kernel are the same."""
        problem = model.problem
        if before is not None and before.point == point and before._is_of(problem):
            return before
        if not Landscape.possible(problem.data) or point >= problem.n:
            return None
        try:
            values = problem.kernel(problem.X, problem.X[[point]])[:, 0]
            last = None if before is None else before.landscape
            alone = response(problem.kernel, problem.X[[point]], model.algorithm)
            landscape = Landscape.of(alone, problem.data, values, f"K(point {point + 1}, ·)", last)
        except BadInput:  # a kernel too large for numbers
            return None
        return None if landscape is None else cls(problem, point, landscape)

    def _is_of(self, problem: Problem) -> bool:
        return self.problem.data is problem.data and self.problem.kernel == problem.kernel

    def draw_points(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        """The points on the function, and a ring around its own."""
        data, xy = self.problem.data, self.landscape.at(rect, style)
        painter.save()
        painter.setClipRect(self.landscape.room(rect, style).adjusted(-3, -3, 3, 3))
        groups = workspace_of(data).groups(data)
        draw_points(painter, style.among(max(data.n, 60)), xy, groups, len(data.class_names), stamps)
        encircle(painter, style, xy[self.point], True)
        painter.restore()
