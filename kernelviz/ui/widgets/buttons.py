"""Buttons and lists that keep the keys they need while focused.

Otherwise the window's shortcuts would take them: Space plays, the arrows step."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStylePainter,
    QTabBar,
    QToolButton,
    QTreeWidget,
    QWidget,
)

from kernelviz.scene.icons import icon
from kernelviz.ui.widgets.focus import ReturnsFocus, SomeWidget, return_focus
from kernelviz.ui.widgets.labels import describe

Do = Callable[..., object] | SignalInstance  # The action of a button: a function to call, or a signal.
MOVES = frozenset(
    {
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
    }
)
PRESSES = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select})


class KeepsKeys(ReturnsFocus):
    """Mix into a control that Tab reaches, to keep the keys in `kept`; with `typed` also letters (to search).

    The window's `KeyGuard` does the work: overriding `event` here would slow down every other event too."""

    kept: frozenset[Qt.Key] = PRESSES
    typed = False

    def wants(self, event: QKeyEvent) -> bool:
        """Return True if the control keeps this key."""
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            return False
        return event.key() in self.kept or (self.typed and event.text().isprintable() and bool(event.text()))


def needs(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Return True if a widget needs the key itself: a control of ours, or one of Qt such as a dock's tabs."""
    if isinstance(widget, KeepsKeys):
        return widget.wants(event)
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return False
    if isinstance(widget, QTabBar):
        return event.key() in MOVES
    return isinstance(widget, QAbstractButton) and event.key() in PRESSES


class KeyGuard(QObject):
    """Filters the events of a window or of a floating panel: keys that the focused widget needs are not taken
    as shortcuts, and an Escape that nothing else handles returns the focus to the canvas."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep a key from the shortcuts if the focused widget needs it; on Escape, focus the canvas."""
        if not isinstance(event, QKeyEvent) or not isinstance(watched, QWidget):
            return False
        if event.type() == QEvent.Type.KeyPress:
            return event.key() == Qt.Key.Key_Escape and return_focus(watched)
        # Qt asks here when the focused widget has not claimed the key.
        if event.type() != QEvent.Type.ShortcutOverride or not needs(QApplication.focusWidget(), event):
            return False
        event.accept()
        return True


class LeavesUndo(SomeWidget):
    """Mix into a text field: until something is typed, Undo and Redo act on the session.

    From then on they act on the text, as in any other program. A subclass implements `has_typed` to decide
    between the two."""

    def has_typed(self) -> bool:
        """Return True if the text differs from the one shown."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        """Leave Undo and Redo to the window until something has been typed."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and not self.has_typed()
        ):
            standard = QKeySequence.StandardKey
            if event.matches(standard.Undo) or event.matches(standard.Redo):
                event.ignore()
                return False
        return super().event(event)


class Button(KeepsKeys, QPushButton):
    """A push button that Space and Return press; `do` is called when it is."""

    def __init__(self, text: str = "", help: str = "", do: Do | None = None) -> None:
        super().__init__(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoDefault(False)  # in a dialogue the focused one would look like the default
        self.setToolTip(help)
        if do is not None:
            self.clicked.connect(do)


class CheckBox(KeepsKeys, QCheckBox):
    """A check box that Space toggles."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class ToolButton(KeepsKeys, QToolButton):
    """A flat button with a picture, a text or both; the keyboard reaches it too."""

    kept = PRESSES | MOVES

    def __init__(
        self,
        picture: str = "",
        name: str = "",
        help: str = "",
        do: Do | None = None,
        *,
        text: str = "",
    ) -> None:
        """picture: the name of an icon. name: spoken by screen readers. help: the tooltip, or else the name.
        do: called on a click."""
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoRaise(True)
        if picture:
            self.setIcon(icon(picture))
        if text:
            self.setText(text)
        if text and picture:
            self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        describe(self, name, help)
        if do is not None:
            self.clicked.connect(do)

    def setMenu(self, menu: QMenu) -> None:
        """Give the button a menu; after a choice in it the focus returns to the canvas."""
        super().setMenu(menu)
        menu.triggered.connect(lambda _: return_focus(self))


class Combo(KeepsKeys, QComboBox):
    """A drop-down list that fits a narrow panel and leaves the wheel to scrolling.

    When the open list closes, the focus returns to the canvas. Closed and reached by Tab, the arrow keys go
    through its entries."""

    kept = PRESSES | MOVES
    typed = True

    def __init__(self) -> None:
        super().__init__()
        self._open = False
        # Shown while no row is chosen. Qt would make the list as wide as a placeholder of its own.
        self.unlisted = ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setMaxVisibleItems(24)
        self._delegate: QStyledItemDelegate | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box, with dots at the end of a text that does not fit."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        if self.currentIndex() < 0:
            option.currentText = self.unlisted
        option.currentText = self.shortened(option)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def shortened(self, option: QStyleOptionComboBox) -> str:
        """Return the part of the current text that fits."""
        icon_and_text = 6  # Pixels between an icon and its text in a list.
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        if not option.currentIcon.isNull():
            room -= option.iconSize.width() + icon_and_text
        return self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)

    def minimumSizeHint(self) -> QSize:
        """Return the size for a few letters: a longer text is shortened, also one that is not listed."""
        metrics = self.fontMetrics()
        few = self.minimumContentsLength() * metrics.horizontalAdvance("X")
        excess = metrics.horizontalAdvance(self.placeholderText()) - few
        return super().minimumSizeHint() - QSize(max(0, excess), 0)

    def showPopup(self) -> None:
        """Open the list, with rows that are high enough to hit and wide enough to read."""
        list_frame = 10  # Pixels around the rows of an open list.
        if self._delegate is None:
            # The usual delegate ignores the style sheet, and rows would be too low to hit. Set it only now:
            # it creates the list, a window that is restyled with every change of theme.
            self._delegate = self._rows()
            self.setItemDelegate(self._delegate)
        self._open = True
        rows = self.view()
        needed = rows.sizeHintForColumn(0) + rows.verticalScrollBar().sizeHint().width() + list_frame
        rows.setMinimumWidth(min(needed, self.screen().availableSize().width()))
        super().showPopup()

    def _rows(self) -> QStyledItemDelegate:
        """Return what paints the rows of the open list."""
        return QStyledItemDelegate(self)

    def hidePopup(self) -> None:
        """Close the list and return the focus to the canvas."""
        super().hidePopup()
        if self._open:
            self._open = False
            return_focus(self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._open:
            super().mouseReleaseEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Tree(KeepsKeys, QTreeWidget):
    """A tree that the arrow keys walk through."""

    kept = PRESSES | MOVES | {Qt.Key.Key_Delete}
    typed = True

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
