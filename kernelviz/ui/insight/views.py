"""Every insight view by name, in the order of its key; its module is imported when it is first used."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kernelviz.scene.listing import FAMILIES, Listed, listed_scenes

if TYPE_CHECKING:
    from kernelviz.ui.insight.base import InsightView


@dataclass(frozen=True)
class ListedView(Listed):
    """A view as menus and pickers show it."""

    @property
    def place(self) -> int:
        """The place of its family in the picker."""
        return FAMILIES.index(self.family)

    @cached_property
    def widget(self) -> type[InsightView]:
        """The widget class that shows it; imported now."""
        from kernelviz.scene.view import View
        from kernelviz.ui.insight.scene_view import widget_of

        found: type[InsightView] = widget_of(self.kind) if issubclass(self.kind, View) else self.kind
        return found


# Views that are widgets of their own, not scenes.
WIDGETS = (
    ListedView(
        "kernelviz.ui.insight.inspector",
        "PointInspector",
        name="inspector",
        title="Point",
        family="Point",
        summary_line="All numbers of the point or place under the mouse.",
        number=6,
    ),
    ListedView(
        "kernelviz.ui.insight.table_view",
        "TableView",
        name="table",
        title="Table",
        family="Point",
        summary_line="All points with their numbers, sorted, edited and copied.",
        number=7,
    ),
)
_SCENES = (ListedView(**vars(listed)) for listed in listed_scenes())
VIEWS = {view.name: view for view in sorted((*WIDGETS, *_SCENES), key=lambda view: view.number)}
