"""Every task of every lesson can be done by hand: the controls it takes are in view on a small screen.

The robot does lessons without a window, and so cannot see that a list lacks an entry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QToolButton

from kernelviz.session.lessons.actions import Action, Choose, EditPoints, Press, SetParameter, ShowView, Watch
from kernelviz.session.lessons.shipped import shipped
from kernelviz.session.lessons.state import find_parameter
from kernelviz.ui.lessons.controls import dataset_of
from kernelviz.ui.widgets.control import Control
from kernelviz.ui.widgets.controls import ChoiceControl
from tests.ui.lessons.student import Student


@pytest.mark.parametrize("path", shipped(), ids=lambda path: path.stem)
def test_every_task_can_be_done_with_what_is_in_view(qtbot, shared_window, path: Path) -> None:
    shared_window.resize(1024, 768)
    student = Student(qtbot, shared_window)
    student.open(path)
    missing = []
    for number, step in enumerate(student.tutor.lesson.steps, start=1):
        if step.task is None:
            continue
        student.tutor.go_to(number)
        student.settle()
        if step.prediction is not None:
            student.tutor.choose(step.prediction.answer)
            student.settle()
        for action in step.task.do:
            missing += [f"step {number}, {action.text!r}: {lack}" for lack in lacks(student, action)]
    shared_window.lessons.end_lesson()
    assert missing == []


def lacks(student: Student, action: Action) -> Iterator[str]:
    """Do an action, and yield a sentence for everything it takes that is not in view."""
    if isinstance(action, SetParameter | Choose):
        yield from _lacks_fit(student, action.fit)
    if isinstance(action, SetParameter):
        yield from _lacks_parameter(student, action.whose, action.parameter, action.value)
    if isinstance(action, Choose):
        rows = [row for row in _rows(student, action.control) if row.picker.isVisible()]
        name = action.chosen.name
        if not any(name in row.picker.names() and row.picker.isEnabled() for row in rows):
            yield f"no list offers {name}"
    if isinstance(action, EditPoints):
        yield from _lacks_places(student, action)
    if isinstance(action, ShowView) and not _usable(student.panel.controls.views.get(action.view)):
        yield "no button"
    if isinstance(action, Press) and not _in_a_menu(student, action.command):
        yield "no menu has it"
    if isinstance(action, Watch) and not _usable(student.window.playback):
        yield "nothing to play"
    student.window.session.replace("do", action.applied(student.tutor.now()).document)
    student.settle()
    if isinstance(action, Choose):  # the parameters of what was chosen, as far as they are not the usual ones
        offered = type(action.chosen)
        for parameter in offered.parameters():
            value = getattr(action.chosen, parameter.name)
            if value != getattr(offered(), parameter.name):
                yield from _lacks_parameter(student, action.control, parameter.name, value)


def _usable(widget) -> bool:
    return widget is not None and widget.isVisible() and widget.isEnabled()


def _rows(student: Student, whose: str):
    return [row for row in student.panel.controls.rows if row.whose == whose and row.isVisible()]


def _lacks_fit(student: Student, fit: int | None) -> Iterator[str]:
    """A letter in the toolbar chooses the fit; press it."""
    if fit is None or fit == student.window.session.document.active:
        return
    letter = student.window.fits.letters[fit]
    buttons = [b for b in student.window.findChildren(QToolButton) if b.defaultAction() is letter]
    if not any(_usable(button) for button in buttons):
        yield "no letter chooses the fit"
    letter.trigger()
    student.settle()


def _lacks_parameter(student: Student, whose: str, name: str, value: object) -> Iterator[str]:
    document = student.window.session.document
    owner = dataset_of(document) if whose == "data" else getattr(document, whose)
    found = find_parameter(owner, name)
    assert found is not None, f"{owner} has no {name}"
    controls = [
        control
        for row in _rows(student, whose)
        for control in row.findChildren(Control)
        if control.parameter.name == found[2].name and _usable(control)
    ]
    if not controls:
        yield f"no control for {whose}.{name}"
    elif isinstance(controls[0], ChoiceControl) and value not in controls[0].parameter.options:
        yield f"{value} is not offered for {whose}.{name}"


def _lacks_places(student: Student, action: EditPoints) -> Iterator[str]:
    """The points and the places they go to are under the mouse, on a canvas where points can be moved."""
    window, now = student.window, student.tutor.now()
    canvas, document = window.canvas, now.document
    if not canvas.workspace.movable:
        yield "points of this workspace stay where they are"
    positions = document.workspace.positions(document.data)
    places = [tuple(positions[now.row(which)]) for which in action.which]
    for place in [*places, *([action.place] if action.place else [])]:
        port = canvas.area.viewport()
        spot = canvas.area.mapFromScene(canvas.area.box.mapViewToScene(QPointF(*place)))
        if window.childAt(port.mapTo(window, spot)) is not port:
            yield f"({place[0]:.3g}, {place[1]:.3g}) is not in view"


def _in_a_menu(student: Student, command: str) -> bool:
    action = student.window.actions_by_name[command]
    menus = [menu.menu() for menu in student.window.menuBar().actions() if menu.isVisible() and menu.menu()]
    return action.isEnabled() and action.isVisible() and any(action in menu.actions() for menu in menus)
