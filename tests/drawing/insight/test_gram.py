"""The Gram matrix."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.export.files import as_bytes
from kernelviz.drawing.export.options import Options
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.gram import GramMaker, GramPicture, MatrixPicture
from kernelviz.drawing.insight.picture import Marks, NothingToShow, PictureMaker
from kernelviz.drawing.insight.sorted_gram import ROWS_SHOWN, by_class
from kernelviz.drawing.insight.spectrum import SpectrumPicture
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.insight.witness import WitnessPicture
from kernelviz.engine.analysis.gram import centred, normalised
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset, kernel

MAKER = PictureMaker.of(MatrixPicture)
make = MAKER.make


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
    square = picture._square(rect, style)
    step = square.width() / len(order)
    at = square.topLeft() + QPointF((column + 0.5) * step, (row + 0.5) * step)
    i, j = picture.points_at(at, rect, style)
    assert (i, j) == (order[row], order[column])
    caption = picture.marked(Marks((), i, j)).caption
    assert f"K(point {i + 1}, point {j + 1})" in caption
    told = caption.replace("−", "-").split(", ")
    K, (value, cosine, angle, distance) = frame.model.problem.gram, told[-4:]
    assert float(value.split("= ")[1]) == pytest.approx(K[i, j], rel=1e-3)
    assert float(cosine.removeprefix("cos ")) == pytest.approx(K[i, j], rel=1e-2), "|φ| is 1"
    assert float(angle.removesuffix("°")) == pytest.approx(np.degrees(np.arccos(K[i, j])), rel=1e-2)
    assert float(distance.split("= ")[1]) == pytest.approx(np.sqrt(2 - 2 * K[i, j]), rel=1e-2)


def test_two_selected_points_are_a_pair_too(frame_of):
    picture = make(frame_of())
    assert picture.marked(Marks((3, 12))).caption == picture.marked(Marks((), 3, 12)).caption


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
    assert isinstance(make(frame), NothingToShow)


def test_a_small_matrix_is_copied_as_numbers_and_for_a_paper(frame_of):
    matrix = make(frame_of("three_points", "linear", "prototype")).matrix
    assert matrix.values.tolist() == [[2, -1, 0], [-1, 1, 1], [0, 1, 2]], "(1, 1) is +, then come both -"
    rows = [[float(value) for value in line.split(",")] for line in matrix.as_csv().splitlines()]
    assert rows == matrix.values.tolist()
    latex = matrix.as_latex()
    assert latex.startswith("\\begin{pmatrix}\n")
    assert latex.count(" \\\\\n") == 2
    assert latex.count("&") == 6


def test_rows_are_ordered_by_number_score_or_alike(frame_of):
    frame = frame_of()
    by_number, by_score, alike = (
        MAKER.switched("order", order).make(frame).matrix for order in ("index", "score", "alike")
    )
    assert by_number.order.tolist() == list(range(40))
    assert (np.diff(frame.model.training_scores[by_score.order]) <= 0).all()
    assert sorted(alike.order.tolist()) == list(range(40))
    K = frame.model.problem.gram
    for matrix in (by_number, by_score, alike):
        assert matrix.values == pytest.approx(K[np.ix_(matrix.order, matrix.order)])
        assert matrix.borders == []
    neighbours = [float(np.diagonal(m.values, 1).mean()) for m in (by_number, alike)]
    assert neighbours[1] > neighbours[0] + 0.1, "rows next to each other are more alike"


def test_the_order_by_score_follows_the_fit_and_others_stay(frame_of):
    frame = frame_of()
    other = frame_of(frame.data, how="prototype")
    for order, stays in (("score", False), ("index", True), ("alike", True)):
        maker = MAKER.switched("order", order)
        first = maker.make(frame)
        assert (maker.make(other, before=first).matrix is first.matrix) == stays


@pytest.mark.parametrize(("version", "made"), [("normalised", normalised), ("centred", centred)])
def test_versions_are_of_the_rows_shown(frame_of, version, made):
    frame = frame_of(kernel_text="polynomial(degree=2)")
    matrix = MAKER.switched("version", version).make(frame).matrix
    K = frame.model.problem.gram[np.ix_(matrix.order, matrix.order)]
    assert matrix.values == pytest.approx(made(K))
    assert matrix.raw == pytest.approx(K)


def test_a_row_is_the_kernel_as_a_function_of_the_input(frame_of, painted):
    frame = frame_of()
    picture = make(frame)
    seen = picture.with_row(5)
    sample = seen.row.landscape.sample
    nodes = np.array([[sample.x1[7], sample.x2[11]], [sample.x1[-1], sample.x2[0]]])
    K = kernel("rbf(gamma=1)")(nodes, frame.data.X[5:6])[:, 0]
    assert [sample.field[11, 7], sample.field[0, -1]] == pytest.approx(K, abs=1e-6)
    assert painted(seen) != painted(picture)
    assert seen.with_row(5) is seen
    assert seen.with_row(None).row is None
    assert seen.with_row(4).row.point == 4


class CountingPainter(QPainter):
    """Counts the calls that copy pixmaps."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.calls: list[int] = []

    def drawPixmap(self, *args) -> None:
        self.calls.append(1)
        super().drawPixmap(*args)

    def drawPixmapFragments(self, fragments, count, *args) -> None:
        self.calls.append(count)
        super().drawPixmapFragments(fragments, count, *args)


