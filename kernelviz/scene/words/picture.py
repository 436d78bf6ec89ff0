"""Everything one picture of the map shows, in the coordinates of the map, and the layers it consists of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from PySide6.QtGui import QPainter

from kernelviz.engine.analysis.kernel_pca import ComponentMap, KernelPCA, Slope
from kernelviz.engine.core.data import Data
from kernelviz.engine.fields.contours import quick_contours
from kernelviz.engine.models.base import Model
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.glyphs import rings_of
from kernelviz.scene.figure.legend import Entry, swatch
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import Style
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.words.labels import LabelLayer, PointedLabels
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of

NODES = 48  # Cells per axis, for the colours of a slope.
SHARE = "share"  # The kind of the entry with the share of the scores that the map shows, and how it ends.
OF_SCORES = " of the training scores"
FAINTEST = 0.05  # Share of a score as which smaller ones are coloured too.
MOST_MAPS = 8  # Maps that are remembered, of so many fits or kernels.


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


@dataclass(frozen=True, eq=False)
class FadedLayer(Layer):
    """The field, as strong as the share of the training scores it shows."""

    layer: Layer
    share: float

    @property
    def strength(self) -> float:
        return max(FAINTEST, self.share)

    @property
    def entries(self) -> tuple[Entry, ...]:
        colours = swatch(self._tint("negative_field"), self._tint("positive_field"))
        return (Entry(f"{percent(self.share)}{OF_SCORES}", colours, kind=SHARE),)

    def _tint(self, role: str) -> Callable[[Style], str]:
        return lambda style: blend(style.theme.paper, getattr(style.theme, role), self.strength)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.save()
        painter.setOpacity(self.strength * painter.opacity())
        self.layer.draw(axes, painter, stamps)
        painter.restore()


@dataclass(frozen=True, eq=False, kw_only=True)
class MapPicture(Picture):
    """Strings on the map, and of the score what is a function of the map."""

    map: ComponentMap
    texts: tuple[str, ...]
    slope: Slope | None = None

    @classmethod
    def of_strings(cls, chart: ComponentMap, view: ViewRange, **contents: Any) -> Self:
        """Return the picture of the strings alone, with other fields as given."""
        data = chart.pca.problem.data
        classes, axes = workspace_of(data).groups(data), axes_of(chart)
        own: dict[str, Any] = {"map": chart, "texts": data.X, "columns": axes, "unit": chart.reach}
        return cls(view, chart.places, classes, data.class_names, **own, **contents)

    @classmethod
    def of_model(cls, model: Model, chart: ComponentMap, view: ViewRange, **contents: Any) -> Self:
        """Return the picture of a fitted model on the map, with other fields as given."""
        slope = chart.slope(model)
        picture = cls.of_strings(chart, view, rings=rings_of(model), slope=slope, **contents)
        if slope is None:
            return picture
        x, y = np.array([view.left, view.right]), np.array([view.bottom, view.top])
        lines = quick_contours(x, y, slope.at(x, y), (0.0,)) if slope.whole else ()
        centres = (np.arange(NODES) + 0.5) / NODES
        x, y = x[0] + centres * (x[1] - x[0]), y[0] + centres * (y[1] - y[0])
        return replace(picture, x1=x, x2=y, F=slope.at(x, y), lines=lines)

    def with_held_out(self, data: Data | None) -> Self:
        if data is None or not data.n:
            return self
        classes = workspace_of(data).groups(data)
        return replace(self, held_out=self.map.place(data.X), held_out_classes=classes)

    def layer(self, name: str) -> Layer | None:
        if name == "labels":
            first = [*self.rings.mistakes.tolist(), *self.rings.points.tolist()]
            return LabelLayer(self.texts, self.points, first)
        found = super().layer(name)
        if name == "field" and found is not None and self.slope is not None:
            return FadedLayer(found, self.slope.share)
        return found

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """Return the labels of strings under the mouse."""
        rows = [i for i in points if i < len(self.texts)]
        return PointedLabels([self.texts[i] for i in rows], self.points[rows]) if rows else None


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
        if last is not None and _mostly_equal(last.problem.X, pca.problem.X):
            same_kind = type(last.problem.kernel) is type(kernel) and last.problem.X == pca.problem.X
            pca = pca.following(last, keep_order=moving and same_kind)
        self._last[own] = pca
        for oldest in list(self._last)[:-MOST_MAPS]:
            del self._last[oldest]
        return pca


def _mostly_equal(before: Sequence[str], now: Sequence[str]) -> bool:
    """Return True if most strings are the same, so that a map turned over would be noticed."""
    old, new = set(before), set(now)
    return before is now or 2 * len(old & new) > max(len(old), len(new))
