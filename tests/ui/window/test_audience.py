"""The audience window with one screen: what it shows, and that it leaves the keyboard where it is. With two
screens, see `audience_scene.py`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QWidget

from kernelviz.scene.theme import current_theme
from kernelviz.session.lessons.lecture_reader import lectures
from kernelviz.ui.window.audience import AudienceWindow
from kernelviz.ui.window.main_window import MainWindow
from tests.ui.painted import Paints
from tests.ui.window.acting import STILL_TURNS, click, come_to_rest, resize


def pixels(widget: QWidget) -> np.ndarray:
    """Return what is seen of a widget, (height, width, 3)."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return rows[:, : image.width(), :3].astype(int)


def differing(a: np.ndarray, b: np.ndarray) -> float:
    """Return the share of pixels that look different."""
    return float((np.abs(a - b).max(axis=2) > 24).mean())


@pytest.fixture
def audience(qtbot, window: MainWindow) -> AudienceWindow:
    """The window, as large as the canvas, beside no view."""
    for name in list(window.insight.shown):
        window.insight.put_away(name)
    window.docks["insight"].hide()
    window.canvas.banner.dismiss()
    window.actions_by_name["audience_window"].trigger()
    window.audience.resize(window.canvas.row.size())
    at_rest(qtbot, window)
    return window.audience


def at_rest(qtbot, window: MainWindow) -> None:
    """Wait until both windows have painted the present state, and painted it sharp."""
    timers = [plot.pulse for plot in window.canvas.row.plots] + window.audience.findChildren(QTimer)

    def resting() -> bool:
        return window.workbench.up_to_date and not any(timer.isActive() for timer in timers)

    for _ in range(STILL_TURNS):
        qtbot.waitUntil(resting)
        QApplication.processEvents()


def alike(window: MainWindow) -> bool:
    return differing(pixels(window.audience), pixels(window.canvas.row)) < 0.001


def test_it_shows_what_the_canvas_shows_and_follows_each_edit(qtbot, window, audience):
    qtbot.waitUntil(lambda: alike(window))
    before, paints = pixels(audience), Paints(audience)
    click(qtbot, window, 0.0, 0.0)
    at_rest(qtbot, window)
    window.canvas.pointer.leave()
    qtbot.mouseMove(window.statusBar())
    QApplication.sendEvent(window.canvas.area.viewport(), QEvent(QEvent.Type.Leave))
    at_rest(qtbot, window)
    assert paints.count > 0
    assert differing(before, pixels(audience)) > 0.001
    qtbot.waitUntil(lambda: alike(window))


def test_all_of_it_is_larger_in_a_larger_window(qtbot, window, audience):
    size = window.canvas.row.size()
    small = pixels(audience)
    audience.resize(2 * size)
    at_rest(qtbot, window)
    large = pixels(audience)
    assert differing(small, large[::2, ::2]) < 0.06  # edges apart
    lines = np.abs(np.diff(large, axis=1)).max(axis=2)
    blurred = np.repeat(np.repeat(small, 2, axis=0), 2, axis=1)
    assert (lines > 150).sum() > (np.abs(np.diff(blurred, axis=1)).max(axis=2) > 150).sum() * 0.5


def test_the_frame_of_the_focus_is_not_for_the_audience(qtbot, window, audience):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.canvas.area.clearFocus()
    at_rest(qtbot, window)
    without = pixels(window.canvas.row), pixels(audience)
    window.canvas.area.setFocus(Qt.FocusReason.TabFocusReason)
    at_rest(qtbot, window)
    assert differing(without[0], pixels(window.canvas.row)) > 0.001
    assert differing(without[1], pixels(audience)) == 0.0


def test_banner_and_notes_are_seen(qtbot, window, audience):
    before = pixels(audience)
    window.complain("This cannot be done.")
    at_rest(qtbot, window)
    assert differing(before, pixels(audience)) > 0.01
    qtbot.waitUntil(lambda: alike(window))


def test_the_mouse_is_seen_while_it_is_over_the_canvas(qtbot, window, audience):
    window.actions_by_name["clear"].trigger()
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: alike(window))
    viewport = window.canvas.area.viewport()
    at = QPoint(viewport.width() // 3, viewport.height() // 3)
    window.canvas.use("select")  # which draws nothing around the mouse
    qtbot.mouseMove(viewport, at)
    at_rest(qtbot, window)
    shown, place = pixels(audience), viewport.mapTo(window.canvas.row, at)
    there = shown[place.y() : place.y() + 20, place.x() : place.x() + 12]
    assert (there.max(axis=2) < 60).sum() > 50  # a black arrow
    QApplication.sendEvent(viewport, QEvent(QEvent.Type.Leave))
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: alike(window))


