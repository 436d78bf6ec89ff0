"""The table of numbers and bounds."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.bounds import BoundsPicture
from kernelviz.drawing.insight.number_rows import NO_BOUNDS, ROWS
from kernelviz.drawing.insight.picture import PictureMaker
from kernelviz.engine.numbers.bounds import best_reference, bound_compression, error_bounds, slack_ratio
from kernelviz.engine.numbers.of_fit import NAMES

MAKER = PictureMaker.of(BoundsPicture)
SEPARABLE = ("barely_separable(n=60, gap=1.5)", "linear")


def values(picture) -> dict[str, str]:
    return {row.name: row.value for row in (*picture.numbers, *picture.bounds)}


def test_every_number_of_the_fit_is_there(frame_of):
    frame = frame_of()
    told, numbers = values(MAKER.make(frame)), frame.model.numbers
    assert told["training error"] == f"{100 * numbers['training_error']:.3g} %"
    assert float(told["R"]) == pytest.approx(frame.model.radius)
    assert float(told["‖w‖"]) == pytest.approx(numbers["norm"], rel=1e-3)
    vectors = f"{numbers['support_vectors']} ({numbers['free']} free, {numbers['bounded']} bounded)"
    assert told["support vectors"] == vectors
    apart = {"loss", "support_vectors", "free", "bounded"}
    assert set(NAMES) - apart <= {row.key for row in ROWS}, "whatever the summary has, the table can tell"


def test_of_real_targets_their_own_and_no_bounds(answers):
    frame, verdict = answers("sine(n=30, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)")
    picture = MAKER.make(frame, verdict)
    told = values(picture)
    assert float(told["mean squared error"]) == pytest.approx(frame.model.residuals.var(), rel=0.1)
    freedom = frame.model.summary()["degrees_of_freedom"]
    assert float(told["degrees of freedom"]) == pytest.approx(freedom, rel=1e-3)
    assert picture.bounds == ()
    assert picture.switchable == ()


@pytest.mark.parametrize(
    ("data", "kernel", "why"),
    [
        ("blobs(n=30, classes=3)", "rbf(gamma=1)", "two classes"),
        ("rings(n=30)", "sigmoid(gamma=5, c=1)", "indefinite"),
    ],
)
def test_where_bounds_do_not_apply_it_says_why(frame_of, data, kernel, why):
    picture = MAKER.make(frame_of(data, kernel))
    row = picture.bounds[0]
    assert row.name == NO_BOUNDS
    assert why in row.note


def test_delta_and_the_reference_margin_reach_the_bounds(frame_of):
    frame = frame_of(*SEPARABLE)
    model = frame.model
    picture = MAKER.switched("delta", 0.3).switched("reference", 2.0).make(frame)
    told, norm = values(picture), model.numbers["norm"]
    expected = bound_compression(60, model.numbers["support_vectors"], 0.0, 0.3).value
    assert told["compression"] == f"ε = {100 * expected:.3g} %"
    margins = model.problem.z * model.training_scores / norm
    ratio = slack_ratio(margins, model.radius, 2.0 * best_reference(margins, model.radius))
    assert float(told["slack"]) == pytest.approx(ratio, rel=1e-3)


def test_a_bound_says_in_words_that_it_is_vacuous_and_how_many_points_would_help(frame_of):
    frame = frame_of("moons(n=20, noise=0.05, seed=1)", "rbf(gamma=2)", "hard-margin-svm")
    picture = MAKER.make(frame)
    bound = error_bounds(frame.model)[2]
    assert bound.vacuous
    row = next(row for row in picture.bounds if row.name == "compression")
    assert row.value.startswith("vacuous")
    assert f"from {bound.needs:,} points on" in row.note


def test_the_count_of_a_perceptron_is_beside_its_bound(answers):
    frame, verdict = answers(*SEPARABLE, "perceptron(sweeps=1000)")
    told = values(MAKER.make(frame, verdict))["mistakes"]
    assert told == f"{frame.model.iterations} (at most {int(verdict.mistake_bound)})"


@pytest.mark.parametrize("size", [(300.0, 200.0), (160.0, 120.0), (600.0, 400.0)], ids=str)
def test_every_row_is_found_where_it_is_written(frame_of, qapp, size):
    picture, style, rect = MAKER.make(frame_of()), Style(), QRectF(0, 0, *size)
    places, _ = picture._places(rect, style)
    assert len(places) == len(picture.numbers) + len(picture.bounds)
    for place in places:
        assert picture.row_at(place.rect.center(), rect, style) == place.row.name
        assert place.row.formula in picture.with_pointed(place.row.name).formula
    assert picture.row_at(QPointF(-5, -5), rect, style) == ""


def test_at_its_height_the_type_can_be_read(frame_of, qapp):
    picture, style = MAKER.make(frame_of()), Style()
    height = picture.readable_height(300.0, style)
    places, size = picture._places(QRectF(0, 0, 300.0, height), style)
    assert size > 0.9 * style.text
    assert max(place.rect.bottom() for place in places) < height


def test_in_a_large_place_the_type_is_larger_but_not_on_paper(frame_of, qapp):
    picture, style, large = MAKER.make(frame_of()), Style(), QRectF(0, 0, 900, 600)
    assert picture._places(large, style)[1] > 1.2 * style.text
    assert picture.on_paper()._places(large, style)[1] == style.text
