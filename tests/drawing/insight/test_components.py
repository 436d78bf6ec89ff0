"""Kernel PCA as a picture."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.components import COMPONENTS, ComponentsPicture
from kernelviz.drawing.insight.picture import PictureMaker
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.models.problem import Problem
from kernelviz.session.workspaces.plane import Plane

MAKER = PictureMaker.of(ComponentsPicture)
make = MAKER.make
RINGS = "rings(n=80, seed=1)"
LARGE = QRectF(0, 0, 600, 400)


def test_the_first_component_of_a_gaussian_unfolds_two_rings(frame_of):
    frame = frame_of(RINGS)
    first = make(frame).cloud.places[:, 0] * frame.data.z
    assert (first > 0).all() or (first < 0).all(), "one number separates the rings"


def test_the_function_beside_the_map_has_the_values_of_the_map(frame_of):
    picture = make(frame_of(RINGS))
    sample, cloud = picture.landscape.sample, picture.cloud
    nodes = np.array([[x, y] for y in sample.x2[::20] for x in sample.x1[::20]])
    expected = cloud.pca.project(nodes)[:, 0]
    np.testing.assert_allclose(sample.field[::20, ::20].ravel(), expected, atol=1e-8)
    np.testing.assert_array_equal(picture.landscape.places, cloud.problem.X)


def test_along_a_line_it_is_a_curve_through_the_points(frame_of):
    data = dataset("sine(n=30, seed=1)")
    frame = frame_of(data, "rbf(gamma=3)", "ridge")
    landscape = make(frame).landscape
    np.testing.assert_array_equal(landscape.places[:, 0], data.X[:, 0])
    at = np.interp(data.X[:, 0], landscape.sample.x, landscape.sample.s)
    np.testing.assert_allclose(landscape.places[:, 1], at, atol=1e-9)


def test_strings_have_a_map_and_no_function_of_the_input(frame_of):
    picture = make(frame_of("spelling", "subsequence(length=2, normalised=true)"))
    assert picture.landscape is None
    assert picture.cloud.pca.components == COMPONENTS


def test_the_chosen_components_are_the_axes_and_the_share_they_show_is_told(frame_of):
    frame = frame_of(RINGS)
    picture = MAKER.switched("across", "3").switched("up", "1").make(frame)
    assert picture.axes_shown == (2, 0)
    assert "component 3" in picture.landscape.name
    shares = picture.cloud.pca.shares
    assert picture.remark.words == f"{100 * (shares[0] + shares[2]):.3g} %"


def test_a_component_the_points_do_not_have_is_said_to_be_none(frame_of, painted):
    picture = MAKER.switched("across", "4").make(frame_of(RINGS, "linear"))
    assert picture.landscape is None
    assert picture._label(3) == "component 4 (none)"
    painted(picture)


def test_points_that_are_all_the_same_have_no_direction(frame_of):
    same = Data.labelled(np.ones((6, 2)), [1, 1, 1, -1, -1, -1])
    assert "all points are the same" in make(frame_of(same, how="prototype")).reason


def test_a_kernel_too_large_for_numbers_says_so(frame_of):
    data = dataset("rings(n=20, seed=1)")
    far = Data.labelled(100.0 * data.X, data.z)
    assert "too large" in make(frame_of(far, "exponential(gamma=1)", "feature-map")).reason


def test_while_a_point_is_dragged_no_component_turns_round_or_changes_places(frame_of):
    frame = frame_of(RINGS)
    picture = make(frame)
    for d in np.linspace(0.0, 1.5, 12):
        moved = Plane().placed(frame.data, [0], frame.data.X[[0]] + d)
        before, picture = picture, make(frame_of(moved), before=picture)
        step = np.abs(picture.cloud.places - before.cloud.places)[1:, :2].max()
        assert step < 0.3 * np.abs(before.cloud.places).max()


def test_another_algorithm_on_the_same_points_computes_nothing_again(frame_of):
    frame = frame_of(RINGS)
    first = make(frame)
    again = make(frame_of(frame.data, how="logistic"), before=first)
    assert again.cloud is first.cloud
    assert again.landscape is first.landscape


def test_a_place_on_a_bar_is_its_component(frame_of):
    picture, style = make(frame_of(RINGS, "polynomial(degree=2)")), Style()
    y = LARGE.bottom() - 2 * style.text
    found = [picture.component_at(QPointF(x, y), LARGE, style) for x in range(0, 600, 3)]
    assert sorted({k for k in found if k is not None}) == [0, 1, 2, 3, 4], (
        "five directions, however many bars fit"
    )
    assert picture.component_at(QPointF(300, 20), LARGE, style) is None


@pytest.mark.parametrize("rect", [QRectF(0, 0, 600, 400), QRectF(0, 0, 220, 420), QRectF(0, 0, 200, 110)])
def test_a_point_is_found_on_the_map_and_on_the_plane_at_any_size(frame_of, rect):
    picture, style = make(frame_of(RINGS)), Style()
    for xy, drawn in picture._marks_of(rect, style):
        i = int(drawn[5])
        (found,) = picture.points_at(QPointF(*xy[i].tolist()), rect, style)
        assert np.hypot(*(xy[found] - xy[i])) < 1e-9


def test_the_map_agrees_with_the_kernel_matrix(frame_of):
    frame = frame_of(RINGS, "polynomial(degree=2)")
    places = make(frame).cloud.places
    K = Problem(frame.data, kernel("polynomial(degree=2)")).gram
    distances = np.diag(K)[:, None] - 2 * K + np.diag(K)
    between = ((places[:, None] - places[None]) ** 2).sum(axis=-1)
    np.testing.assert_allclose(between, distances, atol=1e-8)
