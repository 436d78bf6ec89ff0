"""The user's work: a document (changes can be undone) and its look (they cannot). All frozen."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.held_out import FRESH_POINTS, HeldOut, fresh, set_aside
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.selection.tunable import Knob
from kernelviz.runtime.messages import Request
from kernelviz.session.view import Look
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspace_of, workspaces

LETTERS = "ABCD"  # The names of several fits.
MOST_FITS = len(LETTERS)


@dataclass(frozen=True, eq=False)
class Document:
    """Everything that undo restores: points, and one to four fits of them, one of which is active."""

    data: Data
    fits: tuple[Fit, ...]
    active: int = 0
    # The data set expression the points came from, a file's name, or empty once edited by hand.
    source: str = ""
    standardised: bool = False  # Whether the coordinates were scaled to mean 0 and variance 1 on loading.
    held_out: HeldOut | None = None  # Points kept out of training, to measure the error on unseen data.
    # The source the points had before they were edited by hand; empty when all were placed by hand.
    edited_from: str = ""
    sampled_from: int = 0  # Rows of the source, of which the points are a sample; 0 if all are used.

    @classmethod
    def of(
        cls, data: Data, kernel: Kernel, algorithm: Algorithm, source: str = "", standardised: bool = False
    ) -> Self:
        """Return a document with a single fit."""
        return cls(data, (Fit(kernel, algorithm),), 0, source, standardised)

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace that shows the data; the first one for data that none can show."""
        return workspace_of(self.data)

    def require_workspace(self) -> Workspace:
        """Return the workspace; BadInput if it cannot show the data."""
        if problem := self.workspace.refusal(self.data):
            raise BadInput(problem)
        return self.workspace

    @property
    def origin(self) -> str:
        """The source of the points, even if they have been edited since."""
        return self.source or self.edited_from

    @property
    def fit(self) -> Fit:
        """The active fit, which the panels edit."""
        return self.fits[self.active]

    @property
    def kernel(self) -> Kernel:
        return self.fit.kernel

    @property
    def algorithm(self) -> Algorithm:
        return self.fit.algorithm

    def replace(self, **changes: Any) -> Self:
        """Return the document with other parts; `kernel` and `algorithm` replace those of the active fit.

        Points without a source count as the present ones, edited by hand."""
        if "source" in changes and "edited_from" not in changes:
            kept = not changes["source"] and changes.get("data", self.data).n
            changes["edited_from"] = self.origin if kept else ""
            changes.setdefault("sampled_from", 0)
        own = {name: changes.pop(name) for name in ("kernel", "algorithm") if name in changes}
        made = dataclasses.replace(self, **changes)
        if not own:
            return made
        fits = list(made.fits)
        fits[made.active] = made.fit.replace(**own)
        return dataclasses.replace(made, fits=tuple(fits))

    def turned(self, knob: Knob, value: float) -> Self:
        """Return the document with a number of the active fit set to a value."""
        fit = knob.turned(self.fit, value)
        return self.replace(kernel=fit.kernel, algorithm=fit.algorithm)

    # Held-out points ----------------------------------------------------------------------------------
    def with_share_aside(self, share: float, seed: int = 0) -> Self:
        """Return the document with a share of its points held out; BadInput where that is not possible."""
        data, held = set_aside(self.together, share, seed)
        return dataclasses.replace(self, data=data, held_out=held)

    def with_fresh_points(self, count: int = FRESH_POINTS) -> Self:
        """Return the document with all points fitted and fresh ones of their data set held out."""
        return dataclasses.replace(self, data=self.together, held_out=fresh(self.source, count))

    def with_nothing_held_out(self) -> Self:
        """Return the document with all points fitted."""
        return dataclasses.replace(self, data=self.together, held_out=None)

    def with_other_points(self, **changes: Any) -> Self:
        """Return the document with other data, of which as many are held out in the same manner."""
        made = self.replace(**changes)
        if made.held_out is None:
            return made
        data, held = made.held_out.for_other_data(made.data, made.source)
        return dataclasses.replace(made, data=data, held_out=held)

    def with_edited_points(self, **changes: Any) -> Self:
        """Return the document with parts changed by hand. The held-out points get the classes and categories
        of the other points; if one that they need is gone, none are held out any more."""
        made = self.replace(**changes)
        if made.held_out is None:
            return made
        return dataclasses.replace(made, held_out=made.held_out.among(made.data))

    @property
    def test_data(self) -> Data | None:
        """The held-out points; None if there are none."""
        return None if self.held_out is None else self.held_out.data

    @property
    def together(self) -> Data:
        """All points, fitted and set aside, in their original order."""
        return self.data if self.held_out is None else self.held_out.joined(self.data)

    def with_classes_swapped(self) -> Self:
        """Return the document with the other one of two classes as +, for held-out points too; BadInput
        unless there are two."""
        made = self.replace(data=self.data.swapped(), source="")
        held = made.held_out
        if held is None:
            return made
        return dataclasses.replace(made, held_out=dataclasses.replace(held, data=held.data.swapped()))

    # Several fits -------------------------------------------------------------------------------------
    def with_fit(self, fit: Fit) -> Self:
        """Return the document with one more fit, which is active."""
        if len(self.fits) >= MOST_FITS:
            raise BadInput(f"There is room for {MOST_FITS} fits; close one first.")
        return dataclasses.replace(self, fits=(*self.fits, fit), active=len(self.fits))

    def without_fit(self, index: int) -> Self:
        """Return the document without one of its fits; BadInput if it is the only one."""
        if len(self.fits) == 1:
            raise BadInput("You cannot close the only fit.")
        fits = self.fits[:index] + self.fits[index + 1 :]
        active = self.active - (index < self.active)
        return dataclasses.replace(self, fits=fits, active=min(active, len(fits) - 1))


@dataclass(frozen=True, eq=False)
class State:
    """Document and look together."""

    document: Document
    look: Look = field(default_factory=Look)

    def with_legend(self, on: bool) -> State:
        """Return the same state with a legend, or without one."""
        shown = self.look.shown | {"legend"} if on else self.look.shown - {"legend"}
        return dataclasses.replace(self, look=self.look.replace(shown=shown))

    def request(
        self, stamp: int = 1, *, every_fit: bool = False, discrete: bool = True, verdict: bool = True
    ) -> Request:
        """Return the request to the worker to draw the active fit first, and then every other one if that is
        wanted. `Request` explains the other arguments."""
        document, look = self.document, self.look
        return Request(
            stamp=stamp,
            data=document.data,
            fits=document.fits,
            active=document.active,
            also=tuple(range(len(document.fits))) if every_fit else (),
            sampling=document.workspace.sampling(document.data, look.view, document.origin),
            step=look.step if look.mode == "watch" else None,
            discrete=discrete,
            held_out=document.test_data,
            verdict=verdict,
        )

    def each_fit(self) -> list[State]:
        """Return the state once for each fit, with that fit active."""
        fits = range(len(self.document.fits))
        return [dataclasses.replace(self, document=self.document.replace(active=k)) for k in fits]


def start_up(workspace: Workspace | None = None) -> State:
    """Return the fitted example of a workspace; by default of the one a newcomer sees first."""
    chosen = workspace or workspaces()[0]
    data, source = chosen.example()
    return State(Document(data, (chosen.fit,), source=source), chosen.look(data))
