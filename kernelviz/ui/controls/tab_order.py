"""The order in which Tab goes from control to control."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSpinBox, QComboBox, QLayout, QWidget

__all__ = ["order_tabs", "takes_tab"]


def order_tabs(*layouts: QLayout) -> None:
    """Let Tab follow the layouts one after the other, also through widgets that were added late."""
    for before, after in pairwise(chain.from_iterable(map(_stops, layouts))):
        QWidget.setTabOrder(before, after)


def takes_tab(widget: QWidget) -> bool:
    """Whether Tab stops at it, and not at what it is the inside of.

    Not by asking for its `focusProxy`: PySide takes what that returns for a child of the widget asked, and a
    field would be a child of its own inside."""
    within = isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox | QAbstractScrollArea)
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and not within


def _stops(layout: QLayout) -> Iterator[QWidget]:
    """What Tab stops at, in the order of the layout."""
    for k in range(layout.count()):
        item = layout.itemAt(k)
        if item is None:
            continue
        widget, inner = item.widget(), item.layout()
        if widget is not None and takes_tab(widget):
            yield widget
        elif widget is not None:
            inner = widget.layout()
        if inner is not None:
            yield from _stops(inner)
