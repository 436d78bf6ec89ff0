"""The insight area: up to two views, each of which can change places with the canvas.

The area makes views when they are first seen and puts them into its two slots. Enlarging exchanges the view
of a slot and the canvas, which then stands in the slot; the area therefore knows the `stage`, the place of
the canvas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QWidget

from kernelviz.engine.core.data import Domain
from kernelviz.scene.icons import icon
from kernelviz.scene.panels import FigurePanel
from kernelviz.scene.view import View
from kernelviz.session.state import State
from kernelviz.ui.insight.base import InsightView
from kernelviz.ui.insight.scene_view import SceneView
from kernelviz.ui.insight.view_picker import ViewPicker
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.focus import order_tabs, return_focus
from kernelviz.ui.widgets.labels import Label, describe, plain
from kernelviz.ui.widgets.layouts import Place, column, exchange, row
from kernelviz.ui.workbench.workbench import Workbench

AT_FIRST = ("loss", "inspector")


class ViewSlot(QWidget):
    """One view, and above it the picker that chooses it, with a line on what it shows behind an i. The area
    puts the view into its `place`, where the canvas stands while the view is enlarged."""

    picked = Signal(str)
    enlarge_wanted = Signal()
    other_wanted = Signal()  # A second slot, if this is the first, or none, if it is the second.
    seen = Signal()

    def __init__(self, number: int, view: str) -> None:
        narrowest = 280  # The least width of a slot, in pixels.
        super().__init__()
        self.picker = ViewPicker()
        self.picker.picked.connect(self.picked)
        self.about = ToolButton("info", "What am I looking at?")
        self.about.setCheckable(True)
        self.line = Label(role="muted", wraps=True)
        self.line.setContentsMargins(10, 0, 10, 4)
        self.line.hide()
        self.about.toggled.connect(self.line.setVisible)
        self.enlarge = ToolButton(do=self.enlarge_wanted)
        look = ("plus", "Show a second view") if number == 1 else ("close", "Close this view")
        self.other = ToolButton(*look, do=self.other_wanted)
        self.place = Place()
        self.setMinimumWidth(narrowest)  # whatever the type: a window would be pushed apart on its way back
        self.show_name(view)
        self.show_enlarged(False)
        header = row((self.picker, 1), self.about, self.enlarge, self.other, spacing=2, margins=(8, 2, 4, 2))
        column(header, self.line, (self.place, 1), on=self, spacing=0)

    def offer(self, domain: Domain) -> None:
        """Offer the views that can show something of such inputs."""
        self.picker.offer(view for view in VIEWS.values() if domain in view.domains)
        self.show_name(self.view)

    def show_name(self, view: str) -> None:
        """Show the name of the chosen view."""
        self.view = view
        self.picker.show_name(view, VIEWS[view].title)
        self.line.setText(VIEWS[view].summary_line)
        self.about.setToolTip(plain(VIEWS[view].summary_line))

    def show_enlarged(self, on: bool) -> None:
        """Show whether the view has changed places with the canvas."""
        self.enlarge.setIcon(icon("shrink" if on else "enlarge"))
        describe(self.enlarge, "Back to its slot (Escape)" if on else "Swap with the canvas")

    def showEvent(self, event: QShowEvent) -> None:
        self.seen.emit()
        super().showEvent(event)


class InsightArea(QSplitter):
    """Two slots, the second of which may be closed.

    A view is made when it is first seen, and is never in both slots: choosing it where it is not makes the
    two change places. `show_view` shows one by name, `enlarge` exchanges that of a slot and the canvas."""

    emptied = Signal()  # Nothing is left to show: the area can be hidden.
    changed = Signal()  # Other views are shown, or another one is large.
    switched = Signal()  # A switch of a view has another value.
    pointed = Signal(object, object)  # A sheet, and what is under the mouse there: a Hit, or None.

    def __init__(self, workbench: Workbench, stage: Place | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setChildrenCollapsible(False)
        self.setAccessibleName("Insight")
        self.workbench = workbench
        self.views: dict[str, InsightView] = {}  # Those made so far.
        self._frames: dict[str, QWidget] = {}
        self.stage = stage  # Where the canvas is; without it nothing is enlarged.
        self._held = False
        # Whether a view stays enlarged when the area, and the canvas in it, are hidden.
        self.may_hide_canvas: Callable[[], bool] = lambda: False
        self.slots = tuple(ViewSlot(k, view) for k, view in enumerate(AT_FIRST, start=1))
        self._latest = self.slots[0]  # The slot for which a view was chosen last.
        for slot in self.slots:
            slot.offer(workbench.session.document.data.domain)
            slot.picked.connect(lambda name, slot=slot: self.choose(slot, name))
            slot.enlarge_wanted.connect(
                lambda slot=slot: self.shrink() if self._enlarged is slot else self.enlarge(slot)
            )
            slot.seen.connect(lambda slot=slot: self._on_seen(slot))
            self.addWidget(slot)
        first, second = self.slots
        first.other_wanted.connect(lambda: self.open_second(True))
        second.other_wanted.connect(lambda: self.open_second(False))
        workbench.state_changed.connect(self._on_state)
        self.reset()

    # Which views ----------------------------------------------------------------------------------------
    @property
    def shown(self) -> list[str]:
        """The views of the slots that are open."""
        return [slot.view for slot in self.slots if not slot.isHidden()]

    def view(self, name: str) -> InsightView:
        """Return the view of that name; it is made now if it has not been shown before."""
        if name not in self.views:
            view = self.views[name] = VIEWS[name].widget(self.workbench)
            view.setAccessibleName(view.title)
            if isinstance(view, SceneView):
                view.switched.connect(self.switched)
            self._frames[name] = _framed(view)
            if isinstance(view, SceneView):
                view.sheet.pointed.connect(partial(self.pointed.emit, view.sheet))
        return self.views[name]

    def panel(self, kind: type[SceneView]) -> FigurePanel:
        """Return a view as a panel of a figure, its switches as they are, shown or not."""
        made = self.views.get(kind.name)
        return made.panel() if isinstance(made, SceneView) else FigurePanel(kind.kind())

    @property
    def switches(self) -> dict[str, View]:
        """The views made so far that have switches, with their settings."""
        return {name: made.view for name, made in self.views.items() if isinstance(made, SceneView)}

    def set_switches(self, views: Mapping[str, View]) -> None:
        """Set the switches of all views as in these; others get their defaults."""
        for name, made in self.views.items():
            if isinstance(made, SceneView):
                made.set_view(views.get(name) or made.kind())

    def slot_of(self, name: str) -> ViewSlot | None:
        """Return the open slot a view is in; None if it is in none."""
        return next((slot for slot in self.slots if slot.view == name and not slot.isHidden()), None)

    def show_view(self, name: str) -> ViewSlot:
        """Show a view and return its slot: the one it is in, or the one for which a view was chosen last."""
        slot = self.slot_of(name)
        if slot is None:
            slot = self.slots[0] if self._latest.isHidden() else self._latest
            self.choose(slot, name)
        return slot

    def choose(self, slot: ViewSlot, name: str) -> None:
        """Put a view into a slot; if the other has it, they change places."""
        enlarged = self._enlarged
        self.shrink()
        other = next(other for other in self.slots if other is not slot)
        if other.view == name:
            other.show_name(slot.view)
        slot.show_name(name)
        self._latest = slot
        for filled in (slot, other):
            self._fill(filled)
        if enlarged is not None:
            self.enlarge(enlarged)
        self.changed.emit()

    def put_away(self, name: str) -> None:
        """Close a view; the other one then has the whole area."""
        slot = self.slot_of(name)
        if slot is None:
            return
        self.shrink()
        first, second = self.slots
        if second.isHidden():
            self.emptied.emit()
        elif slot is first:
            self.choose(first, second.view)
        self.open_second(False)

    def open_second(self, on: bool) -> None:
        """Open or close the second slot."""
        first, second = self.slots
        if not on and self._enlarged is second:
            self.shrink()
        second.setVisible(on)
        first.other.setHidden(on)
        self._latest = second if on else first
        self.changed.emit()

    def reset(self) -> None:
        """Show the views of the first start in their usual shares."""
        shares = (55, 45)  # Of the height, or the width, for the first and the second slot.
        self.restore(list(AT_FIRST))
        self.setSizes(list(shares))
        for slot, share in zip(self.slots, shares, strict=True):
            self.setStretchFactor(self.indexOf(slot), share)

    def lie_in(self, area: Qt.DockWidgetArea) -> None:
        """Arrange the slots side by side below the canvas, or one above the other next to it."""
        flat = area in (Qt.DockWidgetArea.BottomDockWidgetArea, Qt.DockWidgetArea.TopDockWidgetArea)
        self.setOrientation(Qt.Orientation.Horizontal if flat else Qt.Orientation.Vertical)

    def restore(self, shown: list[str]) -> None:
        """Show the first two known views among these; without any, change nothing."""
        known = list(dict.fromkeys(name for name in shown if name in VIEWS))[:2]
        if known:
            self.shrink()
            rest = next(name for name in AT_FIRST if name not in known[:1])
            for slot, name in zip(self.slots, [*known, rest], strict=False):
                slot.show_name(name)
            for slot in self.slots:
                self._fill(slot)
            self.open_second(len(known) == 2)
            self._latest = self.slots[0]

    def hold(self) -> None:
        """Leave slots empty when they are first seen: the first picture of the canvas must not wait for their
        views."""
        self._held = True

    def _on_seen(self, slot: ViewSlot) -> None:
        """Fill a slot that is seen; a view that the user chooses is shown even while others wait."""
        if not self._held:
            self._fill(slot)

    def release(self) -> None:
        """Fill the slots now, and from now on when they are seen."""
        self._held = False
        for slot in self.slots:
            self._fill(slot)

    def _fill(self, slot: ViewSlot) -> None:
        """Put the chosen view into a slot that can be seen."""
        if slot.isVisible() and slot is not self._enlarged:
            self._put_in(slot)
            order_tabs(*(layout for slot in self.slots if (layout := slot.layout())))

    def _put_in(self, slot: ViewSlot) -> None:
        self.view(slot.view)
        slot.place.put(self._frames[slot.view])

    def _on_state(self, old: State, new: State) -> None:
        """Offer the views of another workspace, and let its canvas be seen."""
        if old.document.workspace is not new.document.workspace:
            self.shrink()
        domain = new.document.data.domain
        if old.document.data.domain != domain:
            for slot in self.slots:
                slot.offer(domain)

    # Large and small ------------------------------------------------------------------------------------
    @property
    def enlarged(self) -> str | None:
        """The view that is where the canvas used to be."""
        there = None if self.stage is None else self.stage.widget
        return next((name for name, frame in self._frames.items() if frame is there), None)

    @property
    def _enlarged(self) -> ViewSlot | None:
        """The slot of the enlarged view, which holds the canvas."""
        name = self.enlarged
        return None if name is None else next(slot for slot in self.slots if slot.view == name)

    @property
    def large_picture(self) -> QWidget | None:
        """The enlarged picture, if it has keys of its own."""
        name = self.enlarged
        return None if name is None else self.view(name).keyed

    def enlarge(self, slot: ViewSlot) -> None:
        """Exchange the view of a slot and the canvas."""
        self._put_back()
        if self.stage is not None:
            self._put_in(slot)
            self._frames[slot.view].installEventFilter(self)
            self._exchange(slot, True)
            self.changed.emit()

    def shrink(self) -> bool:
        """Put the canvas back in its place; return True if it was not there."""
        if was := self._put_back():
            self.changed.emit()
        return was

    def _put_back(self) -> bool:
        slot = self._enlarged
        if slot is not None:
            self._frames[slot.view].removeEventFilter(self)
            self._exchange(slot, False)
        return slot is not None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Put an enlarged view back on Escape, unless something in it uses that key."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        return event.key() == Qt.Key.Key_Escape and self.shrink()

    def prepare_to_close(self) -> None:
        """Put everything back before the window closes: afterwards there is no place for the canvas, and a
        floating panel would be hidden only then."""
        self._put_back()
        self.stage = None

    def _exchange(self, slot: ViewSlot, enlarged: bool) -> None:
        """Exchange the view of a slot and the canvas, one way or the other."""
        assert self.stage is not None
        exchange(slot.place, self.stage)
        slot.show_enlarged(enlarged)
        return_focus(self)  # on its way the canvas has lost the keyboard

    def hideEvent(self, event: QHideEvent) -> None:
        if not event.spontaneous():
            self.release_canvas()
        super().hideEvent(event)

    def release_canvas(self) -> None:
        """Put the canvas back if it is hidden together with the area, unless that is wanted."""
        if not self.isVisible() and not self.may_hide_canvas():
            self._put_back()

    # The canvas ---------------------------------------------------------------------------------------
    def show_place(self, x: float, y: float) -> None:
        """Pass on to the views which place of the canvas the mouse is over."""
        for view in self.views.values():
            view.show_place(x, y)


def _framed(view: InsightView) -> QWidget:
    """Return a view, inside a scroll area if it may be taller than its place."""
    if not view.scrolls:
        return view
    area = QScrollArea()
    area.setWidget(view)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    for behind in (view, area.viewport()):
        behind.setAutoFillBackground(False)
    return area
