"""Learning curves, and what the error of a fit is made of, against direct simulation."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.generators import finished
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.engine.numbers.of_fit import on_held_out
from kernelviz.runtime import fresh_samples
from kernelviz.runtime.fresh_samples import LearningCurveRun, Spread, SpreadRun
from kernelviz.runtime.jobs import GivenUpError


def still() -> None:
    """The beat of work that nobody cancels."""


def spread_of(source: str, fit: str, n: int = 60) -> tuple[DataSet, Spread]:
    made = parse_dataset(source)
    found = finished(SpreadRun(n, made, parse_fit(fit), (-3.0, 3.0, -3.0, 3.0)).work(still))
    assert found is not None
    return made, found


@pytest.mark.parametrize("fit", ["rbf(gamma=1) ; ridge(lam=0.1)", "rbf(gamma=30) ; ridge(lam=0.001)"])
def test_bias_variance_and_noise_add_up_to_the_error_of_new_fits_on_new_points(fit):
    """They are other samples than those of the decomposition, and other points to test on."""
    made, found = spread_of("sine(n=60, noise=0.3)", fit)
    kernel, algorithm = (part.strip() for part in fit.split(";"))
    errors = []
    for k in range(200, 300):
        train, test = made.fresh(60, k), made.fresh(100, 1000 + k)
        score = kernelviz.fit(train, None, kernel, algorithm).score(test.X)
        errors.append(np.mean((score - test.y) ** 2))
    doubt = 4 * np.std(errors) / np.sqrt(len(errors)) + 0.1 * found.variance
    assert found.bias + found.variance + found.noise == pytest.approx(np.mean(errors), abs=doubt)
    assert found.noise == pytest.approx(0.09)


def test_the_error_rate_of_classifiers_is_made_of_the_same_parts():
    _, found = spread_of("gaussians", "rbf(gamma=1) ; soft-margin-svm(C=1)")
    assert found.error == pytest.approx(found.bias + found.variance + found.noise, abs=0.03)
    assert min(found.bias, found.variance, found.noise) >= 0.0


def test_no_part_of_the_error_is_negative_even_without_bias():
    """With a bias far below the variance, an estimate that subtracts the variance of the mean is negative."""
    made, found = spread_of("sine(noise=0.3)", "rbf(gamma=10) ; ridge(lam=0.01)", 60)
    assert 0.0 <= found.bias < 0.05 * found.variance
    expected = made.truth(made.fresh(fresh_samples.TEST).X[:, 0])
    fits = [kernelviz.fit(made.fresh(60, 1 + k), None, "rbf(gamma=10)", "ridge(lam=0.01)") for k in range(50)]
    squares = [np.mean((fit.score(made.fresh(fresh_samples.TEST).X) - expected) ** 2) for fit in fits]
    assert found.bias + found.variance == pytest.approx(np.mean(squares), rel=1e-9)


def test_a_narrow_kernel_has_more_variance_and_a_wide_one_more_bias():
    _, narrow = spread_of("sine(noise=0.3)", "rbf(gamma=100) ; ridge(lam=0.01)")
    _, wide = spread_of("sine(noise=0.3)", "rbf(gamma=0.01) ; ridge(lam=1)")
    assert narrow.variance > 3 * wide.variance
    assert wide.bias > 3 * max(narrow.bias, 0.0)


def test_where_the_densities_are_not_known_bias_and_noise_are_not_either():
    _, found = spread_of("moons", "rbf(gamma=1) ; soft-margin-svm")
    assert found.bias is None
    assert found.noise is None
    assert found.count == fresh_samples.SAMPLES


def test_a_result_that_was_asked_for_is_not_changed_by_further_fits():
    made = parse_dataset("gaussians")
    run = SpreadRun(20, made, parse_fit("linear ; prototype"), (-3.0, 3.0, -3.0, 3.0))
    seen = {}
    for _ in run.work(still):
        if run.so_far is not None:
            seen[id(run.so_far)] = run.so_far
    assert [found.count for found in seen.values()] == list(range(5, 51, 5))


def test_samples_are_independent_and_always_the_same():
    made = parse_dataset("mixture(n=40)")
    first, again, other = made.fresh(40, 1), made.fresh(40, 1), made.fresh(40, 2)
    assert np.array_equal(first.X, again.X)
    assert not np.array_equal(first.X, other.X)
    assert not np.array_equal(first.X, made.fresh(40).X)


def test_a_learning_curve_has_the_errors_of_fits_to_its_samples(monkeypatch):
    monkeypatch.setattr(fresh_samples, "LARGEST", 80)
    made, fit = parse_dataset("gaussians"), parse_fit("linear ; soft-margin-svm(C=1)")
    found = finished(LearningCurveRun(made.make(), made, fit).work(still))
    model = kernelviz.fit(made.fresh(80, 1), None, "linear", "soft-margin-svm(C=1)")
    assert found.sizes[-1] == 80
    assert found.training[-1, 0] == model.summary()["training_error"]
    assert found.held_out[-1, 0] == on_held_out(model, made.fresh(fresh_samples.TEST)).error
    assert found.bayes_error == pytest.approx(0.0766, abs=1e-4)
    assert found.held_out[-1].mean() < found.held_out[0].mean()


def test_points_that_cannot_be_drawn_again_are_divided():
    data = kernelviz.dataset("moons(n=60)")
    found = finished(LearningCurveRun(data, None, parse_fit("rbf ; ridge")).work(still))
    assert found.sizes[-1] == 42
    assert np.isfinite(found.held_out).all()
    assert found.bayes_error is None


def test_a_learning_curve_can_be_cancelled_and_says_how_far_it_is():
    made = parse_dataset("gaussians")
    run = LearningCurveRun(made.make(), made, parse_fit("linear ; soft-margin-svm"))
    beats = iter(range(100))

    def impatient() -> None:
        if next(beats) > 5:
            raise GivenUpError

    shares: list[float] = []
    with pytest.raises(GivenUpError):
        shares.extend(run.work(impatient))
    assert shares
    assert shares == sorted(shares)
    assert np.isfinite(run.so_far.training).sum() == len(shares)


def test_a_fit_that_does_not_exist_leaves_a_gap(monkeypatch):
    monkeypatch.setattr(fresh_samples, "LARGEST", 40)
    made = parse_dataset("rings")
    found = finished(LearningCurveRun(made.make(), made, parse_fit("linear ; hard-margin-svm")).work(still))
    assert np.isnan(found.training[-1]).all()
