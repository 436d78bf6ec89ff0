"""The insight views of a window, opened and closed by name."""

from __future__ import annotations

from collections.abc import Callable

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.expressions import parse_call
from kernelviz.scene.panels import FigurePanel, written
from kernelviz.scene.view import View
from kernelviz.session.lessons.state import view_name
from kernelviz.ui.insight.scene_view import SceneView
from kernelviz.ui.window.shell import Shell


class OpenViews:
    """Opens, closes and enlarges views for a lesson or a lecture; `changed` is called once it has."""

    def __init__(self, window: Shell, changed: Callable[[], None]) -> None:
        self._window, self._changed = window, changed

    def names(self) -> frozenset[str]:
        """Return the names of the views that are open."""
        hidden = self._window.docks["insight"].isHidden()
        return frozenset() if hidden else frozenset(self._window.insight.shown)

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
        made = self._window.insight.view(view_name(text))
        if not isinstance(made, SceneView):
            return
        try:
            view: View = parse_call(text, "view", {made.kind.name: made.kind})
        except BadInput as problem:
            self._window.complain(str(problem))
        else:
            made.set_view(view)

    def switches(self) -> tuple[tuple[str, str], ...]:
        """Return how the open views are set, by name, where that is not as usual."""
        made, texts = self._window.insight.switches, {}
        for name in self.names() & made.keys():
            texts[name] = written(FigurePanel(made[name]))
        return tuple((name, text) for name, text in texts.items() if text not in ("", name))

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
