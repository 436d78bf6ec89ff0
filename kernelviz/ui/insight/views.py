"""Every insight view by name, in the order of its key; its module is imported when it is first used.

`VIEWS["loss"].widget(workbench)` makes the widget of one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

from kernelviz.scene import insight
from kernelviz.session.view_listing import FAMILIES, Listed, listed_views
from kernelviz.ui.insight.base import InsightView
from kernelviz.ui.insight.scene_view import widget_of

# The views that are widgets of their own, not scenes: their modules and classes.
WIDGETS = {
    "inspector": ("kernelviz.ui.insight.inspector", "PointInspector"),
    "table": ("kernelviz.ui.insight.table_view", "TableView"),
}


@dataclass(frozen=True)
class ListedView(Listed):
    """A view as menus and pickers show it."""

    @property
    def place(self) -> int:
        """The place of its family in the picker."""
        return FAMILIES.index(self.family)

    @property
    def module(self) -> str:
        """The name of the module of its class."""
        return f"{insight.__name__}.{self.name}" if self.is_scene else WIDGETS[self.name][0]

    @cached_property
    def widget(self) -> type[InsightView]:
        """The widget class that shows it; imported now."""
        if self.is_scene:
            return widget_of(insight.view_class(self.name))
        found: type[InsightView] = getattr(import_module(self.module), WIDGETS[self.name][1])
        return found


VIEWS = {listed.name: ListedView(**vars(listed)) for listed in listed_views()}
