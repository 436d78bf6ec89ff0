"""A frame made ready for a canvas of points on two axes: what its painter puts behind and around them."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtGui import QImage

from kernelviz.drawing.figure.backdrop import Target
from kernelviz.drawing.figure.layer import Layer
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.figure.rings import Rings
from kernelviz.drawing.plane.picture import Picture
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.runtime.messages import Frame

__all__ = ["Decoration", "Decorator", "DecoratorOfSeveral"]


class Decoration(Protocol):
    """What is drawn of a fit; which of it is decided by what is shown at the time."""

    @property
    def data(self) -> Data:
        """What it is made of."""

    @property
    def ringed(self) -> tuple[Array, Rings]:
        """Places, and the rings around some of them."""

    def backdrop(self, target: Target) -> QImage:
        """What lies behind the points."""

    def layer(self, name: str) -> Layer | None:
        """What one toggle shows or hides in front of the points; "above" is the boundary where very many
        points would hide it. None for what there is not."""

    def beside(self) -> Layer | None:
        """What other fits of the same points add behind them."""

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """What is drawn of points only while they are pointed at."""

    def entries(self, points: Picture, shown: frozenset[str]) -> tuple[Entry, ...]:
        """The legend of all this and of the points as they are now."""


class Decorator(Protocol):
    """Decorates frames on the worker's thread, for the target the canvas has told it."""

    target: Target | None
    behind: tuple[str, ...]
    """The toggles of the backdrop, in painting order."""

    def __call__(self, frame: Frame) -> Decoration: ...


class DecoratorOfSeveral(Decorator, Protocol):
    """One that lays all fits over each other."""

    def put_beside(self, fit: int, decoration: Decoration | None) -> None:
        """Have another fit than the active one drawn and explained; None if it has failed."""
