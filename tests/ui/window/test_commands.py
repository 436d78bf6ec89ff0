"""The table of commands: what can be used, with a window and without one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.registry import usual_fit
from kernelviz.ui.window.commands import COMMANDS, Situation


def session_of(source: str) -> Session:
    data = dataset(source)
    document = Document(data, (usual_fit(data),), source=source)
    return Session(State(document, document.workspace.look(data)))


def usable(now: Situation) -> set[str]:
    return {command.name for command in COMMANDS if command.offered(now) and command.enabled(now)}


def test_the_commands_are_listed_without_qt():
    code = "import sys, kernelviz.ui.window.commands; sys.exit('PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_new_session_has_nothing_to_undo_select_or_close():
    everything = {command.name for command in COMMANDS}
    selected = {"delete_selection", "flip_selection", "duplicate_selection"}
    lesson = {"next_step", "previous_step", "copy_answers", "end_lesson"}
    lecture = {"go_on", "go_back", "blank", "show_strip", "back_to_lecture", "return_there", "end_lecture"}
    apart = {"undo", "redo", "next_class", "next_fit", "close_fit", *selected, *lesson, *lecture}
    assert everything - usable(Situation.of(session_of("moons(n=20)"))) == apart


@pytest.mark.parametrize(
    ("source", "command", "offered"),
    [
        ("sine(n=20)", "flip_selection", False),
        ("moons(n=20)", "flip_selection", True),
        ("sine(n=20)", "swap_classes", False),
        ("spelling(n=20)", "swap_classes", True),
        ("spelling(n=20)", "jitter", False),
        ("sine(n=20)", "jitter", True),
    ],
)
def test_a_command_that_points_do_not_know_is_not_offered(source, command, offered):
    now = Situation.of(session_of(source))
    assert next(c for c in COMMANDS if c.name == command).offered(now) is offered


def test_an_edit_can_be_undone_and_then_redone():
    session = session_of("moons(n=20)")
    session.adjust(selection=frozenset({3}))
    assert {"delete_selection", "flip_selection"} <= usable(Situation.of(session))
    session.change("noise", data=dataset("moons(n=20, noise=0.5)"))
    assert "undo" in usable(Situation.of(session))
    session.undo()
    assert "redo" in usable(Situation.of(session))


def test_a_lesson_has_its_steps_and_may_do_without_playback():
    now = Situation(in_lesson=True, has_playback=False)
    assert {"next_step", "end_lesson"} <= usable(now)
    assert not {"play_pause", "step_forward", "live_mode"} & usable(now)


def test_the_window_enables_what_the_table_says(window):
    def shown() -> set[str]:
        actions = window.actions_by_name.items()
        return {name for name, action in actions if action.isVisible() and action.isEnabled()}

    assert shown() == usable(Situation.of(window.session))
    window.actions_by_name["select_all"].trigger()
    assert {"delete_selection", "flip_selection"} <= shown()
    window.actions_by_name["add_fit"].trigger()
    assert {"next_fit", "close_fit", "undo"} <= shown()


@pytest.mark.parametrize(("source", "enabled"), [("iris", True), ("blobs(classes=3)", False)])
def test_classes_are_swapped_if_there_are_two(source, enabled):
    assert ("swap_classes" in usable(Situation.of(session_of(source)))) is enabled
