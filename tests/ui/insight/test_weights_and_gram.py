"""Dual weights and the Gram matrix."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from kernelviz.drawing.figure.paintable import Paintable
from kernelviz.drawing.figure.style import Style
from kernelviz.engine.api import dataset, kernel
from kernelviz.ui.insight.gram_view import MOST, GramView, by_class
from kernelviz.ui.insight.weights_view import WeightsView


@pytest.fixture
def weights(bench, show):
    return show(WeightsView(bench()))


@pytest.fixture
def gram(bench, show):
    return show(GramView(bench()))


def test_weights_are_sorted_and_belong_to_the_support_vectors(weights):
    model = weights.workbench.frame.model
    assert set(weights._order.tolist()) == set(model.support.tolist())
    assert weights._alpha.tolist() == sorted(model.alpha[model.support], reverse=True)


def test_pointing_at_a_bar_highlights_its_point(weights, qtbot, to_pixel):
    plot = weights._plot
    x = plot.at(2.5, 0.0)[0, 0]
    qtbot.mouseMove(weights.picture, to_pixel(QPointF(float(x), plot.inner.center().y())))
    assert weights.workbench.hovered_point == weights._order[2]


def test_clicking_a_bar_selects_its_point(weights, qtbot, to_pixel):
    x = weights._plot.at(0.5, 0.0)[0, 0]
    at = to_pixel(QPointF(float(x), weights._plot.inner.center().y()))
    qtbot.mouseClick(weights.picture, Qt.MouseButton.LeftButton, pos=at)
    assert weights.workbench.session.look.selection == (weights._order[0],)


def test_an_algorithm_without_weights_says_so(bench, show):
    assert "no dual weights" in show(WeightsView(bench(how="nearest-neighbours(k=3)"))).nothing_to_show()


def test_a_highlighted_bar_changes_colour(weights, painted):
    before = painted(weights, Style())
    weights.workbench.hover(int(weights._order[0]))
    assert painted(weights, Style()) != before


def test_the_matrix_is_sorted_by_class(gram):
    data = gram.workbench.frame.data
    z = data.z[gram._order]
    assert (np.diff(z) <= 0).all()
    K = kernel("rbf(gamma=1)")(data.X[gram._order])
    assert gram._matrix == pytest.approx(K)


def test_of_many_points_an_even_selection_is_shown():
    data = dataset("gaussians(n=2000, seed=1)")
    rows = by_class(data)
    assert len(set(rows.tolist())) == MOST
    assert (data.z[rows] > 0).mean() == pytest.approx(0.5, abs=0.01)


def test_pointing_at_a_cell_names_its_two_points(gram, qtbot, to_pixel):
    n = len(gram._order)
    row, column = 3, n - 2
    step = gram._square.width() / n
    at = gram._square.topLeft() + QPointF((column + 0.5) * step, (row + 0.5) * step)
    with qtbot.waitSignal(gram.workbench.hovered):
        qtbot.mouseMove(gram.picture, to_pixel(at))
    i, j = gram._order[row], gram._order[column]
    assert (gram.workbench.hovered_point, gram.workbench.hovered_partner) == (i, j)
    K = gram.workbench.frame.model.problem.gram[i, j]
    assert f"K(point {i + 1}, point {j + 1})" in gram.caption
    assert float(gram.caption.split("= ")[1].replace("−", "-")) == pytest.approx(K, rel=1e-3)


def test_without_the_mouse_the_caption_is_the_verdict(gram, qapp):
    gram.workbench.refresh()
    qapp.processEvents()
    assert gram.caption.startswith("Positive semi-definite")


def test_the_same_points_and_kernel_need_no_new_image(gram, qapp):
    matrix = gram._matrix
    session = gram.workbench.session
    session.change("change C", algorithm=session.document.algorithm.replace(C=5.0))
    qapp.processEvents()
    assert gram._matrix is matrix
    session.change("change gamma", kernel=kernel("rbf(gamma=2)"))
    qapp.processEvents()
    assert gram._matrix is not matrix


@pytest.mark.parametrize("make", [WeightsView, GramView])
@pytest.mark.parametrize(
    "setting",
    [
        {"data": "blobs(n=30, classes=3, seed=1)"},
        {"how": "perceptron"},
        {"how": "random-features(q=20)"},
        {"how": "ridge(lam=0.1)"},
        {"how": "one-class-svm(nu=0.2)"},
        {"kernel_text": "sigmoid(gamma=1, c=-1)"},
    ],
    ids=str,
)
def test_every_kind_of_model_can_be_shown(bench, show, make, setting, painted):
    view = show(make(bench(**setting)))
    painted(view, Style())


@pytest.mark.parametrize("make", [WeightsView, GramView])
def test_views_can_be_part_of_a_figure(bench, make, qtbot):
    view = make(bench())
    qtbot.addWidget(view)
    assert isinstance(view, Paintable)
