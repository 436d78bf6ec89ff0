"""Lessons name commands as the window does."""

from __future__ import annotations

from kernelviz.session.lessons.actions import PRESSES
from kernelviz.ui.window.commands import COMMANDS

# "improve" is a button of the algorithm's panel, not a command of the menus.
OF_PANELS = {"improve"}


def test_lessons_press_commands_of_the_window() -> None:
    assert set(PRESSES) - OF_PANELS <= {command.name for command in COMMANDS}
