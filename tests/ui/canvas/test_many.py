"""Unusual data: none, many, several classes, one input, no labels."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.themes import LIGHT
from kernelviz.session.workspaces.plane import PlaneWorkspace


def _shows_something(h) -> bool:
    return len(np.unique(h.picture() @ [1, 256, 65536])) > 10


def test_an_empty_plane_can_be_drawn_and_edited(hand):
    h = hand(PlaneWorkspace().empty())
    for name in ("erase", "select", "move", "pan"):
        h.canvas.use(name)
        h.drag((0.0, 0.0), (0.5, 0.5))
    h.canvas.select_all()
    h.canvas.jitter()
    h.canvas.clear()
    assert h.steps == 0
    assert _shows_something(h)


def test_several_classes_have_regions_borders_and_shapes_of_their_own(hand):
    h = hand(dataset("blobs(n=60, classes=4, seed=1)"), "rbf(gamma=1)")
    assert h.canvas.scene.decoration.picture.several
    texts = h.legend
    assert len(texts) >= 5
    assert _shows_something(h)
    n = h.data.n
    h.click(tuple(h.points.mean(axis=0) + 0.01))
    h.settle()
    assert h.data.n in (n, n + 1)


def test_one_input_lies_on_a_line_and_is_edited_along_it(hand):
    h = hand(Data.labelled(np.array([[-1.0], [0.0], [1.0]]), [1, -1, 1]), "rbf(gamma=1)")
    assert _shows_something(h)
    h.canvas.use("add")
    h.click((0.5, 0.7))
    assert h.data.X[:, 0] == pytest.approx([-1.0, 0.0, 1.0, 0.5], abs=0.02)
    assert h.data.X.shape == (4, 1)


def test_points_without_labels_can_be_drawn(hand):
    h = hand(
        Data.unlabelled(np.random.default_rng(0).normal(size=(30, 2))),
        "rbf(gamma=1)",
        "one-class-svm(nu=0.2)",
    )
    assert _shows_something(h)


def test_five_thousand_points_are_drawn_faster_than_circles_one_by_one(hand):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 2))
    h = hand(Data.labelled(X, np.where(X[:, 0] > 0, 1, -1)), "linear", "prototype", threaded=True)
    h.canvas.select_all()
    h.settle()
    ours, theirs = [], []
    for _ in range(5):  # in turns, so that a busy moment meets both
        h.canvas.scene.touch()
        ours.append(_seconds(h.canvas.area.viewport().repaint))
        theirs.append(_seconds(_paint_one_by_one))
    assert min(ours) < min(theirs)


def _seconds(act) -> float:
    began = time.thread_time()
    act()
    return time.thread_time() - began


def _paint_one_by_one() -> None:
    image = QImage(900, 800, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.GlobalColor.red)
    for k in range(5000):
        painter.drawEllipse(QPointF(k % 900, k % 800), 5.0, 5.0)
    painter.end()


@pytest.mark.parametrize("far", [1e5, 1e-4])
def test_points_at_unusual_scales_are_fitted_into_the_view(hand, far):
    h = hand(Data.labelled(far * np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]]), [1, 1, -1, -1]))
    view = h.canvas.area.view
    assert view.left < -far < far < view.right
    assert _shows_something(h)


def test_points_far_outside_the_view_do_no_harm(h):
    h.canvas.editor.move([0], np.array([[1e12, -1e12]]))
    assert _shows_something(h)
    h.canvas.select_all()
    h.bench.hover(0)
    assert _shows_something(h)
    h.canvas.reset_view()
    assert _shows_something(h)


def test_thousands_of_points_leave_the_boundary_to_be_seen(hand):
    h = hand(dataset("gaussians(n=3000, seed=1)"), "linear", "prototype")
    with_points = _dark(h.picture())
    h.session.toggle("points")
    assert with_points > 0.8 * _dark(h.picture()) > 100


def test_thousands_of_points_are_drawn_smaller_than_a_few(hand):
    few, many = (hand(dataset(f"gaussians(n={n}, seed=1)"), "linear", "prototype") for n in (50, 3000))
    few_style, many_style = (h.canvas.style_of_figure.among(h.data.n) for h in (few, many))
    assert many_style.glyphs < 0.75 * few_style.glyphs


def _dark(picture: np.ndarray) -> int:
    """Pixels of the boundary's own colour within the plane."""
    colour = QColor(LIGHT.boundary)
    inner = picture[40:-80, 80:-40]
    return int((np.abs(inner - [colour.red(), colour.green(), colour.blue()]).sum(axis=2) < 12).sum())
