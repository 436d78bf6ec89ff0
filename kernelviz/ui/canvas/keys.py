"""The plane without a mouse: choosing points, nudging them, looking around, switching tools."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.pane import Pane

# Keys of points that can be moved.
MOVING = (
    ("Arrow keys", "move the selected points by 2 pixels, with Shift by 20"),
    ("Enter", "type the coordinates of the point under the mouse, or of the selected one"),
)
# Keys of strings.
TYPING = (
    ("Insert", "type a string to try, which Enter adds as +, Shift+Enter as −"),
    ("Enter", "change the letters of the selected string"),
)
# Keys of the canvas that no menu shows.
HELP = (
    ("Tab, Shift+Tab", "select the next or the previous point; Ctrl+Tab leaves the canvas"),
    ("Escape", "cancel what the mouse is doing, or clear the selection"),
    ("+ and −", "zoom in and out"),
    ("hold X", "hold to see the next fit when there is room for only one"),
)
# Those that add points, which have classes or none.
ADDING = {
    True: (
        ("Insert, Shift+Insert", "add a + or a − point in the middle of the view"),
        ("Ctrl+1 … Ctrl+9", "of several classes, choose the one to add points of"),
    ),
    False: (("Insert", "add a point in the middle of the view"),),
}

NUDGE, LARGE_NUDGE = 2.0, 20.0
ZOOM_PER_KEY = 1.25

Key = Qt.Key
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, 1), Key.Key_Down: (0, -1)}


class Keys(QObject):
    """Listens to the keys of the plotting area on behalf of the canvas."""

    def __init__(self, canvas: Pane) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self._nudging: Gesture | None = None
        self._plain: dict[Qt.Key, Callable[[], object]] = {
            Key.Key_Delete: canvas.delete_selection,
            Key.Key_Backspace: canvas.delete_selection,
            Key.Key_F: canvas.flip_selection,
            Key.Key_J: canvas.jitter,
            Key.Key_C: canvas.next_class,
            Key.Key_Home: canvas.reset_view,
            Key.Key_Return: canvas.type_point,
            Key.Key_Enter: canvas.type_point,
            Key.Key_Plus: lambda: canvas.zoom_by(ZOOM_PER_KEY),
            Key.Key_Equal: lambda: canvas.zoom_by(ZOOM_PER_KEY),
            Key.Key_Minus: lambda: canvas.zoom_by(1 / ZOOM_PER_KEY),
            Key.Key_Insert: lambda: canvas.add_in_the_middle(1),
            Key.Key_X: lambda: canvas.flip(True),
        }
        for number, tool in enumerate(canvas.kinds_of_tools, start=1):
            for key in (tool.shortcut, str(number)):
                self._plain[Key(ord(key))] = partial(canvas.use, tool.name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # With points selected the arrows move them, whatever the window's menus use them for.
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            movable = self.canvas.workspace.movable and self.canvas.editor.selection
            if event.key() in ARROWS and movable and not control:
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if self.pressed(event):
                event.accept()
                return True
        elif (
            event.type() == QEvent.Type.KeyRelease
            and isinstance(event, QKeyEvent)
            and not event.isAutoRepeat()
        ):
            self._nudging = None
            if event.key() == Key.Key_X:
                self.canvas.flip(False)
        elif event.type() == QEvent.Type.FocusOut:
            self.canvas.flip(False)
        return False

    def pressed(self, event: QKeyEvent) -> bool:
        """Act on a key; whether it meant anything."""
        key, modifiers = Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        canvas = self.canvas
        if key in (Key.Key_Tab, Key.Key_Backtab):
            forward = key == Key.Key_Tab and not shift
            if control:
                return bool(canvas.area.focusNextPrevChild(forward))
            return canvas.select_next(1 if forward else -1)
        if key in ARROWS and not control:
            return self._nudge(key, LARGE_NUDGE if shift else NUDGE)
        if control:
            return self._with_control(key)
        if key == Key.Key_Escape:
            return canvas.escape()
        if key == Key.Key_Insert and shift:
            canvas.add_in_the_middle(-1)
            return True
        action = self._plain.get(key)
        if action is None or (shift and key not in (Key.Key_Plus, Key.Key_Minus)):
            return False
        action()
        return True

    def _with_control(self, key: Qt.Key) -> bool:
        actions = {Key.Key_D: self.canvas.duplicate_selection, Key.Key_A: self.canvas.select_all}
        if Key.Key_1 <= key <= Key.Key_9:
            return self.canvas.choose_class(key - Key.Key_1)
        if key in actions:
            actions[key]()
        return key in actions

    def _nudge(self, key: Qt.Key, pixels: float) -> bool:
        rows = list(self.canvas.editor.selection)
        if not rows or not self.canvas.workspace.movable:
            return False
        # Keys held down or pressed one after the other make one step of undo until one is let go.
        self._nudging = self._nudging or Gesture()
        step = self.canvas.units(pixels) * ARROWS[key]
        self.canvas.editor.move(rows, self.canvas.editor.points[rows] + step, self._nudging)
        return True
