"""What menus, the toolbar and the keyboard do on a canvas of points on two axes.

The tables at the top are the lines of the sheet that lists all keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QToolBar, QWidget

from kernelviz.scene.axes import axis_name
from kernelviz.session.view import FARTHEST, NARROWEST_SPAN, ViewRange, zoomed
from kernelviz.ui.canvas.base import Canvas as BaseCanvas
from kernelviz.ui.canvas.editor import Gesture
from kernelviz.ui.canvas.toolbar import ToolBarPart
from kernelviz.ui.widgets.labels import Label

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
        ("Ctrl+1 … Ctrl+9", "with several classes, choose the class of new points"),
    ),
    False: (("Insert", "add a point in the middle of the view"),),
}

NUDGE, LARGE_NUDGE = 2.0, 20.0

Key = Qt.Key
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, 1), Key.Key_Down: (0, -1)}


class PointsCanvas(BaseCanvas):
    """The canvas of points on two axes, with what menus, the toolbar and the keyboard do there.

    It serves every workspace whose points lie on two axes; what these mean, the workspace and its painter
    say. Commands of the window call its methods; keys reach it through the event filter of its plots."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        zoom_per_key = 1.25
        super().__init__(*arguments, **named)
        editor = self.editor
        # Edits that need no place: menus find them here.
        self.select_all, self.clear, self.jitter = editor.select_all, editor.clear, editor.jitter
        self.delete_selection, self.flip_selection = editor.delete_selection, editor.flip_selection
        self.swap_classes = editor.swap_classes
        self._nudging: Gesture | None = None
        self._commands: dict[Qt.Key, Callable[[], object]] = {
            Key.Key_Delete: self.delete_selection,
            Key.Key_Backspace: self.delete_selection,
            Key.Key_F: self.flip_selection,
            Key.Key_J: self.jitter,
            Key.Key_C: self.next_class,
            Key.Key_Home: self.reset_view,
            Key.Key_Return: self.type_point,
            Key.Key_Enter: self.type_point,
            Key.Key_Plus: lambda: self.zoom_by(zoom_per_key),
            Key.Key_Equal: lambda: self.zoom_by(zoom_per_key),
            Key.Key_Minus: lambda: self.zoom_by(1 / zoom_per_key),
            Key.Key_Insert: lambda: self.add_in_the_middle(1),
            Key.Key_X: lambda: self.row.flip(True),
        }
        for number, tool in enumerate(self.kinds_of_tools, start=1):
            for key in (tool.shortcut, str(number)):
                self._commands[Key(ord(key))] = partial(self.use, tool.name)

    def fill_toolbar(self, bar: QToolBar) -> dict[str, QAction]:
        """Add a button for every tool, and the options of the one in use; return the buttons by name."""
        self.toolbar_part = ToolBarPart(self, bar)
        return self.toolbar_part.actions

    def show_tools(self) -> None:
        """Show its buttons in the toolbar, or hide them for another canvas."""
        self.toolbar_part.show_tools()

    # Commands ------------------------------------------------------------------------------------------
    def duplicate_selection(self) -> None:
        """Copy the selected points to places next to them."""
        next_to = 10.0  # Pixels between a point and its duplicate.
        self.editor.duplicate_selection(self.area.units(next_to) * (1, -1))

    def reset_view(self) -> None:
        """Show all points."""
        self.row.look_at(self.workspace.extent(self.editor.data))
        self.scene.legend.forget()

    def set_limits(self) -> None:
        """Ask for the limits of the axes."""
        session, unit = self.workbench.session, self.area.unit
        axes = self.workspace.axes(session.document.data)
        dialog = LimitsDialog((session.look.limits or session.look.view).times(unit), axes, self)
        if dialog.exec():
            session.adjust(limits=dialog.chosen.times(1.0 / unit))
        dialog.deleteLater()

    def zoom_by(self, factor: float) -> None:
        """Enlarge around the middle."""
        self.row.look_at(zoomed(self.area.view, factor, *self.area.middle))

    def add_in_the_middle(self, label: int) -> None:
        """Add a point where the view is centred, selected and ready to be moved by the arrow keys."""
        row = self.editor.add(*self.area.middle, label)
        if row is not None:
            self.editor.select([row])

    def type_point(self) -> None:
        """Open the inspector to type the coordinates of the point under the mouse, or of the selected one."""
        self.coordinates_wanted.emit()

    # Keys ----------------------------------------------------------------------------------------------
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Act on keys in one of the plots."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # With points selected the arrows move them, whatever the window's menus use them for.
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            movable = self.workspace.movable and self.editor.selection
            if event.key() in ARROWS and movable and not control:
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if self._on_key(event):
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            if not event.isAutoRepeat():
                self._nudging = None
                if event.key() == Key.Key_X:
                    self.row.flip(False)
        elif event.type() == QEvent.Type.FocusOut:
            self.row.flip(False)
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        """Act on a key; return True if it meant anything."""
        key, modifiers = Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        command: Callable[[], object] | None = None
        if key in (Key.Key_Tab, Key.Key_Backtab):
            forward = key == Key.Key_Tab and not shift
            if control:
                return bool(self.area.focusNextPrevChild(forward))
            return self._select_next(1 if forward else -1)
        if key in ARROWS and not control:
            return self._nudge(key, LARGE_NUDGE if shift else NUDGE)
        if key == Key.Key_Escape and not control:
            return self._escape()
        if control and Key.Key_1 <= key <= Key.Key_9:
            return self.choose_class(key - Key.Key_1)
        if control:
            command = {Key.Key_D: self.duplicate_selection, Key.Key_A: self.select_all}.get(key)
        elif key == Key.Key_Insert and shift:
            command = partial(self.add_in_the_middle, -1)
        elif not shift or key in (Key.Key_Plus, Key.Key_Minus):
            command = self._commands.get(key)
        if command is not None:
            command()
        return command is not None

    def _nudge(self, key: Qt.Key, pixels: float) -> bool:
        """Move the selected points; return False if none can be moved."""
        rows = list(self.editor.selection)
        if not rows or not self.workspace.movable:
            return False
        # Keys held down or pressed one after the other make one step of undo until one is let go.
        self._nudging = self._nudging or Gesture()
        step = self.area.units(pixels) * ARROWS[key]
        self.editor.move(rows, self.editor.points[rows] + step, self._nudging)
        return True

    def _select_next(self, step: int) -> bool:
        """Select the point after the selected one; return False past the last, with nothing selected then."""
        selection, n = self.editor.selection, self.editor.data.n
        start = -1 if step > 0 else n
        row = (selection[-1 if step > 0 else 0] if selection else start) + step
        inside = 0 <= row < n
        self.editor.select([row] if inside else ())
        return inside

    def _escape(self) -> bool:
        """Cancel the current gesture, or else wipe off the pen's lines, or else clear the selection; return
        True if there was anything to do."""
        if self.pointer.cancel():
            return True
        wiped = [plot.scene.wipe() for plot in self.row.plots]
        if any(wiped):
            self._draw_soon()
            return True
        selected = bool(self.editor.selection)
        self.editor.select(())
        return selected


