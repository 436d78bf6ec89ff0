"""How a workspace is painted: found by its name, beside the workspace and its canvas."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, Self, cast

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.figure import NO_WORDS, Captions
from kernelviz.drawing.figure.legend import merged
from kernelviz.drawing.figure.style import Style
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.runtime.messages import Frame
from kernelviz.session.view import Look
from kernelviz.session.workspaces.base import Workspace


class Figure(Protocol):
    """A picture of a fit that can be painted at any size, and that can share its legend with others."""

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None: ...

    def own_entries(self) -> tuple[Any, ...]:
        """What a legend of this figure has to explain; each entry has a `text`."""

    def with_legend(self, entries: tuple[Any, ...]) -> Self:
        """The same figure with this legend."""


def common_legend(figures: Iterable[Figure]) -> tuple[Any, ...]:
    """All entries any of the figures needs, so that the plot has its place in each; longest legends first."""
    return merged(figure.own_entries() for figure in figures)


class Painter(ABC):
    """What every workspace has painted: figures for paper, and frames made ready for the screen."""

    @abstractmethod
    def figure_of_model(
        self,
        model: Model,
        look: Look,
        captions: Captions = NO_WORDS,
        changed: tuple[int, ...] = (),
        held_out: Data | None = None,
        source: str = "",
    ) -> Figure:
        """A fitted model, with the points framed that its last step has changed, and those it is not fitted
        to; the source is where the points came from."""

    @abstractmethod
    def figure_of_data(
        self, data: Data, look: Look, captions: Captions = NO_WORDS, kernel: Kernel | None = None
    ) -> Figure:
        """Points that have no model (yet); the kernel is what they would be compared by."""

    def together(
        self, figures: Sequence[Any], fits: Sequence[Fit], legend: tuple[Any, ...] | None = None
    ) -> Sequence[Any]:
        """The figures of all fits of the same points. The legend is that of a whole film: then nothing moves
        from frame to frame."""
        if len(figures) > 1:
            return self.several(figures, fits, common_legend(figures) if legend is None else legend)
        return figures if legend is None else [figure.with_legend(legend) for figure in figures]

    def several(self, figures: Sequence[Any], fits: Sequence[Fit], legend: tuple[Any, ...]) -> Sequence[Any]:
        """The figures of two and more: side by side, unless one can have them all."""
        return [figure.with_legend(legend) for figure in figures]

    @abstractmethod
    def decorator(self) -> Callable[[Frame], Any]:
        """What prepares frames for one canvas, on the worker's thread; for one of points on two axes it is a
        `figure.decoration.Decorator`."""


def painter_of(workspace: Workspace) -> Painter:
    """The painter of a workspace."""
    return cast(Painter, importlib.import_module(workspace.drawing).PAINTER)
