"""The insight views with their names and titles, listed without importing them: that would delay the start.

Lessons name views without a window, so the list is part of the session's layer."""

from __future__ import annotations

import re
from ast import literal_eval
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from kernelviz.engine.core.data import Domain

FOLDER = Path(__file__).parents[1] / "scene" / "insight"
FAMILIES = ("Point", "Fit", "Geometry", "Generalise")  # The headings of the picker, in their order.
CLASS = re.compile(r"^class (\w+)\((?:Document)?View\):$", re.MULTILINE)
FACT = re.compile(r"^    (name|title|family|summary_line|domains|number) = (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Listed:
    """The facts at the top of a view's class."""

    module: str
    class_name: str
    name: str
    title: str
    family: str
    summary_line: str
    number: int
    domains: tuple[Domain, ...] = ("vectors", "strings", "objects", "categories")

    @cached_property
    def kind(self) -> Any:
        """The class itself; imported now."""
        found: Any = getattr(import_module(self.module), self.class_name)
        return found


# Views that are widgets of their own, not scenes.
WIDGETS = (
    Listed(
        "kernelviz.ui.insight.inspector",
        "PointInspector",
        name="inspector",
        title="Point",
        family="Point",
        summary_line="All numbers of the point or place under the mouse.",
        number=6,
    ),
    Listed(
        "kernelviz.ui.insight.table_view",
        "TableView",
        name="table",
        title="Table",
        family="Point",
        summary_line="All points with their numbers, sorted, edited and copied.",
        number=7,
    ),
)


def listed_scenes() -> list[Listed]:
    """Return every view of the folder, in the order of their numbers."""
    found = []
    for path in FOLDER.glob("[!_]*.py"):
        source = path.read_text(encoding="utf-8")
        head = CLASS.search(source)
        if head is not None:
            top = source[head.end() : source.index("    def ", head.end())]  # the class above its methods
            facts = {name: literal_eval(value) for name, value in FACT.findall(top)}
            module = f"kernelviz.scene.insight.{path.stem}"
            found.append(Listed(module, head[1], **facts))
    return sorted(found, key=lambda listed: listed.number)


def listed_views() -> list[Listed]:
    """Return all views, in the order of their numbers."""
    return sorted((*WIDGETS, *listed_scenes()), key=lambda listed: listed.number)
