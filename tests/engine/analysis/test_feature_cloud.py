"""Points along their kernel principal components."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.analysis import kernel_pca as module
from kernelviz.engine.analysis.kernel_pca import FeatureCloud, kernel_pca
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.models.problem import Problem


def problem(data: str = "rings(n=60, seed=1)", how_alike: str = "rbf(gamma=1)") -> Problem:
    return Problem(dataset(data), kernel(how_alike))


def test_places_are_the_projections() -> None:
    posed = problem()
    np.testing.assert_array_equal(FeatureCloud.of(posed, 4).places, kernel_pca(posed, 4).projections)


def test_along_directions_that_the_points_do_not_have_all_are_at_zero() -> None:
    cloud = FeatureCloud.of(problem(how_alike="linear"), 5)
    assert cloud.pca.components == 2
    assert cloud.places.shape == (60, 5)
    assert not cloud.places[:, 2:].any()


def test_the_same_points_and_kernel_are_not_taken_apart_again() -> None:
    first = FeatureCloud.of(problem(), 3)
    again = Problem(first.problem.data, kernel("rbf(gamma=1)"))
    assert FeatureCloud.of(again, 3, first) is first
    assert FeatureCloud.of(Problem(first.problem.data, kernel("rbf(gamma=2)")), 3, first) is not first


def test_a_component_is_a_function_with_the_places_as_its_values() -> None:
    cloud = FeatureCloud.of(problem(), 3)
    for k in range(3):
        component = cloud.component(k, algorithm("prototype"))
        np.testing.assert_allclose(component.score(cloud.problem.X), cloud.places[:, k], atol=1e-9)
        assert not component.flat


def test_of_very_many_points_some_span_the_space_and_all_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_POINTS", 50)
    posed = problem("rings(n=120, seed=1)")
    cloud = FeatureCloud.of(posed, 2)
    assert cloud.pca.problem.n == 50
    assert cloud.places.shape == (120, 2)
    np.testing.assert_allclose(cloud.places, cloud.pca.project(posed.X))
    chosen = np.flatnonzero((posed.X[:, None] == cloud.pca.problem.X).all(axis=2).any(axis=1))
    assert (chosen[0], chosen[-1], len(chosen)) == (0, 119, 50), "from end to end"
    np.testing.assert_allclose(cloud.places[chosen], cloud.pca.projections, atol=1e-9)


def test_components_are_numbered_by_their_spread_whatever_was_shown_before() -> None:
    cloud = FeatureCloud.of(problem(how_alike="rbf(gamma=0.1)"), 6)
    for gamma in (3.0, 0.03, 30.0):
        posed = problem(how_alike=f"rbf(gamma={gamma})")
        cloud = FeatureCloud.of(posed, 6, cloud)
        np.testing.assert_array_equal(cloud.pca.eigenvalues, kernel_pca(posed, 6).eigenvalues)