def test_a_fit_that_waits_to_be_revealed_waits_here_too(qtbot, window, audience):
    before = pixels(audience)
    window.actions_by_name["toggle_freeze"].trigger()
    at_rest(qtbot, window)
    assert differing(before, pixels(audience)) > 0.1
    qtbot.waitUntil(lambda: alike(window))
    window.actions_by_name["toggle_freeze"].trigger()
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: alike(window))


def test_the_first_view_stands_beside_the_canvas(qtbot, window, audience):
    audience.resize(1200, 700)
    at_rest(qtbot, window)
    alone = pixels(audience)
    window.keyboard.go_to_view("gram")
    qtbot.waitUntil(lambda: not window.insight.views["gram"].busy)
    at_rest(qtbot, window)
    both = pixels(audience)
    empty = (both == both[2, 2]).all(axis=(0, 2))
    bands = np.flatnonzero(np.convolve(empty, np.ones(20), "valid") == 20)  # of paper, 20 pixels wide
    inked = np.flatnonzero(~empty)
    between = bands[(bands > inked[0]) & (bands < inked[-1])]
    assert len(between) > 0
    assert (~empty[: between[0]]).sum() > 400  # the canvas
    assert (~empty[between[0] :]).sum() > 200  # the view
    window.docks["insight"].hide()
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: differing(alone, pixels(audience)) < 0.001)


def test_views_go_beside_a_canvas_that_an_audience_sees_and_back_below_it(qtbot, window):
    resize(window, 1100, 700)
    window.keyboard.go_to_view("gram")
    at_rest(qtbot, window)
    dock, command = window.docks["insight"], window.actions_by_name["audience_window"]
    low = window.canvas.height()
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.BottomDockWidgetArea
    command.trigger()
    at_rest(qtbot, window)
    assert dock.isVisible()
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.RightDockWidgetArea
    assert window.canvas.height() > 1.5 * low
    command.trigger()
    at_rest(qtbot, window)
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.BottomDockWidgetArea
    assert window.canvas.height() == pytest.approx(low, abs=2)


def test_the_next_start_has_views_where_they_were_before_the_audience(qtbot, window, start_again):
    resize(window, 1100, 700)
    window.keyboard.go_to_view("gram")
    window.actions_by_name["audience_window"].trigger()
    at_rest(qtbot, window)
    window.session.mark_saved()
    window.close()
    again = start_again()
    resize(again, 1100, 700)  # the screen of the tests is smaller
    qtbot.waitUntil(lambda: again.workbench.up_to_date)
    again.keyboard.go_to_view("gram")
    come_to_rest(again)
    assert again.dockWidgetArea(again.docks["insight"]) == Qt.DockWidgetArea.BottomDockWidgetArea


def test_a_drag_has_it_painted_at_most_thirty_times_a_second(qtbot, window, audience):
    paints, began = Paints(audience), perf_counter()
    while perf_counter() - began < 0.5:
        window.canvas.area.viewport().update()
        QApplication.processEvents()
    assert 0 < paints.count <= (perf_counter() - began) / 0.033 + 1


def test_another_workspace_is_followed(qtbot, window, audience):
    window.canvases.switch.buttons["curve"].click()
    at_rest(qtbot, window)
    audience.resize(window.canvas.row.size())
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: alike(window))


def test_closing_it_unticks_the_command_and_the_command_closes_it(qtbot, window, audience):
    command = window.actions_by_name["audience_window"]
    audience.close()
    assert not command.isChecked()
    command.trigger()
    assert audience.isVisible()
    command.trigger()
    assert not audience.isVisible()


def test_it_closes_with_the_window(window, audience):
    window.session.mark_saved()
    window.close()
    assert not audience.isVisible()


# Two screens ------------------------------------------------------------------------------------------------
ROOT = Path(__file__).parents[3]
DESK, HALL = [0, 0, 1366, 768], [1366, 0, 1920, 1080]
SHORTEST = str(min(lectures(), key=lambda path: path.stat().st_size))


LECTURE = """+++
format = 1
kind   = "lecture"
title  = "Mine"
+++

## Stop

```stage
data   = "gaussians(n=10, distance=4, noise=0.3, seed=1)"
fit    = "linear ; soft-margin-svm(C=10)"
points = { p = 1 }
```

```predict
ask    = "What happens?"
a      = "Nothing."
b      = "It changes."
answer = "b"
reveal = "algorithm.C = 0.01"
true   = "algorithm.C == 0.01"
```
"""


