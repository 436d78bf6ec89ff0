"""Parts of the window and single controls are hidden by the menu, by a session, by a stop of a lecture."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMenu, QSlider

from kernelviz.session.lessons.lecture_reader import parse_lecture
from kernelviz.ui.widgets.number_control import NumberControl
from kernelviz.ui.window.main_window import MainWindow
from tests.ui.window.acting import come_to_rest, enter, present, settle

LECTURE = """+++
format = 1
kind   = "lecture"
title  = "Hidden"
+++

## No width

```stage
data = "moons(n=20)"
fit  = "rbf(gamma=1) ; soft-margin-svm(C=10)"
hide = ["kernel.sigma", "status"]
```

## All

```stage
data = "moons(n=20)"
fit  = "rbf(gamma=1) ; soft-margin-svm(C=10)"
```
"""


def tick(window: MainWindow, text: str) -> None:
    """Take an entry of *View > Controls*."""
    menu = next(menu for menu in window.findChildren(QMenu) if menu.title() == "&Controls")
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == text).trigger()


def seen(window: MainWindow) -> list[str]:
    """Return the labels of the numbers that can be set in the panels."""
    controls = [one for one in window.findChildren(NumberControl) if one.isVisible()]
    return sorted(one.parameter.label for one in controls)


def test_a_single_control_is_hidden_and_shown_again(window):
    assert seen(window) == ["C", "n", "noise", "γ"]
    tick(window, "Kernel: γ")
    assert seen(window) == ["C", "n", "noise"]
    tick(window, "Algorithm: C")
    assert seen(window) == ["n", "noise"]
    tick(window, "Kernel: γ")
    assert seen(window) == ["n", "noise", "γ"]


def test_nothing_else_sets_the_parameter_or_tells_its_value(window):
    panel = window.docks["kernel"].widget()
    tick(window, "Kernel: γ")
    assert not panel.composition.isVisible()
    assert not panel.median.isVisible()
    before = window.session.document
    window.actions_by_name["kernel_up"].trigger()
    assert window.session.document is before
    tick(window, "Kernel: γ")
    assert panel.composition.isVisible()
    assert panel.median.isVisible()


def test_a_control_stays_hidden_for_another_kernel_that_has_it(qtbot, window):
    tick(window, "Kernel: γ")
    window.docks["kernel"].widget().on_picked("laplacian")
    settle(qtbot, window)
    assert "γ" not in seen(window)


def test_hidden_controls_are_saved_with_the_session(qtbot, window, tmp_path):
    tick(window, "Kernel: γ")
    assert window.files.save_to(tmp_path / "exam.kviz")
    window.actions_by_name["new"].trigger()
    assert "γ" in seen(window)
    window.session.mark_saved()
    window.files.open_path(tmp_path / "exam.kviz")
    qtbot.waitUntil(lambda: "γ" not in seen(window))


def test_a_stop_hides_a_control_by_any_of_its_names_and_the_next_one_shows_it(qtbot, window, tmp_path):
    window.lessons.begin(parse_lecture(LECTURE, tmp_path / "hidden.md"))
    settle(qtbot, window)
    qtbot.waitUntil(lambda: "γ" not in seen(window) and not window.statusBar().isVisible())
    tick(window, "&Data")  # something else: what the stop hides stays hidden
    assert not window.statusBar().isVisible()
    window.lessons.lecture.lecturer.go_to(1)
    qtbot.waitUntil(lambda: window.statusBar().isVisible())
    window.lessons.end_lesson()
    settle(qtbot, window)


def test_in_presentation_mode_the_strip_leaves_out_what_is_hidden(qtbot, window):
    tick(window, "Kernel: γ")
    tick(window, "&Algorithm")
    tick(window, "&Status")
    present(window)
    settle(qtbot, window)
    strip = window.strip
    assert [slider for slider in strip.findChildren(QSlider) if slider.isVisible()] == []
    assert not strip.errors.isVisible()


@pytest.mark.parametrize("workspace", ["curve", "words"])
def test_every_workspace_has_the_controls_of_its_panels(qtbot, window, workspace):
    enter(qtbot, window, workspace)
    labels = seen(window)
    for text in labels:
        names = {"Data": "data", "Kernel": "kernel", "Algorithm": "algorithm"}
        owner = next(
            title
            for title, name in names.items()
            for one in window.docks[name].widget().form.current.controls.values()
            if one.parameter.label == text and one.isVisible()
        )
        tick(window, f"{owner}: {text}")
    assert seen(window) == []


def test_what_is_hidden_stays_so_when_the_layout_is_reset(window):
    tick(window, "&Kernel")
    tick(window, "&Playback")
    window.actions_by_name["reset_layout"].trigger()
    come_to_rest(window)
    assert window.docks["kernel"].isHidden()
    assert window.playback.isHidden()
    tick(window, "&Kernel")
    assert not window.docks["kernel"].isHidden()
