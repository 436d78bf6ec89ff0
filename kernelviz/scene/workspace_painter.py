"""How a workspace is painted: figures for paper, and frames made ready for the screen.

A workspace's painter is found by the workspace's name. It makes pictures of models and says which layers
they have; everything else is the same for all workspaces: which layers are shown and in which order, the
legend, the figure around them, and the backdrop that the worker paints for the canvas.

>>> painter = painter_of(document.workspace)
>>> figure = painter.figure(Subject.of(model, look))"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, ClassVar, Generic, TypeVar, cast

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.runtime.messages import Frame
from kernelviz.scene.figure.captions import NO_WORDS, Captions
from kernelviz.scene.figure.figure import Drawing, Figure, common_legend, side_by_side
from kernelviz.scene.figure.legend import Entry
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL, image_of
from kernelviz.scene.layers import Layer
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.plots import PlacedPlane, Plane
from kernelviz.scene.wording import fit_names
from kernelviz.session.view import Look, ViewRange, sane
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspace_of

P = TypeVar("P", bound=Picture)
# What only the canvas draws, whatever the toggles.
OF_CANVAS = ("before", "other fits", "selection", "ink", "guest", "pointed", "hovered")
# Layers of all workspaces in front of their own, back to front.
IN_FRONT = (
    *("before", "other fits", "held_out_values", "held_out", "selection", "rings", "points", "above"),
    *("marks", "ink", "guest", "pointed", "hovered"),
)
# The toggles that show a layer, where that is not the one of its name.
TOGGLES: Mapping[str, Set[str]] = {
    "above": {"boundary"},
    "held_out_values": {"held_out", "values"},
    **dict.fromkeys(OF_CANVAS, frozenset()),
}
SPREAD = "spread"  # The toggle that draws points at the same place next to each other.


def layers_shown(
    names: Iterable[str], shown: Set[str], layer: Callable[[str], Layer | None]
) -> dict[str, Layer]:
    """Return the layers of those names that there are and that the toggles show, in the same order.

    It decides for figures, for the backdrop of the canvas and what is in front of it, and for legends."""
    found = {name: layer(name) for name in names if TOGGLES.get(name, {name}) <= shown}
    return {name: each for name, each in found.items() if each is not None}


@dataclass(frozen=True, eq=False)
class Subject:
    """What a figure shows: a fitted model, or points without one."""

    data: Data
    look: Look
    model: Model | None = None
    kernel: Kernel | None = None  # What would compare the points, if there is no model.
    changed: tuple[int, ...] = ()  # Points that the last step changed, which get frames.
    held_out: Data | None = None  # Points that the model is not fitted to.
    source: str = ""  # Where the points came from.

    @classmethod
    def of(cls, model: Model, look: Look) -> Subject:
        """Return a model in a look."""
        return cls(model.problem.data, look, model)


@dataclass(frozen=True)
class Target:
    """The rectangle of a canvas, and everything that decides how a backdrop looks there, besides the fit:
    equal targets give the same image."""

    view: ViewRange
    width: float
    height: float  # In logical pixels.
    ratio: float  # Device pixels per logical pixel.
    style: Style
    shown: frozenset[str]

    def plane(self, layers: Iterable[Layer]) -> PlacedPlane:
        """Return the plane with these layers in its place, in points."""
        inner = QRectF(0, 0, self.width * POINTS_PER_PIXEL, self.height * POINTS_PER_PIXEL)
        plane = Plane(view=self.view, layers=tuple(layers), spreads=SPREAD in self.shown)
        return PlacedPlane(plane, inner, self.style)

    def paint(self, layers: Iterable[Layer]) -> QImage:
        """Return an image of the layers on paper."""
        plane = self.plane(layers)
        draw = partial(plane.draw_data, stamps=None)
        return image_of(draw, plane.inner.size(), self.ratio, self.style.theme.paper)


class Painter(ABC, Generic[P]):
    """Paints one workspace. P is its kind of picture: the numbers to be drawn, and the layers made of them.

    A subclass names its layers (`behind`, `legend`) and makes pictures. That of the plane in short:

    >>> class PlanePainter(Painter[Picture]):
    ...     behind = ("field", "grid", "levels", "margins", "boundary")
    ...     legend = ("points", "boundary", "margins", "rings")
    ...
    ...     def picture(self, subject, view, nodes):
    ...         return picture_of_model(subject.model, view, *sampled(subject.model, view, *nodes), ...)
    ...
    ...     def picture_of_frame(self, frame, components=(0, 1)):
    ...         return picture_of_model(frame.model, ...)

    Its module ends with `PAINTER`, an instance of it. There is one for the whole program, used on several
    threads."""

    behind: ClassVar[tuple[str, ...]]  # Layers behind the points, in painting order.
    legend: ClassVar[tuple[str, ...]]  # Layers in the order the legend explains them.
    kind: ClassVar[type[Picture]] = Picture  # The class of pictures of points alone.
    lays_over: ClassVar[bool] = False  # Whether the canvas draws several fits over the active one.

    # Pictures --------------------------------------------------------------------------------------------
    @abstractmethod
    def picture(self, subject: Subject, view: ViewRange, nodes: tuple[int, int]) -> P:
        """Return the picture of `view` for a figure, sampled at `nodes` = (columns, rows)."""

    @abstractmethod
    def picture_of_frame(self, frame: Frame, components: tuple[int, int] = (0, 1)) -> P:
        """Return the picture of a frame from the worker; of a map, along two of its components. It is called
        on the worker's thread."""

    def other_fits(self, decoration: Decoration[P]) -> Layer | None:
        """Return what other fits of the same points add behind them on the canvas; None if they have plots
        of their own."""
        return None

    def explained(
        self, decoration: Decoration[P], layers: Mapping[str, Layer], run: bool
    ) -> tuple[Entry, ...]:
        """Return the legend of a canvas with these layers; of a run, all that its steps may show."""
        return self.entries(layers, run)

    def entries(self, layers: Mapping[str, Layer], run: bool = False) -> tuple[Entry, ...]:
        """Return the legend of some layers; during a run, of all that its steps may show."""
        named = [layers[name] for name in self.legend if name in layers]
        return tuple(entry for layer in named for entry in (layer.possible if run else layer.entries))

    def drawing(self, picture: P, shown: Set[str]) -> Drawing:
        """Return everything between the axes of a figure, with the toggles that are on."""
        layers = layers_shown((*self.behind, *IN_FRONT), shown, picture.layer)
        entries = self.entries(layers) if "legend" in shown else ()
        possible = (*self.entries(layers), *self.entries(layers, run=True))
        return Drawing(layers, entries, possible, SPREAD in shown)

    # Figures ---------------------------------------------------------------------------------------------
    def figure(self, subject: Subject, captions: Captions = NO_WORDS) -> Figure:
        """Return a figure with exactly the limits that were typed, or around the view."""
        return self.framed(subject, captions, partial(self.picture, subject))

    def framed(
        self, subject: Subject, captions: Captions, picture: Callable[[ViewRange, tuple[int, int]], P]
    ) -> Figure:
        """Return a figure of the pictures that a function makes of a view and (columns, rows)."""

        @lru_cache(maxsize=2)  # a large figure is painted in bands, each of the same drawing
        def make(view: ViewRange, columns: int, rows: int) -> Drawing:
            return self.drawing(picture(view, (columns, rows)), look.shown)

        data, look, workspace = subject.data, subject.look, workspace_of(subject.data)
        around = workspace.extent(data) if "equal_aspect" in look.shown else None
        view, typed = sane(look.limits or look.view), look.limits is not None
        panels = workspace.panels(data)
        return Figure(make, view, workspace.axes(data), captions, around, exact=typed, panels=panels)

    def together(
        self, figures: Sequence[Figure], fits: Sequence[Fit], legend: tuple[Entry, ...] | None = None
    ) -> Sequence[Figure]:
        """Return the figures of all fits of the same points. The legend is that of a whole film: with it
        nothing moves from frame to frame."""
        if len(figures) > 1:
            return self.several(figures, fits, common_legend(figures) if legend is None else legend)
        return figures if legend is None else [figure.with_legend(legend) for figure in figures]

    def several(
        self, figures: Sequence[Figure], fits: Sequence[Fit], legend: tuple[Entry, ...]
    ) -> Sequence[Figure]:
        """Return the figures of two and more fits: side by side, with the same legend. A workspace that
        lays fits over each other returns a single figure."""
        return side_by_side([figure.with_legend(legend) for figure in figures], fit_names(fits))

    def note(self, figure: Figure) -> str:
        """Return what the legend says of one figure alone, and cannot say of a sheet of them."""
        return ""


