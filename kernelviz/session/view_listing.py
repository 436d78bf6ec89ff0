"""The insight views with their names and titles, listed without importing them: that would delay the start.

Lessons name views without a window, so the list is part of the session's layer. `views.json` is made of the
classes by `python -m tests.view_listing`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kernelviz.engine.core.data import Domain
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
