"""Every tool with real mouse events; every gesture one step of undo with a name."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from kernelviz.engine.core.data import Data
from kernelviz.scene.icons import icon
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces import base
from kernelviz.ui.canvas.tools import TOOLS
from tests.ui.canvas.hand import LEFT, MIDDLE, RIGHT

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_is_declared_completely(tool):
    assert tool.title
    assert tool.help.endswith(".")
    assert len(tool.shortcut) == 1
    assert not icon(tool.icon).isNull()


def test_tools_have_names_and_shortcuts_of_their_own():
    assert len({tool.name for tool in TOOLS}) == len({tool.shortcut for tool in TOOLS}) == len(TOOLS)


# Add ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("button", "held", "label"),
    [
        (LEFT, Qt.KeyboardModifier.NoModifier, 1),
        (RIGHT, Qt.KeyboardModifier.NoModifier, -1),
        (LEFT, SHIFT, -1),
    ],
)
def test_a_click_adds_a_point_of_its_class_where_it_was(h, button, held, label):
    h.click((0.3, 0.7), button, held)
    assert h.data.n == 9
    np.testing.assert_allclose(h.points[-1], [0.3, 0.7], atol=h.canvas.area.units(1.0).max())
    assert h.data.z[-1] == label
    assert (h.steps, h.undo_name) == (1, "add point")
    assert h.session.document.source == ""


def test_two_quick_clicks_add_two_points(h):
    h.click((0.3, 0.7))
    h.qtbot.mouseDClick(h.canvas.area.viewport(), LEFT, pos=h.at((0.3, -0.7)))
    assert h.data.n == 10
    assert h.steps == 2


def test_a_new_point_can_be_dragged_on_in_the_same_step(h):
    h.drag((0.0, 0.5), (0.0, 1.0), (0.5, 1.0))
    assert h.data.n == 9
    np.testing.assert_allclose(h.points[-1], [0.5, 1.0], atol=h.canvas.area.units(2.0).max())
    assert (h.steps, h.undo_name) == (1, "add point")


def test_dragging_an_existing_point_with_the_add_tool_moves_it(h):
    h.drag(0, (0.5, 0.5), (0.5, 0.8))
    assert h.data.n == 8
    np.testing.assert_allclose(h.points[0], [0.5, 0.8], atol=h.canvas.area.units(2.0).max())
    assert (h.steps, h.undo_name) == (1, "move point")


def test_clicking_an_existing_point_with_the_add_tool_selects_it(h):
    h.click(3)
    assert h.data.n == 8
    assert h.selection == (3,)
    assert h.steps == 0


def test_a_full_plane_says_so_instead_of_taking_another_point(h, monkeypatch):
    monkeypatch.setattr(base, "LIMIT", 8)
    h.click((0.3, 0.7))
    assert h.data.n == 8
    assert "room for 8 points" in h.canvas.banner.text
    assert h.canvas.banner.isVisible()


# Move --------------------------------------------------------------------------------------------------
def test_the_move_tool_drags_one_point_as_one_step(h):
    h.canvas.use("move")
    h.drag(1, (1.0, 1.0), (0.5, 0.9), (0.2, 0.8))
    np.testing.assert_allclose(h.points[1], [0.2, 0.8], atol=h.canvas.area.units(2.0).max())
    assert (h.steps, h.undo_name) == (1, "move point")
    assert h.selection == (1,)


def test_the_move_tool_takes_the_selection_along(h):
    h.canvas.use("move")
    h.canvas.editor.select([1, 2, 3])
    before = h.points
    h.drag(1, (2.5, 1.5))
    shift = h.points - before
    np.testing.assert_allclose(shift[[1, 2, 3]], np.tile(shift[1], (3, 1)), atol=1e-12)
    assert (shift[[0, 4, 5, 6, 7]] == 0).all()
    assert h.undo_name == "move 3 points"


def test_the_move_tool_on_a_free_place_clears_the_selection_only(h):
    h.canvas.use("move")
    h.canvas.editor.select([1])
    h.drag((0.0, 0.0), (0.5, 0.5))
    assert h.selection == ()
    assert h.steps == 0


def test_a_trembling_click_moves_nothing(h):
    h.canvas.use("move")
    x, y = h.points[2]
    dx, _ = h.canvas.area.units(1.0)
    h.drag(2, (x + dx, y))
    assert h.steps == 0


def test_moves_between_two_beats_are_one_change(h):
    h.canvas.use("move")
    seen = []
    h.session.subscribe(lambda old, new: seen.append(new.document.data))
    h.press(1)
    seen.clear()
    for k in range(1, 30):
        h.move((2.0 - 0.02 * k, 1.0))
    assert seen == []
    h.beat()
    assert len(seen) == 1
    h.release((1.4, 1.0))


# Brush -------------------------------------------------------------------------------------------------
def test_a_brush_stroke_is_one_step_that_counts_its_points(h):
    h.canvas.use("brush")
    h.drag((-0.5, 1.5), (0.0, 1.5), (0.5, 1.5), (1.0, 1.5))
    new = h.data.n - 8
    assert new > 3
    assert (h.steps, h.undo_name) == (1, f"brush {new} points")
    assert (h.data.z[8:] == 1).all()
    h.session.undo()
    assert h.data.n == 8


@pytest.mark.parametrize(("button", "held"), [(RIGHT, Qt.KeyboardModifier.NoModifier), (LEFT, SHIFT)])
def test_the_right_button_or_shift_brushes_minus(h, button, held):
    h.canvas.use("brush")
    h.click((0.0, 1.5), button, held)
    assert h.data.n > 8
    assert (h.data.z[8:] == -1).all()


def test_the_brush_keeps_to_its_radius_and_density(h):
    brush = h.canvas.tools["brush"]
    brush.options = brush.options.replace(radius=20.0, density=25)
    h.canvas.use("brush")
    h.click((0.0, 1.5))
    assert h.data.n == 8 + 25
    away = (h.points[8:] - [0.0, 1.5]) / h.canvas.area.units(20.0)
    assert (np.hypot(*away.T) <= 1.1).all()  # the click itself is rounded to a pixel
    assert h.undo_name == "brush 25 points"


# Erase -------------------------------------------------------------------------------------------------
def test_an_eraser_stroke_drops_what_it_passes_even_between_events(h):
    h.canvas.use("erase")
    h.drag((-2.5, -0.01), (2.6, -0.01))
    left = {tuple(p) for p in h.points}
    assert left == {(2, 1), (2, -1), (-2, 1), (-2, -1)}
    assert (h.steps, h.undo_name) == (1, "erase 4 points")
    h.session.undo()
    assert h.data.n == 8


def test_erasing_one_point_is_named_so_and_erasing_none_is_no_step(h):
    h.canvas.use("erase")
    h.click((0.0, 1.0))
    assert h.steps == 0
    h.click(5)
    assert (h.steps, h.undo_name) == (1, "erase point")


def test_erasing_leaves_points_at_the_end_of_the_world_alone(hand):
    far = hand(Data.labelled(np.array([[1e12, 1e12], [-1e12, 0.0], [0.5, 0.5]]), [1, -1, 1]))
    far.session.adjust(view=ViewRange(-1, 1, -1, 1))
    far.settle()
    far.canvas.use("erase")
    far.click((0.5, 0.5))
    assert far.data.X.tolist() == [[1e12, 1e12], [-1e12, 0.0]]


def test_the_disc_of_the_eraser_is_drawn_around_the_mouse_and_goes_with_it(h):
    h.canvas.use("erase")

    def drawn() -> bool:
        # The platform may still tell of a mouse that left an earlier window: then move again.
        h.move((0.0, 0.5))
        h.beat()
        return h.canvas.scene.disc is not None

    h.qtbot.waitUntil(drawn)
    spot, radius, _ = h.canvas.scene.disc
    assert radius == h.canvas.tools["erase"].options.radius
    assert (spot.x, spot.y) == pytest.approx((0.0, 0.5), abs=h.canvas.area.units(1.0).max())
    h.canvas.use("add")
    assert h.canvas.scene.disc is None


# Select ------------------------------------------------------------------------------------------------
def test_a_rectangle_selects_what_is_inside(h):
    h.canvas.use("select")
    h.press((1.5, -1.5))
    h.move((2.7, 0.5))
    h.beat()
    assert h.canvas.scene.frame is not None
    h.release((2.7, 0.5))
    assert h.selection == (2, 3)
    assert h.canvas.scene.frame is None
    assert h.steps == 0


@pytest.mark.parametrize("held", [SHIFT, CONTROL])
def test_holding_shift_or_control_adds_to_the_selection(h, held):
    h.canvas.use("select")
    h.click(1)
    h.drag((-2.7, -1.5), (-1.5, 1.5), held=held)
    assert h.selection == (1, 5, 6, 7)
    h.click(6, held=held)
    assert h.selection == (1, 5, 7)


def test_dragging_the_selection_moves_it_as_one_step(h):
    h.canvas.use("select")
    h.drag((1.5, -1.5), (2.7, 1.5))
    before = h.points
    h.drag(2, (2.2, -0.6), (2.4, -0.5))
    moved = np.flatnonzero((h.points != before).any(axis=1))
    assert moved.tolist() == [1, 2, 3]
    assert (h.steps, h.undo_name) == (1, "move 3 points")


def test_a_click_on_a_free_place_clears_the_selection(h):
    h.canvas.use("select")
    h.click(1)
    h.click((0.0, 0.0))
    assert h.selection == ()


# Pan and zoom ------------------------------------------------------------------------------------------
def _view(h):
    return h.canvas.area.view


def test_the_hand_drags_the_plane_and_the_session_learns_of_it(h):
    h.canvas.use("pan")
    before = _view(h)
    dx, dy = h.canvas.area.units(1.0)
    h.press((0.0, 0.0))
    start = h.at((0.0, 0.0))
    h.move((1.0, 0.5))
    h.beat()
    after = _view(h)
    assert after.left - before.left == pytest.approx(-1.0, abs=1.5 * dx)
    assert after.bottom - before.bottom == pytest.approx(-0.5, abs=1.5 * dy)
    assert h.at((0.0, 0.0)) != start
    h.release((0.0, 0.0))
    h.settle()
    assert h.session.look.view == _view(h)
    assert h.steps == 0


def test_the_middle_button_pans_with_every_tool(h):
    before = _view(h)
    h.drag((0.0, 0.0), (1.0, 0.0), button=MIDDLE)
    assert _view(h).left < before.left - 0.5
    assert h.data.n == 8


def test_clicks_with_the_hand_zoom_in_and_out(h):
    h.canvas.use("pan")
    before = _view(h)
    h.click((0.0, 0.0))
    closer = _view(h)
    assert closer.right - closer.left < 0.8 * (before.right - before.left)
    h.click((0.0, 0.0), RIGHT)
    again = _view(h)
    assert again.right - again.left == pytest.approx(before.right - before.left)


# Cancelling and interference ---------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["add", "move", "brush", "erase", "select"])
def test_escape_during_a_gesture_leaves_no_trace(h, name):
    h.canvas.use(name)
    document = h.session.document
    h.press(0 if name in ("move", "erase", "select") else (0.0, 0.5))
    h.move((0.5, 1.2))
    h.beat()
    assert h.session.document is not document
    h.key(Qt.Key.Key_Escape)
    assert h.session.document is document
    assert h.steps == 0
    h.move((0.9, 1.2))
    h.beat()
    h.release((0.9, 1.2))
    assert h.session.document is document


def test_undo_in_the_middle_of_a_drag_ends_the_drag(h):
    h.click((0.0, 1.5))
    h.press(8)
    h.move((0.5, 1.5))
    h.beat()
    h.session.undo()
    h.session.undo()
    assert h.data.n == 8
    h.move((0.9, 1.5))
    h.beat()
    h.release((0.9, 1.5))
    assert h.data.n == 8


def test_changing_the_tool_cancels_the_gesture_under_way(h):
    h.press(0)
    h.move((0.5, 0.5))
    h.beat()
    h.canvas.use("erase")
    assert h.steps == 0
    assert h.points[0].tolist() == [1.0, 0.0]
