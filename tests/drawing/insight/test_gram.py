"""The Gram matrix."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.gram import ROWS_SHOWN, GramPicture, _square, by_class
from kernelviz.drawing.insight.picture import Marks, NothingToShow, PictureMaker
from kernelviz.engine.api import dataset, kernel
from kernelviz.engine.data import Data

make = PictureMaker.of(GramPicture).make


def test_the_matrix_is_sorted_by_class(frame_of):
    frame = frame_of()
    matrix = make(frame).matrix
    z = frame.data.z[matrix.order]
    assert (np.diff(z) <= 0).all()
    assert matrix.values == pytest.approx(kernel("rbf(gamma=1)")(frame.data.X[matrix.order]))
    (border,) = matrix.borders
    assert z[border - 1] != z[border]


def test_of_many_points_an_even_selection_is_shown():
    data = dataset("gaussians(n=2000, seed=1)")
    rows = by_class(data)
    assert len(set(rows.tolist())) == ROWS_SHOWN
    assert (data.z[rows] > 0).mean() == pytest.approx(0.5, abs=0.01)


def test_pointing_at_a_cell_names_its_two_points(frame_of, rect, qapp):
    picture, style = make(frame := frame_of()), Style()
    order = picture.matrix.order
    row, column = 3, len(order) - 2
    square = _square(rect, style)
    step = square.width() / len(order)
    at = square.topLeft() + QPointF((column + 0.5) * step, (row + 0.5) * step)
    i, j = picture.points_at(at, rect, style)
    assert (i, j) == (order[row], order[column])
    caption = picture.marked(Marks((), i, j)).caption
    assert f"K(point {i + 1}, point {j + 1})" in caption
    value = float(caption.split("= ")[1].replace("−", "-"))
    assert value == pytest.approx(frame.model.problem.gram[i, j], rel=1e-3)


def test_a_point_hovered_elsewhere_is_no_cell(frame_of):
    picture = make(frame_of())
    assert picture.marked(Marks((), 3)).cell is None


def test_without_the_mouse_the_caption_is_the_verdict(answers):
    frame, verdict = answers()
    assert make(frame, verdict).caption == verdict.mercer.verdict
    assert make(frame, verdict).caption.startswith("Positive semi-definite")
    assert make(frame).caption == ""


def test_the_same_points_and_kernel_need_no_new_matrix(frame_of):
    frame = frame_of()
    first = make(frame)
    other = frame_of(frame.data, how="soft-margin-svm(C=5)")
    assert make(other, before=first).matrix is first.matrix
    wider = frame_of(frame.data, "rbf(gamma=2)")
    assert make(wider, before=first).matrix is not first.matrix


def test_a_kernel_too_large_for_numbers_has_no_matrix_though_its_points_may_have_a_fit(frame_of):
    far = Data.labelled(100.0 * dataset("rings(n=20, seed=1)").X, dataset("rings(n=20, seed=1)").z)
    frame = frame_of(far, "exponential(gamma=1)", "feature-map")
    assert isinstance(GramPicture.of(frame, None, None, None), NothingToShow)


def test_a_small_matrix_is_copied_as_numbers_and_for_a_paper(frame_of):
    matrix = PictureMaker.of(GramPicture).make(frame_of("three_points", "linear", "prototype")).matrix
    assert matrix.values.tolist() == [[2, -1, 0], [-1, 1, 1], [0, 1, 2]], "(1, 1) is +, then come both -"
    rows = [[float(value) for value in line.split(",")] for line in matrix.as_csv().splitlines()]
    assert rows == matrix.values.tolist()
    latex = matrix.as_latex()
    assert latex.startswith("\\begin{pmatrix}\n")
    assert latex.count(" \\\\\n") == 2
    assert latex.count("&") == 6
