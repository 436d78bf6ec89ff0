"""What a picture says about a model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernelviz.api import fit
from kernelviz.engine.algorithms.nu_svm import OneClassSVM
from kernelviz.engine.algorithms.perceptron import Perceptron
from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import algorithm as parsed
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.models.problem import Problem
from kernelviz.scene.figure.glyphs import Ring, rings_of
from kernelviz.scene.plane.painter import PAINTER, thinned
from kernelviz.scene.plane.picture import Picture, contour_lines, picture_of_model, sampled, slack_lines
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace

VIEW = ViewRange(-3.0, 3.0, -2.0, 2.0)
EVERYTHING = frozenset(PlaneWorkspace.toggles)


def picture(model):
    x1, x2, F = sampled(model, VIEW, 60, 40)
    return picture_of_model(model, VIEW, x1, x2, F, contour_lines(model, VIEW, 61))


@pytest.mark.parametrize("algorithm", ["hard-margin-svm", "nu-svm(nu=0.5)"])
def test_where_nothing_separates_the_classes_no_point_is_crossed(algorithm):
    model = fit(dataset("xor"), kernel="linear", algorithm=algorithm)
    assert len(rings_of(model).mistakes) == 0


def test_before_the_first_step_no_point_is_crossed():
    problem = Problem(dataset("moons(n=40)"), kernel("rbf(gamma=1)"))
    first = next(parsed("soft-margin-svm").steps(problem))
    assert len(rings_of(first.model).mistakes) == 0


def test_free_and_bounded_support_vectors_are_told_apart(linear_model):
    rings = rings_of(linear_model)
    assert rings.points.tolist() == [0, 1, 2, 3]
    assert rings.kinds.tolist() == [Ring.FREE, Ring.FREE, Ring.BOUNDED, Ring.BOUNDED]


@pytest.mark.parametrize(
    "algorithm",
    [
        "feature-map",
        "random-features(q=3)",
        "nearest-neighbours(k=9)",
        "ridge",
        "logistic",
        "prototype",
        "perceptron(sweeps=1)",
        "soft-margin-svm(C=1)",
    ],
)
def test_every_misclassified_point_is_marked_support_vector_or_not(algorithm):
    data = dataset("gaussians(n=60, seed=3)")
    model = fit(data, kernel="rbf(gamma=0.01)", algorithm=algorithm)
    wrong = np.flatnonzero(data.z * model.score(data.X) <= 0)
    made = picture(model)
    assert len(wrong) > 3
    assert made.rings.mistakes.tolist() == wrong.tolist()
    assert "misclassified" in [entry.text for entry in PAINTER.drawing(made, EVERYTHING).entries]


def test_a_mistake_of_a_perceptron_underway_is_marked_before_it_has_a_weight():
    data = dataset("gaussians(n=60, seed=3)")
    problem = Problem(data, Linear())
    step = next(s for s in Perceptron().steps(problem) if s.step == 3)
    idle = np.setdiff1d(rings_of(step.model).mistakes, step.model.support)
    assert len(idle)
    assert rings_of(step.model).mistakes.tolist() == np.flatnonzero(step.model.mistakes).tolist()


def test_misclassified_points_of_several_classes_are_marked():
    data = dataset("blobs(n=90, classes=3, noise=1.2, seed=2)")
    model = fit(data, kernel="linear")
    assert rings_of(model).mistakes.tolist() == np.flatnonzero(model.codes(data.X) != data.y).tolist() != []


def test_ring_sizes_grow_with_alpha_in_few_steps(linear_model):
    weights = read_only([1.0, -0.5, 0.02, -0.24, 0.0])
    rings = rings_of(replace(linear_model, weights=weights))
    assert rings.strengths.tolist() == [1.0, 0.5, 0.0, 0.25]


def test_a_model_without_dual_weights_has_no_rings(linear_model):
    assert len(rings_of(replace(linear_model, weights=read_only(np.zeros(5)))).points) == 0


def test_rings_that_would_go_around_every_point_are_left_out(linear_model):
    data = Data.labelled(np.random.default_rng(1).normal(size=(40, 2)), [1, -1] * 20)
    dense = replace(
        linear_model,
        problem=Problem(data, linear_model.problem.kernel),
        weights=read_only(np.linspace(1, 2, 40)),
        box=None,
    )
    assert len(rings_of(dense).points) == 0
    assert len(rings_of(replace(dense, box=read_only(np.full(40, 3.0)))).points) == 40


def test_an_algorithm_that_ignores_labels_has_neither_mistakes_nor_slack(linear_model):
    blind = replace(linear_model, algorithm=OneClassSVM())
    assert len(rings_of(blind).mistakes) == 0
    assert len(slack_lines(blind, contour_lines(blind, VIEW, 61), VIEW)) == 0


def test_slack_lines_run_perpendicular_to_the_margin_of_their_class(linear_model):
    lines = contour_lines(linear_model, VIEW, 61)
    found = slack_lines(linear_model, lines, VIEW)
    margin = 1 / 0.82
    assert found[:, 0].tolist() == [[0.4, 0.0], [0.5, 0.0]]
    assert found[:, 1] == pytest.approx(np.array([[-margin, 0.0], [margin, 0.0]]))
    lengths = np.linalg.norm(found[:, 1] - found[:, 0], axis=1)
    slack = 1 - np.array([-1, 1]) * 0.82 * found[:, 0, 0]
    assert lengths == pytest.approx(slack / 0.82)


def test_a_slack_line_whose_foot_is_out_of_sight_is_not_drawn(linear_model):
    narrow = ViewRange(-1.0, 3.0, -2.0, 2.0)
    found = slack_lines(linear_model, contour_lines(linear_model, narrow, 61), narrow)
    assert found[:, 0].tolist() == [[0.5, 0.0]]


def test_cells_tile_the_view_exactly(linear_model):
    x1, x2, F = sampled(linear_model, VIEW, 6, 4)
    assert F.shape == (4, 6)
    assert x1.tolist() == [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]
    assert x2.tolist() == [-1.5, -0.5, 0.5, 1.5]
    assert F[0] == pytest.approx(0.82 * x1)


def test_contours_reach_the_edges_of_the_view(linear_model):
    lines = dict(contour_lines(linear_model, VIEW, 61))
    assert sorted(lines[0.0][0][[0, -1], 1].tolist()) == [-2.0, 2.0]


def test_slack_is_computed_only_when_shown(linear_model):
    seen = picture(linear_model)
    PAINTER.drawing(seen, EVERYTHING - {"slack"})
    assert "slack" not in vars(seen)
    PAINTER.drawing(seen, EVERYTHING)
    assert len(vars(seen)["slack"]) == 2


def test_classes_of_two_of_many_and_of_none():
    X = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]
    assert Picture.of_data(Data.labelled(X, ["-", "+", "-"]), VIEW).classes.tolist() == [0, 1, 0]
    assert Picture.of_data(Data.labelled(X, ["a", "c", "b"]), VIEW).classes.tolist() == [0, 2, 1]
    assert Picture.of_data(Data.unlabelled(X), VIEW).classes.tolist() == [-1, -1, -1]


def test_one_class_has_no_margins_to_be_drawn_or_named():
    data = dataset("moons(n=60, seed=1)")
    one_class = fit(data, kernel="rbf(gamma=1)", algorithm="one-class-svm(nu=0.2)")
    two_classes = fit(data, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=10)")
    assert any(lines for level, lines in contour_lines(one_class, VIEW, 61) if abs(level) == 1.0)
    for model, named in ((one_class, False), (two_classes, True)):
        made = picture(model)
        assert ("s = ±1" in [entry.text for entry in PAINTER.drawing(made, EVERYTHING).entries]) is named
        assert bool(made.lines_at(1.0) or made.lines_at(-1.0)) is named
        assert made.lines_at(0.0)


def test_lines_in_cells_without_width_are_left_as_they_are():
    """Found by the random user: dragged far from the origin, a narrow view had equal nodes."""
    lines = ((0.0, [np.array([[1e12, 0.0], [1e12, 1.0], [1e12, 2.0]])]),)
    assert thinned(lines, (0.0, 1.0)) is lines
