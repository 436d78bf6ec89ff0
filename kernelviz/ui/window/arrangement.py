"""The arrangement of the window as a value: where everything is, for every size, mode and wish; without Qt.

`arrange` returns places. Sizes follow from what Qt measures once panels are in their places: `column_heights`
and `fold` share out a column. Nothing is put back to what it was: a mode is left by arranging for the next
one, and what the user has chosen is in `Wishes`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

# Panels on both sides of the canvas; one column in which panels fold to lines; icons that open panels.
Shape = Literal["columns", "accordion", "icons"]
Where = Literal["left", "right", "below", "over", "in the lesson", "hidden"]
Bar = Literal["menu", "toolbar", "strip"]
Size = tuple[int, int]

UNBOUNDED = 10_000  # Pixels.
NARROW = 900  # The width, in pixels for type of the usual size, below which there is no room for a column.
ONE_PANEL = 1500  # The width of a stage, in pixels, below which it has room for one panel at a time.


@dataclass(frozen=True)
class PanelPlace:
    """The column of a panel, and the least height it needs there, in pixels."""

    side: Literal["left", "right"]
    least: int
    most: int = UNBOUNDED  # The height that shows all of it; of a column, the first panel gets it first.


PANELS = {
    "data": PanelPlace("left", 378, 386),
    "kernel": PanelPlace("left", 276),
    "algorithm": PanelPlace("right", 245, 300),
    "insight": PanelPlace("right", 455),
}


@dataclass(frozen=True)
class Mode:
    """The use of the window: work at the desk, unless one of these is on."""

    presenting: bool = False
    lesson: bool = False
    audience: bool = False  # True if an audience sees the middle in a separate window.
    hall: bool = False  # Whether this is the window of the audience.

    @property
    def at_the_desk(self) -> bool:
        """True where the panels are the user's to arrange."""
        return not (self.presenting or self.lesson or self.hall)

    @property
    def on_stage(self) -> bool:
        """True in presentation mode without a lesson, which has panels of its own."""
        return self.presenting and not self.lesson


@dataclass(frozen=True)
class Wishes:
    """The choices of the user."""

    closed: frozenset[str] = frozenset()  # The panels closed at the desk.
    drawer: bool = False  # Whether the views below the canvas are open.
    over: str = ""  # The panel over the canvas of a small window.
    opened: tuple[str, ...] = ("kernel", "algorithm")  # Of those that fold, the latest first; two at most.
    presented: frozenset[str] = frozenset()  # The panels on the stage.
    in_lesson: frozenset[str] = frozenset()  # The panels opened during a lesson.
    folded: bool = False  # Whether a lesson that is over the canvas is a button there.
    views: tuple[str, ...] = ()  # The insight views of the desk.
    presented_views: tuple[str, ...] = ()  # The insight views of the stage.
    large: str = ""  # The view in the place of the canvas.
    toolbar: bool = True
    hidden: frozenset[str] = frozenset()  # The panels and bars hidden by *Controls* or a stop of a lecture.
    by_hand: Shape | Literal[""] = ""  # The shape in which the user has moved panels, or lines between them.
    gives_way: bool = False  # Whether icons take its place where there is no room for it.


@dataclass(frozen=True)
class Arrangement:
    """The place of everything in the window."""

    mode: Mode
    shape: Shape
    panels: Mapping[str, Where]
    views: tuple[str, ...]  # None are named for a lesson, which chooses its own.
    large: str  # The view that has changed places with the canvas.
    lesson: Literal["", "beside", "over", "folded"]
    bars: frozenset[Bar]

    @property
    def shown(self) -> frozenset[str]:
        """The panels that are somewhere."""
        return frozenset(name for name, where in self.panels.items() if where != "hidden")

    @property
    def may_hide_canvas(self) -> bool:
        """True if the canvas, in the slot of a large view, may be hidden together with the panel."""
        return self.mode.presenting or self.shape == "icons"


