"""The data panel, as a user acts."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.session.state import State
from kernelviz.session.view import ViewRange, shows
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.sidebar.data_panel import DataPanel
from tests.ui.sidebar.acting import pick
from tests.ui.widgets.acting import LEFT, change, drag, type_into


def edit_by_hand(session):
    session.change(
        "add point", data=PlaneWorkspace().added(session.document.data, np.array([0.0, 0.0]), 1), source=""
    )


@pytest.mark.parametrize("name", [n for n, kind in registry.datasets().items() if kind.shown_in == "plane"])
def test_every_control_of_every_data_set_reaches_the_session_and_undo_restores_both(shown, session, name):
    panel = shown(DataPanel)
    if name != "gaussians":
        pick(panel, name)
        assert parse_dataset(session.document.source) == registry.datasets()[name]()
    for parameter in registry.datasets()[name].parameters():
        before = session.document
        control = panel.form.current.controls[parameter.name]
        was = control.value
        change(control)
        drawn = parse_dataset(session.document.source)
        assert getattr(drawn, parameter.name) == control.value != was
        assert np.array_equal(session.document.data.X, drawn.make().X)
        session.undo()
        assert session.document is before
        assert control.value == was


def test_picking_is_one_step_of_undo_which_brings_picker_and_form_back(shown, session):
    panel = shown(DataPanel)
    pick(panel, "moons")
    assert session.history.undo_name == "choose data set"
    session.undo()
    assert panel.picker.currentData() == "gaussians"
    assert panel.form.current.declared == parse_dataset(session.document.source)


def test_the_picker_works_from_the_keyboard(shown, session):
    panel = shown(DataPanel)
    before = session.document.source
    QTest.keyClick(panel.picker, Qt.Key.Key_Down)
    assert session.document.source != before


def test_dragging_a_slider_redraws_live_and_is_one_step_of_undo(shown, session):
    panel = shown(DataPanel)
    seen = []
    session.subscribe(lambda old, new: seen.append(new.document.data))
    steps = len(session.history)
    drag(panel.form.current.controls["noise"].slider, 0.9)
    assert len(seen) > 1
    assert len(session.history) == steps + 1
    assert session.history.undo_name == "change noise"


def test_another_data_set_is_brought_into_view_and_so_is_the_one_undo_brings_back(qtbot, shown, session):
    panel = shown(DataPanel)
    for act in (lambda: pick(panel, "iris"), session.undo):
        act()
        qtbot.waitUntil(lambda: session.look.view == PlaneWorkspace().extent(session.document.data))


def test_points_are_not_drawn_where_nobody_sees_them(qtbot, shown, session):
    panel = shown(DataPanel)
    pick(panel, "iris")
    qtbot.waitUntil(lambda: session.look.view == PlaneWorkspace().extent(session.document.data))
    control = panel.form.current.controls["classes"]
    control.edited.emit("all", None)
    assert session.document.data.n == 150
    qtbot.waitUntil(lambda: shows(session.look.view, session.document.data.X))


def test_a_view_the_user_has_zoomed_into_stays(qtbot, shown, session):
    panel = shown(DataPanel)
    view = ViewRange(0.1, 0.2, 0.1, 0.2)
    session.adjust(view=view)
    change(panel.form.current.controls["noise"])
    qtbot.wait(1)
    assert session.look.view == view


def test_an_opened_session_keeps_its_view(qtbot, shown, session):
    shown(DataPanel)
    view = ViewRange(0.1, 0.2, 0.1, 0.2)
    moons = session.document.replace(data=parse_dataset("moons").make(), source="moons")
    session.open(State(moons, session.look.replace(view=view)))
    qtbot.wait(1)
    assert session.look.view == view


def test_the_view_stays_while_a_parameter_changes(qtbot, shown, session):
    panel = shown(DataPanel)
    view = session.look.view
    change(panel.form.current.controls["distance"])
    qtbot.wait(1)
    assert session.look.view == view


def test_a_number_that_is_not_allowed_changes_nothing_and_says_why(shown, session):
    panel = shown(DataPanel)
    before = session.document
    control = panel.form.current.controls["n"]
    type_into(control.field, "1e9")
    assert session.document is before
    assert control.message.sentence.startswith("n of gaussians must lie between")


def test_points_edited_by_hand_are_called_so_and_can_be_drawn_afresh_without_a_question(shown, session):
    panel = shown(DataPanel)
    source, points = session.document.source, session.document.data.X
    edit_by_hand(session)
    assert "edited by hand" in panel.again.toolTip()
    QTest.mouseClick(panel.again, LEFT)
    assert parse_dataset(session.document.source) == parse_dataset(source)
    assert np.array_equal(session.document.data.X, points)
    assert not panel.again.isEnabled()
    session.undo()
    assert panel.again.isEnabled()


def test_changing_a_parameter_after_an_edit_by_hand_draws_the_data_set_again(shown, session):
    panel = shown(DataPanel)
    edit_by_hand(session)
    change(panel.form.current.controls["n"])
    assert parse_dataset(session.document.source).n == session.document.data.n


def test_a_file_is_named_with_its_rows_and_nothing_of_the_former_data_set_is_left(shown, session):
    panel = shown(DataPanel)
    session.change("open", data=session.document.data.subset([0, 1, 2]), source="flowers.csv")
    assert panel.picker.unlisted == "flowers.csv, 3 rows"
    assert panel.picker.currentIndex() == -1
    former = (panel.form, panel.summary, panel.again)
    assert not any(part.isVisible() for part in former)
    session.undo()
    assert panel.picker.currentData() == "gaussians"
    assert panel.form.isVisible()


def test_an_edited_file_is_still_named(qtbot, shown, session):
    panel = shown(DataPanel)
    session.change("open", data=session.document.data.subset([0, 1, 2]), source="flowers.csv")
    edit_by_hand(session)
    assert panel.picker.unlisted == "flowers.csv, edited: 4 points"
    assert not panel.again.isVisible()


def test_points_placed_by_hand_are_counted_as_such(qtbot, shown, session):
    panel = shown(DataPanel)
    session.change("clear", data=PlaneWorkspace().empty(), source="")
    assert panel.picker.unlisted == "No points yet"
    for count in ("1 point placed by hand", "2 points placed by hand"):
        edit_by_hand(session)
        qtbot.waitUntil(lambda count=count: panel.picker.unlisted == count)
    assert not panel.form.isVisible()
    pick(panel, "moons")
    assert panel.form.isVisible()
    assert panel.summary.isVisible()


def test_the_points_of_each_class_are_counted(qtbot, shown, session):
    panel = shown(DataPanel)

    def said(beginning: str) -> bool:
        return panel.counts.accessibleName().startswith(beginning)

    assert said("10 points: 5 of class -, 5 of class +")
    edit_by_hand(session)
    qtbot.waitUntil(lambda: said("11 points: 5 of class -, 6 of class +"))
    pick(panel, "blobs")
    qtbot.waitUntil(lambda: said("120 points: 40 of class"))


def test_the_die_draws_other_points(shown, session):
    panel = shown(DataPanel)
    before = session.document.data.X
    QTest.mouseClick(panel.form.current.controls["seed"].die, LEFT)
    assert not np.array_equal(session.document.data.X, before)


def test_every_data_set_gets_a_thumbnail_in_either_theme(qtbot, themed, shown):
    panel = shown(DataPanel)
    picker = panel.picker
    rows = [picker.findData(name) for name in picker.names()]
    qtbot.waitUntil(lambda: not any(picker.itemIcon(row).isNull() for row in rows))
    colours = {
        picture.pixelColor(x, y).name()
        for picture in [picker.itemIcon(picker.findData("rings")).pixmap(28, 28).toImage()]
        for x in range(picture.width())
        for y in range(picture.height())
        if picture.pixelColor(x, y).alpha() == 255
    }
    assert colours >= {themed.positive, themed.negative}


def test_the_windows_actions_become_buttons(shown):
    done = []
    action = QAction("&Jitter")
    action.triggered.connect(lambda: done.append("jitter"))
    panel = shown(DataPanel, [action])
    button = next(b for b in panel.findChildren(QToolButton) if b.defaultAction() is action)
    assert button.accessibleName() == "Jitter"
    QTest.mouseClick(button, LEFT)
    assert done == ["jitter"]


def test_classes_are_counted_in_the_order_of_the_legend(qtbot, shown, session):
    panel = shown(DataPanel)
    assert panel.counts.text().index("+") < panel.counts.text().index("−")
    pick(panel, "blobs")
    qtbot.waitUntil(lambda: ">A<" in panel.counts.text())
    assert [panel.counts.text().index(f">{name}<") for name in "ABC"] == sorted(
        panel.counts.text().index(f">{name}<") for name in "ABC"
    )
