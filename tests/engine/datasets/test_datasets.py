"""What is special about each data set."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from kernelviz import dataset
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.datasets.clouds import NORMAL

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


def test_xor_is_the_sign_of_the_product() -> None:
    data = dataset("xor(noise=0, n=40)")
    assert np.array_equal(data.z, -np.sign(data.X.prod(axis=1)))


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


def test_the_mixture_scatters_around_its_centres_only() -> None:
    data = dataset("mixture(n=400, centres=3, variance=0)")
    assert len(np.unique(data.X, axis=0)) <= 6


def test_the_points_stay_the_same_from_release_to_release() -> None:
    # Lessons and figures refer to these points by their expression.
    assert dataset("rings(n=4, seed=1)").X.ravel() == pytest.approx(
        [0.17677, 0.37733, -1.59218, -0.05313, 0.47569, -0.10911, 1.43475, -0.50954], abs=1e-5
    )
