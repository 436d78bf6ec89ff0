from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor

import kernelviz
from kernelviz.engine.algorithms.neighbours import NearestNeighbours
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.dot_products import Linear, Polynomial
from kernelviz.engine.models.problem import Problem


def scattered(n: int = 80, p: int = 2) -> Data:
    rng = np.random.default_rng(5)
    return Data.labelled(rng.normal(size=(n, p)), rng.choice([-1, 1], n))


@pytest.mark.parametrize("k", [1, 2, 5, 80])
@pytest.mark.parametrize("p", [1, 2, 4])
@pytest.mark.parametrize("m", [30, 3000])
def test_with_the_linear_kernel_it_is_ordinary_nearest_neighbours(k: int, p: int, m: int) -> None:
    data = scattered(p=p)
    new = np.random.default_rng(1).normal(size=(m, p))
    theirs = KNeighborsRegressor(k).fit(data.X, data.z).predict(new)
    np.testing.assert_allclose(NearestNeighbours(k).fit(Problem(data, Linear())).score(new), theirs)


@pytest.mark.parametrize("expression", ["polynomial(degree=2, c=1)", "rbf(gamma=1) + linear", "periodic"])
def test_distances_are_those_of_feature_space(expression: str) -> None:
    data, kernel = scattered(), kernelviz.kernel(expression)
    new = np.random.default_rng(1).normal(size=(25, 2))
    d2 = kernel.diagonal(new)[:, None] - 2 * kernel(new, data.X) + kernel.diagonal(data.X)[None, :]
    chosen = np.argsort(d2, axis=1)[:, :3]
    np.testing.assert_allclose(
        NearestNeighbours(3).fit(Problem(data, kernel)).score(new), data.z[chosen].mean(axis=1)
    )


def test_equally_near_points_share_the_last_place() -> None:
    data = Data.labelled([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, 3.0]], [1, 1, -1, -1])
    model = NearestNeighbours(1).fit(Problem(data, Polynomial(degree=1, c=0.0)))
    assert model.score([[0.0, 0.0]])[0] == pytest.approx(1 / 3)
    many = np.zeros((2000, 2))
    assert NearestNeighbours(1).fit(Problem(data, Linear())).score(many) == pytest.approx(
        np.full(2000, 1 / 3)
    )


