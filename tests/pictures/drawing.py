"""Draw the window and every insight view of a document, and look up which points are under the mouse."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QAction, QCursor, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QComboBox, QLabel, QWidget

from kernelviz.session.session import Session
from kernelviz.session.themes import THEMES
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.window.main_window import MainWindow
from kernelviz.ui.workbench.settings import Settings
from kernelviz.ui.workbench.workbench import Workbench
from tests.pictures.documents import DOCUMENTS, Drawn

__all__ = ["draw_documents"]

WINDOWS = ((1024, 768), (1366, 768), (1920, 1080))
SLOTS = ((300, 210), (460, 340), (900, 620))
PATIENCE = 120.0
"""Seconds a picture may take."""
GRID = (24, 18)
"""Places of the mouse across and down for which the point found there is recorded."""
TIMES = re.compile(r"[\d.]+ (ms|s)\b")
"""How long a fit took, which is different each time."""
IDLE = 0.06
"""Seconds without work after which a picture is complete."""


def draw_documents(folder: Path, names: list[str], tell: Callable[[str], object]) -> None:
    """Write the pictures and tables of the named documents into a folder each."""
    QStandardPaths.setTestModeEnabled(True)
    app = QApplication.instance() or QApplication(["kernelviz"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    for name in names:
        began = time.perf_counter()
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        with _opened(DOCUMENTS[name]) as window:
            _draw_window(window, place)
            _write(place / "texts.json", _texts(window))
            assert window.workbench.frame is not None
            _write(place / "numbers.json", window.workbench.frame.model.summary())
            _draw_views(window, place)
        tell(f"{name}: {len(list(place.glob('*.png')))} pictures, {time.perf_counter() - began:.0f} s")


@contextmanager
def _opened(drawn: Drawn) -> Iterator[MainWindow]:
    """Open a window with settings of its own; close it afterwards."""
    with TemporaryDirectory(prefix="kernelviz-pictures-") as home:
        os.environ |= {"XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/config"}
        window = MainWindow(Session(drawn.state()), Settings(Path(home) / "settings.ini"))
        window.show()
        try:
            _settle(window.workbench, window)
            yield window
        finally:
            window.session.mark_saved()
            window.close()
            window.deleteLater()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


# The window -------------------------------------------------------------------------------------------------
def _draw_window(window: MainWindow, place: Path) -> None:
    for theme in THEMES:
        window.set_theme(theme)
        for width, height in WINDOWS:
            window.resize(width, height)
            window.statusBar().hide()  # it shows how long the fit took
            _settle(window.workbench, window)
            _save(window, place / f"window {width}x{height} {theme}.png")
    window.set_theme("light")
    window.resize(*WINDOWS[1])
    _settle(window.workbench, window)
    _write(place / "canvas hits.json", _hits(window.workbench, window.canvas, wait=0.02))
    window.statusBar().show()


def _texts(window: MainWindow) -> dict[str, Any]:
    """Collect every text a user can meet in the window: actions with their keys, labels, tips, names."""
    actions = {
        action.text(): [action.shortcut().toString(), action.toolTip(), action.isCheckable()]
        for action in window.findChildren(QAction)
        if action.text()
    }
    labels, tips, names = set(), set(), set()
    for widget in window.findChildren(QWidget):
        if isinstance(widget, QLabel | QAbstractButton):
            labels.add(widget.text())
        tips.add(widget.toolTip())
        names.add(widget.accessibleName())
    labels, tips, names = (
        {TIMES.sub("some time", text) for text in found} for found in (labels, tips, names)
    )
    return {
        "actions": dict(sorted(actions.items())),
        "labels": sorted(filter(None, labels)),
        "tips": sorted(filter(None, tips)),
        "names": sorted(filter(None, names)),
    }


# The insight views ------------------------------------------------------------------------------------------
def _draw_views(window: MainWindow, place: Path) -> None:
    bench, domain = window.workbench, window.session.document.data.domain
    for name, listed in VIEWS.items():
        if domain not in listed.domains:
            continue
        view = listed.widget(bench)
        view.resize(*SLOTS[1])
        view.show()
        _settle(bench, view)
        _write(place / f"{name} hits.json", _hits(bench, view))
        for theme in THEMES:
            window.set_theme(theme)
            for size in SLOTS:
                view.resize(*size)
                _settle(bench, view)
                _save(view, place / f"{name} {size[0]}x{size[1]} {theme}.png")
        window.set_theme("light")
        view.resize(*SLOTS[1])
        for face, flip, back in _switches(view):
            flip()
            _settle(bench, view)
            _save(view, place / f"{name} {face}.png")
            back()
        _settle(bench, view)
        view.close()
        view.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _switches(view: QWidget) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Yield every box and every option of every list: a name, how to choose it, how to return."""
    for box in [b for b in view.findChildren(QCheckBox) if b.isVisible() and b.isEnabled()]:
        yield box.text(), box.click, box.click
    for chooser in [c for c in view.findChildren(QComboBox) if c.isVisible() and c.isEnabled()]:
        choose, at_first = chooser.setCurrentText, chooser.currentText()
        for option in [chooser.itemText(k) for k in range(chooser.count())]:
            if option and option != at_first and chooser.findText(option) >= 0:
                label = f"{chooser.accessibleName()} {option}".replace("/", "-")
                yield label, partial(choose, option), partial(choose, at_first)


# What both need ---------------------------------------------------------------------------------------------
def _hits(bench: Workbench, widget: QWidget, wait: float = 0.0) -> list[list[Any]]:
    """Move the mouse over a grid of places; return the points highlighted at each, row by row."""
    columns, rows = GRID
    table = []
    for row in range(rows):
        found = []
        for column in range(columns):
            x, y = (column + 0.5) * widget.width() / columns, (row + 0.5) * widget.height() / rows
            _move_to(widget, QPoint(round(x), round(y)))
            if wait:
                _process(wait)
            found.append([bench.hovered_point, bench.hovered_partner])
        table.append(found)
    bench.hover(None)
    return table


def _move_to(widget: QWidget, at: QPoint) -> None:
    target = widget.childAt(at) or widget
    inside = QPointF(target.mapFrom(widget, at))
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        inside,
        QPointF(target.mapToGlobal(inside.toPoint())),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(target, event)


def _settle(bench: Workbench, widget: QWidget) -> None:
    """Wait until the fit is there, nothing computes in the background and no single-shot timer is running."""
    deadline, quiet = time.monotonic() + PATIENCE, 0.0
    QCursor.setPos(widget.screen().geometry().bottomRight())
    while quiet < IDLE:
        _process(0.01)
        busy = (
            not bench.up_to_date
            or any(background.busy for background in bench._backgrounds)
            or any(
                t.isActive() and t.isSingleShot() and t.interval() < 2000 for t in widget.findChildren(QTimer)
            )
        )
        quiet = 0.0 if busy else quiet + 0.01
        if time.monotonic() > deadline:
            raise TimeoutError(f"no picture of {widget} after {PATIENCE:g} s")


def _process(seconds: float) -> None:
    end = time.monotonic() + seconds
    QApplication.processEvents()
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)


def _save(widget: QWidget, path: Path) -> None:
    widget.grab().save(str(path))


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False, default=str), encoding="utf-8")
