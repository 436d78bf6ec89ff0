"""Insight views as panels of a figure: taken from the screen, or from a script as `loss(hinge=true)`.

>>> panel("gram(face=spectrum)").scene(frame).root"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Self

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.expressions import parse_call
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.scene.insight import view_class
from kernelviz.scene.view import Needed, Now, Scene, View, ViewMemory, message
from kernelviz.session.state import Document
from kernelviz.session.view_listing import SetView, listed_scenes, switches_text


@dataclass(frozen=True)
class FigurePanel:
    """A view with its switches as they are set, to be drawn next to the canvas of a figure."""

    view: View
    now: Now = field(default_factory=Now)

    @property
    def title(self) -> str:
        """The title of the view."""
        return self.view.title

    def worked_out(self, document: Document, frame: Frame | None) -> Self:
        """Return the panel with the results of the long work that its view needs, which is done now."""
        needed = self.view.needs(document, frame)
        found = tuple(map(_done, needed)) if isinstance(needed, tuple) else _done(needed)
        return replace(self, now=replace(self.now, document=document, result=found))

    def scene(
        self,
        frame: Frame | None,
        failure: Failure | None = None,
        verdict: Verdict | None = None,
        answers: tuple[Frame | Failure | None, ...] = (),
    ) -> Scene:
        """Return the scene for a figure, in which nothing is marked.

        frame: the result of the active fit, or None with the failure that says why there is none; verdict:
        what is known of kernel and points; answers: the results of all fits of the document."""
        if self.view.computes and self.now.document is None:
            return message(f"“{self.title}” is only computed while it is open. Open it first.")
        now = replace(self.now, verdict=verdict, answers=answers, on_paper=True)
        if frame is None:
            return self.view.without_fit(failure, now, ViewMemory())
        return self.view.scene(frame, now, ViewMemory())


def _done(needed: Needed | None) -> Any:
    """Return what long work finds; what it cannot do, its view says."""
    if needed is None:
        return None
    run = needed.begin()
    with suppress(BadInput):
        finished(run.work(lambda: None))
    return needed.result(run)


@cache
def views_for_scripts() -> dict[str, type[View]]:
    """Return all views a script can draw, by name."""
    found: dict[str, type[View]] = {listed.name: view_class(listed.name) for listed in listed_scenes()}
    return {name: view for name, view in found.items() if view().repeatable(Now())}


def drawable(view: str) -> bool:
    """Return True if a script can draw the view of a name."""
    return view in views_for_scripts()


@cache
def _every_view() -> dict[str, type[View]]:
    """Return all views that can be drawn of a document, once their long work is done, by name."""
    kinds = {listed.name: view_class(listed.name) for listed in listed_scenes()}
    return {name: kind for name, kind in kinds.items() if drawable(name) or kind.needs is not View.needs}


def opened(views: Iterable[SetView], point: int | None = None) -> list[FigurePanel]:
    """Return the panels of views that are open, as they are set. point: the one whose details are shown."""
    kinds, now = _every_view(), Now(point=point)
    return [FigurePanel(kinds[view.name](**view.values()), now) for view in views if view.name in kinds]


def panel(text: str) -> FigurePanel:
    """Return the panel a text stands for, such as `gram` or `gram(face=spectrum)`."""
    view: View = parse_call(text, "view for scripts", views_for_scripts())
    return FigurePanel(view)


def written(panel: FigurePanel) -> str:
    """Return the text that stands for a panel, which `panel` reads back; empty if a script cannot draw it
    as it is."""
    view = panel.view
    if view.name not in views_for_scripts() or not view.repeatable(panel.now):
        return ""
    return switches_text(view)
