"""What every test of the user interface gets: no display, and nothing left behind."""

from __future__ import annotations

import gc
import os
import threading
import time
import weakref
from contextlib import contextmanager

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QStandardPaths, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.ui.process import collect_garbage

PATIENCE = 60.0
"""Seconds a thread gets to end after its test, and everything that is waited for gets to happen."""

SHARED: weakref.WeakSet[QObject] = weakref.WeakSet()
"""The windows that tests share, and what else lives as long."""

THEME = "kernelviz-theme"  # The application's property with the name of its theme.

for waiting in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals):
    waiting.__kwdefaults__["timeout"] = round(1000 * PATIENCE)


@pytest.fixture(scope="session")
def qapp_args():
    return ["kernelviz"]


@pytest.fixture(scope="session", autouse=True)
def settings_of_their_own():
    """Settings and recovery files of the tests never meet those of the person running them."""
    QStandardPaths.setTestModeEnabled(True)


@pytest.fixture
def linear_model():
    """s(x) = 0.82 x1: two free support vectors, one at the bound, one misclassified, one idle point."""
    X = [[2.0, 0.0], [-2.0, 0.0], [0.5, 0.0], [0.4, 0.0], [1.8, 1.5]]
    data = Data.labelled(X, [1, -1, 1, -1, 1])
    return KernelModel(
        Problem(data, Linear()),
        SoftMarginSVM(),
        Status.CONVERGED,
        "",
        1,
        weights=read_only([0.2, -0.2, 0.2, -0.2, 0.0]),
        offset=0.0,
        box=read_only([1.0, 1.0, 0.2, 0.2, 1.0]),
    )


@contextmanager
def look_kept(qapp):
    """The application has the same type and colours afterwards, whatever a window has given it."""
    theme, font, palette, sheet = qapp.property(THEME), qapp.font(), qapp.palette(), qapp.styleSheet()
    yield
    if qapp.property(THEME) != theme or qapp.font() != font or qapp.styleSheet() != sheet:
        qapp.setProperty(THEME, theme)
        qapp.setStyleSheet("")  # what follows is slow with a sheet
        qapp.setFont(font)
        qapp.setPalette(palette)
        qapp.setStyleSheet(sheet)


@pytest.fixture
def usual_look(qapp):
    with look_kept(qapp):
        yield


@pytest.fixture(autouse=True)
def nothing_is_left_behind(usual_look, monkeypatch):
    """Fails the test that leaves a running thread, an active timer or an open window; gives the application
    its usual look again once the windows are gone. Timers of SHARED may go on.

    Garbage is looked for between tests, in their own thread, as the window does it: objects of Qt's that
    another thread destroys crash, or wait for each other."""
    gc.disable()
    collect_garbage()
    threads_before = set(threading.enumerate())
    windows_before = _windows()
    timers = _watched_timers(monkeypatch)
    yield
    _delete_what_is_due()
    if _windows() - windows_before:
        gc.collect()
        _delete_what_is_due()
    left = [
        *(f"thread {t.name}" for t in _still_running(threads_before)),
        *(
            f"timer of {t.parent()!r}"
            for t in timers
            if isValid(t) and t.isActive() and _owner(t) not in SHARED
        ),
        *(f"window {w}" for w in _windows() - windows_before),
    ]
    assert not left, f"left behind: {', '.join(left)}"


def _watched_timers(monkeypatch) -> weakref.WeakSet:
    """Every timer started from Python during the test."""
    started: weakref.WeakSet = weakref.WeakSet()
    original = QTimer.start

    def start(timer, *args):
        started.add(timer)
        return original(timer, *args)

    monkeypatch.setattr(QTimer, "start", start)
    return started


def _windows() -> set[str]:
    """Windows and dialogues that exist, and anything visible; hidden helpers such as menus do not count."""
    if QApplication.instance() is None:
        return set()
    return {
        f"{type(w).__name__} {w.objectName() or w.windowTitle()} at {id(w):x}"
        for w in QApplication.topLevelWidgets()
        if isValid(w) and (w.isVisible() or isinstance(w, QMainWindow | QDialog))
    }


def _owner(timer: QTimer) -> QObject:
    """What a timer belongs to at last, such as a window."""
    owner: QObject = timer
    while (parent := owner.parent()) is not None:
        owner = parent
    return owner


def _delete_what_is_due() -> None:
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()


def _still_running(before: set[threading.Thread]) -> list[threading.Thread]:
    deadline = time.monotonic() + PATIENCE
    while left := [t for t in threading.enumerate() if t not in before and t.is_alive()]:
        if time.monotonic() > deadline:
            break
        time.sleep(0.01)
    return left