@dataclass(frozen=True, eq=False)
class Decoration(Generic[P]):
    """A frame, or points without a fit, made ready for the screen: a picture with all its layers, each made
    when it is first asked for. The toggles decide which of them are drawn, so that switching one needs no
    new frame."""

    painter: Painter[P]
    picture: P
    data: Data
    frame: Frame | None  # None for points without a fit.
    # The last decoration of every other fit, as they arrive; None for one that has failed.
    others: Mapping[int, Decoration[P] | None] = field(default_factory=dict)
    _layers: dict[str, Layer | None] = field(default_factory=dict)
    _pointed: dict[object, Layer | None] = field(default_factory=dict)
    _images: dict[Target, QImage] = field(default_factory=dict)

    @property
    def in_run(self) -> bool:
        """Whether it shows a step of a run that is being watched."""
        return self.frame is not None and self.frame.request.step is not None

    def layer(self, name: str) -> Layer | None:
        """Return the layer of that name; None if the fit has none."""
        if name not in self._layers:
            self._layers[name] = self.picture.layer(name)
        return self._layers[name]

    def layers(
        self, names: Iterable[str], shown: Set[str], now: Mapping[str, Layer | None] | None = None
    ) -> dict[str, Layer]:
        """Return the layers of those names that the toggles show, those in `now` instead of its own."""
        own: Mapping[str, Layer | None] = now or {}
        return layers_shown(names, shown, lambda name: own[name] if name in own else self.layer(name))

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """Return what is drawn of points only while the mouse is over them."""
        key = (points, shown)
        if key not in self._pointed:
            self._pointed.clear()
            self._pointed[key] = self.picture.pointed(points, shown)
        return self._pointed[key]

    def backdrop(self, target: Target) -> QImage:
        """Return everything behind the points as an image, painted once for every target. Two are kept: that
        of the canvas, and that of its copy for an audience."""
        if target not in self._images:
            for oldest in list(self._images)[:-1]:
                self._images.pop(oldest, None)
            self._images[target] = target.paint(self.layers(self.painter.behind, target.shown).values())
        return self._images[target]

    @property
    def watchable(self) -> bool:
        """Whether its algorithm can be watched step by step."""
        return self.frame is not None and self.frame.model.algorithm.watchable

    def entries(self, points: Mapping[str, Layer], shown: frozenset[str], run: bool) -> tuple[Entry, ...]:
        """Return the legend of the fit, and of the points as they are now instead of those fitted; of a run,
        all that its steps may show."""
        layers = self.layers(self.painter.legend, shown, {"held_out": None, **points})
        return self.painter.explained(self, layers, run)


