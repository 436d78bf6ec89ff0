"""Every insight view by name, in the order of its key; its module is imported when it is first used.

`VIEWS["loss"].widget(workbench)` makes the widget of one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kernelviz.scene.view import View
from kernelviz.session.view_listing import FAMILIES, Listed, listed_views
from kernelviz.ui.insight.base import InsightView
from kernelviz.ui.insight.scene_view import widget_of


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
        found: type[InsightView] = widget_of(self.kind) if issubclass(self.kind, View) else self.kind
        return found


VIEWS = {listed.name: ListedView(**vars(listed)) for listed in listed_views()}