def test_the_question_of_a_lecture_and_the_names_of_points_are_seen(qtbot, window, audience, tmp_path):
    (tmp_path / "mine.md").write_text(LECTURE, encoding="utf-8")
    window.files.open_path(tmp_path / "mine.md")
    qtbot.waitUntil(lambda: window.lessons.question is not None)
    audience.resize(1200, 600)
    at_rest(qtbot, window)
    highlight = QColor(current_theme().highlight)
    ring = np.abs(pixels(audience) - (highlight.blue(), highlight.green(), highlight.red())).max(axis=2) < 30
    assert ring.sum() > 100  # p is nowhere marked otherwise
    before = pixels(audience)
    assert (before[:, 800:].max(axis=2) < 120).mean() > 0.003  # the words of the question
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: window.session.document.algorithm.C == 0.01)
    at_rest(qtbot, window)
    assert differing(before[:, 800:], pixels(audience)[:, 800:]) > 0.01  # the answer
    window.lessons.end_lesson()
    at_rest(qtbot, window)
    assert window.lessons.question is None


def seen_on(environment: dict[str, str], *scene: str) -> dict[str, Any]:
    """Run a scene in a process of its own: screens must be there before the application."""
    name, *arguments = scene or ("audience_scene",)
    done = subprocess.run(
        [sys.executable, "-m", f"tests.ui.window.{name}", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower()
    return dict(json.loads(done.stdout.splitlines()[-1]))


def check_scene(seen: dict[str, object]) -> None:
    assert seen["opened"] == {"screen": "hall", "place": HALL, "full": True, "visible": True}
    assert seen["unplugged"] is False
    assert seen["plugged in"] == seen["opened"]
    assert seen["closed"] is False
    assert seen["plugged in again"] is False


@pytest.fixture
def two_screens(tmp_path) -> dict[str, str]:
    """Two screens that are nowhere."""

    def screen(name: str, place: list[int]) -> dict[str, object]:
        rest = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
        return {"name": name, **dict(zip(("x", "y", "width", "height"), place, strict=True)), **rest}

    file = tmp_path / "two.json"
    file.write_text(json.dumps({"screens": [screen("desk", DESK), screen("hall", HALL)]}))
    return {"QT_QPA_PLATFORM": f"offscreen:configfile={file}"}


TOOLS = ("Xvfb", "openbox", "xrandr", "xdotool")


@pytest.fixture
def real_screens() -> Iterator[dict[str, str]]:
    """Two screens of an X server with a window manager."""
    if any(shutil.which(tool) is None for tool in TOOLS):
        pytest.skip("screens that come and go need Xvfb, openbox, xrandr and xdotool")
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "3286x1080x24", "+extension", "RANDR"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as told:
            display = {"DISPLAY": f":{told.readline().strip()}"}
        environment = {**os.environ, **display}
        with subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL) as manager:
            try:
                yield {**display, "QT_QPA_PLATFORM": "xcb", "BY_XRANDR": "1"}
            finally:
                manager.terminate()
                server.terminate()


def test_on_another_screen_it_fills_that_and_goes_and_comes_with_it(two_screens):
    check_scene(seen_on(two_screens))


def test_a_projector_is_unplugged_and_plugged_in_again_and_never_has_the_keyboard(real_screens):
    seen = seen_on(real_screens)
    assert seen["keyboard"] == ["desk", "desk"]
    check_scene(seen)


def check_lecture(seen: dict[str, Any]) -> None:
    """Each press changed what is seen, also in the hall, and the way back led through the same states."""
    assert all(press["changed"] for press in (*seen["there"], *seen["back"]))
    assert sum("hall" in press["changed"] for press in seen["there"]) > 0.8 * len(seen["there"])
    there, back = ([(press["place"], press["fits"]) for press in seen[way]] for way in ("there", "back"))
    assert back[:-1] == there[-2::-1]
    assert (seen["first"], seen["hidden"], seen["shown again"]) == ([0, 0], True, True)
    assert [text for text in seen["messages"] if "does not support" not in text] == []


def test_a_whole_lecture_is_given_on_two_screens(two_screens):
    check_lecture(seen_on(two_screens, "lecture_scene", SHORTEST))


def test_a_whole_lecture_is_given_with_a_keyboard_and_a_projector(real_screens):
    check_lecture(seen_on(real_screens, "lecture_scene", SHORTEST))
