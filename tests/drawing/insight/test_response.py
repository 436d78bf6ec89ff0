"""The kernel as a function of one input."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import NothingToShow
from kernelviz.drawing.insight.response import CORNERS, FACTORS, ResponseMaker, ResponsePicture
from kernelviz.engine.fits.parsing import kernel

MAKER = ResponseMaker(ResponsePicture, ResponsePicture.switches(), (0.5, -0.25))


def on_nodes(landscape) -> tuple[np.ndarray, np.ndarray]:
    """Some inputs of the grid and the values there."""
    sample = landscape.sample
    rows, columns = np.array([0, 30, -1]), np.array([5, 40, -1])
    inputs = np.column_stack([sample.x1[columns], sample.x2[rows]])
    return inputs, sample.field[rows, columns]


def test_around_one_point_it_is_the_kernel_with_that_point(frame_of):
    picture = MAKER.make(frame_of())
    (landscape,) = picture.landscapes
    inputs, values = on_nodes(landscape)
    assert values == pytest.approx(kernel("rbf(gamma=1)")(inputs, np.array([[0.5, -0.25]]))[:, 0], abs=1e-5)


def test_the_section_runs_through_the_point(frame_of):
    section = MAKER.make(frame_of()).section
    (_, y) = section.curves[0]
    assert y == pytest.approx(np.exp(-((section.x - 0.5) ** 2)))


def test_three_points_have_three_widths(frame_of):
    picture = MAKER.switched("face", "three widths").make(frame_of())
    assert picture.centres.shape == (len(CORNERS), 2)
    for landscape, factor in zip(picture.landscapes, FACTORS, strict=True):
        inputs, values = on_nodes(landscape)
        expected = kernel(f"rbf(gamma={factor})")(inputs, picture.centres).sum(axis=1)
        assert values == pytest.approx(expected, abs=1e-5)


def test_taylor_sums_come_closer_degree_by_degree(frame_of):
    section = MAKER.switched("face", "Taylor sums").make(frame_of()).section
    *sums, (name, exact) = section.curves
    assert name == "Gaussian"
    errors = [float(np.abs(y - exact).max()) for _, y in sums]
    assert errors == sorted(errors, reverse=True)


@pytest.mark.parametrize("text", ["rbf(gamma=1) + linear", "rbf(gamma=1) * polynomial(degree=2)"])
def test_the_parts_make_the_whole(frame_of, text):
    picture = MAKER.switched("face", "parts").make(frame_of(kernel_text=text))
    *parts, whole = (on_nodes(landscape)[1] for landscape in picture.landscapes)
    together = parts[0] + parts[1] if "+" in text else parts[0] * parts[1]
    assert whole == pytest.approx(together, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize(
    ("face", "text"), [("Taylor sums", "linear"), ("parts", "linear"), ("three widths", "linear")]
)
def test_what_a_kernel_does_not_have_is_said(frame_of, face, text):
    assert isinstance(MAKER.switched("face", face).make(frame_of(kernel_text=text)), NothingToShow)


def test_along_a_line_it_is_a_curve_with_the_point_marked(frame_of, painted):
    frame = frame_of("sine(n=20, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)")
    here = ResponseMaker(ResponsePicture, ResponsePicture.switches(), (0.5,)).make(frame)
    there = ResponseMaker(ResponsePicture, ResponsePicture.switches(), (1.0,)).make(frame)
    s = here.landscapes[0].sample
    assert s.s == pytest.approx(np.exp(-3 * (s.x - 0.5) ** 2), abs=1e-6)
    assert here.section is None
    assert painted(here) != painted(there)


def test_a_place_of_the_picture_is_an_input(frame_of, rect, qapp):
    picture, style = MAKER.make(frame_of()), Style()
    tile = picture._tiles(rect, style)[0]
    room, view = picture.landscapes[0].room(tile, style), picture.landscapes[0].view
    assert picture.place_at(room.bottomLeft(), rect, style) == pytest.approx((view.left, view.bottom))
    assert picture.place_at(room.topRight(), rect, style) == pytest.approx((view.right, view.top))
    assert picture.place_at(QPointF(-9, -9), rect, style) is None
