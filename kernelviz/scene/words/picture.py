"""Everything one picture of the map shows, in the coordinates of the map: numpy only, no Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kernelviz.engine.analysis.kernel_pca import ComponentMap, KernelPCA, Slope
from kernelviz.engine.core.data import Data
from kernelviz.engine.fields.contours import quick_contours
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.scene.figure.glyphs import rings_of
from kernelviz.scene.plane.picture import Picture, touched
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of

NODES = 48  # Cells per axis, for the colours of a slope.
MOST_MAPS = 8  # Maps that are remembered, of so many fits or kernels.


@dataclass(frozen=True, eq=False)
class MapPicture:
    """Strings on the map, and of the score what is a function of the map."""

    map: ComponentMap
    points: Picture
    texts: tuple[str, ...]
    slope: Slope | None = None

    @property
    def view(self) -> ViewRange:
        return self.points.view


def percent(share: float) -> str:
    """Return a share such as "58 %"; 0 % and 100 % are only for exactly none and all."""
    whole = round(100 * share)
    if whole == 0 and share > 0.0:
        return "less than 1\u00a0%"
    return f"{whole}\u00a0%" if whole < 100 or share > 1.0 - 1e-9 else "more than 99\u00a0%"


def ranked(pca: KernelPCA) -> list[int]:
    """Return the rank of every component, the most spread first: they may stand in the order of an earlier
    map."""
    order = np.argsort(-pca.eigenvalues, kind="stable")
    ranks = np.empty(len(order), dtype=int)
    ranks[order] = np.arange(1, len(order) + 1)
    return [int(rank) for rank in ranks]


def axes_of(chart: ComponentMap) -> tuple[str, str]:
    """Return the names of the axes, with the share of the variance along each."""
    ranks = ranked(chart.pca)
    across, up = (
        f"component {ranks[c]} ({percent(share)})" if c < len(ranks) else f"component {c + 1} (none)"
        for c, share in zip(chart.pair, chart.shares, strict=True)
    )
    return across, up


def told(chart: ComponentMap, slope: Slope | None) -> str:
    """Return a sentence on how much the map shows."""
    of_scores = "" if slope is None else f", {percent(slope.share)} of the training scores'"
    return f"map: {percent(chart.share)} of the kernel's variance{of_scores}"


def picture_of_strings(
    problem: Problem, chart: ComponentMap, view: ViewRange, shown: frozenset[str], held_out: Data | None
) -> MapPicture:
    """Return the picture of the strings alone."""
    workspace, data = workspace_of(problem.data), problem.data
    points = Picture(
        view,
        chart.places,
        workspace.groups(data),
        data.class_names,
        shown=shown,
        columns=axes_of(chart),
        unit=chart.reach,
    )
    if held_out is not None and held_out.n:
        points = replace(
            points, held_out=chart.place(held_out.X), held_out_classes=workspace.groups(held_out)
        )
    return MapPicture(chart, points, data.X)


def picture_of_fit(
    model: Model,
    chart: ComponentMap,
    view: ViewRange,
    *,
    shown: frozenset[str],
    changed: tuple[int, ...] = (),
    held_out: Data | None = None,
) -> MapPicture:
    """Return the picture of a fitted model on the map, with frames around the strings that its last step
    changed."""
    alone = picture_of_strings(model.problem, chart, view, shown, held_out)
    slope, points = chart.slope(model), touched(alone.points, changed)
    points = replace(points, rings=rings_of(model))
    if slope is not None:
        x, y = np.array([view.left, view.right]), np.array([view.bottom, view.top])
        lines = quick_contours(x, y, slope.at(x, y), (0.0,)) if slope.whole else ()
        centres = (np.arange(NODES) + 0.5) / NODES
        x, y = x[0] + centres * (x[1] - x[0]), y[0] + centres * (y[1] - y[0])
        points = replace(points, x1=x, x2=y, F=slope.at(x, y), lines=lines)
    return replace(alone, points=points, slope=slope)


class LastMap:
    """The components as they were drawn last, for each fit, which the next ones follow."""

    def __init__(self) -> None:
        # By the number of a fit, or for figures by the kernel; the one drawn last at the end.
        self._last: dict[int | str, KernelPCA] = {}

    def follow(self, pca: KernelPCA, moving: bool = False, fit: int | None = None) -> KernelPCA:
        """Return the components as they are to be drawn: with the signs of the last, the most spread first.
        While a parameter of the kernel is moving they keep the last order too.

        fit: which of several it is; otherwise the one with this kernel. A fit that has not been drawn yet
        follows the one drawn last, with a kernel of the same kind if there is one."""
        kernel, seen = pca.problem.kernel, tuple(self._last.items())[::-1]
        own = (
            fit if fit is not None else next((k for k, x in seen if x.problem.kernel == kernel), str(kernel))
        )
        alike = next((x for _, x in seen if type(x.problem.kernel) is type(kernel)), None)
        last = self._last.pop(own, None) or alike or next((x for _, x in seen), None)
        if last is not None and _much_the_same(last.problem, pca.problem):
            pca = pca.following(last, keep_order=moving and _only_moved(last.problem, pca.problem))
        self._last[own] = pca
        for oldest in list(self._last)[:-MOST_MAPS]:
            del self._last[oldest]
        return pca


def _much_the_same(before: Problem, now: Problem) -> bool:
    """Return True if most strings are the same, so that a map turned over would be noticed."""
    if before.X is now.X:
        return True
    common = set(before.X) & set(now.X)
    return 2 * len(common) > max(len(set(before.X)), len(set(now.X)))


def _only_moved(before: Problem, now: Problem) -> bool:
    return type(before.kernel) is type(now.kernel) and before.X == now.X
