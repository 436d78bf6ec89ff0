"""A view: one declaration of its name, its switches, its picture, and the meaning of a click.

`View` is the class to subclass. Its `scene` is given the latest frame and `Now`, which is everything else a
view may look at, and returns a `Scene`. Its `on_click` and the like return intents, such as `SelectPoints` or
`ChangeDocument`, which the window carries out; a view has no widget and changes nothing itself. What it
remembers from one scene to the next is in its `ViewMemory`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

import numpy as np
from PySide6.QtCore import Qt

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Domain
from kernelviz.engine.core.params import Declared
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.several_classes import MultiClassModel
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.scene.axes import Axis, SteadyRange
from kernelviz.scene.nodes import Hit, Marks, Message, Node
from kernelviz.scene.painter import Layout
from kernelviz.scene.wording import Remark
from kernelviz.session.edit_log import Edits
from kernelviz.session.state import Document

Value = TypeVar("Value")
NOT_YET = "There is no result to show yet."
LATER = "Computed when you stop editing."  # Until the long work of a view has a first result.


# What a user's action means ---------------------------------------------------------------------------------
@dataclass(frozen=True)
class SelectPoints:
    """Select these points, in every view and on the canvas."""

    points: tuple[int, ...]


@dataclass(frozen=True)
class Set:
    """Set a switch or a plain field of the view; a new scene follows."""

    switch: str
    value: Any


@dataclass(frozen=True)
class ChangeDocument:
    """Replace the document, as an undo step of that name; a click and the drag after it are one step."""

    step: str
    document: Document


@dataclass(frozen=True)
class GoTo:
    """Go to a step of the run, if one is watched."""

    step: int


@dataclass(frozen=True)
class Copy:
    """Put a text on the clipboard."""

    text: str


@dataclass(frozen=True)
class Restore:
    """Go back to a document that the session has had before, by undoing or redoing."""

    document: Document


@dataclass(frozen=True)
class Glide:
    """Move a number of the view to a value within some seconds, with a new scene for every picture on the
    way."""

    field: str
    to: float
    seconds: float


@dataclass(frozen=True)
class Several:
    """Several intents, carried out one after the other."""

    intents: tuple[Intent, ...]


Intent = SelectPoints | Set | ChangeDocument | GoTo | Copy | Restore | Glide | Several


# What a view remembers --------------------------------------------------------------------------------------
class ViewMemory:
    """The memory of a view from one scene to the next: ranges of axes that hold still while the numbers move
    a little, and results that still apply.

    >>> y = memory.axis("height", SteadyRange.at_least(0.0, 1.0), values, "loss")
    >>> places = memory.keep("map", (data, kernel), lambda: components_of(data, kernel))

    A scene made on another thread gets a copy, which replaces the original together with the scene."""

    def __init__(self) -> None:
        self._ranges: dict[str, SteadyRange] = {}
        self._kept: dict[str, tuple[object, Any]] = {}
        self.in_gesture = False  # True while a mouse button is down: then no range becomes smaller.
        self.held_back = False  # True if a range was kept from shrinking, which it does later.

    def copy(self) -> ViewMemory:
        """Return a memory of the same contents."""
        other = ViewMemory()
        other._ranges, other._kept = dict(self._ranges), dict(self._kept)
        other.in_gesture, other.held_back = self.in_gesture, self.held_back
        return other

    def steady(self, name: str, least: SteadyRange, low: float, high: float) -> SteadyRange:
        """Return the range of the axis `name` for values from low to high; it starts as `least`, and starts
        again whenever that differs. During a gesture it may only grow."""
        last = self._ranges.get(name)
        found = (least if last is None or last.least != least.least else last).covering(low, high)
        if self.in_gesture and last is not None and last.covers(found):
            self.held_back = self.held_back or found != last
            found = last
        self._ranges[name] = found
        return found

    def axis(self, name: str, least: SteadyRange, values: Array, label: str = "", **look: Any) -> Axis:
        """Return an axis for all finite values, whose range is that of `steady`; `look` are other fields of
        the `Axis`, such as `whole=True`."""
        known = values[np.isfinite(values)]
        low, high = float(known.min(initial=np.inf)), float(known.max(initial=-np.inf))
        found = self.steady(name, least, low, high)
        return Axis(found.low, found.high, label, **look)

    def keep(self, name: str, key: object, make: Callable[[], Value]) -> Value:
        """Return the result called `name`; it is made by `make` when there is none yet, or `key` is no
        longer equal."""
        known = self._kept.get(name)
        if known is None or known[0] != key:
            known = self._kept[name] = (key, make())
        found: Value = known[1]
        return found

    def note(self, name: str, value: object) -> None:
        """Keep a value for the next scene, which can `recall` it."""
        self._kept[name] = (None, value)

    def recall(self, name: str) -> Any:
        """Return the value last noted, or the result last kept, under that name; None if there is none."""
        known = self._kept.get(name)
        return None if known is None else known[1]


# What a view is given, and gives ----------------------------------------------------------------------------
@dataclass(frozen=True)
class Now:
    """The input of a view besides the frame: the document, what is marked, results of long work, other
    fits."""

    # The verdict on the kernel and these points from the last pause in editing.
    verdict: Verdict | None = None
    document: Document | None = None
    marks: Marks = field(default_factory=Marks)
    point: int | None = None  # The point whose details are shown, for views that follow it.
    # The result of the long work so far; a tuple for several pieces of work.
    result: Any = None
    mouse_here: bool = False  # Whether the mouse is over this very view.
    on_paper: bool = False  # Whether hints for the mouse would be out of place.
    answers: tuple[Frame | Failure | None, ...] = ()  # The latest answer for each fit of the document.
    previous: Frame | None = None  # The result before the last edit, if it was of the same points and fit.
    edits: Callable[[], Edits] | None = None  # Returns the losses of the last minutes of editing.


@dataclass(frozen=True, eq=False)
class Scene:
    """The picture of a view: a tree of nodes, and the controls above it that apply.

    Most views return `Scene(plot)`. One with switches that do not apply to this fit names those that do:
    `Scene(plot, ("face", "order"))`. With a `remark` there are a few words at the end of the controls."""

    root: Node
    # Those that mean something here; None for all, or with a message for those that did before.
    switches: Collection[str] | None = None
    remark: Remark = field(default_factory=Remark)
    # For choices of which some options mean nothing here: the one shown, and those that do.
    options: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    # For each picker the value chosen, and the values there are with their texts.
    picks: Mapping[str, tuple[object, Mapping[Any, str]]] = field(default_factory=dict)
    lines: tuple[TextField, ...] = ()  # The lines that can be typed in the popup.
    # For each stepper that is shown: what its steps belong to, the present one, and how many there are.
    steps: Mapping[str, tuple[object, int, int]] = field(default_factory=dict)
    menus: Collection[str] | None = None  # The names of the menus that mean something here; None for all.
    tip: str = ""  # An explanation where nothing with one of its own is under the mouse.

    @property
    def reason(self) -> str:
        """The reason why there is nothing to see, or an empty text."""
        return self.root.sentence if isinstance(self.root, Message) else ""


@dataclass(frozen=True)
class Needed:
    """Long work a view needs; it is done when editing rests, and again when `key` is no longer equal.

    >>> Needed((document.data, str(document.fit)), lambda: SweepRun(document.data, values, fits))

    `begin` returns an object with a method `work`, as `Jobs` runs it. `result` returns what that object has
    found so far, which the view gets as `now.result` while the work is under way and when it is done."""

    key: object
    begin: Callable[[], Any]
    result: Callable[[Any], Any] = attrgetter("so_far")
    stoppable: bool = True  # True if the user may stop and resume it.


@dataclass(frozen=True)
class Menu:
    """A button above the picture that opens a menu; without entries it is pressed itself."""

    text: str
    name: str
    help: str
    entries: tuple[str, ...] = ()
    icon: str = ""


@dataclass(frozen=True)
class Stepper:
    """A slider over the steps of something, with buttons for the step before and the next one."""

    field: str
    name: str
    help: str
    back: str
    forward: str


@dataclass(frozen=True)
class Popup:
    """A button that opens lines to type into, which the scene names, and switches that need no constant
    place."""

    text: str
    name: str
    help: str
    help_of_lines: str
    switches: tuple[str, ...] = ()


@dataclass(frozen=True)
class TextField:
    """A line to type into."""

    name: Any  # What the line is for; `on_typed` is given it back.
    label: str
    text: str
    hint: str  # What an empty line stands for.


@dataclass(frozen=True)
class Keys:
    """Keys that act on a view once it has been clicked."""

    keys: frozenset[Qt.Key]
    name: str  # Their names in the list of shortcuts.
    help: str


@dataclass(frozen=True)
class OptionPicker:
    """A list above the picture whose options depend on the document; what is picked is a plain field of the
    view.

    The scene gives the options: `Scene(plot, picks={"key": (chosen, {value: text, ...})})`."""

    field: str
    name: str
    help: str
    # Whether the list shows only what precedes a dash where there is no room for more.
    brief: bool = False


@dataclass(frozen=True)
class View(Declared):
    """Base of every view. A subclass is one file in `scene/insight/`, and an instance is the view with its
    switches as they are set. The declared parameters are its switches: a flag becomes a box, a choice a
    list, a number a slider.

    >>> @dataclass(frozen=True)
    ... class ScoresView(View):
    ...     name = "scores"
    ...     title = "Scores"
    ...     family = "Fit"
    ...     summary_line = "The score of every point, largest first."
    ...
    ...     absolute: bool = flag(False, label="Absolute", help="Show |s(x)|")
    ...
    ...     def scene(self, frame, now, memory):
    ...         scores = np.sort(frame.model.training_scores)[::-1]
    ...         scores = np.abs(scores) if self.absolute else scores
    ...         y = memory.axis("height", SteadyRange.of_any_size(), scores, "s(x)")
    ...         bars = Bars(values=scores, base=0.0, inks=("ink",) * len(scores))
    ...         return Scene(Plot(x=Axis(0.0, float(len(scores))), y=y, layers=(bars,)))

    Menus list the facts at the top of a subclass (name, title, family, summary_line, domains, number)
    without importing it: `python -m tests.view_listing` keeps them in a file. The other class variables say
    how the window treats the view; the defaults suit one that draws a frame quickly."""

    number: ClassVar[int] = 99  # Its place in the order of the keys that open the views, from 1.
    # What its small picture is of: points and fits, as the command line takes them.
    pictured: ClassVar[tuple[str, ...]] = ("moons(n=40, noise=0.2)", "rbf(gamma=2) ; soft-margin-svm(C=10)")
    # The inputs that it can show.
    domains: ClassVar[tuple[Domain, ...]] = ("vectors", "strings", "objects", "categories")
    in_background: ClassVar[bool] = False  # Whether its scenes take longer than the window may wait.
    pause: ClassVar[int | None] = None  # Milliseconds between two frames it takes, if not the usual ones.
    # Whether its scene depends on the point that is hovered or selected.
    follows_point: ClassVar[bool] = False
    hovers_in_background: ClassVar[bool] = False  # Whether following the point may take long.
    drags: ClassVar[bool] = False  # Whether dragging over a place means the same as a click there.
    # Whether dragging turns it: then a click is a press of the mouse that does not move.
    turns: ClassVar[bool] = False
    # Fields that change only how a result is seen: the scene is made again in the same call.
    instant: ClassVar[frozenset[str]] = frozenset()
    scrolls: ClassVar[bool] = False  # Whether it may be taller than its place.
    undoable: ClassVar[bool] = False  # Whether setting one of its switches is a step of undo.
    # Whether it shows nothing but the result of long work, which is done while the view is open.
    computes: ClassVar[bool] = False
    all_fits: ClassVar[bool] = False  # Whether its scene depends on the fits that are not active, too.
    # Switches that are also toggles of the canvas: the name of the toggle for each.
    on_canvas: ClassVar[Mapping[str, str]] = {}
    menus: ClassVar[tuple[Menu, ...]] = ()
    pickers: ClassVar[tuple[OptionPicker, ...]] = ()
    popup: ClassVar[Popup | None] = None
    steppers: ClassVar[tuple[Stepper, ...]] = ()
    keys: ClassVar[tuple[Keys, ...]] = ()

    @abstractmethod
    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return the scene of a frame; a `Message` says why there is nothing to see.

        It is called again for every frame, switch and, with `follows_point`, point, so slow parts are kept
        in the memory. With `in_background` it is called on another thread."""

    def without_fit(self, failure: Failure | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the scene shown without a fit: by default the reason why there is none."""
        return message(NOT_YET if failure is None else failure.sentence)

    def needs(self, document: Document, frame: Frame | None) -> Needed | tuple[Needed | None, ...] | None:
        """Return the long work this view needs for a document and the latest frame; or several pieces of
        it, whose results are then a tuple. None if it needs none."""
        return None

    def repeatable(self, now: Now) -> bool:
        """Return True if a script, which has only data and fits, draws the same scene."""
        needs_no_work = type(self).needs is View.needs
        return needs_no_work and not (self.follows_point and now.point is not None)

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        """Return the intent of a click, by default to select the point there."""
        return SelectPoints(hit.points[:1]) if hit.points else None

    def on_drag(self, hit: Hit, now: Now) -> Intent | None:
        """Return what dragging over a place means: a click there, or nothing."""
        return self.on_click(hit, now) if self.drags else None

    def on_key(self, key: Qt.Key, shift: bool, now: Now, layout: Layout) -> Intent | None:
        """Return the intent of one of its `keys`, pressed with or without Shift; a double click counts as
        Home. The layout is that of the scene on screen."""
        return None

    def on_turn(self, right: float, down: float, layout: Layout) -> Intent | None:
        """Return what dragging by this number of pixels means, for a view that turns."""
        return None

    def on_wheel(self, notches: float, layout: Layout) -> Intent | None:
        """Return what turning the wheel means, in notches away from the user."""
        return None

    def on_pick(self, field: str, value: Any) -> Intent | None:
        """Return what picking a value from one of its `pickers` means."""
        return Set(field, value)

    def on_typed(self, line: TextField, text: str, now: Now) -> Intent | None:
        """Return the intent of a text typed into a line, or raise BadInput."""
        return None

    def on_menu(self, entry: str, memory: ViewMemory) -> Intent | None:
        """Return the intent of a menu's entry; a menu without entries passes its name."""
        return None


class DocumentView(View):
    """Base of the views of a document, or of the results of long work on it, which need no fit: their
    `scene` is also called without a frame."""

    @abstractmethod
    def scene(self, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the scene of the document, and of the frame if there is a fit."""

    def without_fit(self, failure: Failure | None, now: Now, memory: ViewMemory) -> Scene:
        if now.document is None:
            return super().without_fit(failure, now, memory)
        return self.scene(None, now, memory)


def each_pair_has(model: Model, what: str, has: Callable[[Model], bool]) -> str:
    """Return a sentence for a vote among several classes if each pair of them has something of its own,
    such as dual weights, that the view could show; else nothing."""
    if not isinstance(model, MultiClassModel) or not all(has(pair.model) for pair in model.pairs):
        return ""
    pairs = f"Each of the {len(model.pairs)} pairs of classes has {what} of its own."
    return f"{pairs} This view needs exactly two classes."


def message(sentence: str, switches: Collection[str] | None = None) -> Scene:
    """Return a scene that says why there is nothing to see."""
    return Scene(Message(sentence), switches)