def shape_for(size: Size, scale: float) -> Shape:
    """Return the shape of a window of this size, for type larger by the factor `scale`: the canvas comes
    first."""
    wide, low = 1300, 600  # There is room for columns on both sides of the canvas, and for none.
    width, height = size[0] / scale, size[1] / scale
    if width < NARROW or height < low:
        return "icons"
    return "columns" if width >= wide else "accordion"


def homes(shape: Shape, mode: Mode = Mode()) -> dict[str, Where]:
    """Return where each panel stands in a shape when it is shown."""
    if shape == "columns":
        columns: dict[str, Where] = {name: column.side for name, column in PANELS.items()}
        return {**columns, "insight": "in the lesson"} if mode.lesson else columns
    column: dict[str, Where] = dict.fromkeys(PANELS, "left")
    return {**column, "insight": "right" if mode.audience else "below"}


def arrange(size: Size, scale: float, mode: Mode, wishes: Wishes) -> Arrangement:
    """Return where everything is in a window of this size. scale: of its type, compared with the usual."""
    if mode.hall:  # without a stage or a lesson of its own
        mode = Mode(hall=True)
    shape: Shape = "columns"
    if mode.at_the_desk:
        shape = shape_for(size, scale)
        if wishes.by_hand and not (wishes.gives_way and shape == "icons"):
            shape = wishes.by_hand
    there = _shown(size, shape, mode, wishes) - wishes.hidden
    home: dict[str, Where] = dict.fromkeys(there, "over") if shape == "icons" else homes(shape, mode)
    views = _views(mode, wishes)
    made = Arrangement(
        mode,
        shape,
        {name: home[name] if name in there else "hidden" for name in PANELS},
        views,
        wishes.large if wishes.large in views and not mode.hall else "",
        _lesson(size, scale, mode, wishes),
        _bars(mode, wishes),
    )
    if "insight" not in there and not made.may_hide_canvas:
        return replace(made, large="")
    return made


def _shown(size: Size, shape: Shape, mode: Mode, wishes: Wishes) -> frozenset[str]:
    """Return the panels that are shown."""
    if mode.hall:
        return frozenset({"insight"} if wishes.views else ())
    if mode.lesson:
        return wishes.in_lesson
    if mode.presenting:
        there = [name for name in PANELS if name in wishes.presented]
        return frozenset(there[-1:] if size[0] < ONE_PANEL else there)
    if shape == "icons":
        return frozenset({wishes.over} - {""})
    closed = wishes.closed
    if shape == "accordion":
        closed = _with(closed, "insight", on=not wishes.drawer)
    return frozenset(PANELS) - closed


def _views(mode: Mode, wishes: Wishes) -> tuple[str, ...]:
    """Return the insight views: on the stage those chosen there, and the one that is large at the desk."""
    if mode.lesson:
        return ()
    if not mode.presenting:
        return wishes.views
    chosen = wishes.presented_views or wishes.views[:1]
    return (wishes.large,) if wishes.large and wishes.large not in chosen else chosen


def _lesson(size: Size, scale: float, mode: Mode, wishes: Wishes) -> Literal["", "beside", "over", "folded"]:
    """Return where the panel of a lesson is."""
    if not mode.lesson:
        return ""
    if mode.presenting or size[0] >= NARROW * scale:
        return "beside"
    return "folded" if wishes.folded else "over"


def _bars(mode: Mode, wishes: Wishes) -> frozenset[Bar]:
    """Return the bars above and below canvas and panels."""
    if mode.hall:
        return frozenset()
    if mode.presenting:
        return frozenset({"strip"})
    toolbar = wishes.toolbar and "toolbar" not in wishes.hidden
    return frozenset({"menu", "toolbar"} if toolbar else {"menu"})


def _with(names: frozenset[str], name: str, on: bool) -> frozenset[str]:
    """Return names with one more, or with one less."""
    return names | {name} if on else names - {name}


