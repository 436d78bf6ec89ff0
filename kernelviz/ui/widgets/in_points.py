"""The style and the rectangle of widgets that are painted in points, the unit of figures on paper."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.theme import BASE_POINTS, current_theme


def screen_style(widget: QWidget) -> Style:
    """Return the style of the current theme, with type as large as the application's."""
    return Style(theme=current_theme(), text=8.2, glyphs=0.85).with_type(type_scale(widget))


def type_scale(widget: QWidget) -> float:
    """Return the size of a widget's type, compared with the usual."""
    size = widget.font().pointSizeF()
    return size / BASE_POINTS if size > 0 else 1.0


def room_in_points(widget: QWidget) -> QRectF:
    """Return the rectangle of a widget, in points."""
    return QRectF(0, 0, POINTS_PER_PIXEL * widget.width(), POINTS_PER_PIXEL * widget.height())
