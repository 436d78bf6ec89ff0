"""The kernel as a function of one input."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from kernelviz.engine.fits.parsing import kernel
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.insight.response import FACTORS, KEY_STEP, LARGE_KEY_STEP, ResponseView
from kernelviz.scene.view import ViewMemory
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.scene.insight.helpers import laid_out, made, part, pixel, press

HERE = ResponseView(x0=(0.5, -0.25))
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


def on_nodes(scene, number=1) -> tuple[np.ndarray, np.ndarray]:
    """Some inputs of the grid of a function, and the values there."""
    field = part(scene, f"function {number}")
    values, view = field.below[0].values, field.node.view
    rows, columns = values.shape
    some = np.array([0, 30, rows - 1]), np.array([5, 40, columns - 1])
    x = view.left + some[1] / (columns - 1) * (view.right - view.left)
    y = view.bottom + some[0] / (rows - 1) * (view.top - view.bottom)
    return np.column_stack([x, y]), values[some]


def test_around_one_point_it_is_the_kernel_with_that_point(frame_of):
    inputs, values = on_nodes(made(HERE, frame_of()))
    assert values == pytest.approx(kernel("rbf(gamma=1)")(inputs, np.array([[0.5, -0.25]]))[:, 0], abs=1e-5)


def test_the_section_runs_through_the_point(frame_of):
    curve = part(made(HERE, frame_of()), "section").below[0]
    assert curve.y == pytest.approx(np.exp(-((curve.x - 0.5) ** 2)))


def test_the_kernels_of_all_points_add_up_for_three_widths(frame_of):
    frame = frame_of("three_points")
    scene = made(HERE.replace(face="three widths"), frame)
    for k, factor in enumerate(FACTORS, start=1):
        inputs, values = on_nodes(scene, k)
        expected = kernel(f"rbf(gamma={factor})")(inputs, frame.data.X).sum(axis=1)
        assert values == pytest.approx(expected, abs=1e-5)


def test_taylor_sums_come_closer_degree_by_degree(frame_of):
    *sums, exact = part(made(HERE.replace(face="Taylor sums"), frame_of()), "section").below
    assert exact.part == "Gaussian"
    errors = [float(np.abs(curve.y - exact.y).max()) for curve in sums]
    assert errors == sorted(errors, reverse=True)


def test_the_exponential_has_taylor_sums_and_the_polynomial_has_none(frame_of):
    view = HERE.replace(face="Taylor sums")
    *sums, exact = part(made(view, frame_of(kernel_text="exponential(gamma=0.5)")), "section").below
    assert exact.part == "Exponential"
    assert sums[-1].y == pytest.approx(exact.y, rel=1e-2)
    assert "rbf or exponential" in made(view, frame_of(kernel_text="polynomial")).reason


@pytest.mark.parametrize("text", ["rbf(gamma=1) + linear", "rbf(gamma=1) * polynomial(degree=2)"])
def test_the_parts_make_the_whole(frame_of, text):
    scene = made(HERE.replace(face="parts"), frame_of(kernel_text=text))
    first, second, whole = (on_nodes(scene, k)[1] for k in (1, 2, 3))
    together = first + second if "+" in text else first * second
    assert whole == pytest.approx(together, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("face", ["Taylor sums", "parts", "three widths"])
def test_what_a_kernel_does_not_have_is_said(frame_of, face):
    assert made(HERE.replace(face=face), frame_of(kernel_text="linear")).reason


def test_along_a_line_it_is_a_curve_with_the_point_marked(frame_of, painted):
    frame = frame_of("sine(n=20, seed=1)", "rbf(gamma=3)", "ridge(lam=0.1)")
    here, there = (made(ResponseView(x0=(x,)), frame) for x in (0.5, 1.0))
    curve = part(here, "function 1").below[0]
    assert curve.y == pytest.approx(np.exp(-3 * (curve.x - 0.5) ** 2), abs=1e-6)
    assert [leaf.part for leaf in laid_out(here).leaves] == ["function 1"]
    assert painted(here) != painted(there)


def test_a_place_of_the_picture_is_an_input(frame_of):
    scene = made(HERE, frame_of())
    field = part(scene, "function 1")
    room, view = field.inner, field.node.view
    assert laid_out(scene).hit(room.bottomLeft()).at == pytest.approx((view.left, view.bottom))
    assert laid_out(scene).hit(room.topRight()).at == pytest.approx((view.right, view.top))
    assert laid_out(scene).hit(QPointF(-9, -9)).at is None


def test_points_that_move_leave_the_function_as_it_is(answers):
    memory = ViewMemory()
    frame, _ = answers()
    first = part(made(HERE, frame, memory), "function 1").below[0]
    moved, _ = answers(PlaneWorkspace().placed(frame.data, [0], [[0.1, 0.2]]))
    assert part(made(HERE, moved, memory), "function 1").below[0] is first


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(opened):
    return opened("response")


def middle(view) -> QPoint:
    """The middle of the first function."""
    return pixel(view.sheet.layout_of_scene.find("function 1").inner.center())


def centre(view) -> tuple[float, ...]:
    field = view.sheet.layout_of_scene.find("function 1")
    return field.layers[-1].inputs[0]


def test_a_drag_takes_the_point_along(view, qtbot):
    start = middle(view)
    end = start + QPoint(30, 12)
    here, there = (view.sheet.hit(QPointF(place) * POINTS_PER_PIXEL).at for place in (start, end))
    QTest.mousePress(view.sheet, LEFT, pos=start)
    qtbot.waitUntil(lambda: np.allclose(centre(view), here))
    QTest.mouseMove(view.sheet, end)
    QTest.mouseRelease(view.sheet, LEFT, pos=end)
    qtbot.waitUntil(lambda: np.allclose(centre(view), there, atol=0.05))


def test_a_key_turns_to_the_next_face(view, qtbot):
    press(view.lists["face"], Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: len(view.sheet.layout_of_scene.leaves) == 3)
    QTest.keyClick(view.lists["face"], Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: view.sheet.layout_of_scene.leaves[-1].part == "section")
    assert view.view.face == "Taylor sums"


@pytest.mark.parametrize(("shift", "step"), [(PLAIN, KEY_STEP), (SHIFT, LARGE_KEY_STEP)])
def test_arrow_keys_move_the_point_by_shares_of_the_extent(view, qtbot, shift, step):
    extent = view.sheet.layout_of_scene.find("function 1").node.view
    x, y = centre(view)
    QTest.keyClick(view.sheet, Qt.Key.Key_Right, shift)
    expected = min(x + step * (extent.right - extent.left), extent.right)
    qtbot.waitUntil(lambda: np.allclose(centre(view), (expected, y)))
