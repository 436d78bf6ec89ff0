from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.algorithms.neighbours import Prototype
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.features import FeatureMap
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem

PROBLEM = Problem(Data.labelled([[1.0, 0.0], [0.0, 2.0], [-1.0, 0.0]], [1, 1, -1]), Linear())


def expansion(weights: list[float], b: float = 0.5, **more: object) -> KernelModel:
    return KernelModel(
        PROBLEM, Prototype(), Status.CONVERGED, "made by hand", 1, weights=np.array(weights), offset=b, **more
    )


def test_the_score_is_the_weighted_sum_of_kernels_plus_b() -> None:
    model = expansion([2.0, 0.0, -1.0])
    assert model.score([[1.0, 1.0], [0.0, 5.0]]).tolist() == [2.0 + 1.0 + 0.5, 0.5]
    assert model.training_scores.tolist() == [3.5, 0.5, -2.5]
    assert model.support.tolist() == [0, 2]
    assert model.alpha.tolist() == [2.0, 0.0, 1.0]
    assert model.squared_norm == 9.0


def test_without_support_the_score_is_b_everywhere() -> None:
    model = expansion([0.0, 0.0, 0.0])
    assert model.score([[3.0, 1.0]]).tolist() == [0.5]
    assert model.on_grid(np.arange(3.0), np.arange(2.0)).tolist() == [[0.5] * 3] * 2


SPREAD = np.linspace(-3.0, 3.0, 50)


@pytest.mark.parametrize("name", ["rbf(gamma=1)", "laplacian", "polynomial(degree=3)", "rational_quadratic"])
@pytest.mark.parametrize("size", [1.0, 1e-12])
def test_terms_that_cancel_leave_a_flat_field_not_their_rounding_errors(name: str, size: float) -> None:
    X = size * np.array([[0.3, 0.1], [0.3, 0.1], [1.1, 0.7], [1.1, 0.7]])
    problem = Problem(Data.labelled(X, [1, -1, 1, -1]), kernel(name))
    weights = np.array([7.1, -7.1, 2.3, -2.3])
    model = KernelModel(problem, Prototype(), Status.CONVERGED, "", 1, weights=weights, offset=-1.0)
    assert (model.on_grid(SPREAD, SPREAD) == -1.0).all()


def test_far_from_all_points_the_faint_rest_of_a_score_is_kept() -> None:
    problem = Problem(Data.labelled([[-1.0, 0.0], [1.0, 0.0]], [1, -1]), kernel("rbf(gamma=1)"))
    weights = np.array([2.0, -2.0])
    model = KernelModel(problem, Prototype(), Status.CONVERGED, "", 1, weights=weights, offset=0.0)
    F = model.on_grid(np.array([-9.0, 9.0]), np.array([5.0, 6.0]))
    assert 0.0 < np.abs(F).max() < 1e-30
    assert (np.sign(F) == [[1.0, -1.0], [1.0, -1.0]]).all()


def test_far_from_all_points_a_faint_score_has_a_sign_where_its_terms_are_faint_too() -> None:
    problem = Problem(Data.labelled([[-1.0, 0.0], [1.0, 0.0]], [1, -1]), kernel("rbf(gamma=1)"))
    weights = np.array([2.0, -2.0])
    model = KernelModel(problem, Prototype(), Status.CONVERGED, "", 1, weights=weights, offset=0.0)
    far = Data.labelled([[-9.0, 5.0], [0.0, 9.0], [9.0, 6.0]], [1, 1, -1])
    scores = model.score(far.X)
    assert np.abs(scores).max() < 1e-30
    assert model.lost_signs(far, scores).tolist() == [False, True, False]


def test_the_doubt_about_the_norm_is_known_for_weights_whose_squares_are_beyond_all_numbers() -> None:
    near = Problem(Data.labelled(1e-120 * np.asarray(PROBLEM.data.X), [1, 1, -1]), Linear())
    weights = np.array([2.0, 0.0, -1.0])
    doubts = [
        KernelModel(problem, Prototype(), Status.CONVERGED, "", 1, weights=w, offset=0.0).norm_doubt
        for problem, w in [(PROBLEM, weights), (near, 1e200 * weights)]
    ]
    assert doubts[1] == pytest.approx(1e160 * doubts[0], rel=1e-12)


def test_on_the_boundary_the_prediction_is_the_smaller_label_and_a_training_point_is_a_mistake() -> None:
    model = expansion([1.0, 0.0, 0.0], b=0.0)
    assert model.predict([[0.0, 7.0]]).tolist() == [-1.0]
    assert model.mistakes.tolist() == [False, True, False]


def test_what_a_solver_goes_on_to_change_does_not_reach_the_model() -> None:
    weights, scores = np.array([1.0, 0.0, -1.0]), np.array([1.0, 2.0, 3.0])
    model = KernelModel(
        PROBLEM, Prototype(), Status.RUNNING, "", 1, weights=weights, offset=0.0, known_scores=scores
    )
    weights[:] = scores[:] = 9.0
    assert model.beta.tolist() == [1.0, 0.0, -1.0]
    assert model.training_scores.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("name", ["alpha", "beta", "training_scores"])
def test_arrays_cannot_be_written_to(name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(expansion([1.0, 0.0, -1.0]), name)[0] = 5.0


def test_a_model_on_features_is_linear_in_them() -> None:
    swap = FeatureMap(("x_2", "x_1"), lambda X: X[:, ::-1])
    model = FeatureModel(
        PROBLEM,
        Prototype(),
        Status.CONVERGED,
        "made by hand",
        1,
        features=swap,
        weights=np.array([3.0, 4.0]),
        offset=1.0,
    )
    assert model.score([[1.0, 10.0]]).tolist() == [30.0 + 4.0 + 1.0]
    assert model.on_grid(np.array([0.0, 1.0]), np.array([0.0, 10.0])).tolist() == [[1.0, 5.0], [31.0, 35.0]]
    assert model.squared_norm == 25.0
    assert model.alpha is None
    assert model.beta is None
    assert len(model.support) == 0


def test_a_model_prints_as_one_line_without_its_arrays() -> None:
    shown = repr(expansion([2.0, 0.0, -1.0]))
    assert shown == "<KernelModel: prototype with linear on 3 points, converged>"
