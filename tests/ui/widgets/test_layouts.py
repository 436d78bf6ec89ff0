"""Widgets that flow into rows, and calls that wait for the layout."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget
from shiboken6 import delete

from kernelviz.ui.widgets.layouts import Flow, soon


class Part(QWidget):
    """A widget that would like to be 100 pixels wide and can be 60."""

    def sizeHint(self) -> QSize:
        return QSize(100, 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 20)


@pytest.fixture
def shown(qtbot):
    """A stiff part and two elastic ones, in a widget of a given width."""
    around = QWidget()
    qtbot.addWidget(around)

    def show(width: int) -> list[Part]:
        flow, parts = Flow(around, spacing=10), [Part(), Part(), Part()]
        flow.addWidget(parts[0])
        for part in parts[1:]:
            flow.add_elastic(part)
        around.resize(width, flow.heightForWidth(width))
        around.show()
        return parts

    yield show
    around.close()


def test_elastic_widgets_become_narrower_if_all_then_stand_in_one_row(shown):
    parts = shown(280)
    assert [part.width() for part in parts] == [100, 80, 80]
    assert {part.y() for part in parts} == {0}
    assert parts[-1].geometry().right() < 280


@pytest.mark.parametrize("width", [239, 400])
def test_with_too_little_room_for_one_row_or_with_plenty_all_are_as_wide_as_they_like(shown, width):
    parts = shown(width)
    assert [part.width() for part in parts] == [100, 100, 100]
    assert len({part.y() for part in parts}) == (1 if width == 400 else 2)


def test_a_widget_whose_parts_are_hidden_takes_no_room(qtbot):
    around, holder, last = QWidget(), QWidget(), Part()
    qtbot.addWidget(around)
    inner, flow = Flow(holder), Flow(around, spacing=10)
    hidden = Part()
    inner.addWidget(hidden)
    hidden.hide()
    flow.addWidget(holder)
    flow.addWidget(last)
    around.resize(300, 40)
    around.show()
    assert last.x() == 0


class Called(QWidget):
    """A widget that counts how often it was called."""

    count = 0

    def call(self) -> None:
        self.count += 1


def test_a_call_made_soon_waits_for_the_event_loop(qtbot):
    widget = Called()
    qtbot.addWidget(widget)
    soon(widget, widget.call)
    assert widget.count == 0
    qtbot.waitUntil(lambda: widget.count == 1)


def test_a_widget_deleted_before_it_is_called_leaves_nothing_in_memory(qapp):
    """As a window that closes during a lesson, with all its fits."""
    widget = Called()
    alive = weakref.ref(widget)
    soon(widget, widget.call)
    delete(widget)
    del widget
    qapp.processEvents()
    gc.collect()
    assert alive() is None
