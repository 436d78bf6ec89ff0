"""Two slots for many views: what is in them, what it costs, and changing places with the canvas."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel

from kernelviz.session.view_listing import FAMILIES
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.ui.dialogs.snapshot import Snapshot
from kernelviz.ui.insight.area import InsightArea
from kernelviz.ui.insight.scene_view import SceneView
from kernelviz.ui.insight.view_picker import INSET
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.layouts import Place

SMOOTH = Qt.TransformationMode.SmoothTransformation
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def stage():
    place = Place()
    place.put(QLabel("the canvas"))
    yield place
    place.deleteLater()


@pytest.fixture
def area(bench, show, stage):
    return show(InsightArea(bench(), stage), 400, 600)


def lightness(image: QImage, x: int, y: int) -> int:
    return image.pixelColor(x, y).lightness()


def seen(area) -> list[str]:
    return [name for name, view in area.views.items() if view.isVisible()]


def test_every_view_says_what_it_is_called_and_about(area):
    assert {view.family for view in VIEWS.values()} <= set(FAMILIES)
    for view in VIEWS.values():
        assert (view.name, view.title) == (view.widget.name, view.widget.title)
        assert view.summary_line.endswith(".")
    assert set(area.slots[0].picker.names()) == set(VIEWS) - {"pair"}


def test_only_what_is_seen_is_made(area):
    assert set(area.views) == {"loss", "inspector"}
    area.choose(area.slots[0], "gram")
    assert set(area.views) == {"loss", "inspector", "gram"}


def test_nothing_is_made_before_the_area_is_shown(bench, stage, qtbot):
    area = InsightArea(bench(), stage)
    qtbot.addWidget(area)
    area.show_view("weights")
    assert area.shown == ["weights", "inspector"]
    assert not area.views


@pytest.mark.parametrize(
    "name", [name for name in VIEWS if name in ("loss", "convergence", "weights", "gram")]
)
def test_a_view_that_is_in_no_slot_computes_nothing(area, qtbot, monkeypatch, name):
    area.choose(area.slots[0], name)
    area.choose(area.slots[0], "sweep")
    computed, widget = [], VIEWS[name].widget
    makes = "scene" if issubclass(widget, SceneView) else "of"
    monkeypatch.setattr(widget.kind, makes, lambda *_: computed.append(name))
    session = area.workbench.session
    session.change("move point", data=PlaneWorkspace().placed(session.document.data, [0], [[0.5, 0.5]]))
    qtbot.waitUntil(lambda: area.workbench.frame.data is session.document.data)
    assert computed == []


def test_picking_replaces_the_view_of_that_slot_alone(area, qtbot):
    picker = area.slots[0].picker
    picker.setFocus()
    picker.picked.emit("convergence")
    assert area.shown == ["convergence", "inspector"]
    assert seen(area) == ["inspector", "convergence"]


def test_a_view_chosen_where_it_is_not_changes_places_with_the_other(area):
    area.choose(area.slots[0], "inspector")
    assert area.shown == ["inspector", "loss"]
    assert all(slot.place.isAncestorOf(area.views[slot.view]) for slot in area.slots)
    assert sorted(seen(area)) == ["inspector", "loss"]


def test_the_second_slot_closes_and_opens_again(area, qtbot):
    first, second = area.slots
    qtbot.mouseClick(second.other, LEFT)
    assert seen(area) == ["loss"]
    qtbot.mouseClick(first.other, LEFT)
    assert sorted(seen(area)) == ["inspector", "loss"]
    assert not first.other.isVisible()


def test_a_view_chosen_before_the_first_picture_is_shown_while_others_wait(bench, show, stage, qtbot):
    area = InsightArea(bench(), stage)
    area.hold()
    show(area, 400, 600)
    assert seen(area) == []
    area.choose(area.slots[0], "gram")
    qtbot.waitUntil(lambda: "gram" in seen(area))


def test_a_closed_slot_holds_no_view_back(area):
    area.open_second(False)
    area.show_view("inspector")
    assert area.shown == ["inspector"]
    area.open_second(True)
    assert area.shown == ["inspector", "loss"]


def test_putting_a_view_away_leaves_the_area_to_the_other(area, qtbot):
    area.put_away("loss")
    assert area.shown == ["inspector"]
    with qtbot.waitSignal(area.emptied):
        area.put_away("inspector")


def test_enlarging_a_view_has_it_change_places_with_the_canvas_and_back(area, stage, qtbot):
    canvas, first = stage.widget, area.slots[0]
    view = first.place.widget
    qtbot.mouseClick(first.enlarge, LEFT)
    assert (stage.widget, first.place.widget) == (view, canvas)
    assert area.enlarged == "loss"
    assert canvas.isVisible()
    qtbot.mouseClick(first.enlarge, LEFT)
    assert (stage.widget, first.place.widget) == (canvas, view)
    assert area.enlarged is None


def test_of_two_views_one_at_a_time_is_enlarged(area, stage):
    canvas = stage.widget
    for slot in area.slots:
        area.enlarge(slot)
    assert area.enlarged == "inspector"
    assert area.slots[0].place.widget is area.views["loss"]
    assert area.slots[1].place.widget is canvas


@pytest.mark.parametrize("slot", [0, 1])
def test_a_view_picked_while_another_is_enlarged_leaves_the_canvas_in_sight(area, stage, slot):
    canvas = stage.widget
    area.enlarge(area.slots[0])
    area.choose(area.slots[slot], "gram")
    assert area.slots[0].place.widget is canvas
    assert stage.isAncestorOf(area.views["gram" if slot == 0 else "loss"])


def test_hiding_the_area_gives_the_canvas_its_place_back(area, stage):
    canvas = stage.widget
    area.enlarge(area.slots[1])
    area.hide()
    assert stage.widget is canvas


def test_closing_the_slot_of_the_enlarged_view_gives_the_canvas_its_place_back(area, stage, qtbot):
    canvas = stage.widget
    area.enlarge(area.slots[1])
    qtbot.mouseClick(area.slots[1].other, LEFT)
    assert stage.widget is canvas


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        (["gram"], ["gram"]),
        (["gram", "loss"], ["gram", "loss"]),
        (["inspector", "loss"], ["inspector", "loss"]),
        (["loss", "loss", "what was a view once"], ["loss"]),
        ([], ["loss", "inspector"]),
        (["gone"], ["loss", "inspector"]),
    ],
)
def test_what_was_shown_is_shown_again_as_far_as_it_still_exists(area, kept, shown):
    area.restore(kept)
    assert area.shown == shown
    assert area.slots[0].view != area.slots[1].view


def test_pictures_are_to_be_had_of_views_nobody_has_seen(area):
    shown = Snapshot.of(area.workbench)
    for view in (listed.widget for listed in VIEWS.values()):
        if issubclass(view, SceneView):
            assert shown.scene_of(area.panel(view)) is not None
    assert set(area.views) == {"loss", "inspector"}


@pytest.mark.parametrize("name", ["path", "selection", "sweep"])
def test_what_is_computed_while_it_is_seen_says_so_in_a_figure_until_it_has_been(area, name):
    view = VIEWS[name].widget
    assert view.kind.computes
    scene = Snapshot.of(area.workbench).scene_of(area.panel(view))
    assert scene.reason == f"“{view.kind.title}” is only computed while it is open. Open it first."


def test_behind_the_i_a_view_says_what_it_shows(area, qtbot):
    slot = area.slots[0]
    assert not slot.line.isVisible()
    qtbot.mouseClick(slot.about, LEFT)
    assert slot.line.isVisible()
    assert slot.line.text() == VIEWS["loss"].summary_line
    area.choose(slot, "gram")
    assert slot.line.text() == VIEWS["gram"].summary_line
    qtbot.mouseClick(slot.about, LEFT)
    assert not slot.line.isVisible()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_list_of_views_shows_a_picture_and_a_line_of_each(qtbot, area):
    picker = area.slots[0].picker
    picker.setFocus()
    qtbot.keyClick(picker, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    rows = picker.view()
    qtbot.waitUntil(rows.isVisible)
    index = rows.model().index(picker.findData("weights"), 0)
    assert index.data(Qt.ItemDataRole.AccessibleDescriptionRole) == VIEWS["weights"].summary_line
    rows.setCurrentIndex(index)
    row = rows.viewport().grab(rows.visualRect(index)).toImage()
    height = row.height() - 2 * INSET
    size = QSize(round(1.5 * height), height)
    picture = QImage(str(VIEWS["weights"].picture("light"))).scaled(size, mode=SMOOTH)
    inside = [(x, y) for x in range(2, size.width() - 2) for y in range(2, height - 2)]
    off = [lightness(picture, x, y) - lightness(row, x + INSET, y + INSET) for x, y in inside]
    assert sum(map(abs, off)) / len(off) < 12  # of 255; the picture of another view is off by 20 or more
    beside = [lightness(row, x, y) for x in range(size.width() + 3 * INSET, 300) for y in range(row.height())]
    assert min(beside) < 120  # the title and the line
    qtbot.keyClick(rows, Qt.Key.Key_Return)
    assert area.shown[0] == "weights"