class Decorator(Generic[P]):
    """Makes frames ready for one canvas, on the worker's thread."""

    def __init__(self, painter: Painter[P]) -> None:
        self.painter = painter
        self.target: Target | None = None  # The parts that the canvas painted last, and so will need next.
        self.components = (0, 1)  # Which two a map shows.
        # The last decoration of every fit but the active one; None for one that has failed.
        self.others: dict[int, Decoration[P] | None] = {}

    def __call__(self, frame: Frame) -> Decoration[P]:
        """Return the decoration of a frame, with its backdrop painted if the canvas still shows that view."""
        made = self.make(self.painter.picture_of_frame(frame, self.components), frame.data, frame)
        target = self.target
        _ = made.picture.rings.groups  # computed here, so that the window need not
        below = self.painter.lays_over and frame.fit != frame.request.active
        if target is not None and target.view == made.picture.view and not below:
            made.backdrop(target)
        return made

    def make(self, picture: P, data: Data, frame: Frame | None) -> Decoration[P]:
        """Return the decoration of a picture; without a frame for points without a fit."""
        return Decoration(self.painter, picture, data, frame, self.others)


def changed_points(frame: Frame) -> tuple[int, ...]:
    """Return the points that the last step of a watched run has changed."""
    return frame.change.points if frame.request.step is not None and frame.change is not None else ()


def painter_of(workspace: Workspace) -> Painter[Any]:
    """Return the painter of a workspace: that of the folder of its pictures."""
    module = importlib.import_module(f"kernelviz.scene.{workspace.drawn_as}.painter")
    return cast(Painter[Any], module.PAINTER)
