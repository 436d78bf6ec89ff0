"""Random features as a picture."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.drawing.insight.picture import NothingToShow, PictureMaker
from kernelviz.drawing.insight.waves import LAM, MEASURED, WavesPicture
from kernelviz.engine.algorithms.on_features import RandomFeatures
from kernelviz.engine.analysis.random_features import approximation_error
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset

MAKER = PictureMaker.of(WavesPicture)


def test_the_fit_is_that_of_least_squares_on_the_drawn_cosines(frame_of):
    frame = frame_of()
    picture = MAKER.switched("q", 17).switched("seed", 4).make(frame)
    fitted = RandomFeatures(q=17, seed=4, model="ridge", lam=LAM).fit(frame.model.problem)
    assert picture.model.weights == pytest.approx(fitted.weights)
    assert len(picture.cosines.phases) == 17


def test_the_points_of_the_plot_are_the_errors_of_the_gram_matrix(frame_of):
    frame = frame_of()
    errors = MAKER.switched("seed", 2).make(frame).errors
    for q, error in zip(MEASURED, errors.measured, strict=True):
        expected = approximation_error(frame.model.problem.kernel, frame.data.X, q, 2).root_mean_square
        assert error == pytest.approx(expected)
    assert errors.measured / errors.expected == pytest.approx(1.0, abs=0.8)


def test_another_q_leaves_the_errors_and_another_seed_does_not(frame_of):
    frame = frame_of()
    first = MAKER.make(frame)
    assert MAKER.switched("q", 99).make(frame, before=first).errors is first.errors
    assert MAKER.switched("seed", 9).make(frame, before=first).errors is not first.errors


def test_with_many_waves_the_fit_lies_on_that_of_the_kernel(frame_of):
    frame = frame_of("sine(n=25, seed=1)", "rbf(gamma=2)", "ridge(lam=0.1)")
    few, many = (MAKER.switched("q", q).make(frame) for q in (5, 1000))

    def off(picture) -> float:
        inside = np.abs(picture.fit.sample.x) < 1.5
        return float(np.abs(picture.fit.sample.s - picture.exact.sample.s)[inside].max())

    assert off(many) < 0.25
    assert off(many) < 0.5 * off(few)


@pytest.mark.parametrize(
    "setting", [{"kernel_text": "polynomial(degree=2)"}, {"data": "blobs(n=30, classes=3, seed=1)"}], ids=str
)
def test_where_there_are_no_waves_it_is_said(frame_of, setting):
    assert isinstance(MAKER.make(frame_of(**setting)), NothingToShow)


@pytest.mark.parametrize("loss", ["ridge", "logistic", "hinge"])
def test_of_a_fit_on_random_features_its_own_waves_are_shown(frame_of, painted, loss):
    frame = frame_of(how=f"random-features(q=40, seed=5, model={loss})")
    picture = MAKER.make(frame)
    assert picture.model is frame.model
    assert (picture.q, picture.errors.seed) == (40, 5)
    assert picture.switchable == ()
    assert (picture.exact is not None) == (loss == "ridge"), "what least squares tends to"
    assert MAKER.make(frame, before=picture) is picture
    painted(picture)


def test_where_every_point_has_both_labels_there_is_no_boundary(frame_of):
    places = np.repeat(dataset("gaussians(n=20, seed=3)").X, 2, axis=0)
    picture = MAKER.make(frame_of(Data.labelled(places, [1, -1] * 20)))
    for landscape in (picture.fit, picture.exact):
        assert not any(lines for _, lines in landscape.lines)
    assert np.abs(picture.model.weights).max() <= picture.nothing, "and rounding is written 0"
