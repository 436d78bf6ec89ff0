"""Feature space as a picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.export.films import unfolding
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.feature_list import ORDERS, FeatureList
from kernelviz.drawing.insight.feature_space import FeatureSpaceMaker, FeatureSpacePicture
from kernelviz.drawing.insight.lifted_patches import straight_lines
from kernelviz.drawing.insight.picture import Marks, padded
from kernelviz.drawing.insight.space import ABOVE, ASLANT, Camera
from kernelviz.drawing.theme import LIGHT
from kernelviz.engine.analysis.lifts import COMPONENTS, FEATURES, LIFTS
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset

pytestmark = pytest.mark.usefixtures("qapp")
MAKER = FeatureSpaceMaker.of(FeatureSpacePicture)
RINGS = "rings(n=60, seed=1)"


def lifted_by(lift: str) -> FeatureSpaceMaker:
    return MAKER.switched("lift", lift)


@pytest.mark.parametrize("lift", LIFTS)
@pytest.mark.parametrize(
    ("data", "kernel_text", "how"),
    [
        (RINGS, "rbf(gamma=1)", "soft-margin-svm(C=10)"),
        (RINGS, "homogeneous(degree=2)", "hard-margin-svm"),
        ("xor_line(n=20)", "polynomial(degree=2)", "soft-margin-svm"),
        ("sine(n=20, seed=1)", "rbf(gamma=2)", "svr(C=10)"),
        ("blobs(n=30, classes=3, seed=1)", "linear", "soft-margin-svm"),
        ("topics", "words", "perceptron"),
    ],
)
def test_every_lift_of_any_data_is_painted_folded_halfway_and_unfolded(
    frame_of, painted, lift, data, kernel_text, how
):
    frame = frame_of(data, kernel_text, how)
    pictures = [replace(lifted_by(lift), unfolded=share).make(frame) for share in (0.0, 0.5, 1.0)]
    images = [painted(picture) for picture in pictures]
    assert all(isinstance(picture, FeatureSpacePicture) for picture in pictures)
    assert images[0] != images[2]


def test_folded_the_points_lie_as_on_the_canvas(frame_of, rect):
    frame = frame_of(RINGS)
    xy, _, _ = replace(MAKER, unfolded=0.0).make(frame)._places(rect, Style())
    X = frame.data.X
    across = np.polyfit(X[:, 0], xy[:, 0], 1)
    up = np.polyfit(X[:, 1], -xy[:, 1], 1)
    assert across[0] == pytest.approx(up[0], rel=1e-6), "one unit is as long both ways"
    np.testing.assert_allclose(np.polyval(across, X[:, 0]), xy[:, 0], atol=1e-6)


def test_lifts_to_two_dimensions_are_seen_from_above_until_somebody_turns_them(frame_of):
    frame = frame_of(RINGS)
    assert lifted_by("squares").make(frame).camera == ABOVE
    assert lifted_by("products").make(frame).camera == ASLANT
    own = Camera(10.0, 20.0)
    assert replace(lifted_by("squares"), camera=own).make(frame).camera == own


def test_a_plane_is_shown_where_the_score_is_linear_and_can_be_left_out(frame_of, painted):
    frame = frame_of(RINGS, "homogeneous(degree=2)")
    picture = lifted_by("products").make(frame)
    assert "plane" in picture.switchable
    assert picture.remark.words == "boundary: a plane"
    assert painted(lifted_by("products").switched("plane", False).make(frame)) != painted(picture)
    curved = lifted_by("paraboloid").make(frame_of(RINGS))
    assert "plane" not in curved.switchable


def test_in_two_dimensions_the_boundary_is_a_line_and_no_slab(frame_of, painted):
    frame = frame_of(RINGS, "rbf(gamma=1)", "feature-map(features=squares, model=ridge)")
    picture = replace(lifted_by("squares"), camera=Camera(30.0, 30.0)).make(frame)
    assert picture.fit.plane is not None
    assert picture.remark.words == "boundary: a line"
    assert picture._planes(LIGHT) == []
    (line,) = (line for level, line in straight_lines(picture.fit, picture.boxes[0]) if level == 0.0)
    places = picture.boxes[0].middle + line * picture.boxes[0].half
    scores = picture.fit.plane.offset + places @ picture.fit.plane.weights
    np.testing.assert_allclose(scores, 0.0, atol=1e-9)
    assert painted(replace(picture, shown=(True, False))) != painted(picture)


def test_of_components_it_is_told_how_much_they_show(frame_of):
    picture = lifted_by(COMPONENTS).make(frame_of(RINGS))
    assert picture.remark.words == f"{100 * picture.cloud.pca.shares[:3].sum():.3g} % of the variance"


def test_another_lift_than_the_one_asked_for_says_so(frame_of, painted):
    asked = lifted_by(FEATURES).make(frame_of(RINGS))
    assert asked.fit.lift.title == "paraboloid"
    assert "rbf(gamma=1) has no features" in asked.note
    assert painted(asked) != painted(replace(asked, note=""))
    assert lifted_by(FEATURES).make(frame_of(RINGS, "polynomial(degree=2)")).note == ""


def test_axes_have_the_names_of_the_columns(frame_of, painted):
    X = dataset(RINGS).X
    z = dataset(RINGS).z
    plain, named = (Data.labelled(X, z, columns) for columns in (("x1", "x2"), ("mass", "age")))
    assert painted(MAKER.make(frame_of(plain))) != painted(MAKER.make(frame_of(named)))


def test_turning_moves_the_points_and_the_mouse_finds_them_there(frame_of, rect):
    picture, style = MAKER.make(frame_of(RINGS)), Style()
    turned = replace(picture, camera=picture.camera.turned(90.0, 10.0))
    for seen in (picture, turned):
        xy, drawn, _ = seen._places(rect, style)
        i = int(drawn[9])
        (found,) = seen.points_at(QPointF(*xy[i].tolist()), rect, style)
        assert np.hypot(*(xy[found] - xy[i])) < 1e-9
    assert not np.allclose(picture._places(rect, style)[0], turned._places(rect, style)[0])


def test_components_do_not_jump_while_a_kernel_changes(frame_of):
    frame = frame_of(RINGS)
    picture = lifted_by(COMPONENTS).make(frame)
    for gamma in (1.02, 1.04, 1.06):
        other = frame_of(frame.data, f"rbf(gamma={gamma})")
        before, picture = picture, lifted_by(COMPONENTS).make(other, before=picture)
        assert np.abs(picture.fit.points - before.fit.points).max() < 0.2


def test_a_kernel_too_large_for_numbers_says_so(frame_of):
    frame = frame_of(RINGS)
    far = Data.labelled(100.0 * frame.data.X, frame.data.z)
    made = lifted_by(COMPONENTS).make(frame_of(far, "exponential(gamma=1)", "feature-map"))
    assert "too large" in made.reason


# The list ---------------------------------------------------------------------------------------------------
def test_the_list_says_how_many_features_the_kernel_never_computes(frame_of, painted):
    made = MAKER.switched("features", True)
    listed = made.make(frame_of(RINGS, "polynomial(degree=10)")).features
    assert "q = 66 features, none of which is computed" in listed.sentence
    explicit = made.make(frame_of(RINGS, how="feature-map")).features
    assert "all of them computed" in explicit.sentence
    infinite = made.make(frame_of(RINGS))
    assert "infinitely many features" in infinite.features
    painted(infinite)


def test_the_pieces_of_strings_are_listed_with_their_weights(frame_of, painted):
    made = MAKER.switched("features", True).make(frame_of("languages(n=20)", "spectrum(length=2)"))
    listed = made.features
    assert isinstance(listed, FeatureList)
    assert "have non-zero weight" in listed.sentence
    assert " " * 2 not in (listed._name(int(j)) for j in listed.rows), "blanks can be seen"
    painted(made.marked(Marks(hovered=1)))


def test_why_there_is_no_list_is_true(frame_of):
    made = MAKER.switched("features", True)
    assert "pair of classes" in made.make(frame_of("blobs(n=30, classes=3)", "linear")).features
    assert "no sum of features" in made.make(frame_of(RINGS, "linear", "nearest-neighbours")).features


def test_the_list_is_sorted_as_asked(frame_of):
    made = MAKER.switched("features", True)
    frame = frame_of(RINGS, "polynomial(degree=3)")
    orders = {order: made.switched("order", order).make(frame).features for order in ORDERS}
    sizes = np.abs(orders["by |w|"].known.weights)[orders["by |w|"].rows]
    assert (np.diff(sizes) <= 0).all()
    assert orders["as listed"].rows.tolist() == list(range(10))
    names = [orders["by name"].known.names[j] for j in orders["by name"].rows]
    assert names == sorted(names)


def test_at_a_point_the_terms_are_told_and_rows_are_found_by_the_mouse(frame_of, painted, rect):
    picture = MAKER.switched("features", True).make(frame_of(RINGS, "polynomial(degree=2)"))
    assert painted(picture.marked(Marks((), 4))) != painted(picture)
    style = Style()
    room = padded(rect, style)
    _, top = picture.features._head(room, style)
    hits = [picture.feature_at(QPointF(30, top + d), rect, style) for d in range(-10, 120, 3)]
    assert -1 in hits
    assert {j for j in hits if j is not None and j >= 0} == set(range(6))
    assert picture.points_at(QPointF(30, top + 5), rect, style) == ()


def test_chosen_features_are_the_axes(frame_of):
    frame = frame_of(RINGS, "polynomial(degree=2)")
    maker = lifted_by(FEATURES).with_axis(5).with_axis(1).with_axis(3)
    assert maker.make(frame).fit.lift.axes == ("x₂²", "√2 x₁", "x₁²")
    assert maker.with_axis(1).axes == (5, 3)
    assert maker.with_axis(4).axes == (1, 3, 4)


# Films ------------------------------------------------------------------------------------------------------
def test_a_film_goes_from_the_plane_to_the_lift_and_back(frame_of):
    shares = [picture.unfolded for picture in unfolding(MAKER, frame_of(RINGS), 9)]
    assert (shares[0], shares[-1]) == pytest.approx((0.0, 0.0))
    assert shares[4] == 1.0
    assert shares == pytest.approx(shares[::-1])
    with pytest.raises(BadInput, match="no result"):
        unfolding(MAKER, None, 5)


def test_painting_leaves_the_painter_as_it_was(frame_of):
    picture, image = MAKER.make(frame_of(RINGS)), QImage(100, 80, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        picture.paint(painter, QRectF(0, 0, 100, 80), Style())
        assert painter.testRenderHint(QPainter.RenderHint.Antialiasing)
        assert not painter.hasClipping()
