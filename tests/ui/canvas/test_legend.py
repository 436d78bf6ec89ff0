"""The legend covers no points: it takes a free corner, or leaves the plane for a row below it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.session.files.kviz import dumps, loads
from tests.ui.canvas.hand import two_clouds


def scattered(n: int = 400) -> Data:
    """Points all over the plane, the corners too."""
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 2, size=(n, 2))
    return Data.labelled(X, np.where(X[:, 0] > 0, 1, -1))


def covered(h) -> int:
    """How many points the card in the plane lies on."""
    card: QRectF = h.canvas.scene.card
    column, row = (h.canvas.scene.plane(h.points) / POINTS_PER_PIXEL).T
    inside = (column > card.left()) & (column < card.right()) & (row > card.top()) & (row < card.bottom())
    return int(inside.sum()) if not card.isEmpty() else 0


def below(h) -> bool:
    return h.canvas.scene.legend.place == "below" and h.canvas.area.row_below > 0


def ink_below_the_axes(h) -> int:
    """Pixels in the row below the axes that are not paper."""
    picture = h.picture()
    rows = picture[-h.canvas.area.row_below + 4 :]
    return int((np.abs(rows - picture[1, 1]).sum(axis=2) > 60).sum())


@pytest.mark.parametrize("size", [(560, 500), (800, 760), (400, 420)])
def test_with_points_in_every_corner_the_legend_stands_in_a_row_below_the_plane(hand, size):
    h = hand(scattered(), size=size)
    h.settle()
    assert below(h)
    assert covered(h) == 0
    assert ink_below_the_axes(h) > 200


@pytest.mark.parametrize("fits", [3, 4])
def test_with_several_fits_on_a_small_screen_it_stands_below_too(hand, fits):
    h = hand(scattered(), size=(734, 607))  # the canvas of a window of 1366 x 768
    for _ in range(fits - 1):
        h.session.replace("compare", h.session.document.with_fit(h.session.document.fit))
    h.settle()
    assert len(h.canvas.row.shown) == fits
    assert below(h)
    assert len({plot.area.pixels for plot in h.canvas.row.shown}) == 1


def test_with_a_free_corner_it_stays_in_the_plane(hand):
    h = hand(two_clouds(), size=(700, 600))
    h.settle()
    assert not below(h)
    assert h.canvas.area.row_below == 0
    assert covered(h) == 0


def test_all_typed_in_the_row_fits_between_the_axis_and_the_edge(hand):
    h = hand(scattered(), size=(420, 600))
    h.settle()
    area = h.canvas.area
    plane = area.box.mapRectToScene(area.box.rect())
    assert plane.bottom() + area.row_below < area.viewport().height()
    needed = h.canvas.scene.legend.legend.strip_height(0.75 * plane.width(), h.canvas.style_of_figure) / 0.75
    assert area.row_below >= needed


def test_while_a_point_is_dragged_under_it_the_legend_waits_and_goes_when_the_hand_lets_go(hand):
    h = hand(two_clouds(), size=(700, 600))
    h.settle()
    legend = h.canvas.scene.legend
    corner, card = legend.place, h.canvas.scene.card
    under = h.canvas.area.box.mapToScene(card.center()).toPoint()
    h.press(3)
    for _ in range(3):
        h.move(under)
        h.beat()
        assert legend.place == corner
        h.move((0.0, 1.5))
        h.beat()
        assert legend.place == corner
    h.move(under)
    h.beat()
    h.release(under)
    h.settle()
    assert legend.place != corner
    assert covered(h) == 0


def test_once_below_it_does_not_come_back_while_points_are_edited_but_for_other_data(hand):
    h = hand(scattered(), size=(700, 600))
    h.settle()
    assert below(h)
    h.session.change("erase", data=h.data.subset(np.abs(h.points).max(axis=1) < 1.0), source="")
    h.settle()
    assert below(h)
    h.canvas.reset_view()
    h.settle()
    clouds = two_clouds()
    h.session.change("other data", data=clouds, source="two clouds")
    h.canvas.reset_view()
    h.settle()
    assert not below(h)


def test_the_choice_settles_and_the_plane_does_not_change_its_size_from_beat_to_beat(hand):
    for n in (40, 60, 90, 130, 400):
        h = hand(scattered(n), size=(700, 600))
        h.settle()
        seen = set()
        for _ in range(6):
            h.beat()
            seen.add((h.canvas.area.pixels, h.canvas.scene.legend.place))
        assert len(seen) == 1
        assert covered(h) == 0


def test_where_somebody_has_put_it_the_legend_stays(hand):
    h = hand(two_clouds(), size=(700, 600))
    h.settle()
    legend = h.canvas.scene.legend
    grip = h.canvas.area.box.mapToScene(h.canvas.scene.card.center()).toPoint()
    h.drag(grip, (-2.4, -1.5))
    assert legend.place == "bottom left"
    h.click(h.canvas.area.box.mapToScene(h.canvas.scene.card.center()).toPoint())
    h.settle()
    assert legend.place == "bottom left"


def test_a_legend_switched_off_takes_no_room(hand):
    h = hand(scattered(), size=(700, 600))
    h.settle()
    assert below(h)
    h.session.toggle("legend")
    h.settle()
    assert h.canvas.area.row_below == 0


def test_its_place_is_not_looked_for_while_nothing_moves(hand, monkeypatch):
    h = hand(scattered(), size=(700, 600))
    h.settle()
    looked = []
    legend = h.canvas.scene.legend
    settle = type(legend).settle
    monkeypatch.setattr(type(legend), "settle", lambda *a, **k: looked.append(settle(*a, **k)))
    h.session.change("C", algorithm=h.session.document.algorithm.replace(C=3.0))
    h.settle()
    h.press(3)
    for k in range(10):
        h.move((0.1 * k, 0.0))
        h.beat()
    assert not looked
    h.release((0.9, 0.0))


def test_in_a_low_wide_plane_it_stands_beside_the_points_and_takes_no_height(hand):
    h = hand(scattered(100), size=(1000, 260))
    h.settle()
    assert not below(h)
    assert h.canvas.area.row_below == 0
    assert covered(h) == 0


def test_a_pinned_legend_stays_whatever_it_covers_and_is_pinned_when_the_session_is_opened_again(hand):
    h = hand(two_clouds(), size=(700, 600))
    h.settle()
    legend = h.canvas.scene.legend
    place = legend.place
    pin, _hide = h.canvas.legend_menu().actions()
    pin.trigger()
    assert h.session.look.legend == place
    h.drag(3, h.canvas.area.box.mapToScene(h.canvas.scene.card.center()).toPoint())
    h.settle()
    assert legend.place == place
    assert covered(h) == 1
    assert loads(dumps(h.session.state))[0].look.legend == place
    h.canvas.legend_menu().actions()[0].trigger()
    h.settle()
    assert h.session.look.legend is None
    assert covered(h) == 0


def test_the_legend_keeps_its_rows_while_a_number_moves_and_support_vectors_come_and_go(hand):
    h = hand(scattered(60), size=(700, 600))
    h.session.change("C", algorithm=h.session.document.algorithm.replace(C=1000.0))
    h.settle()
    sizes, rows = set(), []
    for C in (1e-3, 1.0, 1e4, 1e-3):
        h.session.change("C", algorithm=h.session.document.algorithm.replace(C=C))
        h.settle()
        rows.append(h.legend)
        sizes.add((h.canvas.area.pixels, h.canvas.scene.legend.place))
    assert all(set(before) <= set(now) for before, now in pairwise(rows))
    h.session.change("C", algorithm=h.session.document.algorithm.replace(C=1e4))
    h.settle()
    assert h.legend == rows[-1]


def test_from_the_first_step_of_a_run_on_the_plane_has_its_size(hand):
    h = hand(scattered(60), "rbf(gamma=1)", "soft-margin-svm(C=1)", size=(700, 600))
    seen = set()
    rows = []
    for step in (0, 1, 2, 5, 20):
        h.session.adjust(mode="watch", step=step)
        h.settle()
        rows.append(h.legend)
        seen.add((h.canvas.area.pixels, h.canvas.scene.legend.place))
    assert len(seen) == 1
    for before, now in pairwise(rows):
        assert [text for text in now if text in before] == before, "lines only come, in a place of their own"


def test_a_legend_names_only_what_is_drawn_at_the_first_step_of_a_run(hand):
    h = hand(two_clouds(), "rbf(gamma=1)", "soft-margin-svm(C=1)", size=(700, 600))
    h.session.adjust(mode="watch", step=0)
    h.settle()
    assert h.legend == ["class +1", "class −1"]
    h.session.adjust(step=4)
    h.settle()
    drawn = h.legend
    assert {"s = 0", "support vector", "this step"} <= set(drawn)
    h.session.adjust(step=0)
    h.settle()
    assert h.legend == ["class +1", "class −1"]
    h.session.adjust(step=4)
    h.settle()
    assert h.legend == drawn


def test_a_legend_of_three_classes_names_no_lines_of_the_two_before(hand):
    h = hand(two_clouds(), "rbf(gamma=1)", "soft-margin-svm(C=1)", size=(700, 600))
    h.settle()
    assert "s = 0" in h.legend
    made = parse_dataset("blobs(classes=3)")
    h.session.change("choose data set", data=made.make(), source=str(made))
    h.settle()
    assert "boundary" in h.legend
    assert not {"s = 0", "s = ±1"} & set(h.legend)
