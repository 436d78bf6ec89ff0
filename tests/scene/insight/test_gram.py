"""The Gram matrix."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from kernelviz.engine.analysis.gram import MercerSum, centred, normalised
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.models.problem import Problem
from kernelviz.scene.export.files import as_bytes
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.insight.gram import MERCER, GramView
from kernelviz.scene.insight.parts.gram_matrix import ROWS_SHOWN, ordered
from kernelviz.scene.nodes import Marks
from kernelviz.scene.view import Now, ViewMemory
from kernelviz.scene.wording import shown as written
from tests.scene.insight.helpers import laid_out, number, press


def make(frame, verdict=None, view=None, memory=None, **now):
    return (view or GramView()).scene(frame, Now(verdict, **now), memory or ViewMemory())


def gram_of(frame, memory=None, **switches):
    """The matrix as it is shown."""
    memory = memory or ViewMemory()
    make(frame, view=GramView(**switches), memory=memory)
    return memory.recall("gram")


def caption(scene) -> str:
    return laid_out(scene).find("text").node.text


def test_the_matrix_is_sorted_by_class(frame_of):
    frame = frame_of()
    gram = gram_of(frame)
    z = frame.data.z[gram.order]
    assert (np.diff(z) <= 0).all()
    assert gram.values == pytest.approx(kernel("rbf(gamma=1)")(frame.data.X[gram.order]))
    (border,) = gram.borders
    assert z[border - 1] != z[border]


def test_votes_of_several_classes_have_no_order_so_the_matrix_is_sorted_by_class(frame_of):
    frame = frame_of("blobs(n=30, classes=3, seed=2)", how="soft-margin-svm(C=1)")
    by_score, by_class = (gram_of(frame, order=order).order.tolist() for order in ("score", "class"))
    assert by_score == by_class


def test_of_many_points_an_even_selection_is_shown():
    data = dataset("gaussians(n=2000, seed=1)")
    rows = ordered(algorithm("prototype").fit(Problem(data, kernel("linear"))), "class")
    assert len(set(rows.tolist())) == ROWS_SHOWN
    assert (data.z[rows] > 0).mean() == pytest.approx(0.5, abs=0.01)


def test_pointing_at_a_cell_names_its_two_points(frame_of):
    frame = frame_of()
    layout = laid_out(make(frame))
    placed = layout.find("matrix")
    order, square, step = placed.node.points, placed.inner, placed.step
    row, column = 3, len(order) - 2
    i, j = layout.hit(square.topLeft() + QPointF((column + 0.5) * step, (row + 0.5) * step)).points
    assert (i, j) == (order[row], order[column])
    told = caption(make(frame, marks=Marks((), i, j)))
    assert f"K(point {i + 1}, point {j + 1})" in told
    K, (value, cosine, angle, distance) = frame.model.problem.gram, told.replace("−", "-").split(", ")[-4:]
    assert float(value.split("= ")[1]) == pytest.approx(K[i, j], rel=1e-3)
    assert float(cosine.removeprefix("cos ")) == pytest.approx(K[i, j], rel=1e-2), "|φ| is 1"
    assert float(angle.removesuffix("°")) == pytest.approx(np.degrees(np.arccos(K[i, j])), rel=1e-2)
    assert float(distance.split("= ")[1]) == pytest.approx(np.sqrt(2 - 2 * K[i, j]), rel=1e-2)


def test_two_selected_points_are_a_pair_too(frame_of):
    frame = frame_of()
    pointed = caption(make(frame, marks=Marks((), 3, 12)))
    assert caption(make(frame, marks=Marks((3, 12)))) == pointed != ""


def test_a_point_hovered_elsewhere_is_no_cell(frame_of):
    assert caption(make(frame_of(), marks=Marks((), 3))) == ""


def test_without_the_mouse_the_caption_is_the_verdict(answers):
    frame, verdict = answers()
    assert caption(make(frame, verdict)) == verdict.mercer.verdict
    assert caption(make(frame, verdict)).startswith("Positive semi-definite")
    assert caption(make(frame)) == ""


def test_the_same_points_and_kernel_need_no_new_matrix(frame_of):
    frame, memory = frame_of(), ViewMemory()
    first = gram_of(frame, memory)
    assert gram_of(frame_of(frame.data, how="soft-margin-svm(C=5)"), memory) is first
    assert gram_of(frame_of(frame.data, "rbf(gamma=2)"), memory) is not first


def test_a_kernel_too_large_for_numbers_has_no_matrix_though_its_points_may_have_a_fit(frame_of):
    far = Data.labelled(100.0 * dataset("rings(n=20, seed=1)").X, dataset("rings(n=20, seed=1)").z)
    assert "no kernel matrix" in make(frame_of(far, "exponential(gamma=1)", "feature-map")).reason


def test_a_small_matrix_is_copied_as_numbers_and_for_a_paper(frame_of):
    gram = gram_of(frame_of("three_points", "linear", "prototype"))
    assert gram.values.tolist() == [[2, -1, 0], [-1, 1, 1], [0, 1, 2]], "(1, 1) is +, then come both -"
    rows = [[float(value) for value in line.split(",")] for line in gram.as_csv().splitlines()]
    assert rows == gram.values.tolist()
    latex = gram.as_latex()
    assert latex.startswith("\\begin{pmatrix}\n")
    assert latex.count(" \\\\\n") == 2
    assert latex.count("&") == 6


def test_rows_are_ordered_by_number_score_or_alike(frame_of):
    frame = frame_of()
    by_number, by_score, alike = (gram_of(frame, order=order) for order in ("index", "score", "alike"))
    assert by_number.order.tolist() == list(range(40))
    assert (np.diff(frame.model.training_scores[by_score.order]) <= 0).all()
    assert sorted(alike.order.tolist()) == list(range(40))
    K = frame.model.problem.gram
    for gram in (by_number, by_score, alike):
        assert gram.values == pytest.approx(K[np.ix_(gram.order, gram.order)])
        assert gram.borders == ()
    neighbours = [float(np.diagonal(gram.values, 1).mean()) for gram in (by_number, alike)]
    assert neighbours[1] > neighbours[0] + 0.1, "rows next to each other are more alike"


def test_the_order_by_score_follows_the_fit_and_others_stay(frame_of):
    frame = frame_of()
    other = frame_of(frame.data, how="prototype")
    for order, stays in (("score", False), ("index", True), ("alike", True)):
        memory = ViewMemory()
        first = gram_of(frame, memory, order=order)
        assert (gram_of(other, memory, order=order) is first) == stays


@pytest.mark.parametrize(("version", "made"), [("normalised", normalised), ("centred", centred)])
def test_versions_are_of_the_rows_shown(frame_of, version, made):
    frame = frame_of(kernel_text="polynomial(degree=2)")
    gram = gram_of(frame, version=version)
    K = frame.model.problem.gram[np.ix_(gram.order, gram.order)]
    assert gram.values == pytest.approx(made(K))
    assert gram.raw == pytest.approx(K)


def test_a_row_is_the_kernel_as_a_function_of_the_input(frame_of, painted):
    frame, memory = frame_of(), ViewMemory()
    seen = make(frame, memory=memory, point=5)
    placed = laid_out(seen).find("contours")
    (contours,) = placed.below
    rows, columns = contours.values.shape
    view = memory.recall("extent")
    x = np.linspace(view.left, view.right, columns)[[7, -1]]
    y = np.linspace(view.bottom, view.top, rows)[[11, 0]]
    K = kernel("rbf(gamma=1)")(np.column_stack([x, y]), frame.data.X[5:6])[:, 0]
    assert [contours.values[11, 7], contours.values[0, -1]] == pytest.approx(K, abs=1e-6)
    assert placed.title == "K(point 6, ·)"
    assert painted(seen) != painted(make(frame))
    again = make(frame, memory=memory, point=5)
    assert laid_out(again).find("contours").below[0] is contours, "nothing is computed twice"
    assert laid_out(make(frame, memory=memory, point=4)).find("contours").title == "K(point 5, ·)"


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


def test_on_screen_the_points_of_a_row_are_drawn_with_one_call_for_each_class(frame_of, rect):
    frame = frame_of("moons(n=1000, noise=0.2, seed=1)")
    layout = laid_out(make(frame, point=0), rect)
    (points,) = layout.find("contours").layers
    drawn = points.classes[points.drawn(points.places(layout.find("contours")))]
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    with CountingPainter(image) as painter:
        layout.paint_data(painter, Stamps())
    assert sorted(painter.calls) == sorted(np.bincount(drawn).tolist())


def test_along_the_line_a_row_is_a_curve(frame_of):
    frame = frame_of("sine(n=20, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)")
    placed = laid_out(make(frame, point=2)).find("curve")
    (curve,), (points,) = placed.below, placed.layers
    K = kernel("rbf(gamma=3)")(curve.x[:, None], frame.data.X[2:3])[:, 0]
    assert curve.y == pytest.approx(K, abs=1e-9)
    assert points.y == pytest.approx(frame.model.problem.gram[2])


def test_what_is_exported_has_the_row_that_is_seen(frame_of):
    scene = make(frame_of(), point=7, on_paper=True)
    assert laid_out(scene).find("contours").title == "K(point 8, ·)"


def test_a_matrix_without_a_row_has_the_paper_for_itself(frame_of, rect):
    on_screen, on_paper = (
        laid_out(make(frame_of(), on_paper=paper), rect).find("matrix").inner for paper in (False, True)
    )
    assert on_paper.center().x() == pytest.approx(rect.center().x(), abs=1.0)
    assert on_screen.right() < rect.center().x() + 1.0


def test_strings_are_named_at_their_rows(frame_of):
    frame = frame_of("spelling(n=8)", "spectrum(length=2)", "prototype")
    gram = gram_of(frame)
    assert list(gram.matrix.names) == [frame.data.X[i] for i in gram.order]


MARGIN = "#ff00ff"
LONG = Data.labelled(
    ["The old cat sleeps on the warm stone", "On the warm stone sleeps the old cat", "A dog"], ["+", "+", "-"]
)


@pytest.mark.parametrize(("width", "height"), [(360, 108), (290, 84), (230, 300), (140, 300)])
def test_long_names_stay_in_the_place_of_the_matrix(frame_of, width, height):
    """The first is the place below the text of lesson 24 in a window of 1024x768."""
    frame = frame_of(LONG, "words", "hard-margin-svm")
    image = QImage(2 * width, height, QImage.Format.Format_RGB32)
    image.fill(MARGIN)
    with QPainter(image) as painter:
        laid_out(make(frame), QRectF(width, 0, width, height)).paint(painter)
    assert {image.pixelColor(x, y).name() for x in range(width) for y in range(height)} == {MARGIN}
    matrix = laid_out(make(frame), QRectF(0, 0, width, height)).find("matrix").inner
    assert matrix.width() > 0.5 * min(width, height)


@pytest.mark.parametrize("data", ["gaussians(n=40, seed=3)", "topics(n=20)"])
def test_in_a_low_place_the_matrix_has_all_of_the_height(answers, painted, data):
    """The drawer of a 1024x768 window."""
    kernel_text = "words" if data.startswith("topics") else "rbf(gamma=1)"
    scene = make(*answers(data, kernel_text))
    low = QRectF(0, 0, 290, 84)
    assert laid_out(scene, low).find("matrix").inner.height() > 70
    assert laid_out(scene, QRectF(0, 0, 290, 300)).find("matrix").inner.height() > 100
    painted(scene, rect=low)


def test_below_the_matrix_its_colours_have_numbers(frame_of):
    scene = make(frame_of(kernel_text="2*rbf(gamma=1)"), on_paper=True)
    svg = as_bytes(scene.root, ".svg", Options()).decode()
    assert ">2<" in svg
    assert ">0<" in svg


# The other faces --------------------------------------------------------------------------------------------
SPECTRUM, WITNESS = GramView(face="spectrum"), GramView(face="witness")


def legend(scene) -> dict[str, str]:
    return {curve.name: value for curve, value in scene.root.legend}


def test_equal_eigenvalues_have_bars(answers):
    """Of K = I all are 1, a power of ten."""
    root = make(*answers(kernel_text="rbf(gamma=1e6)"), SPECTRUM).root
    assert root.ground[0].values == pytest.approx(1.0)
    assert root.y.low < 0.5


def test_the_spectrum_is_that_of_the_matrix_with_its_rank_and_condition(answers, painted):
    frame, verdict = answers(kernel_text="rbf(gamma=9)")
    scene = make(frame, verdict, SPECTRUM)
    expected = np.linalg.eigvalsh(frame.model.problem.gram)[::-1]
    assert scene.root.ground[0].values == pytest.approx(expected, abs=1e-10)
    assert scene.root.y.low <= expected[-1] < expected[0] <= scene.root.y.high
    assert float(legend(scene)["condition"]) == pytest.approx(expected[0] / expected[-1], rel=1e-2)
    assert painted(scene) != painted(make(frame, view=SPECTRUM))


def test_eigenvalues_of_the_size_of_rounding_are_neither_negative_nor_on_the_axis(answers):
    """Two columns: two eigenvalues, and 38 that are 0."""
    scene = make(*answers(kernel_text="linear"), SPECTRUM)
    assert "negative" not in legend(scene)
    assert legend(scene)["zero (numerically)"] == "38"
    assert scene.root.y.high / scene.root.y.low <= 1e4
    indefinite = make(*answers(kernel_text="sigmoid(gamma=1, c=-1)"), SPECTRUM)
    expected = np.linalg.eigvalsh(kernel("sigmoid(gamma=1, c=-1)")(dataset("gaussians(n=40, seed=3)").X))
    negative = np.count_nonzero(expected < -1e-12 * np.abs(expected).max())
    assert legend(indefinite)["negative"] == str(negative)
    assert indefinite.root.ground[0].inks.count("negative") == negative > 0


def test_the_witness_is_a_combination_of_points_with_a_negative_square(answers):
    frame, verdict = answers(kernel_text="sigmoid(gamma=1, c=-1)")
    layout = laid_out(make(frame, verdict, WITNESS))
    (discs,) = layout.find("witness").layers
    v, K = discs.weights, frame.model.problem.gram
    assert v @ v == pytest.approx(1.0)
    assert v @ K @ v == pytest.approx(verdict.mercer.smallest)
    assert v @ K @ v < -1.0
    assert "v′Kv = −" in layout.find("text").node.text
    for i, at in enumerate(layout.find("witness").places("witness").tolist()):
        assert layout.hit(QPointF(*at)).points == (i,)


def test_a_kernel_that_is_one_has_no_witness(answers):
    assert "No combination" in make(*answers(), WITNESS).reason


# By real events ---------------------------------------------------------------------------------------------
def test_after_m_terms_the_matrix_is_mercers_sum(frame_of):
    frame = frame_of()
    scene = make(frame, view=GramView(face=MERCER, m=4, order="index"))
    terms = MercerSum.of(frame.model.problem)
    assert laid_out(scene).find("matrix").node.values == pytest.approx(terms.gram(4))
    assert caption(scene).startswith(f"4 of 40 terms λⱼvⱼvⱼ′ of K, uncentred: {100 * terms.error(4):.2g} %")
    assert set(scene.switches) == {"face", "m", "order"}


def test_for_a_pair_mercers_sum_names_the_product_of_features(frame_of):
    frame = frame_of()
    scene = make(frame, view=GramView(face=MERCER, m=40), marks=Marks(hovered=3, partner=5))
    exact = written(float(frame.model.problem.gram[3, 5]), 3)
    assert caption(scene).endswith(f"their product is {exact}, K = {exact}")


@pytest.mark.parametrize(
    ("data", "how"), [("sine(n=30, seed=1)", "ridge(lam=0.1)"), ("gaussians(n=40)", "ridge(lam=0.1)")]
)
def test_regression_on_all_eigenfunctions_is_the_ridge_that_is_dashed(frame_of, data, how):
    frame = frame_of(data, "rbf(gamma=3)", how)

    def apart(m: int) -> float:
        title = laid_out(make(frame, view=GramView(face=MERCER, m=m))).find("regression").title
        return number(title.rpartition(": ")[2].removesuffix(" apart"))

    assert apart(400) < 1e-9 < apart(12) < apart(2)
    drawn = laid_out(make(frame, view=GramView(face=MERCER, m=400))).find("regression")
    if frame.data.class_names == ():
        curve = drawn.layer("ridge")
        assert curve.y == pytest.approx(frame.model.score(curve.x[:, None]), abs=1e-9)


def test_mercers_sum_of_strings_has_no_regression_over_places(frame_of, painted):
    scene = make(frame_of("spelling(n=20)", "subsequence(length=2)"), view=GramView(face=MERCER))
    assert "regression" not in [leaf.part for leaf in laid_out(scene).leaves]
    painted(scene)


def test_too_many_points_for_mercers_sum_are_said_to_be(frame_of):
    assert "up to 400" in make(frame_of("gaussians(n=500)"), view=GramView(face=MERCER)).reason


@pytest.fixture
def view(bench, opened):
    return opened("gram", workbench=bench())


def shown(view) -> set[str]:
    """The names of what is seen."""
    return {part for leaf in view.sheet.layout_of_scene.leaves for part in leaf.parts}


def row_shown(view) -> str:
    """The title of the row that is seen as a function; empty without one."""
    return view.sheet.layout_of_scene.find("landscape").title if "landscape" in shown(view) else ""


def choose(settled, view, name: str, option: str) -> None:
    """By the keyboard, one option after the other."""
    chooser = view.lists[name]
    chooser.setFocus()
    for _ in range(chooser.count()):
        if chooser.currentText() == option:
            settled(view)
            return
        QTest.keyClick(chooser, Qt.Key.Key_Down)
    raise AssertionError(f"no {option}")


def test_pointing_at_a_row_shows_it_as_a_function(view, qtbot, place_of):
    assert row_shown(view) == ""
    qtbot.mouseMove(view.sheet, place_of(view, 3, 12))
    assert row_shown(view) == "K(point 4, ·)"
    qtbot.mouseMove(view.sheet, place_of(view, 8, 12))
    assert row_shown(view) == "K(point 9, ·)"


def test_so_does_pointing_or_selecting_elsewhere(view):
    view.workbench.hover(5)
    assert row_shown(view) == "K(point 6, ·)"
    view.workbench.hover(None)
    assert row_shown(view) == ""
    view.workbench.session.adjust(selection=(6, 9))
    assert row_shown(view) == "K(point 7, ·)"
    assert "K(point 7, point 10)" in caption(view.scene)


def test_the_row_follows_its_point(view, qtbot):
    view.workbench.session.adjust(selection=(2,))
    before = view.sheet.layout_of_scene.find("landscape").ground
    view.workbench.session.change("change γ", kernel=kernel("rbf(gamma=4)"))
    qtbot.waitUntil(lambda: view.sheet.layout_of_scene.find("landscape").ground != before)
    assert row_shown(view) == "K(point 3, ·)"


def test_the_order_is_chosen_by_key(view, settled):
    choose(settled, view, "order", "index")
    assert view.sheet.layout_of_scene.find("matrix").node.points.tolist() == list(range(40))
    choose(settled, view, "order", "alike")
    alike = view.sheet.layout_of_scene.find("matrix").node.points.tolist()
    assert alike != sorted(alike) == list(range(40))


def test_only_the_matrix_has_an_order_and_a_version(view, settled):
    choose(settled, view, "face", "spectrum")
    assert "spectrum" in shown(view)
    assert not view.lists["order"].isVisible()
    assert not view.lists["version"].isVisible()


def test_an_indefinite_kernel_shows_its_witness_and_a_click_on_a_weight_selects_the_point(
    view, qtbot, place_of, settled
):
    choose(settled, view, "face", "witness")
    view.workbench.session.change("choose kernel", kernel=kernel("sigmoid(gamma=1, c=-1)"))
    qtbot.waitUntil(lambda: "witness" in shown(view))
    qtbot.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=place_of(view, 4))
    assert view.workbench.session.look.selection == (4,)


def test_in_a_narrow_place_the_switches_go_on_in_a_second_row(view, qtbot):
    wide = view.sheet.y()
    view.resize(230, 400)
    qtbot.waitUntil(lambda: view.sheet.y() > wide + 10)
    assert view.width() == 230


def test_the_matrix_is_copied_as_it_is_ordered(view, qapp):
    menu = view.bar.menus["Copy the matrix"].menu()
    latex, csv = menu.actions()
    csv.trigger()
    assert len(qapp.clipboard().text().splitlines()) == 40
    latex.trigger()
    assert qapp.clipboard().text().startswith("\\begin{pmatrix}")


def test_more_terms_are_asked_for_by_key(view, settled):
    press(view.lists["face"], Qt.Key.Key_End)
    settled(view)
    before = caption(view.scene)
    slider = view.numbers["m"].slider
    press(slider, Qt.Key.Key_Right)
    settled(view)
    assert view.view.m > 3
    assert caption(view.scene) != before
