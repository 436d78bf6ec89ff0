"""The regularisation path view: followed while nothing moves, dragged along by the mouse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

import kernelviz
from kernelviz.drawing.insight.path import PathPicture
from kernelviz.drawing.insight.picture import NothingToShow
from kernelviz.drawing.theme import LIGHT
from kernelviz.drawing.wording import shown
from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.ui.insight.path_view import PathView
from tests.ui.insight.conftest import pixel


@pytest.fixture
def followed(bench, show, qtbot):
    """A view with its path."""

    def make(*arguments):
        view = show(PathView(bench(*arguments)))
        qtbot.waitUntil(lambda: isinstance(view.picture, PathPicture))
        return view

    return make


def place(view, share):
    """The pixel at a share of the plot's width."""
    upper, _ = view.picture._plots(view.sheet.room, view.sheet.style_of_picture)
    return pixel(QPointF(upper.inner.left() + share * upper.inner.width(), upper.inner.center().y()))


def test_the_path_has_a_line_for_every_point_and_says_how_many_breakpoints(followed):
    view = followed()
    along = view.picture.along
    assert along.weights.shape == (len(along.values), 40)
    assert along.weights.min() >= 0
    assert along.weights.max() <= 1
    assert view.remark.text() == f"{len(along.breakpoints)} breakpoints"


def test_dragging_moves_the_fit_along_the_path_as_one_step_of_undo(followed):
    view = followed()
    session = view.workbench.session
    before = session.document
    seen = []
    session.subscribe(lambda old, new: seen.append(new.document.algorithm.C))
    QTest.mousePress(view.sheet, Qt.MouseButton.LeftButton, pos=place(view, 0.4))
    for share in (0.5, 0.6, 0.7):
        QTest.mouseMove(view.sheet, place(view, share))
    QTest.mouseRelease(view.sheet, Qt.MouseButton.LeftButton, pos=place(view, 0.7))
    assert seen == sorted(seen)
    assert len(seen) >= 2
    assert view.picture.value == session.document.algorithm.C
    session.undo()
    assert session.document is before


def test_moving_along_the_path_computes_nothing(followed):
    view = followed()
    along = view.picture.along
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=place(view, 0.2))
    assert view.picture.along is along
    assert not view._rest.isActive()


def test_the_mouse_without_its_button_moves_nothing(followed):
    view = followed()
    before = view.workbench.session.document
    QTest.mouseMove(view.sheet, place(view, 0.3))
    QTest.mouseMove(view.sheet, place(view, 0.8))
    assert view.workbench.session.document is before


def test_another_kernel_is_followed_anew_once_nothing_moves(followed, qtbot):
    view = followed()
    along = view.picture.along
    view.workbench.session.change("x", kernel=kernel("rbf(gamma=5)"))
    qtbot.waitUntil(lambda: view.picture.along is not along)


def test_held_out_points_have_their_curve(followed, qtbot):
    view = followed("moons(n=60, noise=0.3)")
    assert view.picture.along.held_out is None
    session = view.workbench.session
    session.replace("hold out", session.document.with_share_aside(0.3))
    qtbot.waitUntil(lambda: view.picture.along.held_out is not None)


def test_hovering_a_line_marks_its_point_everywhere(followed, qtbot):
    view = followed()
    along = view.picture.along
    row = along.weights[len(along.values) // 2]
    middle = np.flatnonzero((row > 0.1) & (row < 0.9))
    i = int(middle[np.argmin(row[middle])])
    upper, _ = view.picture._plots(view.sheet.room, view.sheet.style_of_picture)
    (x, y) = upper.at(along.values[len(along.values) // 2], row[i])[0]
    qtbot.mouseMove(view.sheet, pixel(QPointF(x, y)))
    assert view.workbench.hovered_point is not None
    assert abs(row[view.workbench.hovered_point] - row[i]) < 0.05


def test_ridge_shows_errors_and_freedom_over_its_penalty(followed):
    view = followed("moons(n=40, noise=0.3)", "rbf(gamma=2)", "ridge(lam=0.1)")
    along = view.picture.along
    assert along.weights is None
    assert (np.diff(along.freedom) < 0).all()
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=place(view, 0.9))
    assert view.workbench.session.document.algorithm.lam > 0.1


def test_an_algorithm_without_a_path_says_which_have_one(bench, show):
    view = show(PathView(bench("moons(n=40)", "linear", "perceptron")))
    assert isinstance(view.picture, NothingToShow)
    assert "soft-margin SVM has a path" in view.picture.reason
    view.workbench.session.change("x", algorithm=algorithm("prototype"))
    assert not view._background.busy


def test_a_path_that_cannot_be_followed_says_why(bench, show, qtbot):
    view = show(PathView(bench("moons(n=1100)")))
    qtbot.waitUntil(lambda: "up to 1,000 points" in getattr(view.picture, "reason", ""))


def test_hidden_it_computes_nothing(followed):
    view = followed()
    view.hide()
    view.workbench.session.change("x", kernel=kernel("rbf(gamma=5)"))
    assert not view._rest.isActive()
    assert not view._background.busy


@pytest.mark.parametrize("fitted", ["soft-margin-svm(C=0.0367)", "soft-margin-svm(C=3.21)"])
def test_the_numbers_above_the_path_are_those_of_the_fit_at_this_very_C(followed, fitted):
    view = followed("moons(n=60, noise=0.3)", "rbf(gamma=2)", fitted)
    document = view.workbench.session.document
    numbers = kernelviz.fit(document.data, kernel=document.kernel, algorithm=document.algorithm).numbers
    (support, margin), (training,) = view.picture.told(LIGHT)
    assert support[1] == f"{100 * numbers['support_vectors'] / 60:.3g} %"
    assert margin[1] == shown(numbers["margin_width"], 4)
    assert training[1] == f"{100 * numbers['training_error']:.3g} %"


def test_beyond_the_end_of_the_path_no_numbers_are_made_up(followed):
    picture = followed().picture
    above, below = replace(picture, value=2 * float(picture.along.values[-1])).told(LIGHT)
    assert [curve.name for curve, _ in above] == ["beyond the path: C"]
    assert below == []
