"""What the random user does, declared in one table: how often, and how.

An action returns False when there is nothing to do it to; it says in the log what it is about to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QGraphicsView,
    QLineEdit,
    QMenu,
    QMenuBar,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from kernelviz.ui.canvas.tools import TOOLS
from kernelviz.ui.window.commands import COMMANDS
from tests.monkey.hand import LEFT, MIDDLE, NOTHING, RIGHT, called
from tests.monkey.larder import TEXTS, WORDS

if TYPE_CHECKING:
    from tests.monkey.walk import Walk

__all__ = ["ACTIONS", "answer_file_dialogue"]

SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
KEYS = (
    *(keys for c in COMMANDS for keys in (c.shortcut, *c.also) if keys and c.name not in ("quit", "paste")),
    *(tool.shortcut for tool in TOOLS),
    *(f"Alt+{n}" for n in range(1, 9)),
    *("Left", "Right", "Up", "Down", "Shift+Up", "PgUp", "PgDown", "Home", "End", "Tab", "Shift+Tab"),
    *(
        "Space",
        "Return",
        "Esc",
        "Esc",
        "Backspace",
        "Ins",
        "Shift+Ins",
        "+",
        "-",
        "Ctrl+Tab",
        "Ctrl+1",
        "Ctrl+3",
    ),
)
MIDWAY = ("Esc", "Ctrl+Z", "Ctrl+Y", "Del", "Space", "Ctrl+N", "F11", "E", "M", "Ctrl+A")
"""Keys that come in the middle of a drag."""
SIZES = ((1280, 800), (1024, 768), (800, 600), (640, 480), (1600, 1000), (300, 200))


def _shown(walk: Walk, *kinds: type[QWidget]) -> Iterator[QWidget]:
    """The widgets of these kinds that can be seen and used where the user is now."""
    top = walk.in_reach()
    # Of a widget made by Qt, Python's handle ends with the handle of its parent: hold them all.
    walk.held = [top, *top.findChildren(QWidget)]
    for widget in walk.held:
        if (
            isValid(widget)  # or its handle has ended with that of the popup in front before
            and isinstance(widget, kinds)
            and widget.isVisible()
            and widget.isEnabled()
            and not widget.size().isEmpty()
        ):
            yield widget


def _pick(walk: Walk, *kinds: type[QWidget]) -> QWidget | None:
    return walk.hand.pick(_shown(walk, *kinds))


# The plane and the other pictures -----------------------------------------------------------------------
def _picture(walk: Walk) -> QWidget | None:
    """The plane mostly, sometimes another graph."""
    area, views = walk.window.canvas.area, list(_shown(walk, QGraphicsView))
    view = area if walk.rng.random() < 0.8 and area in views else walk.hand.pick(views)
    return view.viewport() if isinstance(view, QGraphicsView) else None


def _spot(walk: Walk, picture: QWidget) -> QPoint:
    """Where: half the time at one of the points."""
    area, data = walk.window.canvas.area, walk.window.session.document.data
    points = walk.window.canvases.workspace.positions(data)
    chosen = walk.rng.random()
    if picture is area.viewport() and len(points) and chosen < 0.5:
        place = area.box.mapViewToScene(QPointF(*points[int(2 * chosen * len(points))]))
        if area.sceneRect().contains(place):
            return area.mapFromScene(place)
    return walk.hand.place(picture)


def click_a_picture(walk: Walk) -> bool:
    if (picture := _picture(walk)) is None:
        return False
    at, button = _spot(walk, picture), walk.rng.choice((LEFT, LEFT, LEFT, RIGHT, MIDDLE))
    held = walk.rng.choice((NOTHING, NOTHING, SHIFT, CTRL))
    walk.hand.note(f"click {called(picture)} at {at.toTuple()} with {button.name} {held.name}")
    walk.hand.click(picture, at, button, held)
    return True


def double_click_a_picture(walk: Walk) -> bool:
    if (picture := _picture(walk)) is None:
        return False
    at = _spot(walk, picture)
    walk.hand.note(f"double click {called(picture)} at {at.toTuple()}")
    walk.hand.double_click(picture, at)
    return True


def drag_in_a_picture(walk: Walk) -> bool:
    if (picture := _picture(walk)) is None:
        return False
    rng, hand = walk.rng, walk.hand
    at, button = _spot(walk, picture), rng.choice((LEFT, LEFT, LEFT, RIGHT, MIDDLE))
    held = rng.choice((NOTHING, NOTHING, NOTHING, SHIFT, CTRL))
    stops = [hand.place(picture) for _ in range(rng.randrange(1, 8))]
    key = rng.choice(MIDWAY) if rng.random() < 0.15 else ""
    hand.note(
        f"drag {called(picture)} from {at.toTuple()} over {len(stops)} with {button.name} {held.name} {key}"
    )
    hand.press(picture, at, button, held)
    for stop in stops:
        hand.move(picture, stop)
    if key:
        hand.key(key)
        hand.move(picture, at)
    hand.release(picture, stops[-1], button, held)
    return True


def hover(walk: Walk) -> bool:
    if (picture := _picture(walk)) is None:
        return False
    at = _spot(walk, picture)
    walk.hand.note(f"hover {called(picture)} at {at.toTuple()}")
    walk.hand.move(picture, at)
    return True


def turn_the_wheel(walk: Walk) -> bool:
    widget = _picture(walk) if walk.rng.random() < 0.6 else _pick(walk, QWidget)
    if widget is None:
        return False
    turned, held = (
        walk.rng.choice((-1200, -120, 30, 120, 480)),
        walk.rng.choice((NOTHING, NOTHING, CTRL, SHIFT)),
    )
    walk.hand.note(f"wheel {turned} over {called(widget)} with {held.name}")
    walk.hand.wheel(widget, _spot(walk, widget), turned, held)
    return True


# Keys ---------------------------------------------------------------------------------------------------
def press_a_key(walk: Walk) -> bool:
    key = walk.rng.choice(KEYS)
    walk.hand.note(f"key {key}")
    walk.hand.key(key)
    return True


def undo_or_redo_a_few(walk: Walk) -> bool:
    key, times = walk.rng.choice(("Ctrl+Z", "Ctrl+Z", "Ctrl+Shift+Z")), walk.rng.randrange(1, 9)
    walk.hand.note(f"key {key}, {times} times")
    for _ in range(times):
        walk.hand.key(key)
    return True


# Widgets ------------------------------------------------------------------------------------------------
def click_a_menu(walk: Walk) -> bool:
    bar = _pick(walk, QMenuBar)
    if not isinstance(bar, QMenuBar) or not bar.actions():
        return False
    action = walk.rng.choice(bar.actions())
    walk.hand.note(f"menu {action.text()}")
    walk.hand.click(bar, bar.actionGeometry(action).center())
    return True


def choose_in_a_popup(walk: Walk) -> bool:
    popup = QApplication.activePopupWidget()
    if popup is None:
        return False
    if walk.rng.random() < 0.1:
        walk.hand.note(f"leave {called(popup)}")
        walk.hand.key("Esc")
    elif isinstance(popup, QMenu) and (entries := [entry for entry in popup.actions() if entry.isVisible()]):
        # Further menus wait behind some entries.
        weights = [5 if entry.menu() else 0.1 if entry.isSeparator() else 1 for entry in entries]
        (action,) = walk.rng.choices(entries, weights)
        walk.hand.note(f"entry {action.text()!r}")
        walk.hand.click(popup, popup.actionGeometry(action).center())
    elif walk.rng.random() < 0.5:
        walk.hand.note(f"entry of {called(popup)} by keys")
        for _ in range(walk.rng.randrange(6)):
            walk.hand.key("Down")
        walk.hand.key("Return")
    else:
        at = walk.hand.place(popup)
        walk.hand.note(f"entry of {called(popup)} at {at.toTuple()}")
        walk.hand.click(popup, at)
    return True


def click_a_widget(walk: Walk) -> bool:
    kind = walk.rng.choice((QAbstractButton, QAbstractButton, QComboBox, QTabBar, QAbstractItemView, QWidget))
    widget = _pick(walk, kind)
    if widget is None:
        return False
    at, button = walk.hand.place(widget), walk.rng.choice((LEFT, LEFT, LEFT, LEFT, RIGHT))
    walk.hand.note(f"click {called(widget)} at {at.toTuple()} with {button.name}")
    walk.hand.click(widget, at, button)
    return True


def choose_from_a_list(walk: Walk) -> bool:
    """By keys, as one who looks at all kernels in turn."""
    box = _pick(walk, QComboBox)
    if box is None:
        return False
    key, times = walk.rng.choice(("Down", "Up")), walk.rng.randrange(1, 15)
    walk.hand.note(f"{key} {times} times in {called(box)}")
    box.setFocus()
    for _ in range(times):
        walk.hand.key(key)
    return True


def drag_a_slider(walk: Walk) -> bool:
    slider = _pick(walk, QAbstractSlider)
    if slider is None:
        return False
    stops = [walk.hand.place(slider) for _ in range(walk.rng.randrange(2, 6))]
    walk.hand.note(f"slide {called(slider)} to {stops[-1].toTuple()}")
    walk.hand.press(slider, stops[0])
    for stop in stops:
        walk.hand.move(slider, stop)
    walk.hand.release(slider, stops[-1])
    return True


def type_into_a_field(walk: Walk) -> bool:
    field = _pick(walk, QLineEdit, QAbstractSpinBox)
    if field is None:
        return False
    text, end = walk.rng.choice(WORDS), walk.rng.choice(("Return", "Return", "Tab", "Esc", "Down", ""))
    walk.hand.note(f"type {text!r} {end} into {called(field)}")
    walk.hand.click(field, field.rect().center())
    walk.hand.key("Ctrl+A")
    walk.hand.type(text)
    if end:
        walk.hand.key(end)
    return True


def drag_anything(walk: Walk) -> bool:
    """Docks by their titles, the lines between them, texts, lists."""
    widget = _pick(walk, QWidget)
    if widget is None:
        return False
    stops = [walk.hand.place(widget) for _ in range(3)]
    walk.hand.note(f"drag {called(widget)} from {stops[0].toTuple()} to {stops[-1].toTuple()}")
    walk.hand.press(widget, stops[0])
    for stop in stops:
        walk.hand.move(widget, stop)
    walk.hand.release(widget, stops[-1])
    return True


def leave_a_dialogue(walk: Walk) -> bool:
    dialogue = _pick(walk, QDialog)
    if not isinstance(dialogue, QDialog):
        return False
    walk.hand.note(f"close {called(dialogue)}")
    dialogue.close()
    return True


# Files --------------------------------------------------------------------------------------------------
def answer_file_dialogue(walk: Walk) -> bool:
    """Only by typing a name of the larder: a file dialogue can rename and delete what it shows."""
    dialogue = next(
        (w for w in QApplication.topLevelWidgets() if isinstance(w, QFileDialog) and w.isVisible()), None
    )
    if dialogue is None:
        return False
    saving = dialogue.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    path = walk.larder.to_write(walk.rng) if saving else walk.larder.to_open(walk.rng)
    field = dialogue.findChild(QLineEdit)
    if field is None or walk.rng.random() < 0.3:
        walk.hand.note("leave the file dialogue")
        dialogue.reject()
        return True
    walk.hand.note(f"{'save' if saving else 'open'} {path.name!r} in the file dialogue")
    field.setText(str(path))
    dialogue.accept()
    return True


def drop_a_file(walk: Walk) -> bool:
    if walk.in_reach() is not walk.window:
        return False
    path = walk.larder.to_open(walk.rng)
    walk.hand.note(f"drop {path.name!r}")
    walk.hand.drop(walk.window, str(path))
    return True


def paste(walk: Walk) -> bool:
    text = walk.rng.choice(TEXTS)
    walk.hand.note(f"paste {text[:30]!r}")
    QGuiApplication.clipboard().setText(text)
    walk.hand.key("Ctrl+V")
    return True


# The window ---------------------------------------------------------------------------------------------
def resize(walk: Walk) -> bool:
    if QApplication.activePopupWidget() is not None:
        return False  # it holds the mouse; Qt warns if the menu of a toolbar's rest is resized away
    width, height = walk.rng.choice(SIZES)
    walk.hand.note(f"resize to {width} x {height}")
    walk.window.resize(width, height)
    return True


def close_the_window(walk: Walk) -> bool:
    if walk.in_reach() is not walk.window:
        return False
    walk.hand.note("close the window")
    walk.window.close()
    return True


def end_by_a_signal(walk: Walk) -> bool:
    """As Ctrl-C in the terminal or the end of the desktop's session do."""
    walk.hand.note("end by a signal")
    walk.window.leave()
    return True


def rest(walk: Walk) -> bool:
    walk.hand.note("rest")
    walk.rest()
    return True


ACTIONS: dict[Callable[[Walk], bool], float] = {
    click_a_picture: 14,
    drag_in_a_picture: 14,
    double_click_a_picture: 2,
    hover: 6,
    turn_the_wheel: 5,
    press_a_key: 14,
    undo_or_redo_a_few: 2,
    click_a_menu: 5,
    choose_in_a_popup: 40,
    click_a_widget: 16,
    choose_from_a_list: 4,
    drag_a_slider: 8,
    type_into_a_field: 7,
    drag_anything: 2,
    leave_a_dialogue: 3,
    drop_a_file: 1.5,
    paste: 1.5,
    resize: 0.5,
    close_the_window: 0.5,
    end_by_a_signal: 0.2,
    rest: 3,
}
"""How often each is tried, relative to the others; where there is nothing to do it to, another one is."""
