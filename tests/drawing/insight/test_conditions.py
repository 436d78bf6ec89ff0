"""The optimality conditions as places on a picture."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.conditions import ConditionsPicture
from kernelviz.drawing.insight.picture import Marks, NothingToShow, PictureMaker

make = PictureMaker.of(ConditionsPicture).make
SINE = ("sine(n=30, seed=1)", "rbf(gamma=3)")


def distance_to_stairs(picture) -> np.ndarray:
    """Of every point, measured along both axes to the polyline itself: independent of the KKT residual."""
    found = np.full(len(picture.value), np.inf)
    corners = picture.stairs.corners
    for (x0, y0), (x1, y1) in pairwise(corners):
        d = np.array([x1 - x0, y1 - y0])
        t = ((picture.weight - x0) * d[0] + (picture.value - y0) * d[1]) / (d @ d)
        t = np.clip(t, 0.0, 1.0)
        off = np.hypot(picture.weight - x0 - t * d[0], picture.value - y0 - t * d[1])
        found = np.minimum(found, off)
    return found


@pytest.mark.parametrize(
    "setting",
    [
        ("gaussians(n=40, seed=3)", "rbf(gamma=1)", "soft-margin-svm(C=1, tol=1e-6)"),
        ("gaussians(n=40, seed=3)", "rbf(gamma=1)", "squared-slack-svm(lam=0.5, tol=1e-6)"),
        ("barely_separable(n=40, gap=1)", "linear", "hard-margin-svm(tol=1e-6)"),
        (*SINE, "svr(C=1, epsilon=0.1, tol=1e-6)"),
    ],
    ids=lambda setting: setting[2],
)
def test_at_the_optimum_every_point_is_on_the_staircase(frame_of, setting):
    picture = make(frame_of(*setting))
    assert distance_to_stairs(picture).max() < 1e-5
    assert not picture.outside.any()


def test_of_squared_slack_the_slack_is_lambda_times_the_weight(frame_of):
    picture = make(frame_of(how="squared-slack-svm(lam=0.5, tol=1e-8)"))
    free = picture.weight > 0
    slack = np.maximum(0.0, 1.0 - picture.value)
    assert slack[free] == pytest.approx(0.5 * picture.weight[free], abs=1e-6)
    assert slack[~free] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("high", [90, 130, 300])
def test_the_name_of_the_last_step_lies_below_the_one_before(frame_of, monkeypatch, painted, high):
    written = {}
    monkeypatch.setattr(
        "kernelviz.drawing.insight.conditions.draw_text",
        lambda painter, style, at, text, **how: written.__setitem__(text, at.y() - style.text),
    )
    picture, place, style = make(frame_of(how="soft-margin-svm(C=0.3)")), QRectF(0, 0, 280, high), Style()
    painted(picture, style, place)
    band = float(picture._plot(place, style).at(0.0, 1.0)[0, 1]) + 0.75 * style.text
    assert written["α = C, z·s ≤ 1"] >= band


def test_in_the_middle_of_a_run_points_are_visibly_off(frame_of, painted):
    running, ended = (make(frame_of(how="soft-margin-svm(C=1)", step=step)) for step in (3, 10**6))
    assert running.outside.sum() > 5
    assert not ended.outside.any()
    colour = Style().theme.misclassified
    image = painted(running)
    drawn = {image.pixelColor(x, y).name() for x in range(300) for y in range(200)}
    assert colour in drawn
    image = painted(ended)
    assert colour not in {image.pixelColor(x, y).name() for x in range(300) for y in range(200)}


def test_a_point_that_is_off_is_tied_to_the_stairs_at_its_own_weight(frame_of):
    picture = make(frame_of(how="soft-margin-svm(C=1)", step=3))
    there = ConditionsPicture(**{**vars(picture), "value": picture.due})
    assert distance_to_stairs(there)[picture.outside].max() < 1e-12
    off = np.abs(picture.due - picture.value)[picture.outside]
    assert off == pytest.approx(picture.frame.table.residual[picture.outside])


def test_a_point_is_found_where_it_is_drawn_and_says_its_condition(frame_of, rect, painted):
    picture, style = make(frame_of()), Style()
    xy, drawn = picture._places(picture._plot(rect, style))
    i = int(drawn[0])
    assert picture.points_at(QPointF(*xy[i].tolist()), rect, style) == (i,)
    assert painted(picture.marked(Marks((), i))) != painted(picture)


@pytest.mark.parametrize("how", ["ridge(lam=0.1)", "perceptron", "nearest-neighbours(k=3)"])
def test_weights_that_are_asked_nothing_say_so(frame_of, how):
    assert isinstance(make(frame_of(how=how)), NothingToShow)
