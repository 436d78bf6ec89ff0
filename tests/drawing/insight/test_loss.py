"""The loss as a function of z·s."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.loss import LossPicture
from kernelviz.drawing.insight.picture import PictureMaker
from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.workspaces.plane import Plane

make = PictureMaker.of(LossPicture).make


@pytest.mark.parametrize(
    ("algorithm", "loss", "formula"),
    [
        ("soft-margin-svm(C=1)", "hinge", lambda t: np.maximum(0, 1 - t)),
        ("squared-slack-svm", "squared hinge", lambda t: np.maximum(0, 1 - t) ** 2),
        ("logistic", "logistic", lambda t: np.log(1 + np.exp(-t))),
        ("ridge", "squared", lambda t: (1 - t) ** 2),
        ("ridge(targets=zero-one)", "squared", lambda t: (0.5 - t) ** 2),
        ("perceptron(sweeps=2)", "0-1", lambda t: 1.0 * (t <= 0)),
        ("feature-map(model=ridge)", "squared", lambda t: (1 - t) ** 2),
    ],
)
def test_the_points_lie_on_the_loss_of_their_algorithm_and_the_hinge_is_one_click_away(
    frame_of, algorithm, loss, formula
):
    frame = frame_of(how=algorithm)
    picture = make(frame)
    assert [shown.name for shown in picture.losses] == [loss]
    mean = formula(picture.places).mean()
    assert picture.means == pytest.approx((mean,))
    assert frame.model.numbers["loss"] == pytest.approx(mean)
    both = PictureMaker.of(LossPicture).switched("hinge", True).make(frame)
    assert {shown.name for shown in both.losses} == {loss, "hinge"}


def test_every_training_point_is_on_the_curve_at_its_own_product(frame_of, qapp):
    frame = frame_of()
    picture = make(frame)
    expected = frame.data.z * frame.model.score(frame.data.X)
    assert picture.places == pytest.approx(expected)
    assert picture.x.low <= expected.min()
    assert expected.max() <= picture.x.high


def test_the_mean_losses_are_the_models(frame_of):
    frame = frame_of()
    hinge_mean, error = PictureMaker.of(LossPicture).switched("zero_one", True).make(frame).means
    assert hinge_mean == pytest.approx(frame.model.numbers["hinge_loss"])
    assert error == pytest.approx(frame.model.numbers["training_error"])


def test_each_point_is_found_where_it_is_drawn(frame_of, rect, qapp):
    picture, style = make(frame_of()), Style()
    xy, drawn = picture._places(picture._plot(rect, style))
    for i in drawn.tolist():
        (found,) = picture.points_at(QPointF(*xy[i].tolist()), rect, style)
        assert xy[found] == pytest.approx(xy[i], abs=1e-9)
    assert picture.points_at(rect.topLeft(), rect, style) == ()


def test_more_than_two_classes_are_said_to_have_no_such_loss(frame_of):
    assert "two classes" in make(frame_of("blobs(n=30, classes=3, seed=1)")).reason


def test_the_range_holds_still_while_a_point_moves_a_little(frame_of):
    frame = frame_of()
    first = picture = make(frame)
    for d in np.linspace(0, 0.05, 6):
        moved = Plane().placed(frame.data, [0], frame.data.X[[0]] + d)
        picture = make(frame_of(moved), before=picture)
        assert picture.ground == first.ground


@pytest.mark.parametrize("how", ["soft-margin-svm(C=1)", "logistic", "ridge"])
def test_held_out_points_are_on_the_curve_with_the_mean_of_the_algorithms_own_loss(frame_of, how):
    test = dataset("gaussians(n=300, seed=8)")
    frame = frame_of(how=how, held_out=test)
    picture = make(frame)
    products = test.z * frame.model.score(test.X)
    assert picture.held_out.places == pytest.approx(products)
    assert picture.held_out.mean == pytest.approx(frame.model.algorithm.own_loss.of(products).mean())
    assert picture.x.low <= products.min()
    assert products.max() <= picture.x.high


def test_held_out_points_are_drawn_hollow_and_their_mean_loss_is_named(frame_of, qapp, rect, monkeypatch):
    found, strips, calls = [], [], []

    def glyphs(painter, style, xy, k, count, hollow=False):
        calls.append((hollow, len(xy)))

    monkeypatch.setattr("kernelviz.drawing.insight.scatter.draw_glyphs", glyphs)
    monkeypatch.setattr(
        "kernelviz.drawing.insight.plot.Plot.draw_strip",
        lambda self, p, entries, title="": strips.append([(curve.name, value) for curve, value in entries]),
    )
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    for test in (None, dataset("gaussians(n=300, seed=8)")):
        calls.clear()
        with QPainter(image) as painter:
            make(frame_of(held_out=test)).paint(painter, rect, Style())
        found.append(sum(count for hollow, count in calls if hollow))
    assert found[0] == 0 < found[1]
    without, with_test = strips
    assert [name for name, _ in without] == ["hinge"]
    assert [name for name, _ in with_test] == ["hinge", "held out"]


def test_points_without_any_held_out_are_shown_as_ever(frame_of):
    assert make(frame_of()).held_out is None


def test_with_real_targets_the_points_lie_on_the_squared_loss_of_their_residuals(frame_of):
    frame = frame_of("sine(n=40, seed=3)", how="ridge(lam=0.1)")
    picture = make(frame)
    residuals = frame.data.y - frame.model.score(frame.data.X)
    assert picture.places == pytest.approx(residuals, abs=1e-9)
    assert picture.means == pytest.approx((np.mean(residuals**2),))
    assert picture.x.low == -picture.x.high
    assert picture.x.high >= np.abs(residuals).max()


def test_with_real_targets_the_losses_of_classes_are_not_on_offer(frame_of, painted):
    frame, maker = frame_of("sine(n=40, seed=3)", how="ridge(lam=0.1)"), PictureMaker.of(LossPicture)
    assert set(maker.make(frame).switchable) == {"absolute", "insensitive", "huber"}
    assert "absolute" not in make(frame_of()).switchable
    plain = painted(maker.make(frame))
    for name in ("absolute", "insensitive", "huber"):
        assert painted(maker.switched(name, True).make(frame)) != plain
    assert painted(maker.switched("hinge", True).make(frame)) == plain


def test_the_axes_suit_targets_of_any_size_and_hold_still(frame_of):
    small = frame_of("sine(n=40, seed=3)", how="ridge(lam=0.1)")
    first = make(small)
    y = 1e6 * small.data.y
    large = make(frame_of(type(small.data).regression(small.data.X, y), how="ridge(lam=0.1)"), None, first)
    assert large.x.high == pytest.approx(1e6 * first.x.high)
    again = make(small, None, first)
    assert (again.x, again.y) == (first.x, first.y)