@pytest.mark.parametrize("m", [1, 2000], ids=["one place", "many"])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=1, c=0.0)], ids=str)
@pytest.mark.parametrize("unit", [1e-5, 1.0, 1e5])
def test_of_several_equally_near_points_each_has_its_part_of_the_places_left(
    m: int, kernel: Kernel, unit: float
) -> None:
    # 0.1 away 10; then three at distance 1 for two places; 50 is farther and has no say.
    X = unit * np.array([[0.1, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    data = Data.regression(X, [10.0, 0.0, 3.0, 9.0, 50.0])
    scores = NearestNeighbours(3).fit(Problem(data, kernel)).score(np.zeros((m, 2)))
    np.testing.assert_allclose(scores, (10.0 + 2 * (0.0 + 3.0 + 9.0) / 3) / 3)


@pytest.mark.parametrize(
    ("k", "sentence"),
    [(1, "The nearest point decides."), (3, "The 3 nearest points vote."), (7, "The 7 nearest points vote.")],
)
def test_it_says_who_votes(k: int, sentence: str) -> None:
    assert NearestNeighbours(k).fit(Problem(scattered(7), Linear())).message == sentence


def test_real_targets_are_averaged_and_not_voted_on() -> None:
    curve = Data.regression([[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0])
    for k, sentence in ((2, "The 2 nearest points are averaged."), (9, "All 3 points are averaged:")):
        assert NearestNeighbours(k).fit(Problem(curve, Linear())).message.startswith(sentence)


@pytest.mark.parametrize("k", [1, 5])
def test_a_single_point_decides_alone(k: int) -> None:
    lone = Data.labelled([[0.0, 0.0]], [1])
    assert NearestNeighbours(k).fit(Problem(lone, Linear())).message == "The only point decides."


def test_more_neighbours_than_points_are_all_points() -> None:
    model = NearestNeighbours(50).fit(Problem(scattered(7), Linear()))
    assert "All 7 points" in model.message
    np.testing.assert_allclose(model.score([[0.0, 0.0]]), model.problem.z.mean())


def test_far_from_all_points_a_narrow_gaussian_still_knows_the_nearest() -> None:
    data = Data.labelled([[0.0, 0.0], [1.0, 0.0]], [-1, 1])
    model = NearestNeighbours(1).fit(Problem(data, kernelviz.kernel("rbf(gamma=1000)")))
    assert model.predict([[50.0, 0.0], [-50.0, 0.0]]).tolist() == [1.0, -1.0]


@pytest.mark.parametrize(
    "expression",
    [
        "2*rbf(gamma=50)",
        "0.001*rbf(gamma=50)",
        "rbf(gamma=50) + rbf(gamma=50)",
        "rbf(gamma=25)*rbf(gamma=25)",
        "3*(rbf(gamma=50) + 2*rbf(gamma=70))",
        "weight(f=one)*rbf(gamma=50)",
        "rbf(gamma=50) + 7*weight(f=one)",
        "0*linear + rbf(gamma=50)",
        "(rbf(gamma=50) + weight(f=one))*(2*rbf(gamma=70) + weight(f=one))",
        "(0*linear + 0*rbf + weight(f=one))*rbf(gamma=50)",
        "rbf(gamma=50)*rational_quadratic(l=1e-10, alpha=1000)",
        "rbf(gamma=1e-20) + rbf(gamma=2e-20)",
        "1e-300*rbf(gamma=50) + 1e-300*rbf(gamma=70)",
        "weight(f=one)*matern32(l=1e9)",
        "weight(f=one) + matern52(l=1e9)",
        "matern32(l=1e9)*matern52(l=1e-9)",
    ],
)
def test_a_kernel_scaled_or_composed_has_the_neighbours_of_the_plain_one(expression: str) -> None:
    moons = kernelviz.dataset("moons")
    x1, x2 = np.linspace(-4, 4, 60), np.linspace(-4, 4, 50)
    plain, composed = (
        NearestNeighbours(5).fit(Problem(moons, kernelviz.kernel(kernel))).on_grid(x1, x2)
        for kernel in ("rbf(gamma=50)", expression)
    )
    assert np.abs(plain).min() > 0.0
    np.testing.assert_allclose(composed, plain)


@pytest.mark.parametrize(
    "expression", ["rbf(gamma=50)*laplacian(gamma=9)", "rbf(gamma=900) + periodic(l=0.05)"]
)
def test_far_from_all_points_the_nearest_are_those_where_the_kernel_is_largest(expression: str) -> None:
    kernel, moons = kernelviz.kernel(expression), kernelviz.dataset("moons")
    new = np.random.default_rng(0).uniform(-4, 4, (40, 2))
    largest = np.argsort(-kernel.log_gram(new, moons.X), axis=1)[:, :1]
    found = NearestNeighbours(1).fit(Problem(moons, kernel)).score(new)
    np.testing.assert_allclose(found, moons.z[largest].mean(axis=1))


@pytest.mark.parametrize(
    "expression", ["0*rbf", "0*rbf + 0*laplacian", "weight(f=one)", "(0*linear + 0*rbf)*rbf"]
)
def test_where_all_points_coincide_in_feature_space_they_share_all_places(expression: str) -> None:
    data = scattered(7)
    model = NearestNeighbours(3).fit(Problem(data, kernelviz.kernel(expression)))
    np.testing.assert_allclose(model.score([[0.0, 0.0]]), data.z.mean())


@pytest.mark.parametrize(
    "expression",
    [
        "weight(f=one)*rbf(gamma=50)",
        "0*linear + rbf(gamma=50)",
        "rbf(gamma=50) + weight(f=one)",
        "rbf(gamma=50)*rational_quadratic(l=1e-10, alpha=1000)",
    ],
)
def test_constants_and_tiny_factors_do_not_hide_the_nearest_point(expression: str) -> None:
    fit = kernelviz.fit(
        [[0.0, 0.0], [5.0, 0.0], [9.0, 0.0]],
        ["a", "a", "b"],
        kernel=expression,
        algorithm="nearest-neighbours(k=1)",
    )
    assert fit.predict([[20.0, 0.0]]).tolist() == ["b"]


@pytest.mark.parametrize("m", [1, 2000])
def test_points_of_other_width_are_refused_in_words(m: int) -> None:
    model = NearestNeighbours(3).fit(Problem(scattered(), Linear()))
    with pytest.raises(BadInput, match="columns"):
        model.score(np.zeros((m, 3)))


@pytest.mark.parametrize("expression", ["rbf", "polynomial"])
def test_the_field_is_the_score_at_every_node(expression: str) -> None:
    model = NearestNeighbours(3).fit(Problem(scattered(), kernelviz.kernel(expression)))
    x1, x2 = np.linspace(-2, 2, 50), np.linspace(-1, 3, 30)
    F = model.on_grid(x1, x2)
    assert F.shape == (30, 50)
    for k in (0, 11, 29):
        row = np.column_stack([x1, np.full(50, x2[k])])
        np.testing.assert_allclose(F[k], model.score(row))


@pytest.mark.parametrize("m", [1, 2000], ids=["one place", "many"])
def test_rounding_does_not_choose_among_points_on_a_circle(m: int) -> None:
    turn = np.linspace(0, 2 * np.pi, 40)[:-1]
    X = np.vstack([[0.0, 0.0], np.column_stack([np.cos(turn), np.sin(turn)])])
    distances = np.square(X[1:]).sum(axis=1)
    assert len(np.unique(distances)) > 1  # equal but for rounding
    y = np.append(7.0, np.arange(39.0))
    model = NearestNeighbours(2).fit(Problem(Data.regression(X, y), kernelviz.kernel("rbf")))
    np.testing.assert_allclose(model.score(np.zeros((m, 2))), (7.0 + 19.0) / 2)
