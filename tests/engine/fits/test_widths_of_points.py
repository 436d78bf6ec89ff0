"""`gamma=median` and `gamma=scale` in an expression: the width that suits the points, as a number."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.expressions import parse_kernel, parse_open_kernel
from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.session.sources import Requested
from kernelviz.session.tables.preparation import standardised

X = np.random.default_rng(3).normal(size=(41, 2)) * (1.0, 3.0)


def squared_distances(points) -> list[float]:
    return [float(((a - b) ** 2).sum()) for a, b in combinations(np.asarray(points), 2)]


def test_gamma_is_one_over_the_median_squared_distance():
    assert parse_kernel("rbf(gamma=median)", X).gamma == pytest.approx(1 / np.median(squared_distances(X)))


def test_a_laplace_kernel_takes_the_median_of_the_distances_it_uses():
    between = [float(np.abs(a - b).sum()) for a, b in combinations(X, 2)]
    assert parse_kernel("laplacian(gamma=median)", X).gamma == pytest.approx(1 / np.median(between))


@pytest.mark.parametrize("name", ["matern32", "rational-quadratic"])
def test_a_length_scale_is_that_of_the_same_gaussian(name):
    gaussian, kernel = parse_kernel("rbf(gamma=median)", X), parse_kernel(f"{name}(l=median)", X)
    assert 1 / (2 * kernel.l**2) == pytest.approx(gaussian.gamma)


@pytest.mark.parametrize("text", ["rbf(gamma=median)", "rbf(median)", "2*rbf(gamma=median) + linear"])
def test_it_is_what_the_window_sets_by_its_button(text):
    number = text.replace("gamma=median", "gamma=1").replace("(median)", "(1)")
    assert parse_kernel(text, X) == parse_kernel(number).scaled_to(X)


def test_only_the_width_that_is_named_is_set():
    kernel = parse_kernel("rbf(gamma=median) + rbf(gamma=7)", X)
    assert [part.gamma for part in kernel.parts][1] == 7


def test_a_fitted_model_reports_the_number():
    model = kernelviz.fit(X, X[:, 0] > 0, "rbf(gamma=median)", "ridge")
    gamma = 1 / np.median(squared_distances(X))
    assert "median" not in str(model.problem.kernel)
    assert parse_kernel(str(model.problem.kernel)).gamma == pytest.approx(gamma)


@pytest.mark.parametrize(
    ("text", "points", "sentence"),
    [
        ("linear(c=median)", X, "no parameter"),
        ("polynomial(degree=median)", X, "polynomial needs a number for degree: it has no width"),
        ("rational-quadratic(alpha=median)", X, "only l can be median"),
        ("rbf(sigma=median)", X, "rbf needs a number for sigma: only gamma can be median"),
        ("spectrum(length=median)", ["a", "b"], "it has no width"),
        ("rbf(gamma=median)", None, "needs points to be computed from"),
        ("rbf(gamma=median)", X[:1], "at least two points at different places"),
        ("rbf(gamma=median)", np.ones((5, 2)), "at least two points at different places"),
        ("rbf(gamma=median)", np.empty((0, 2)), "at least two points at different places"),
        ("rbf(gamma=mean)", X, "mean"),
        ("rbf(gamma=median, gamma=1)", X, "twice"),
    ],
)
def test_a_width_that_cannot_be_found_is_refused_with_a_sentence(text, points, sentence):
    with pytest.raises(BadInput, match=sentence):
        parse_kernel(text, points)


def test_other_parameters_have_no_median():
    with pytest.raises(BadInput, match="lam"):
        parse_fit("rbf ; ridge(lam=median)", X)


def test_on_the_command_line_the_points_are_those_that_are_fitted():
    """The training points, scaled if they are fitted scaled."""
    asked = {"source": "moons(n=40, seed=2)", "fit": ["rbf(gamma=median) ; ridge"], "test": "0.5"}
    plain = Requested.by(asked).open()
    assert plain.data.n == 20
    assert plain.fits[0].kernel.gamma == pytest.approx(1 / np.median(squared_distances(plain.data.X)))
    scaled = Requested.by({**asked, "standardise": True}).open()
    seen = standardised(scaled.data).X
    assert scaled.fits[0].kernel.gamma == pytest.approx(1 / np.median(squared_distances(seen)))


@pytest.mark.parametrize("name", ["rbf", "polynomial", "homogeneous", "sigmoid", "laplacian"])
def test_scale_is_one_over_the_variance_and_the_number_of_columns(name):
    assert parse_kernel(f"{name}(gamma=scale)", X).gamma == pytest.approx(1 / (2 * X.var()))


def test_scale_gives_the_default_machine_of_scikit_learn():
    z = np.where(X[:, 0] > 0.1 * X[:, 1], 1, -1)
    ours = kernelviz.fit(X, z, "rbf(gamma=scale)", "soft-margin-svm(C=1)")
    theirs = SVC(tol=1e-8).fit(X, z)
    np.testing.assert_allclose(ours.score(X), theirs.decision_function(X), atol=1e-6)


def test_scale_is_one_for_points_that_do_not_vary_as_it_is_there():
    assert parse_kernel("rbf(gamma=scale)", np.ones((4, 2))).gamma == 1.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("matern32(l=scale)", "matern32 needs a number for l: it has no width"),
        ("rbf(sigma=scale)", "rbf needs a number for sigma: only gamma can be scale"),
        ("polynomial(c=scale)", "only gamma can be scale"),
    ],
)
def test_scale_is_for_gamma_alone(text, sentence):
    with pytest.raises(BadInput, match=sentence):
        parse_kernel(text, X)


def test_a_kernel_whose_points_come_later_keeps_the_words():
    text = "2*rbf(gamma=scale) + laplacian(gamma=median)*rbf(sigma=3)"
    kernel = parse_open_kernel(text)
    assert str(kernel) == text
    changed = kernel.having((1, 1, "gamma"), 7.0)
    assert parse_kernel(str(changed), X) == parse_kernel(text.replace("sigma=3", "gamma=7"), X)
