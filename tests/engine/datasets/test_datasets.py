"""What is special about each data set."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from kernelviz.api import fit
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.datasets.clouds import NORMAL
from kernelviz.engine.fits.parsing import dataset

SEEDS = range(5)


def separable(X: Array, z: Array) -> bool:
    """Whether some w, b has z (Xw + b) >= 1 everywhere."""
    rows = -z[:, None] * np.column_stack([X, np.ones(len(X))])
    found = linprog(np.zeros(rows.shape[1]), A_ub=rows, b_ub=-np.ones(len(X)), bounds=(None, None))
    return bool(found.status == 0)


def squares(data: Data) -> Array:
    return np.column_stack([data.X, np.square(data.X).sum(axis=1)])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["rings", "circle_in_square"])
def test_no_line_separates_rings_but_a_circle_does(name: str, seed: int) -> None:
    data = dataset(f"{name}(noise=0, seed={seed})")
    assert not separable(data.X, data.z)
    assert separable(squares(data), data.z)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_square_makes_xor_on_a_line_a_straight_cut(seed: int) -> None:
    data = dataset(f"xor_line(seed={seed})")
    assert not separable(data.X, data.z)
    assert separable(squares(data), data.z)
    assert (data.X[:, 1] == 0).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_barely_separable_clouds_keep_exactly_their_gap(seed: int) -> None:
    data = dataset(f"barely_separable(gap=0.1, seed={seed})")
    signed = data.z * (data.X @ NORMAL)
    assert signed.min() == pytest.approx(0.05, rel=1e-9)
    assert separable(data.X, data.z)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_intruder_makes_the_clouds_inseparable_and_without_it_they_separate(seed: int) -> None:
    data = dataset(f"just_not_separable(seed={seed})")
    intruder = int(np.argmin(data.z * (data.X @ NORMAL)))
    assert not separable(data.X, data.z)
    rest = data.subset(np.arange(data.n) != intruder)
    assert separable(rest.X, rest.z)
    minus = data.X[data.z < 0]
    nearest = minus[np.argsort(np.abs(minus @ NORMAL))[:3]]
    assert data.X[intruder] == pytest.approx(nearest.mean(axis=0))
    # It was the + nearest to the line; all others are where they are without it.
    before = dataset(f"barely_separable(n={data.n}, gap=0.15, seed={seed})")
    moved = np.flatnonzero((data.X != before.X).any(axis=1))
    assert moved.tolist() == [intruder]
    assert before.X[intruder] @ NORMAL == pytest.approx(0.075)


def test_xor_is_the_sign_of_the_product() -> None:
    data = dataset("xor(noise=0, n=40)")
    assert np.array_equal(data.z, -np.sign(data.X.prod(axis=1)))
    corners, counts = np.unique(data.X, axis=0, return_counts=True)
    assert corners.tolist() == [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    assert counts.tolist() == [10, 10, 10, 10]


def test_the_fields_of_the_checkerboard_alternate() -> None:
    data = dataset("checkerboard(n=500, cells=4, noise=0)")
    field = np.floor(data.X + 2).sum(axis=1)
    assert np.array_equal(data.z, np.where(field % 2 == 0, 1, -1))


def test_the_three_points_are_those_of_the_slides() -> None:
    data = dataset("three_points")
    assert data.X.tolist() == [[0, -1], [1, 1], [1, -1]]
    assert sorted(data.z.tolist()) == [-1, -1, 1]


@pytest.mark.parametrize("columns", [(0, 1), (2, 3)])
def test_iris_is_the_iris_of_scikit_learn(columns: tuple[int, int]) -> None:
    from sklearn.datasets import load_iris

    names = ("sepal_length", "sepal_width", "petal_length", "petal_width")
    data = dataset(f"iris(first={names[columns[0]]}, second={names[columns[1]]}, classes=all)")
    table = load_iris()
    assert data.class_names == tuple(table.target_names)
    for k in range(3):
        assert np.array_equal(data.X[data.y == k], table.data[table.target == k][:, columns])


def test_two_species_of_iris_keep_their_names() -> None:
    data = dataset("iris(classes=setosa_virginica)")
    assert data.class_names == ("setosa", "virginica")
    assert data.n == 100
    assert separable(data.X, data.z)


def test_the_classes_come_in_turn() -> None:
    assert dataset("rings(n=6)").z.tolist() == [1, -1, 1, -1, 1, -1]
    assert dataset("blobs(n=9, classes=3)").y.tolist() == [0, 1, 2] * 3


def test_plus_and_minus_stand_for_the_labels_one_and_minus_one() -> None:
    assert dataset("rings").labels == dataset("three_points").labels == (-1.0, 1.0)
    assert fit(dataset("rings(n=20)")).predict([[0.0, 0.0], [1.6, 0.0]]).tolist() == [1.0, -1.0]
    assert set(fit(dataset("blobs(n=30)")).predict(dataset("blobs(n=30)").X)) == {"A", "B", "C"}


def test_the_mixture_scatters_around_its_centres_only() -> None:
    data = dataset("mixture(n=400, centres=3, variance=0)")
    assert len(np.unique(data.X, axis=0)) <= 6


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ring_and_the_edge_of_the_disc_are_where_the_docstring_puts_them(seed: int) -> None:
    data = dataset(f"rings(n=4000, noise=0, seed={seed})")
    radius = np.linalg.norm(data.X, axis=1)
    assert radius[data.z < 0] == pytest.approx(1.6)
    # Uniform in the disc: a share (r/0.7)² of the points within r.
    share = np.square(radius[data.z > 0] / 0.7)
    assert share.max() <= 1
    assert np.abs(np.sort(share) - np.linspace(0, 1, len(share))).max() < 0.05


def test_points_outside_the_circle_fill_the_square_of_twice_its_area() -> None:
    X = dataset("circle_in_square(n=4000)").X
    assert np.abs(X).max() == pytest.approx(np.sqrt(np.pi / 2), rel=0.01)


def test_the_moons_are_half_circles_that_a_half_turn_exchanges() -> None:
    data = dataset("moons(n=60, noise=0)")
    upper, lower = data.X[data.z > 0], data.X[data.z < 0]
    centre = np.array([-0.6, -0.3])
    assert np.linalg.norm(upper - centre, axis=1) == pytest.approx(1.2)
    assert (upper[:, 1] >= centre[1]).all()
    assert np.ptp(upper[:, 0]) == pytest.approx(2.4)
    assert lower == pytest.approx(-upper)


def test_the_arms_of_the_spirals_go_round_as_often_as_asked() -> None:
    data = dataset("spirals(n=400, turns=2, noise=0)")
    arm = data.X[data.z > 0]
    radius = np.linalg.norm(arm, axis=1)
    assert (radius.min(), radius.max()) == pytest.approx((0.2, 2.0))
    turn = np.unwrap(np.arctan2(arm[:, 1], arm[:, 0]))
    assert turn - turn[0] == pytest.approx(2 * np.pi * 2 * (radius - radius[0]) / 2)
    assert data.X[data.z < 0] == pytest.approx(-arm)


def test_the_two_gaussians_have_their_distance_and_their_width() -> None:
    data = dataset("gaussians(n=5000, distance=3, noise=0.5)")
    plus, minus = data.X[data.z > 0], data.X[data.z < 0]
    assert np.linalg.norm(plus.mean(axis=0) - minus.mean(axis=0)) == pytest.approx(3, rel=0.02)
    assert plus.mean(axis=0) == pytest.approx(-minus.mean(axis=0), abs=0.05)
    assert np.concatenate([plus.std(axis=0), minus.std(axis=0)]) == pytest.approx(0.5, rel=0.05)


def test_the_centres_of_the_blobs_are_evenly_on_their_circle() -> None:
    centres = dataset("blobs(n=8, classes=8, noise=0)").X
    assert np.linalg.norm(centres, axis=1) == pytest.approx(1.5)
    assert dataset("blobs(classes=2)").class_names == ("-", "+")
    side = 2 * 1.5 * np.sin(np.pi / 8)
    assert np.linalg.norm(centres - np.roll(centres, 1, axis=0), axis=1) == pytest.approx(side)


@pytest.mark.parametrize("seed", SEEDS)
def test_xor_on_a_line_keeps_its_gap_and_its_ends(seed: int) -> None:
    data = dataset(f"xor_line(n=4000, gap=0.5, seed={seed})")
    x = data.X[:, 0]
    middle, ends = x[data.z > 0], np.abs(x[data.z < 0])
    assert np.count_nonzero(x[data.z < 0] > 0) == np.count_nonzero(x[data.z < 0] < 0) == 1000
    assert (middle.min(), middle.max()) == pytest.approx((-0.75, 0.75), abs=0.01)
    assert (ends.min(), ends.max()) == pytest.approx((1.25, 2.0), abs=0.01)


# Lessons and figures refer to points by their expression.
DRAWN = {
    "rings(n=4, seed=1)": [0.17677, 0.37733, -1.59218, -0.05313, 0.47569, -0.10911, 1.43475, -0.50954],
    "xor(n=4, seed=1)": [1.12095, -0.71243, 1.31687, 1.15623, -0.88435, 0.54389, -1.18793, -0.79661],
    "xor_line(n=4, jitter=0.5, seed=1)": [0.01891, 0.45268, 1.31533, -0.26848, 0.72074, 0.22319],
    "circle_in_square(n=4, noise=0.1, seed=1)": [-0.48984, -0.06594, 0.19062, -1.23563, 1.13147, -0.23361],
    "gaussians(n=4, seed=1)": [1.04191, 1.17513, -0.16625, -0.28754, 1.03131, -0.31221],
    "moons(n=4, seed=1)": [0.65184, -0.17676, -0.4642, 0.36696, -1.75043, -0.49547, 1.71946, 0.38717],
    "spirals(n=4, seed=1)": [0.1587, 0.1825, -0.09615, -0.1191, 0.01652, 1.93484, -0.02685, -1.97094],
    "checkerboard(n=4, noise=0.1, seed=1)": [0.64526, -0.52815, 0.28981, -1.22259, 0.65631, -0.21443],
    "blobs(n=8, classes=4, seed=1)": [-1.12614, 0.03738, 0.31218, -1.73749, 1.62822, 0.1241],
    "barely_separable(n=4, seed=1)": [-0.09861, 0.25648, -0.05929, -0.58142, 0.95209, -0.58909],
    "just_not_separable(n=8, seed=1)": [-0.36609, 0.63079, 0.10525, -0.65751, 0.1208, 0.53698],
    "mixture(n=4, seed=1)": [0.72233, 0.90034, -2.13216, 0.44104, 0.4681, -1.11362, 0.4286, 0.38454],
}


@pytest.mark.parametrize(("expression", "drawn"), DRAWN.items(), ids=DRAWN)
def test_the_points_stay_the_same_from_release_to_release(expression: str, drawn: list[float]) -> None:
    assert dataset(expression).X.ravel()[: len(drawn)] == pytest.approx(drawn, abs=1e-5)


def test_the_line_of_xor_with_one_input_is_the_same_without_x2() -> None:
    one, two = (dataset(f"xor_line(n=30, seed=2, inputs={inputs})") for inputs in (1, 2))
    assert one.X.shape == (30, 1)
    assert one.X[:, 0].tolist() == two.X[:, 0].tolist()
    assert one.y.tolist() == two.y.tolist()
