"""How the window is arranged, as a value: where everything is, for every size, mode and wish; without Qt.

`arrange` returns places. Sizes follow from what Qt measures once panels are in their places: `column_heights`
and `fold` share out a column. Nothing is as it was before: a mode is left by arranging for the next one, and
what the user has chosen meanwhile is in `Wishes`."""

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


@dataclass(frozen=True)
class PanelPlace:
    """The column that a panel stands in, and the least height it needs there, in pixels."""

    side: Literal["left", "right"]
    least: int
    most: int = UNBOUNDED  # The height that shows all of it; of a column, the first panel gets it first.


PANELS = {
    "data": PanelPlace("left", 378, 386),
    "kernel": PanelPlace("left", 276),
    "algorithm": PanelPlace("right", 245, 300),
    "insight": PanelPlace("right", 455),
}
# In pixels for type of the usual size:
WIDE = 1300  # the width from which a window has columns on both sides of the canvas,
NARROW, LOW = 900, 600  # the width and height below which there is no room for a column,
SECOND = 130  # and the height left by an open panel from which a second one is open too.
ONE_PANEL = 1500  # The width of a stage, in pixels, below which it has room for one panel at a time.


@dataclass(frozen=True)
class Mode:
    """What the window is used for: work at the desk, unless one of these is on."""

    presenting: bool = False
    lesson: bool = False
    audience: bool = False  # The views of this window are what an audience sees.


@dataclass(frozen=True)
class Wishes:
    """What the user has chosen."""

    closed: frozenset[str] = frozenset()  # The panels closed at the desk.
    drawer: bool = False  # Whether the views below the canvas are open.
    over: str = ""  # The panel over the canvas of a small window.
    opened: tuple[str, ...] = ("kernel", "algorithm")  # Of those that fold, the latest first; two at most.
    presented: frozenset[str] = frozenset()  # The panels on the stage.
    views: tuple[str, ...] = ()  # The insight views of the desk,
    presented_view: str = ""  # that of the stage,
    large: str = ""  # and the one in the place of the canvas.
    toolbar: bool = True
    by_hand: Shape | Literal[""] = ""  # The shape in which the user has moved panels, or lines between them.
    gives_way: bool = False  # Whether that one makes room for icons where there is no room for it.


@dataclass(frozen=True)
class Arrangement:
    """Where everything in the window is."""

    shape: Shape
    panels: Mapping[str, Where]
    views: tuple[str, ...]
    large: str  # The view that has changed places with the canvas.
    lesson: Literal["", "beside", "over"]
    bars: frozenset[Bar]

    @property
    def shown(self) -> frozenset[str]:
        """The panels that are somewhere."""
        return frozenset(name for name, where in self.panels.items() if where != "hidden")


def shape_for(size: Size, scale: float) -> Shape:
    """Return the shape of a window of this size, for type so much larger than usual: the canvas comes
    first."""
    width, height = size[0] / scale, size[1] / scale
    if width < NARROW or height < LOW:
        return "icons"
    return "columns" if width >= WIDE else "accordion"


def homes(shape: Shape, mode: Mode = Mode()) -> dict[str, Where]:
    """Return where each panel stands in a shape when it is shown."""
    if shape == "columns":
        return {name: column.side for name, column in PANELS.items()}
    column: dict[str, Where] = dict.fromkeys(PANELS, "left")
    return {**column, "insight": "right" if mode.audience else "below"}


def arrange(size: Size, scale: float, mode: Mode, wishes: Wishes) -> Arrangement:
    """Return where everything is in a window of this size. scale: of its type, compared with the usual."""
    shape: Shape = "columns"
    if not (mode.presenting or mode.lesson):
        shape = shape_for(size, scale)
        if wishes.by_hand and not (wishes.gives_way and shape == "icons"):
            shape = wishes.by_hand
    there = _places(size, shape, mode, wishes)
    large = wishes.large
    if mode.lesson or ("insight" not in there and not (mode.presenting or shape == "icons")):
        large = ""  # the canvas would be hidden together with the panel
    views = wishes.views
    if mode.presenting:
        views = (large or wishes.presented_view or wishes.views[0],)
    beside = mode.presenting or size[0] >= NARROW * scale
    return Arrangement(
        shape,
        {name: there.get(name, "hidden") for name in PANELS},
        views,
        large,
        "" if not mode.lesson else "beside" if beside else "over",
        _bars(mode, wishes),
    )


def _places(size: Size, shape: Shape, mode: Mode, wishes: Wishes) -> dict[str, Where]:
    """Return the places of the panels that are shown."""
    if mode.lesson:
        return {"insight": "in the lesson"}
    if shape == "icons":
        return {wishes.over: "over"} if wishes.over else {}
    if mode.presenting:
        there = [name for name in PANELS if name in wishes.presented]
        there = there[-1:] if size[0] < ONE_PANEL else there
    else:
        closed = wishes.closed
        if shape == "accordion":
            closed = closed - {"insight"} if wishes.drawer else closed | {"insight"}
        there = [name for name in PANELS if name not in closed]
    home = homes(shape, mode)
    return {name: home[name] for name in there}


def _bars(mode: Mode, wishes: Wishes) -> frozenset[Bar]:
    """Return what is above and below canvas and panels."""
    if mode.presenting:
        return frozenset({"strip"})
    return frozenset({"menu", "toolbar"} if wishes.toolbar else {"menu"})


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
        if len(wanted) > 1 and others and rest >= scale * SECOND:
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
