"""Which part of the plane is seen, kept in step between session and window."""

from __future__ import annotations

from PySide6.QtCore import QSizeF

from kernelviz.drawing.figure.transform import widened
from kernelviz.session.session import Session
from kernelviz.session.state import State
from kernelviz.session.view import ViewRange, sane
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.canvas.pulse import Pulse
from kernelviz.ui.canvas.scene import Scene


class Camera:
    """Shows at least what was asked for; with equal aspect, as much more as fills the window.

    What is seen is written to the session, at a beat, so that the worker computes just that. What was
    asked for is remembered: resizing the window there and back leaves the view as it was."""

    def __init__(self, scene: Scene, session: Session, pulse: Pulse) -> None:
        self._scene = scene
        self._session = session
        self._pulse = pulse
        self._limits = session.look.limits
        self._asked = sane(self._limits or session.look.view)
        self._written = session.look.view
        self._equal = "equal_aspect" in session.look.shown
        self.beside: list[CameraBeside] = []  # Those that see the same.

    def look_at(self, view: ViewRange, *, typed: bool = False) -> None:
        """Show a rectangle of the plane; figures have exactly these limits if they were typed."""
        self._asked = sane(view)
        self._limits = view if typed else None
        self.apply()

    def fit(self) -> None:
        """Show all points."""
        data = self._session.document.data
        self.look_at(workspace_of(data).extent(data))

    def follow(self, new: State) -> None:
        """The session has changed: somebody else may want another view."""
        equal = "equal_aspect" in new.look.shown
        limits = new.look.limits
        if new.look.view != self._written or (limits is not None and limits != self._limits):
            self._written = new.look.view
            self._equal = equal
            self.look_at(limits or new.look.view, typed=limits is not None)
        elif equal != self._equal:
            self._equal = equal
            self.apply()

    def apply(self, *, afresh: bool = False) -> None:
        """Fit what was asked for into the window as it is now."""
        area = self._scene.area
        area.view = self._shown()
        area.lay_out(afresh=afresh)
        area.view = self._shown()  # the axes may have taken or given room
        self._scene.refit(resized=afresh)
        area.viewport().update()
        self._pulse.ask()
        for other in self.beside:
            other.apply(afresh=afresh)

    def settle_legend(self) -> None:
        """Have the legend cover no points: the plane makes room for it below, or takes that back."""
        width, height = self._scene.area.pixels
        height += self._scene.area.row_below
        if (
            width >= 1
            and height >= 1
            and self._scene.settle_legend(self._seen_in(width, height), QSizeF(width, height))
        ):
            self.apply(afresh=True)

    def _shown(self) -> ViewRange:
        return self._seen_in(*self._scene.area.pixels)

    def _seen_in(self, width: float, height: float) -> ViewRange:
        """What is seen in a plane of so many pixels."""
        if not self._equal or width < 1 or height < 1:
            return self._asked
        return sane(widened(self._asked, width / height))

    def write(self) -> None:
        """Tell the session what is seen, so that the worker computes it."""
        view = self._scene.area.view
        width, height = self._scene.area.pixels
        new = view != self._written or self._limits != self._session.look.limits
        if new and width >= 1 and height >= 1:
            self._written = view
            self._session.adjust(view=view, limits=self._limits)


class CameraBeside(Camera):
    """Sees in a plane of the same size what another camera sees, and has that one look elsewhere."""

    def __init__(self, scene: Scene, leader: Camera, pulse: Pulse) -> None:
        super().__init__(scene, leader._session, pulse)
        self._leader = leader
        leader.beside.append(self)

    def look_at(self, view: ViewRange, *, typed: bool = False) -> None:
        self._leader.look_at(view, typed=typed)

    def follow(self, new: State) -> None:
        """The other one does."""

    def apply(self, *, afresh: bool = False) -> None:
        area, like = self._scene.area, self._leader._scene.area
        area.lay_out(afresh=afresh, like=like)
        area.view = like.view
        self._scene.refit(resized=afresh)
        area.viewport().update()
        self._pulse.ask()

    def settle_legend(self) -> None:
        """There is one legend for all."""

    def write(self) -> None:
        """The other one does."""
