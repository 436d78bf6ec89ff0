"""The insight views with names, titles and switches, listed without importing them: that would delay the
start.

Lessons name views and how they are set without a window, so the list is part of the session's layer.
`views.json` is made of the classes by `python -m tests.view_listing`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from kernelviz.engine.core.data import Domain
from kernelviz.engine.core.params import CHOICE, FLAG, INTEGER, REAL, Declared, Parameter, assigned
from kernelviz.engine.fits.expressions import parse_call
from kernelviz.resource import resource_path

FAMILIES = ("Point", "Fit", "Geometry", "Generalise")  # The headings of the picker, in their order.


@dataclass(frozen=True)
class Listed:
    """The facts at the top of a view's class."""

    name: str
    title: str
    family: str
    summary_line: str
    number: int
    domains: tuple[Domain, ...]
    is_scene: bool  # Whether figures and scripts can draw it; the others are widgets.
    switches: tuple[Mapping[str, Any], ...] = ()  # The facts about each, as `Parameter` has them.
    on_canvas: Mapping[str, str] = field(default_factory=dict)  # Switches that are toggles of the canvas.

    def picture(self, theme: str) -> Path:
        """Return the file of its small picture, which `python -m tests.pictures views` draws."""
        return resource_path("views", f"{self.name}-{theme}.png")


@cache
def listed_views() -> tuple[Listed, ...]:
    """Return all views, in the order of their numbers."""
    text = Path(__file__).with_name("views.json").read_text(encoding="utf-8")
    return tuple(Listed(**facts | {"domains": tuple(facts["domains"])}) for facts in json.loads(text))


def listed_scenes() -> tuple[Listed, ...]:
    """Return the views that are scenes, in the order of their numbers."""
    return tuple(listed for listed in listed_views() if listed.is_scene)


@dataclass(frozen=True)
class SetView(Declared):
    """A view as far as its switches are set, without the means to draw it: one class for each view."""

    on_canvas: ClassVar[Mapping[str, str]] = {}  # Switches that are toggles of the canvas.


def switches_text(view: Declared) -> str:
    """Return a text such as `gram(face=spectrum)`, with the switches that are not as usual."""
    values = view.values()
    changed = {p.name: values[p.name] for p in view.parameters() if values[p.name] != p.default}
    given = ", ".join(assigned(name, value) for name, value in changed.items())
    return f"{view.name}({given})" if given else view.name


@cache
def set_views() -> Mapping[str, type[SetView]]:
    """Return the views as far as they can be set, by name, as `parse_call` reads them."""
    kinds = {kind.name: kind for kind in (REAL, INTEGER, CHOICE, FLAG)}
    found: dict[str, type[SetView]] = {}
    for listed in listed_views():
        fields = []
        for facts in listed.switches:
            own = {"kind": kinds[facts["kind"]], "options": tuple(facts.get("options", ()))}
            declared = field(default=facts["default"], metadata={"parameter": Parameter(**{**facts, **own})})
            fields.append((facts["name"], object, declared))
        known = {"name": listed.name, "title": listed.title, "on_canvas": listed.on_canvas}
        found[listed.name] = make_dataclass(
            listed.name, fields, bases=(SetView,), namespace=known, frozen=True
        )
    return found


def parse_view(text: str) -> SetView:
    """Return the view and its switches in a text such as `gram(face=spectrum)`."""
    return parse_call(text, "view", set_views())
