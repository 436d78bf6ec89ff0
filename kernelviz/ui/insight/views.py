"""Every insight view, in the order of its key: an entry, and a module imported when it is first wanted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING

from kernelviz.engine.core.data import Domain
from kernelviz.scene.listing import ListedScene, listed_scenes

if TYPE_CHECKING:
    from kernelviz.ui.insight.base import InsightView


FAMILIES = ("Point", "Fit", "Geometry", "Generalise")  # What a view is about, in the order of the picker.


@dataclass(frozen=True)
class Listed:
    """A view as menus and pickers have it."""

    name: str
    title: str
    family: str
    summary_line: str
    home: str  # Its module here, and its class.
    domains: tuple[Domain, ...] = ("vectors", "strings")  # Inputs it can show something of.

    @property
    def place(self) -> int:
        return FAMILIES.index(self.family)

    @property
    def module(self) -> str:
        return f"kernelviz.ui.insight.{self.home.partition('.')[0]}"

    @cached_property
    def widget(self) -> type[InsightView]:
        """The view itself."""
        found: type[InsightView] = getattr(import_module(self.module), self.home.partition(".")[2])
        return found


_IN_ORDER = (
    Listed(
        "inspector",
        "Point",
        "Point",
        "Everything about the point, or the place, the mouse is on.",
        "inspector.PointInspector",
    ),
    Listed(
        "table",
        "Table",
        "Point",
        "All points with their numbers, sorted, edited and copied.",
        "table_view.TableView",
    ),
)


@dataclass(frozen=True)
class Shown(Listed):
    """A view of the folder `scene.insight`."""

    scene: ListedScene | None = None

    @classmethod
    def of(cls, found: ListedScene) -> Shown:
        """Return the entry of a view found in the folder."""
        texts = (found.name, found.title, found.family, found.summary_line)
        return cls(*texts, found.module, found.domains, found)

    @property
    def module(self) -> str:
        return self.home

    @cached_property
    def widget(self) -> type[InsightView]:
        from kernelviz.ui.insight.scene_view import widget_of

        assert self.scene is not None
        return widget_of(self.scene.view)


def _views() -> dict[str, Listed]:
    """Return all views; the numbers that scenes leave free are those of the other views, in their order."""
    numbered: dict[int, Listed] = {found.number: Shown.of(found) for found in listed_scenes()}
    free = (number for number in count(1) if number not in numbered)
    numbered |= dict(zip(free, _IN_ORDER, strict=False))
    return {view.name: view for _, view in sorted(numbered.items())}


VIEWS = _views()
