"""Several fits of the same points on canvases side by side."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset, parse_fit
from tests.ui.canvas.hand import Hand

WIDE, NARROW = (700, 480), (360, 320)
SECOND = "rbf(gamma=1) ; logistic(lam=0.1)"


def compare(h: Hand, *fits: str) -> list[Hand]:
    """With further fits; a hand on each of the canvases that are seen."""
    for text in fits or (SECOND,):
        h.session.replace("compare", h.session.document.with_fit(parse_fit(text)))
    h.settle()
    return [Hand(h.qtbot, h.canvas, plot) for plot in h.canvas.row.shown]


def shown(h: Hand):
    """The model on a canvas."""
    return h.plot.scene.decoration.frame.model


def field_is_that_of(h: Hand, kernel: str, algorithm: str) -> bool:
    expected = kernelviz.fit(h.data, kernel=kernel, algorithm=algorithm)
    at = np.random.default_rng(0).normal(size=(20, 2))
    return shown(h).score(at) == pytest.approx(expected.score(at), abs=1e-3)


def test_with_one_fit_there_is_one_canvas_without_a_title(hand):
    h = hand(size=WIDE)
    row = h.canvas.row
    assert row.plots == [h.plot]
    assert not row.plots[0].title.isVisible()
    assert h.canvas.area.size() == h.canvas.size()
    assert not h.canvas.area.outlined


@pytest.mark.parametrize("threaded", [False, True])
def test_a_second_fit_stands_beside_the_first_with_the_same_points_in_the_same_view(hand, threaded):
    h = hand(size=WIDE, threaded=threaded)
    a, b = compare(h)
    assert field_is_that_of(a, "linear", "soft-margin-svm(C=10)")
    assert field_is_that_of(b, "rbf(gamma=1)", "logistic(lam=0.1)")
    assert a.plot.area.pixels == b.plot.area.pixels
    assert a.plot.area.view == b.plot.area.view
    assert np.array_equal(a.plot.scene.places(), b.plot.scene.places())
    assert a.plot.scene.style == b.plot.scene.style
    assert (a.plot.area.outlined, b.plot.area.outlined) == (False, True)
    assert [plot.title.letter.text() for plot in h.canvas.row.plots] == ["A", "B"]


def test_up_to_four_fits_are_seen_at_once_and_all_are_of_one_size(hand):
    h = hand(size=(900, 700))
    hands = compare(h, SECOND, "linear ; perceptron", "linear ; prototype")
    assert len({each.plot.area.pixels for each in hands}) == 1
    corners = {(p.x(), p.y()) for each in hands for p in [each.plot.area.mapTo(h.canvas, h.at((0, 0)))]}
    assert len({x for x, _ in corners}) == len({y for _, y in corners}) == 2


@pytest.mark.parametrize("where", [0, 1])
def test_a_point_dragged_on_either_canvas_moves_on_both_and_both_fits_follow(hand, where):
    h = hand(size=WIDE)
    hands = compare(h)
    hands[where].drag(0, (1.5, 0.8), (1.2, 1.4))
    h.settle()
    assert h.points[0] == pytest.approx([1.2, 1.4], abs=0.05)
    assert field_is_that_of(hands[0], "linear", "soft-margin-svm(C=10)")
    assert field_is_that_of(hands[1], "rbf(gamma=1)", "logistic(lam=0.1)")
    assert hands[1].plot.scene.places()[0] == pytest.approx(h.points[0])
    h.session.undo()
    h.settle()
    assert field_is_that_of(hands[1], "rbf(gamma=1)", "logistic(lam=0.1)")
    assert h.points[0] == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("where", [0, 1])
def test_zooming_and_moving_one_view_moves_all(hand, where):
    h = hand(size=WIDE)
    hands = compare(h)
    before = h.canvas.area.view
    hands[where].wheel((1.0, 0.5), 240)
    h.settle()
    a, b = (each.plot.area.view for each in hands)
    assert a == b == h.session.look.view
    assert a.right - a.left < 0.8 * (before.right - before.left)
    hands[where].drag((0.0, 0.0), (0.3, 0.2), button=Qt.MouseButton.MiddleButton)
    h.settle()
    assert hands[0].plot.area.view == hands[1].plot.area.view != a


def test_resizing_there_and_back_leaves_the_view_as_it_was(hand):
    h = hand(size=WIDE)
    hands = compare(h)
    before = h.canvas.area.view
    for size in ((900, 500), NARROW, WIDE):
        h.canvas.resize(*size)
        h.settle()
    assert [each.plot.area.view for each in hands] == [before, before]


def test_a_press_chooses_the_fit_the_panels_edit_and_is_no_step_of_undo(hand):
    h = hand(size=WIDE)
    a, b = compare(h)
    steps = h.steps
    a.canvas.use("select")
    a.click((0.3, 1.5))
    assert h.session.document.active == 0
    assert (a.plot.area.outlined, b.plot.area.outlined) == (True, False)
    assert h.canvas.focusProxy() is a.plot.area
    b.click((0.3, 1.5))
    assert h.session.document.active == 1
    assert h.canvas.focusProxy() is b.plot.area
    QTest.mouseClick(h.canvas.row.plots[0].title.name, Qt.MouseButton.LeftButton)
    assert h.session.document.active == 0
    assert h.steps == steps


def test_the_cross_closes_a_fit_and_undo_brings_it_back(hand):
    h = hand(size=WIDE)
    compare(h)
    QTest.mouseClick(h.canvas.row.plots[0].title.cross, Qt.MouseButton.LeftButton)
    h.settle()
    assert [str(fit) for fit in h.session.document.fits] == [SECOND]
    assert h.canvas.row.shown == [h.plot]
    assert field_is_that_of(h, "rbf(gamma=1)", "logistic(lam=0.1)")
    h.session.undo()
    h.settle()
    assert len(h.canvas.row.shown) == 2
    assert field_is_that_of(h, "linear", "soft-margin-svm(C=10)")


def test_a_second_click_on_a_cross_does_not_close_the_only_fit_left(hand):
    h = hand(size=WIDE)
    compare(h)
    cross = h.canvas.row.plots[0].title.cross
    for _ in range(2):  # pressed and released with the keyboard, which reaches it while it disappears
        cross.click()
    h.settle()
    assert [str(fit) for fit in h.session.document.fits] == [SECOND]


def test_canvases_that_come_back_show_what_was_done_meanwhile(hand):
    h = hand(size=WIDE)
    compare(h)
    h.session.undo()
    h.drag(0, (1.5, 0.8))
    h.settle()
    _, b = compare(h, "linear ; perceptron")
    assert field_is_that_of(b, "linear", "perceptron")
    assert b.plot.scene.places()[0] == pytest.approx(h.points[0])


def test_tools_and_their_options_are_the_same_on_both(hand):
    h = hand(size=WIDE)
    a, b = compare(h)
    b.canvas.use("brush")
    assert a.canvas.tool.name == b.canvas.tool.name == "brush"
    h.canvas.tools["brush"].options = a.canvas.tool.options.replace(density=7)
    before = h.data.n
    b.click((0.0, 1.2))
    h.settle()
    assert h.data.n == before + 7
    _, _, c = compare(h, "linear ; perceptron")
    assert c.canvas.tool.options.density == 7
    assert c.canvas.tool.name == "brush"


def test_keys_work_on_the_canvas_that_has_them(hand):
    h = hand(size=WIDE)
    _, b = compare(h)
    b.plot.area.setFocus()
    b.key(Qt.Key.Key_Tab)
    assert h.selection == (0,)
    b.key(Qt.Key.Key_E)
    assert h.canvas.tool.name == "erase"
    b.key(Qt.Key.Key_Delete)
    assert h.data.n == 7


def test_what_is_pointed_at_or_selected_on_one_is_so_on_all(hand):
    h = hand(size=WIDE)
    a, b = compare(h)
    b.move(2)
    b.beat()
    a.beat()
    assert a.plot.scene.highlighted == b.plot.scene.highlighted == (2,)
    h.session.adjust(selection=(1, 3))
    assert a.plot.scene.selection == b.plot.scene.selection == (1, 3)


def test_one_legend_explains_what_is_seen_of_all_fits(hand):
    h = hand(size=WIDE)
    alone = set(h.legend)
    _, b = compare(h, "linear ; soft-margin-svm(C=0.001)")
    texts = set(h.legend)
    assert "at the bound" in texts - alone
    assert alone <= texts
    assert not b.legend


def test_a_fit_that_cannot_be_found_says_so_on_its_own_canvas(hand):
    h = hand(size=WIDE)
    h.session.change("swap", data=h.canvas.workspace.flipped(h.data, [3]))
    a, b = compare(h, "linear ; hard-margin-svm")
    assert b.plot.banner.isVisible()
    assert not a.plot.banner.isVisible()


def test_on_a_small_screen_the_active_fit_is_seen_alone_and_holding_x_shows_the_next(hand):
    h = hand(size=NARROW)
    (alone,) = compare(h)
    title = h.canvas.row.plots[0].title
    assert title.letter.text() == "B"
    assert field_is_that_of(alone, "rbf(gamma=1)", "logistic(lam=0.1)")
    QTest.keyPress(h.canvas.area, Qt.Key.Key_X)
    assert title.letter.text() == "A"
    assert field_is_that_of(alone, "linear", "soft-margin-svm(C=10)")
    QTest.keyRelease(h.canvas.area, Qt.Key.Key_X)
    assert title.letter.text() == "B"
    assert field_is_that_of(alone, "rbf(gamma=1)", "logistic(lam=0.1)")
    assert h.session.document.active == 1


def test_a_step_of_all_fits_is_watched_at_once(hand):
    h = hand(size=WIDE)
    a, b = compare(h, "linear ; perceptron")
    h.session.adjust(mode="watch", step=0)
    h.settle()
    h.session.adjust(step=2)
    h.settle()
    steps = [each.plot.scene.decoration.frame.step for each in (a, b)]
    assert steps == [2, 2]
    h.session.activate(0)
    h.settle()
    assert h.session.look.step == 2


def test_a_fit_that_fails_says_why_on_its_own_canvas_alone(hand):
    h = hand(size=WIDE)
    _, b = compare(h, "linear ; random-features")
    h.session.activate(0)
    h.settle()
    assert not h.canvas.banner.isVisible()
    assert b.plot.failure is not None
    assert b.plot.banner.isVisible()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("soft-margin-svm(C=10)", "squared-slack-svm(lam=0.05)"),
        ("perceptron", "hard-margin-svm"),
        ("soft-margin-svm(C=10)", "logistic(lam=0.1)"),
    ],
)
def test_the_legend_and_the_planes_stand_still_when_both_fits_are_watched(hand, first, second):
    """The canvas of a window of 1024x768."""
    h = hand(dataset("gaussians(n=40, seed=3)"), "rbf(gamma=1)", first, size=(680, 600))
    a, _ = compare(h, f"rbf(gamma=1) ; {second}")
    seen = set()
    for mode, step in (("live", 0), ("watch", 0), ("watch", 5), ("live", 0)):
        h.session.adjust(mode=mode, step=step)
        h.settle()
        legend = a.plot.scene.legend
        seen.add((legend.place, a.plot.area.pixels))
        assert ("this step" in h.legend) == (step > 0)
    assert len(seen) == 1


def clouds(width: float, height: float):
    """Points in a box of that shape."""
    at = np.random.default_rng(0).uniform(-0.5, 0.5, size=(40, 2)) * (width, height)
    return Data.labelled(at, np.where(at[:, 0] > 0, 1, -1))


@pytest.mark.parametrize(("data", "columns"), [((6, 2), 1), ((4, 4), 2), ((2, 6), 2)])
def test_plots_share_a_large_canvas_by_the_shape_of_the_data(hand, data, columns):
    h = hand(clouds(*data), size=(1288, 900))  # in a maximised window of 1920 x 1080
    compare(h)
    h.canvas.reset_view()
    h.settle()
    assert len({plot.x() for plot in h.canvas.row.shown}) == columns
    assert len({plot.y() for plot in h.canvas.row.shown}) == 2 // columns
    assert len({plot.area.view for plot in h.canvas.row.shown}) == 1


def test_three_fits_stay_in_sight_where_one_above_the_other_would_be_too_low(hand):
    h = hand(clouds(6, 1), size=(900, 500))
    compare(h, SECOND, SECOND)
    assert len(h.canvas.row.shown) == 3


def test_a_second_fit_shows_the_points_as_large_as_they_can_be_though_one_alone_was_wider(hand):
    h = hand(clouds(4, 4), size=(900, 500))
    compare(h)
    fresh = h.canvas.area.view
    h.session.replace("close", h.session.document.without_fit(1))
    h.settle()
    h.session.adjust(view=h.canvas.area.view)
    h.canvas.catch_up()  # as after a visit to another workspace
    compare(h)
    assert h.canvas.area.view == fresh
