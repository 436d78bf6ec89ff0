"""Keys a focused control needs itself, before the window's shortcuts (Space plays, arrows step) get them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
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

from kernelviz.ui.widgets.focus import GivesBack, SomeWidget, give_back

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


class KeepsKeys(GivesBack):
    """Mix into what Tab leads to, to keep the keys named in `kept`; with `typed` also letters (to search).

    A `KeyGuard` of the window sees to it: overriding `event` would cost time at every other event too."""

    kept: frozenset[Qt.Key] = PRESSES
    typed = False

    def wants(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            return False
        return event.key() in self.kept or (self.typed and event.text().isprintable() and bool(event.text()))


def needs(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Whether a widget needs the key for itself: one of ours, or of Qt's such as the bar of a dock's tabs."""
    if isinstance(widget, KeepsKeys):
        return widget.wants(event)
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return False
    if isinstance(widget, QTabBar):
        return event.key() in MOVES
    return isinstance(widget, QAbstractButton) and event.key() in PRESSES


class KeyGuard(QObject):
    """For a window, or a panel that may float: keys its focused widget needs are no shortcuts, and Escape,
    when nobody has a use for it, gives the keyboard back."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or not isinstance(watched, QWidget):
            return False
        if event.type() == QEvent.Type.KeyPress:
            return event.key() == Qt.Key.Key_Escape and give_back(watched)
        # Shortcuts get here when the widget in focus has not claimed them.
        if event.type() != QEvent.Type.ShortcutOverride or not needs(QApplication.focusWidget(), event):
            return False
        event.accept()
        return True


class LeavesUndo(SomeWidget):
    """Mix into a text field: while nothing has been typed, Undo and Redo are the window's."""

    def has_typed(self) -> bool:
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
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
    """A push button whose Space and Return press it."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class CheckBox(KeepsKeys, QCheckBox):
    """A check box whose Space toggles it."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class ToolButton(KeepsKeys, QToolButton):
    """A small button that the keyboard reaches too."""

    kept = PRESSES | MOVES

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoRaise(True)

    def setMenu(self, menu: QMenu) -> None:
        super().setMenu(menu)
        menu.triggered.connect(lambda _: give_back(self))


ICON_AND_TEXT = 6  # Pixels between the two in a list.


class Combo(KeepsKeys, QComboBox):
    """A drop-down list that fits a narrow panel and leaves the wheel to scrolling. Once it has been open the
    keyboard goes back; closed, reached by Tab, the arrows go through it."""

    kept = PRESSES | MOVES
    typed = True

    def __init__(self) -> None:
        super().__init__()
        self._open = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setMaxVisibleItems(24)
        self._delegate: QStyledItemDelegate | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """What is too long for the place ends in dots, not in half a letter."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        if self.currentIndex() < 0:
            option.currentText = self.placeholderText()
        option.currentText = self.shortened(option)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def shortened(self, option: QStyleOptionComboBox) -> str:
        """The words as they fit."""
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        if not option.currentIcon.isNull():
            room -= option.iconSize.width() + ICON_AND_TEXT
        return self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)

    def showPopup(self) -> None:
        if self._delegate is None:
            # The list's usual delegate ignores the style sheet: rows would be too low to hit. Not earlier:
            # it makes the list, a window that is styled anew with every theme.
            self._delegate = QStyledItemDelegate(self)
            self.setItemDelegate(self._delegate)
        self._open = True
        super().showPopup()

    def hidePopup(self) -> None:
        super().hidePopup()
        if self._open:
            self._open = False
            give_back(self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._open:
            super().mouseReleaseEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Tree(KeepsKeys, QTreeWidget):
    """A tree whose arrows walk it."""

    kept = PRESSES | MOVES | {Qt.Key.Key_Delete}
    typed = True

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
