"""What went wrong is said in the canvas, with a suggestion, and never in the way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from kernelviz.engine.algorithms.hard_margin import HardMarginSVM
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.base import Status
from kernelviz.session.themes import DARK
from kernelviz.session.workspaces.plane import PlaneWorkspace


def _overlapping() -> Data:
    return Data.labelled(np.array([[0.0, 0], [1, 0], [0, 0], [1, 0.0]]), [1, 1, -1, -1])


def test_no_points_shows_an_empty_plane_and_how_to_begin(hand):
    h = hand(PlaneWorkspace().empty())
    assert h.canvas.banner.isVisible()
    assert "no points" in h.canvas.banner.text
    assert h.canvas.banner.suggestion
    assert h.canvas.scene.decoration is None
    h.picture()


def test_one_class_asks_for_the_other_and_goes_away_with_it(hand):
    h = hand(PlaneWorkspace().empty())
    h.click((0.5, 0.5))
    h.settle()
    assert "one class" in h.canvas.banner.text
    assert "other class" in h.canvas.banner.suggestion
    h.click((-0.5, -0.5), Qt.MouseButton.RightButton)
    h.settle()
    assert not h.canvas.banner.isVisible()
    assert h.canvas.scene.decoration is not None


def test_advice_names_nothing_that_the_algorithm_does_not_have(hand):
    large = Data.regression([[0.0], [1000.0], [2000.0], [3000.0]], [0.0, 1.0, 0.0, 1.0])
    h = hand(large, "polynomial(degree=10)", "svr")
    assert h.bench.frame.model.status is Status.LIMIT
    assert h.canvas.banner.isVisible()
    assert "limit" not in h.canvas.banner.suggestion


def test_a_failure_shows_points_only(h):
    assert h.canvas.scene.decoration is not None
    h.canvas.editor.select([4, 5, 6, 7])
    h.canvas.flip_selection()
    h.settle()
    assert h.bench.failure is not None
    assert h.canvas.scene.decoration is None
    assert h.canvas.scene.decoration is None
    assert len(h.canvas.scene.bare.picture.points) == 8
    h.session.undo()
    h.settle()
    assert h.canvas.scene.decoration is not None
    assert not h.canvas.banner.isVisible()


@pytest.mark.parametrize("labels", [[1, 1, -1, -1], ["a", "b", "c", "a"]])
def test_reading_a_stream_once_is_no_reason_for_a_banner(hand, labels):
    h = hand(Data.labelled(_overlapping().X, labels), "linear", "online-perceptron(passes=1)")
    assert h.bench.frame.model.status is Status.LIMIT
    assert not h.canvas.banner.isVisible()


def test_not_separable_suggests_the_soft_margin_or_another_kernel(hand):
    h = hand(_overlapping(), "linear", "hard-margin-svm")
    assert h.canvas.banner.isVisible()
    assert "soft margin" in h.canvas.banner.suggestion
    assert "soft margin" not in h.canvas.banner.text
    assert "kernel" in h.canvas.banner.suggestion


def test_stopping_at_the_limit_is_said(hand):
    h = hand(_overlapping(), "linear", "perceptron")
    assert h.canvas.banner.isVisible()
    assert h.canvas.banner.text
    assert h.canvas.banner.suggestion


def test_a_dismissed_message_stays_away_until_there_is_another(hand):
    h = hand(_overlapping(), "linear", "hard-margin-svm")
    QTest.mouseClick(h.canvas.banner.dismiss_button, Qt.MouseButton.LeftButton)
    assert not h.canvas.banner.isVisible()
    h.drag(0, (0.1, 0.4))
    h.settle()
    h.drag(0, (0.0, 0.0))
    h.settle()
    h.canvas.complain("Something else.")
    assert h.canvas.banner.isVisible()


def test_the_banner_fits_into_a_narrow_canvas_and_is_read_out(hand):
    h = hand(_overlapping(), "linear", "hard-margin-svm", size=(260, 300), theme=DARK)
    banner = h.canvas.banner
    assert h.canvas.area.box.mapRectToScene(h.canvas.area.box.rect()).toRect().contains(banner.geometry())
    assert banner.text in banner.accessibleName()
    for label in filter(QLabel.isVisible, banner.findChildren(QLabel)):
        assert label.height() >= label.heightForWidth(label.width())


@pytest.mark.parametrize("busy", [True, False])
def test_computing_is_shown_while_the_worker_is_late(h, busy):
    h.bench.busy_changed.emit(busy)
    assert h.canvas.computing.isVisible() is busy


def test_the_note_about_computing_covers_neither_the_legend_nor_points(hand):
    h = hand(Data.labelled(np.array([[-2.0, -2], [2, -2], [0, 2], [0.2, 1.8]]), [1, -1, 1, -1]))
    canvas, plane = h.canvas, h.canvas.area.box.mapToScene(QPointF(0, 0))

    def note() -> QRectF:
        h.bench.busy_changed.emit(True)
        place = QRectF(canvas.computing.geometry()).translated(-plane)
        assert canvas.scene.boundingRect().contains(place)
        return place

    assert not canvas.scene.covers(note())
    for corner in ((2.0, 2.0), (-2.0, 2.0), (2.0, -2.0), (-2.0, -2.0)):
        h.bench.busy_changed.emit(False)
        h.drag(canvas.area.box.mapToScene(canvas.scene.card.center()).toPoint(), corner)
        h.settle()
        assert not canvas.scene.card.isEmpty()
        assert not note().intersects(canvas.scene.card)
        assert not canvas.scene.covers(note())
    h.bench.busy_changed.emit(False)


@pytest.mark.parametrize("moved", [1, 8])
def test_while_the_worker_is_late_no_fit_of_other_points_is_shown(h, moved):
    """The field around one moved point is nearly right; under other points it is wrong."""
    scene, data = h.canvas.scene, h.session.document.data
    X = np.array(data.X)
    X[:moved] += 5.0
    h.session.change("other points", data=replace(data, X=X))
    assert scene.decoration.data is data
    h.bench.busy_changed.emit(True)
    assert (scene.decoration is None) is (moved == 8)
    h.bench.busy_changed.emit(False)
    h.settle()
    assert scene.decoration.data is h.session.document.data


def test_a_complaint_outlives_a_new_picture_but_not_a_new_document(h):
    h.canvas.complain("This file cannot be read.", "Try another.")
    h.wheel((0.0, 0.0), 120)
    h.settle()
    assert h.canvas.banner.isVisible()
    h.click((0.0, 1.0))
    h.settle()
    assert not h.canvas.banner.isVisible()


def test_a_complaint_outlives_a_fit_that_takes_long(h):
    data = h.session.document.data
    h.session.change("other points", data=replace(data, X=np.array(data.X) + 5.0))
    h.canvas.complain("Only some of the rows are used.")
    h.bench.busy_changed.emit(True)
    assert h.canvas.scene.decoration is None
    assert h.canvas.banner.isVisible()
    h.bench.busy_changed.emit(False)
    h.settle()
    assert h.canvas.banner.text == "Only some of the rows are used."


def test_a_message_about_the_data_stays_until_they_change_or_it_is_dismissed(hand):
    h = hand(_overlapping(), "linear", "soft-margin-svm")
    banner = h.canvas.banner
    h.canvas.complain("Only some of the rows are used.", about_data=True)
    for algorithm in (HardMarginSVM(), Ridge()):
        h.session.change("choose algorithm", algorithm=algorithm)
        h.settle()
        assert banner.isVisible()
        assert banner.text == "Only some of the rows are used."
    QTest.mouseClick(banner.dismiss_button, Qt.MouseButton.LeftButton)
    h.session.change("choose algorithm", algorithm=HardMarginSVM())
    h.settle()
    assert "Not separable" in banner.text
    h.canvas.complain("Only some of the rows are used.", about_data=True)
    h.session.change("choose algorithm", algorithm=Ridge())
    h.click((0.5, 0.5))
    h.settle()
    assert not banner.isVisible()


def legend_of(h):
    """Where the legend lies in the canvas."""
    area = h.canvas.area
    corner = area.box.mapToScene(QPointF(0, 0)).toPoint()
    return h.canvas.scene.card.toAlignedRect().translated(corner)


@pytest.mark.parametrize("size", [(560, 500), (900, 600), (330, 480)])
@pytest.mark.parametrize("corner", ["top right", "top left", "bottom right", "bottom left"])
def test_the_banner_leaves_the_legend_free(hand, size, corner):
    h = hand(_overlapping(), "linear", "hard-margin-svm", size=size)
    h.session.adjust(legend=corner)
    h.beat()
    banner = h.canvas.banner
    assert banner.isVisible()
    assert not legend_of(h).isEmpty()
    assert not banner.geometry().intersects(legend_of(h))
    assert h.canvas.rect().contains(banner.geometry())


def _apart(factor: float, n: int = 12) -> Data:
    """Two clouds whose second column is so many times as large as the first."""
    X = np.random.default_rng(0).normal(size=(n, 2)) + np.where(np.arange(n) % 2, 2, -2)[:, None]
    return Data.labelled(X * (1.0, factor), np.arange(n) % 2, ["age", "income"])


def _pixels(h) -> np.ndarray:
    """How many pixels the points reach across and up."""
    X, view = h.session.document.data.X, h.canvas.area.view
    width, height = h.canvas.area.pixels
    return np.ptp(X, axis=0) * (width / (view.right - view.left), height / (view.top - view.bottom))


@pytest.mark.parametrize("factor", [1e6, 1e-6])
def test_columns_far_apart_in_scale_are_spread_out_by_the_button_that_is_offered(hand, factor):
    h = hand(_apart(factor))
    banner = h.canvas.banner
    assert banner.isVisible()
    narrow, wide = ("age", "income") if factor > 1 else ("income", "age")
    assert banner.text == f"{narrow} varies so much less than {wide} that the points lie on a line."
    assert _pixels(h).min() < 1
    assert banner.remedy_button.text() == "Switch off equal aspect"
    QTest.mouseClick(banner.remedy_button, Qt.MouseButton.LeftButton)
    h.settle()
    assert "equal_aspect" not in h.session.look.shown
    assert _pixels(h).min() > 100
    assert not banner.isVisible()


@pytest.mark.parametrize("data", [_apart(1.0), _apart(50.0), _apart(0.0), _apart(1e6, n=4)])
def test_points_that_can_be_told_apart_or_are_few_or_on_a_line_are_left_in_peace(hand, data):
    assert not hand(data, "rbf(gamma=1)").canvas.banner.isVisible()


def test_what_is_wrong_with_the_fit_is_said_first_and_needs_no_button(hand):
    h = hand(Data.labelled(_apart(1e6).X, np.arange(12) // 2 % 2), "linear", "hard-margin-svm")
    assert "Not separable" in h.canvas.banner.text
    assert not h.canvas.banner.remedy_button.isVisible()


def test_who_dismisses_the_advice_on_the_aspect_is_not_asked_again(hand):
    h = hand(_apart(1e6))
    QTest.mouseClick(h.canvas.banner.dismiss_button, Qt.MouseButton.LeftButton)
    h.session.change("C", algorithm=h.session.document.algorithm.replace(C=3.0))
    h.settle()
    assert not h.canvas.banner.isVisible()
