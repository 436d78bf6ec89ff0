"""What of a window is cut off: by its parent, or because its words need more room than it has."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QGraphicsView,
    QLabel,
    QWidget,
)

from kernelviz.ui.widgets.labels import Elided
from kernelviz.ui.window.shapes import ClickCatcher

CONTROLS = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLabel)


def cut_off(window: QWidget) -> list[str]:
    """A line for everything in sight that is not wholly there."""
    return [f"{_path(widget)}: {why}" for widget in _seen(window) for why in _faults(widget)]


def _seen(widget: QWidget) -> Iterator[QWidget]:
    """Everything visible, but for what is drawn on a canvas and what Qt makes its own controls of."""
    for child in widget.children():
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
            yield child
            if not isinstance(child, (QGraphicsView, QAbstractSpinBox, QComboBox)):
                yield from _seen(child)


def _faults(widget: QWidget) -> Iterator[str]:
    parent = widget.parentWidget()
    room, place = parent.rect(), widget.geometry()
    area = parent.parentWidget()
    if isinstance(area, QAbstractScrollArea) and parent is area.viewport():  # scrolls up and down
        room = QRect(room.x(), place.y(), room.width(), place.height())
    if not room.contains(place) and not isinstance(widget, ClickCatcher):
        yield f"{place} is not within {room}"
    if widget.objectName() == "qt_toolbar_ext_button":
        yield "the toolbar is longer than the window"
    if isinstance(widget, CONTROLS) and not isinstance(widget, Elided):
        yield from _too_small(widget)


def _too_small(widget: QWidget) -> Iterator[str]:
    wanted = widget.minimumSizeHint()
    if isinstance(widget, QLabel) and widget.wordWrap():
        wanted = QSize(0, widget.heightForWidth(widget.width()))
    elif isinstance(widget, QLabel):
        wanted = widget.sizeHint()
    elif isinstance(widget, QAbstractButton) and widget.text():
        wanted.setHeight(widget.fontMetrics().height())
    else:
        # What the style sheet, or whoever has made it, has said to be enough is enough.
        wanted = QSize(widget.minimumWidth() or wanted.width(), widget.minimumHeight() or wanted.height())
    if widget.width() < wanted.width() or widget.height() < wanted.height():
        yield f"{widget.size()} is less than {wanted}"


def _path(widget: QWidget) -> str:
    names = []
    above: QWidget | None = widget
    while above is not None and not above.isWindow():
        names.append(above.objectName() or above.accessibleName() or type(above).__name__)
        above = above.parentWidget()
    return " < ".join(names)