def labels_of(axes: tuple[str, str]) -> tuple[str, ...]:
    """Return the labels of the four numbers."""
    sides = ("across", "up")  # What an axis without a name is called.
    names = [axis_name(name) if name else side for name, side in zip(axes, sides, strict=True)]
    return tuple(f"{name} {end}" for name in names for end in ("from", "to"))


def read_limits(texts: list[str], labels: tuple[str, ...]) -> ViewRange | str:
    """Return the rectangle of the four texts, or a sentence about why they name none."""
    values = []
    for label, text in zip(labels, texts, strict=True):
        try:
            values.append(float(text.replace(",", ".")))
        except ValueError:
            return f"{label}: {text!r} is not a number."
    left, right, bottom, top = values
    if not all(abs(value) <= FARTHEST for value in values):
        return f"The limits can reach {FARTHEST:g} in size."
    if right - left < NARROWEST_SPAN or top - bottom < NARROWEST_SPAN:
        return "Each axis must end to the right of, or above, where it starts."
    return ViewRange(left, right, bottom, top)


class LimitsDialog(QDialog):
    """Asks for the limits of both axes; `chosen` is the answer once accepted."""

    def __init__(self, view: ViewRange, axes: tuple[str, str], parent: QWidget) -> None:
        ends = ("left", "right", "bottom", "top")
        super().__init__(parent)
        self.setWindowTitle("Axis limits")
        self.chosen = view
        self._labels = labels_of(axes)
        self._fields = [QLineEdit(f"{getattr(view, name):.6g}", self) for name in ends]
        self._complaint = Label(role="error", wraps=True)
        self._complaint.hide()
        ok, cancel = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel
        buttons = QDialogButtonBox(ok | cancel, self)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        for label, field in zip(self._labels, self._fields, strict=True):
            form.addRow(label, field)
        form.addRow(self._complaint)
        form.addRow(buttons)

    def accept(self) -> None:
        """Close the dialogue if the four numbers make sense; otherwise show why not."""
        answer = read_limits([field.text() for field in self._fields], self._labels)
        if isinstance(answer, str):
            self._complaint.setText(answer)
            self._complaint.show()
            self.adjustSize()
        else:
            self.chosen = answer
            super().accept()