# Sizes --------------------------------------------------------------------------------------------------
def column_heights(side: str, height: int) -> dict[str, int]:
    """Share out a column: its panels get their least heights, and in turn what more they can use."""
    column = {name: panel for name, panel in PANELS.items() if panel.side == side}
    spare = height - sum(panel.least for panel in column.values())
    heights = {}
    for name, panel in column.items():
        more = min(max(spare, 0), panel.most - panel.least)
        heights[name] = panel.least + more
        spare -= more
    return heights


@dataclass(frozen=True)
class Fold:
    """The heights of panels that fold. One that is not among `opened` is a line."""

    opened: tuple[str, ...]
    heights: Mapping[str, int]
    most: Mapping[str, int | None]  # Of panels without their lines. None: as high as there is room.


def fold(
    names: Sequence[str],
    wanted: tuple[str, ...],
    height: int,
    line: int,
    needed: Callable[[str], int],
    scale: float,
) -> Fold:
    """Give the first panel that is wanted open what it needs and a second one the rest; without a second one,
    all of it. The second one is closed where the first needs its height.

    With none open the last panel has the rest, which is empty. line: the height of a closed panel. needed:
    returns the height that shows all of a panel without its line."""
    heights: dict[str, int] = dict.fromkeys(names, 1)
    most: dict[str, int | None] = dict.fromkeys(names, 0)
    opened = wanted[:1] if wanted and wanted[0] in names else ()
    left = UNBOUNDED
    for first in opened:
        others = [name for name in names if name != first]
        rest = height - line * len(names) - needed(first)
        if len(wanted) > 1 and others and rest >= scale * 130:  # enough for a second one
            opened += (wanted[1] if wanted[1] in others else others[-1],)
            heights[first], most[first], left = line + needed(first), needed(first), rest
    tallest = opened[-1] if opened else names[-1]
    heights[tallest], most[tallest] = left, None
    return Fold(opened, heights, most)


# What the user does ---------------------------------------------------------------------------------------
def opening(wishes: Wishes, name: str) -> Wishes:
    """Return the wishes once a panel has been unfolded: the one that was open may be the second."""
    return replace(wishes, opened=(name, *[other for other in wishes.opened if other != name][:1]))


def closing(wishes: Wishes, name: str) -> Wishes:
    """Return the wishes once a panel has been folded: no other one unfolds by itself."""
    return replace(wishes, opened=tuple(other for other in wishes.opened if other != name)[:1])


def toggled(wishes: Wishes, made: Arrangement, size: Size, name: str, shown: bool) -> Wishes:
    """Return the wishes once the user has shown or hidden a panel by its key, icon, title or menu entry."""
    wishes = replace(wishes, hidden=wishes.hidden - {name})
    if made.mode.lesson:
        return replace(wishes, in_lesson=_with(wishes.in_lesson, name, shown))
    if made.mode.presenting:
        others = wishes.presented if size[0] >= ONE_PANEL else frozenset()
        return replace(wishes, presented=_with(others, name, shown))
    if made.shape == "icons":
        return replace(wishes, over=name if shown else "")
    if made.shape == "accordion" and name == "insight":
        return replace(wishes, drawer=shown)
    return replace(wishes, closed=_with(wishes.closed, name, not shown))


def looking(wishes: Wishes, made: Arrangement, views: tuple[str, ...], large: str) -> Wishes:
    """Return the wishes once the user has chosen insight views, or the large one. Its panel does not cover
    that."""
    if made.mode.lesson:
        return wishes
    if made.shape == "icons" and large not in ("", wishes.large):
        wishes = replace(wishes, over="")
    if made.mode.presenting:
        return replace(wishes, presented_views=views, large=large)
    return replace(wishes, views=views, large=large)


def alike(wishes: Wishes, made: Arrangement) -> Wishes:
    """Return the wishes with the views of one mode in all modes and shapes: those of a lecture belong to its
    stop."""
    there = "insight" in made.shown or bool(made.large)
    return replace(
        wishes,
        closed=_with(wishes.closed, "insight", not there),
        drawer=there,
        presented=_with(wishes.presented, "insight", there),
        views=made.views,
        presented_views=made.views,
        large=made.large,
    )
