"""Feature space on screen: turned by mouse and keys, unfolded, its features in a list."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from kernelviz.drawing.insight.feature_list import FeatureList
from kernelviz.drawing.insight.feature_space import FeatureSpacePicture
from kernelviz.drawing.insight.picture import padded
from kernelviz.drawing.insight.space import ASLANT
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.ui.insight import feature_space_view
from kernelviz.ui.insight.feature_space_view import FeatureSpaceView

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(bench, show, qtbot):
    shown = show(FeatureSpaceView(bench("rings(n=60, seed=1)", "polynomial(degree=2)")), 640, 480)
    qtbot.waitUntil(lambda: isinstance(shown.picture, FeatureSpacePicture))
    shown.grab()
    return shown


def place(view, i: int, to_pixel) -> QPoint:
    xy, _, _ = view.picture._places(view.sheet.room, view.sheet.style_of_picture)
    return to_pixel(QPointF(*xy[i].tolist()))


def listed(view, qtbot) -> FeatureList:
    if not view.boxes["features"].isChecked():
        qtbot.mouseClick(view.boxes["features"], LEFT)
    qtbot.waitUntil(lambda: isinstance(view.picture.features, FeatureList))
    return view.picture.features


def row(view, k: int, to_pixel) -> QPoint:
    style, room = view.sheet.style_of_picture, padded(view.sheet.room, view.sheet.style_of_picture)
    _, top = view.picture.features._head(room, style)
    return to_pixel(QPointF(40.0, top + (k + 0.5) * 1.65 * style.text))


# Turning ----------------------------------------------------------------------------------------------------
def test_dragging_turns_and_selects_nothing(view, qtbot):
    before = view.grab().toImage()
    qtbot.mousePress(view.sheet, LEFT, pos=QPoint(300, 200))
    for x in range(310, 420, 10):
        qtbot.mouseMove(view.sheet, QPoint(x, 220))
    qtbot.mouseRelease(view.sheet, LEFT, pos=QPoint(410, 220))
    camera = view.picture.camera
    assert camera.azimuth == pytest.approx(ASLANT.azimuth - 55.0)
    assert camera.elevation == pytest.approx(ASLANT.elevation + 10.0)
    assert view.grab().toImage() != before
    assert view.workbench.session.look.selection == ()
    assert view.maker.make(view.workbench.frame).camera == camera, "exported as it is seen"


def test_arrow_keys_turn_and_page_keys_zoom_and_home_goes_back(view, qtbot):
    view.sheet.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(view.sheet, Qt.Key.Key_Right)
    qtbot.keyClick(view.sheet, Qt.Key.Key_Up)
    assert (view.picture.camera.azimuth, view.picture.camera.elevation) == (-65.0, 30.0)
    qtbot.keyClick(view.sheet, Qt.Key.Key_PageUp)
    assert view.picture.camera.zoom == pytest.approx(1.15)
    qtbot.keyClick(view.sheet, Qt.Key.Key_Home)
    assert view.picture.camera == ASLANT


def turn_wheel(view, notches: int) -> None:
    middle, way = QPointF(view.sheet.rect().center()), QPoint(0, 120 * notches)
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(middle, view.sheet.mapToGlobal(middle), QPoint(), way, *none, False)
    QApplication.sendEvent(view.sheet, event)


def test_the_wheel_zooms(view):
    turn_wheel(view, 2)
    assert view.picture.camera.zoom == pytest.approx(1.15**2)


def test_turning_computes_nothing_and_what_comes_later_is_seen_from_the_same_place(view, qtbot, monkeypatch):
    fit = view.picture.fit
    for _ in range(5):
        qtbot.keyClick(view.sheet, Qt.Key.Key_Left)
    assert view.picture.fit is fit
    turned = view.picture.camera
    view.lists["lift"].setCurrentText("products")
    qtbot.waitUntil(lambda: view.picture.fit is not fit)
    assert view.picture.camera == turned


# Linked -----------------------------------------------------------------------------------------------------
def test_pointing_highlights_and_a_click_selects(view, qtbot, to_pixel):
    _, drawn, _ = view.picture._places(view.sheet.room, view.sheet.style_of_picture)
    i = int(drawn[-1])
    at = place(view, i, to_pixel)
    qtbot.mouseMove(view.sheet, at)
    found = view.workbench.hovered_point
    xy, _, _ = view.picture._places(view.sheet.room, view.sheet.style_of_picture)
    assert np.hypot(*(xy[found] - xy[i])) < 3.0
    qtbot.mouseClick(view.sheet, LEFT, pos=at)
    assert view.workbench.session.look.selection == (found,)


def test_what_is_highlighted_elsewhere_is_lit_here(view):
    plain = view.grab().toImage()
    view.workbench.hover(3)
    assert view.grab().toImage() != plain


# Unfolding --------------------------------------------------------------------------------------------------
def test_the_button_folds_to_the_plane_and_unfolds_again(view, qtbot, monkeypatch):
    monkeypatch.setattr(feature_space_view, "SECONDS", 0.1)
    seen = []
    view._clock.timeout.connect(lambda: seen.append(view.picture.unfolded))
    qtbot.mouseClick(view.unfold, LEFT)
    qtbot.waitUntil(lambda: not view._clock.isActive())
    assert view.picture.unfolded == 0.0
    assert seen == sorted(seen, reverse=True)
    qtbot.mouseClick(view.unfold, LEFT)
    qtbot.waitUntil(lambda: not view._clock.isActive())
    assert view.picture.unfolded == 1.0


def test_pressed_halfway_it_turns_round_where_it_is(view, qtbot, monkeypatch):
    monkeypatch.setattr(feature_space_view, "SECONDS", 0.2)
    qtbot.mouseClick(view.unfold, LEFT)
    qtbot.waitUntil(lambda: view.picture.unfolded < 0.9)
    half = view.picture.unfolded
    qtbot.mouseClick(view.unfold, LEFT)
    qtbot.waitUntil(lambda: not view._clock.isActive())
    assert half > 0.0
    assert view.picture.unfolded == 1.0


def test_out_of_sight_nothing_runs_on(view, qtbot):
    qtbot.mouseClick(view.unfold, LEFT)
    view.hide()
    assert not view._clock.isActive()
    view.show()
    assert view.maker.unfolded in (0.0, 1.0)


# The list ---------------------------------------------------------------------------------------------------
def test_a_click_on_a_row_makes_its_feature_an_axis(view, qtbot, to_pixel):
    features = listed(view, qtbot)
    chosen = []
    for k in (0, 1, 2):
        chosen.append(int(features.rows[k]))
        qtbot.mouseClick(view.sheet, LEFT, pos=row(view, k, to_pixel))
        qtbot.waitUntil(lambda: view.picture.features.axes == tuple(chosen))
    assert view.lists["lift"].currentText() == "kernel's features"
    qtbot.mouseClick(view.boxes["features"], LEFT)
    qtbot.waitUntil(lambda: view.picture.features is None)
    names = features.known.names
    assert view.picture.fit.lift.axes == tuple(names[j] for j in chosen)


def test_what_is_not_seen_cannot_be_unfolded(view, qtbot):
    listed(view, qtbot)
    assert not view.unfold.isVisible()
    qtbot.mouseClick(view.boxes["features"], LEFT)
    qtbot.waitUntil(lambda: view.unfold.isVisible())


def test_a_click_on_the_headings_sorts(view, qtbot, to_pixel):
    assert listed(view, qtbot).order == "by |w|"
    qtbot.mouseClick(view.sheet, LEFT, pos=row(view, -1, to_pixel))
    qtbot.waitUntil(lambda: view.picture.features.order == "by name")
    qtbot.mouseClick(view.sheet, LEFT, pos=row(view, -1, to_pixel))
    qtbot.waitUntil(lambda: view.picture.features.order == "as listed")


def test_wheel_and_keys_reach_every_row_of_a_long_list(view, qtbot, to_pixel):
    view.workbench.session.change("kernel", kernel=kernel("polynomial(degree=8)"))
    qtbot.waitUntil(lambda: listed(view, qtbot).known.q == 45)
    features, camera = view.picture.features, view.picture.camera
    style, room = view.sheet.style_of_picture, padded(view.sheet.room, view.sheet.style_of_picture)
    count = features._count(room, style)
    assert count < 40

    def seen() -> int:
        shown = view.picture.feature_at(at_top, view.sheet.room, style)
        return int(np.flatnonzero(features.rows == shown)[0])

    at_top = QPointF(40.0, features._head(room, style)[1] + 1.0)
    assert seen() == 0
    turn_wheel(view, -1)
    assert seen() == 3
    qtbot.keyClick(view.sheet, Qt.Key.Key_Down)
    assert seen() == 4
    qtbot.keyClick(view.sheet, Qt.Key.Key_Up)
    qtbot.keyClick(view.sheet, Qt.Key.Key_PageDown)
    assert seen() == min(3 + count, 45 - count)
    turn_wheel(view, -100)
    assert seen() == 45 - count, "the last row is the last"
    qtbot.mouseClick(view.sheet, LEFT, pos=row(view, 0, to_pixel))
    qtbot.waitUntil(lambda: view.picture.features.axes == (int(features.rows[45 - count]),))
    qtbot.keyClick(view.sheet, Qt.Key.Key_Home)
    assert (seen(), view.picture.camera) == (0, camera)


def test_beside_the_list_nothing_is_said_of_the_space(bench, show, qtbot):
    view = show(FeatureSpaceView(bench("rings(n=60, seed=1)", "polynomial(degree=3)")), 640, 480)
    view.lists["lift"].setCurrentText("kernel PCA")
    qtbot.waitUntil(lambda: "variance" in view.remark.text())
    listed(view, qtbot)
    assert view.remark.text() == ""


# The lifts --------------------------------------------------------------------------------------------------
def test_only_lifts_of_such_inputs_are_offered_and_the_one_shown_is_named(view, qtbot):
    chooser, session = view.lists["lift"], view.workbench.session

    def offered() -> set[str]:
        return {chooser.itemText(k) for k in range(chooser.count())}

    def shown():
        return getattr(view.picture, "data", None)  # nothing, until the first fit in another workspace

    assert {"paraboloid", "polar"} <= offered()
    assert "parabola" not in offered()
    qtbot.keyClick(chooser, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: view.picture.fit.lift.title == "products")
    line = dataset("sine(n=20)")
    session.change("open data", data=line, source="sine(n=20)", algorithm=algorithm("ridge"))
    qtbot.waitUntil(lambda: shown() is line)
    assert offered() == {"parabola", "kernel's features", "kernel PCA"}
    assert chooser.currentText() == view.picture.fit.lift.title == "parabola"
    session.undo()
    qtbot.waitUntil(lambda: shown() is session.document.data)
    assert chooser.currentText() == view.picture.fit.lift.title == "products"
