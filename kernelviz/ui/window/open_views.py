"""The insight views of a window, opened, set and closed by name."""

from __future__ import annotations

from collections.abc import Callable

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.view_listing import SetView, parse_view, set_views
from kernelviz.ui.insight.scene_view import SceneView
from kernelviz.ui.window.shell import Shell


class OpenViews:
    """Opens, closes and enlarges views for a lesson or a lecture; `changed` is called once it has."""

    def __init__(self, window: Shell, changed: Callable[[], None]) -> None:
        self._window, self._changed = window, changed

    def now(self) -> dict[str, SetView]:
        """Return the views that are open, as they are set, by name."""
        area, found = self._window.insight, {}
        for name in area.shown if not self._window.docks["insight"].isHidden() else ():
            made = area.views.get(name)
            values = made.view.values() if isinstance(made, SceneView) else {}
            found[name] = set_views()[name](**values)
        return found

    def show(self, name: str, on: bool) -> None:
        """Open a view, or close it."""
        dock, area = self._window.docks["insight"], self._window.insight
        if on and dock.isHidden():
            area.restore([name])
            self._window.arrangement.toggle("insight", True)
        elif on and area.slot_of(name) is None:
            area.open_second(True)
            area.choose(area.slots[1], name)
        elif not on and area.shown == [name]:
            self._window.arrangement.toggle("insight", False)
        elif not on:
            area.put_away(name)
        self._changed()

    def set_switches(self, text: str) -> None:
        """Set an open view as a text such as `gram(face=spectrum)` says."""
        try:
            self.set_view(parse_view(text))
        except BadInput as problem:
            self._window.complain(str(problem))

    def set_view(self, view: SetView) -> None:
        """Set the switches of an open view."""
        made = self._window.insight.view(view.name)
        if isinstance(made, SceneView):
            made.set_view(made.view.replace(**view.values()))

    def enlarge(self, name: str) -> None:
        """Swap an open view and the canvas, or bring the canvas back."""
        slot = self._window.insight.slot_of(name)
        if slot is None:
            self._window.insight.shrink()
        else:
            self._window.insight.enlarge(slot)

    def notice(self, notice: Callable[[], None], on: bool = True) -> None:
        """Connect a slot to every opening and closing of views, or disconnect it."""
        signals = [self._window.docks["insight"].visibilityChanged]
        signals += [signal for slot in self._window.insight.slots for signal in (slot.picked, slot.seen)]
        for signal in signals:
            if on:
                signal.connect(notice)
            else:
                signal.disconnect(notice)
