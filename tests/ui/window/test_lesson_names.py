"""Lessons name views and commands as the window does."""

from __future__ import annotations

from kernelviz.session.lessons.actions import PRESSES
from kernelviz.session.lessons.state import VIEWS
from kernelviz.ui.insight import views
from kernelviz.ui.window.actions import COMMANDS

# "improve" is a button of the algorithm's panel, not a command of the menus.
OF_PANELS = {"improve"}


def test_lessons_know_every_view_by_its_name_and_title() -> None:
    assert dict(VIEWS) == {view.name: view.title for view in views.VIEWS.values()}


def test_lessons_press_commands_of_the_window() -> None:
    assert set(PRESSES) - OF_PANELS <= {command.name for command in COMMANDS}