def test_on_screen_the_points_of_a_row_are_drawn_with_one_call_for_each_class(frame_of, rect, qapp):
    frame = frame_of("moons(n=1000, noise=0.2, seed=1)")
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    with CountingPainter(image) as painter:
        make(frame).with_row(0).paint_data(painter, rect, Style(), Stamps())
    assert sorted(painter.calls) == [500, 500]


def test_along_the_line_a_row_is_a_curve(frame_of):
    frame = frame_of("sine(n=20, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)")
    curve = make(frame).with_row(2).row.landscape
    assert curve.sample.s == pytest.approx(
        kernel("rbf(gamma=3)")(curve.sample.x[:, None], frame.data.X[2:3])[:, 0], abs=1e-9
    )
    assert curve.places[:, 1] == pytest.approx(frame.model.problem.gram[2])


def test_what_is_exported_has_the_row_that_is_seen(frame_of):
    maker = GramMaker(GramPicture, GramPicture.switches(), row=7)
    assert maker.make(frame_of()).shown.row.point == 7


# The other faces --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("data", ["gaussians(n=40, seed=3)", "topics(n=20)"])
def test_in_a_low_place_the_matrix_has_all_of_the_height(answers, painted, data):
    """The drawer of a 1024x768 window."""
    kernel_text = "words" if data.startswith("topics") else "rbf(gamma=1)"
    picture = PictureMaker.of(MatrixPicture).make(*answers(data, kernel_text))
    low = QRectF(0, 0, 290, 84)
    assert picture._square(low, Style()).height() > 70
    assert picture._square(QRectF(0, 0, 290, 300), Style()).height() > 100
    painted(picture, rect=low)


def test_equal_eigenvalues_have_bars(answers):
    """Of K = I all are 1, a power of ten."""
    picture = PictureMaker.of(SpectrumPicture).make(*answers(kernel_text="rbf(gamma=1e6)"))
    assert picture.values == pytest.approx(1.0)
    assert picture.axes[1].low < 0.5


def test_the_spectrum_is_that_of_the_matrix_with_its_rank_and_condition(answers, painted):
    frame, verdict = answers(kernel_text="rbf(gamma=9)")
    picture = PictureMaker.of(SpectrumPicture).make(frame, verdict)
    expected = np.linalg.eigvalsh(frame.model.problem.gram)[::-1]
    assert picture.values == pytest.approx(expected, abs=1e-10)
    assert picture.axes[1].low <= expected[-1] < expected[0] <= picture.axes[1].high
    assert painted(picture) != painted(PictureMaker.of(SpectrumPicture).make(frame))


def test_the_witness_is_a_combination_of_points_with_a_negative_square(answers):
    frame, verdict = answers(kernel_text="sigmoid(gamma=1, c=-1)")
    picture = PictureMaker.of(WitnessPicture).make(frame, verdict)
    v, K = picture.weights, frame.model.problem.gram
    assert v @ v == pytest.approx(1.0)
    assert v @ K @ v == pytest.approx(picture.square)
    assert picture.square < -1.0
    assert "v′Kv = −" in picture.caption


def test_a_kernel_that_is_one_has_no_witness(answers):
    nothing = PictureMaker.of(WitnessPicture).make(*answers())
    assert isinstance(nothing, NothingToShow)
    assert "No combination" in nothing.reason


def test_eigenvalues_of_the_size_of_rounding_are_neither_negative_nor_on_the_axis(answers):
    """Two columns: two eigenvalues, and 38 that are 0."""
    picture = PictureMaker.of(SpectrumPicture).make(*answers(kernel_text="linear"))
    assert picture.negative == 0
    assert picture.axes[1].high / picture.axes[1].low <= 1e4
    indefinite = PictureMaker.of(SpectrumPicture).make(*answers(kernel_text="sigmoid(gamma=1, c=-1)"))
    expected = np.linalg.eigvalsh(kernel("sigmoid(gamma=1, c=-1)")(dataset("gaussians(n=40, seed=3)").X))
    assert 0 < indefinite.negative < np.count_nonzero(expected < 0.0) + 1
    assert indefinite.negative == np.count_nonzero(expected < -1e-12 * np.abs(expected).max())


def test_below_the_matrix_its_colours_have_numbers(frame_of):
    svg = as_bytes(make(frame_of(kernel_text="2*rbf(gamma=1)")), ".svg", Options()).decode()
    assert ">2<" in svg
    assert ">0<" in svg
