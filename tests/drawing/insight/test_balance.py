"""Fit and complexity as bars."""

from __future__ import annotations

import pytest

from kernelviz.drawing.insight.balance import BalancePicture
from kernelviz.drawing.insight.picture import NothingToShow, PictureMaker


@pytest.fixture
def picture_of(answers):
    def make(*setting, bump=False, with_verdict=True, **more):
        frame, verdict = answers(*setting, **more)
        maker = PictureMaker.of(BalancePicture).switched("bump", bump)
        return maker.make(frame, verdict if with_verdict else None)

    return make


@pytest.mark.parametrize(
    ("data", "how", "formulas"),
    [
        ("sine(n=20)", "ridge(lam=0.1)", ("Σ (y − s)²", "λ‖w‖²")),
        ("sine(n=20)", "svr", ("C Σ max(0, |y − s| − ε)", "½ ‖w‖²")),
        ("sine(n=20)", "nu-svr", ("C νnε + C Σ max(0, |y − s| − ε)", "½ ‖w‖²")),
        ("sine(n=20)", "gaussian-process", ("1/σ² Σ (y − s)²", "‖w‖²")),
        ("gaussians(n=40, seed=3)", "soft-margin-svm", ("C Σ max(0, 1 − z·s)", "½ ‖w‖²")),
        ("gaussians(n=40, seed=3)", "logistic", ("Σ ln(1 + exp(−z·s))", "λ/2 ‖w‖²")),
    ],
)
def test_the_bars_are_the_terms_of_what_the_algorithm_minimises_by_their_formulas(
    picture_of, answers, data, how, formulas
):
    picture = picture_of(data, how=how)
    numbers = answers(data, how=how)[0].model.numbers
    assert picture.formulas == formulas
    assert picture.fit + picture.complexity == pytest.approx(numbers["primal_objective"], rel=1e-6)
    assert picture.norm == pytest.approx(numbers["norm"])


@pytest.mark.parametrize(
    ("data", "how"), [("sine(n=20)", "svr"), ("gaussians(n=40, seed=3)", "soft-margin-svm(C=1)")]
)
def test_a_bump_raises_complexity_and_sum_alone(picture_of, data, how):
    picture = picture_of(data, "rbf(gamma=3)", how, bump=True)
    fit, complexity = picture.bumped
    assert fit == picture.fit
    assert complexity > picture.complexity
    assert picture.extent.high >= fit + complexity


def test_both_numbers_are_told_with_the_bump(picture_of, painted):
    plain, bumped = (picture_of("sine(n=20)", how="ridge(lam=0.1)", bump=on) for on in (False, True))
    assert "‖w‖ = " in plain._words(1)
    assert " → " in bumped._words(1)
    was, now = bumped._words(0).rsplit(" = ", 1)[1].split(" → ")
    assert was == now
    assert painted(plain) != painted(bumped)


def test_before_the_verdict_there_is_no_bump(picture_of):
    picture = picture_of("sine(n=20)", how="ridge", bump=True, with_verdict=False)
    assert picture.bumped is None
    assert picture.remark.words == "The bump appears when you stop editing."


@pytest.mark.parametrize("how", ["nadaraya-watson", "nearest-neighbours(k=3)", "kernel-sgd"])
def test_algorithms_that_minimise_no_such_sum_say_so(picture_of, how):
    picture = picture_of("sine(n=20)", how=how)
    assert isinstance(picture, NothingToShow)
    assert "does not minimise" in picture.reason


def test_an_indefinite_kernel_whose_squared_norm_is_negative_has_no_complexity(picture_of):
    picture = picture_of("gaussians(n=40, seed=3)", "sigmoid(gamma=1, c=-1)", "soft-margin-svm")
    assert isinstance(picture, NothingToShow)
