"""Freeze and reveal: nothing gives the answer away, and a boundary drawn by hand is judged by it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.sources import Requested
from tests.ui.canvas.hand import Hand

FREE = (-1.0, 1.5)


def freeze(h: Hand) -> None:
    h.bench.toggle_freeze()
    h.beat()


def frames_of(h: Hand) -> list:
    seen: list = []
    for signal in (h.bench.frame_arrived, h.bench.other_fit_arrived, h.bench.verdict_arrived, h.bench.failed):
        signal.connect(seen.append)
    return seen


def paleness(h: Hand) -> float:
    """The mean lightness of the plane."""
    return float(h.picture()[60:-60, 60:-60].mean())


def test_while_frozen_no_edit_is_fitted_and_one_frame_reveals_them_all(h):
    freeze(h)
    seen, before = frames_of(h), h.bench.frame
    for x in (-0.5, 0.5, 1.5):
        h.click((x, 1.8))
    h.drag(0, (0.3, 0.3), (0.2, 0.1))
    h.settle()
    assert h.data.n == 11
    assert seen == []
    assert h.bench.frame is before
    freeze(h)
    h.settle()
    assert h.bench.frame.data is h.data
    assert h.bench.frame.model.beta.shape == (11,)


def test_the_frozen_fit_is_pale_and_has_no_rings(h):
    usual, rings = paleness(h), h.plot.scene.decoration.layer("rings")
    assert rings.hit is not None
    freeze(h)
    assert paleness(h) > usual + 5
    assert rings not in h.plot.scene._in_front()
    assert "support vector" not in {entry.text for entry in h.plot.scene.legend.legend.entries}
    assert "V" in h.canvas.note.text()
    assert h.canvas.note.isVisible()
    freeze(h)
    h.settle()
    assert paleness(h) == pytest.approx(usual, abs=2)
    assert not h.canvas.note.isVisible()


def test_after_the_reveal_the_boundary_from_before_is_dotted_until_the_next_edit(h):
    freeze(h)
    h.click(FREE)
    freeze(h)
    h.settle()
    with_it = h.picture().copy()
    assert h.plot.scene.before is not None
    h.click((0.0, -1.8))
    h.settle()
    assert h.plot.scene.before is None
    h.session.undo()
    h.settle()
    assert (with_it != h.picture()).any()


def test_zooming_out_while_frozen_shows_the_old_fit_there_too(h):
    freeze(h)
    h.click(FREE)
    h.wheel((0, 0), -960)
    h.settle()
    view = h.plot.area.view
    assert h.bench.frame.data.n == 8
    drawn = h.plot.scene.decoration.picture.view
    assert (drawn.left, drawn.right) == pytest.approx((view.left, view.right))
    freeze(h)
    h.settle()
    assert h.bench.frame.data.n == 9


def test_another_workspace_or_another_file_reveals(h):
    freeze(h)
    h.click(FREE)
    h.session.open(Requested("rings(n=20)").state()[0])
    assert not h.bench.frozen
    h.settle()
    assert h.bench.frame.data.n == 20


def test_another_data_set_stays_frozen(h):
    freeze(h)
    h.session.change("choose data", data=dataset("moons(n=30)"), source="moons(n=30)")
    h.settle()
    assert h.bench.frozen
    assert h.bench.frame.data.n == 8


def test_a_drawn_boundary_is_judged_after_the_reveal(h):
    freeze(h)
    h.canvas.draw_with_pen()
    h.drag((0.05, 1.5), (0.0, 0.5), (0.0, -0.5), (-0.05, -1.5))
    h.canvas.draw_with_pen()
    assert h.canvas.tool.name == "add"
    freeze(h)
    h.settle()
    text = h.canvas.note.text()
    assert text.startswith("You agree on ")
    drawn_at = h.plot.scene.ink[0]
    assert np.abs(np.array(drawn_at)[:, 0]).max() < 0.1
    assert int(text.split()[3]) >= 95


def test_a_wrong_guess_agrees_less(h):
    freeze(h)
    h.canvas.draw_with_pen()
    h.drag((1.5, 1.5), (1.5, 0.0), (1.5, -1.5))
    freeze(h)
    h.settle()
    view = h.plot.area.view
    strip = 1.5 / (view.right - view.left)
    assert int(h.canvas.note.text().split()[3]) == pytest.approx(100 * (1 - strip), abs=2)


# The pen ----------------------------------------------------------------------------------------------
def test_lines_of_the_pen_change_no_point_and_no_step_of_undo(h):
    h.canvas.draw_with_pen()
    before = h.picture().copy()
    h.drag((-1.5, 1.5), (0.0, 1.6), (1.5, 1.5))
    h.drag(0, (0.0, 0.0))
    h.settle()
    assert (h.picture() != before).any()
    assert h.steps == 0
    assert h.data.n == 8


def test_escape_wipes_the_pen_off(h):
    h.canvas.draw_with_pen()
    h.move((1.5, -1.5))
    h.beat()
    before = h.picture().copy()
    h.drag((-1.5, 1.5), (0.0, 1.6), (1.5, -1.5))
    h.beat()
    assert (h.picture() != before).any()
    h.key(Qt.Key.Key_Escape)
    h.settle()
    assert h.plot.scene.ink == []
    np.testing.assert_array_equal(h.picture(), before)


def test_the_pen_has_a_dot_that_grows_while_it_draws(h):
    h.canvas.draw_with_pen()
    h.move((0.0, 1.5))
    h.beat()
    _, resting, solid = h.plot.scene.disc
    h.press((0.0, 1.5))
    h.beat()
    _, pressed, _ = h.plot.scene.disc
    h.release((0.0, 1.5))
    assert solid
    assert pressed > resting


def test_escape_in_the_middle_of_a_line_takes_that_line_back(h):
    h.canvas.draw_with_pen()
    h.drag((-1.5, 1.5), (0.0, 1.6))
    h.press((0.0, 0.5))
    h.move((0.5, 0.5))
    h.beat()
    h.key(Qt.Key.Key_Escape)
    h.release((0.5, 0.5))
    assert len(h.plot.scene.ink) == 1
