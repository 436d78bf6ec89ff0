"""Pointing at things."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import QApplication

from kernelviz.engine.core.data import Data
from kernelviz.session.view import ViewRange


def test_hovering_a_point_is_told_to_every_view_and_highlighted(h):
    told = []
    h.bench.hovered.connect(told.append)
    h.move(3)
    h.beat()
    assert told == [3]
    assert h.canvas.scene.highlighted == (3,)
    h.move((0.0, 0.5))
    h.beat()
    assert told == [3, None]
    assert h.canvas.scene.highlighted == ()


@pytest.mark.parametrize(("away", "expected"), [(6, 3), (12, None)])
def test_the_nearest_point_counts_within_eight_pixels(h, away, expected):
    h.move(h.at(3) + QPoint(0, away))
    h.beat()
    assert h.bench.hovered_point == expected


def test_what_another_view_points_at_is_highlighted_here(h):
    before = h.picture()
    h.bench.hover(6)
    assert h.canvas.scene.highlighted == (6,)
    assert (h.picture() != before).any()


def test_the_place_under_the_mouse_is_emitted_once_per_beat(h):
    places, beats = [], []
    h.canvas.pointed.connect(lambda x, y: places.append((x, y)))
    h.plot.pulse.beat.connect(lambda: beats.append(True))
    for k in range(10):
        h.move((0.1 * k, 0.5))
    h.beat()
    assert 1 <= len(places) <= len(beats) < 10  # more than one beat if the machine is busy
    assert places[-1] == pytest.approx((0.9, 0.5), abs=h.canvas.area.units(1.0).max())


def test_leaving_the_canvas_points_at_nothing(h):
    h.move(3)
    h.beat()
    left = []
    h.canvas.left.connect(lambda: left.append(True))
    QApplication.sendEvent(h.canvas.area, QEvent(QEvent.Type.Leave))
    assert h.bench.hovered_point is None
    assert left == [True]


def test_a_highlighted_point_that_is_erased_is_highlighted_no_longer(h):
    h.bench.hover(7)
    h.canvas.editor.select([5, 6, 7])
    h.canvas.delete_selection()
    assert h.bench.hovered_point is None
    h.picture()


def test_both_points_of_a_cell_of_the_gram_matrix_are_marked(h):
    h.bench.hover(6, 2)
    assert h.canvas.scene.highlighted == (6, 2)
    h.bench.hover(6, 3)
    assert h.canvas.scene.highlighted == (6, 3)
    h.bench.hover(None)
    assert h.canvas.scene.highlighted == ()


def test_a_point_astronomically_far_away_is_not_near(hand):
    h = hand(Data.labelled([[0.0, 0.0], [1e12, -1e12]], [1, -1]))
    h.session.adjust(view=ViewRange())
    h.move((0.0, 0.0))
    h.beat()
    assert h.bench.hovered_point == 0


def test_a_cell_of_the_matrix_draws_its_row_over_the_plane(h):
    h.qtbot.waitUntil(lambda: h.bench.up_to_date)
    assert h.canvas.scene.pointed is None
    h.bench.hover(6)
    assert h.canvas.scene.pointed is None, "a point alone stays a point"
    h.bench.hover(6, 2)
    kernel, X = h.bench.frame.model.problem.kernel, h.bench.frame.data.X
    found = [np.concatenate(lines) for lines, _ in h.canvas.scene.pointed.groups if len(lines)]
    assert len(found) > 3
    levels = [float(np.median(kernel(places, X[[6]]))) for places in found]
    assert min(np.diff(sorted(levels))) > 0.04, "each level has its own pen"
    for places, level in zip(found, levels, strict=True):
        np.testing.assert_allclose(kernel(places, X[[6]]), level, atol=0.02)
    seen = h.canvas.grab().toImage()
    h.bench.hover(6)
    assert h.canvas.grab().toImage() != seen
