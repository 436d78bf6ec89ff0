"""Small laptops, old projectors, screens at 200 %."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget

from kernelviz.ui.canvas.toolbar import ToolOptions
from tests.ui.window.acting import LEFT, come_to_rest


@pytest.mark.parametrize("mode", ["live", "watch"])
def test_the_window_fits_a_full_hd_screen_at_200_percent(qtbot, window, mode):
    window.session.adjust(mode=mode, step=0 if mode == "live" else 12)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    window.resize(960, 540)
    assert (window.width(), window.height()) == (960, 540)
    assert window.playback.speed.isVisible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_options_that_have_no_room_in_the_toolbar_are_behind_a_button_one_can_see(qtbot, window, theme):
    window.set_theme(theme)
    window.resize(1024, 768)
    window.canvas.use("brush")
    radius = window.findChild(ToolOptions).controls["radius"]
    more = window.findChild(QToolBar, "commands").findChild(QToolButton, "qt_toolbar_ext_button")
    qtbot.waitUntil(more.isVisible)
    seen = more.grab().toImage()
    levels = [seen.pixelColor(x, y).lightness() for x in range(seen.width()) for y in range(seen.height())]
    ground = sorted(levels)[len(levels) // 2]
    assert sum(abs(level - ground) > 40 for level in levels) >= 6
    QTest.mouseClick(more, LEFT)
    qtbot.waitUntil(lambda: radius.isVisible() and not radius.visibleRegion().isEmpty())


@pytest.mark.parametrize("percent", [200, 250])
def test_every_tool_stays_in_the_toolbar_in_large_type_and_commands_come_back_after_it(
    qtbot, window, percent
):
    window.resize(1366, 768)
    come_to_rest(window)
    bar = window.findChild(QToolBar, "commands")
    before = [action.text() for action in bar.actions()]
    assert bar.widgetForAction(window.actions_by_name["save"]).isVisible()
    window.set_type_size(percent)
    come_to_rest(window)
    assert window.width() == 1366
    tools = window.canvas.toolbar_part.actions
    for name, action in tools.items():
        button = bar.widgetForAction(action)
        assert button.isVisible()
        assert bar.rect().contains(button.geometry()), f"{name} has no room"
        qtbot.mouseClick(button, LEFT)
        assert window.canvas.tool.name == name
    assert window.actions_by_name["save"].isVisible(), "it is still in the menu"
    window.canvas.use("add")
    window.set_type_size(100)
    come_to_rest(window)
    assert [action.text() for action in bar.actions()] == before
    assert bar.widgetForAction(window.actions_by_name["save"]).isVisible()


def test_arrows_and_icons_of_the_toolbar_grow_with_the_type(qtbot, window):
    """The icon of Fit points, and the arrow of the menu next to A|B: as many times as large as the type."""
    window.resize(1366, 768)
    bar = window.findChild(QToolBar, "commands")

    def ink(widget: QWidget, left: int) -> tuple[int, int]:
        """Width and height of what is drawn in a widget, from a place on."""
        seen = bar.grab(widget.geometry()).toImage()
        ground = seen.pixelColor(left, 1).lightness()
        drawn = [
            (x, y)
            for x in range(left, seen.width())
            for y in range(seen.height())
            if abs(seen.pixelColor(x, y).lightness() - ground) > 60
        ]
        return tuple(max(side) - min(side) + 1 for side in zip(*drawn, strict=True))

    def sizes() -> list[int]:
        come_to_rest(window)
        fit = bar.widgetForAction(window.actions_by_name["reset_view"])
        arrow = window.fits.button
        return [*ink(fit, 1), *ink(arrow, round(0.66 * arrow.width()))]

    usual = sizes()
    assert len(usual) == 4, "both are seen"
    window.set_type_size(250)
    assert all(2 <= large / small <= 3 for small, large in zip(usual, sizes(), strict=True))


def test_a_window_larger_than_the_screen_opens_maximised(started):
    window = started()
    assert window.screen().availableSize().width() < 1280
    assert window.isMaximized()


START = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from kernelviz.session.state import start_up
from kernelviz.cli.terminal import leave
from kernelviz.ui import app
from kernelviz.ui.window import main_window
from kernelviz.ui.workbench.settings import Settings
main_window.Settings = lambda: Settings(Path(sys.argv[1]))
running, window = app.open_window(start_up())
began = window.arrangement.shape
def finish():
    print(began, window.arrangement.shape, window.isMaximized(), flush=True)
    window.close()
QTimer.singleShot(0, window, lambda: QTimer.singleShot(0, window, finish))
running.exec()
leave(0)  # as the program does: work that was abandoned may be going on
"""


@pytest.fixture
def start_on(tmp_path):
    """Starts the program on a screen of some size, by itself: it may crash."""

    def start(width: int, height: int) -> str:
        screen = {"name": "small", "x": 0, "y": 0, "width": width, "height": height}
        screen |= {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
        (tmp_path / "screen.json").write_text(json.dumps({"screens": [screen]}))
        platform = f"offscreen:configfile={tmp_path / 'screen.json'}"
        environment = {**os.environ, "QT_QPA_PLATFORM": platform, "XDG_STATE_HOME": str(tmp_path / "state")}
        command = [sys.executable, "-c", START, str(tmp_path / "settings.ini")]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert done.returncode == 0
        return done.stdout.strip()

    return start


def test_on_a_small_screen_the_program_begins_in_its_shape_also_the_next_time(start_on):
    for _ in range(2):
        assert start_on(800, 600) == "icons icons True"
    for _ in range(2):
        assert start_on(1024, 768) == "accordion accordion True"


def test_what_was_left_on_a_large_screen_opens_on_a_small_one(start_on):
    assert start_on(1920, 1080) == "columns columns False"
    assert start_on(800, 600).startswith("icons icons")
