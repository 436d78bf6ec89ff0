"""The curve under the hand: points with real targets are added, dragged, brushed and erased."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset, parse_fit
from tests.ui.canvas.hand import RIGHT

SOME = Data.regression([[-2.0], [-1.0], [0.0], [1.0], [2.0]], [0.0, 1.0, 0.0, 1.0, 0.5], ["x"])


@pytest.fixture
def curve(hand):
    return hand(SOME, "rbf(gamma=1)", "ridge(lam=0.01)")


def decoration(hand):
    return hand.canvas.scene.decoration


def others_behind(hand):
    return decoration(hand).painter.other_fits(decoration(hand))


def drawn(hand, name="curve"):
    return np.vstack(getattr(decoration(hand).picture, name))


def show(hand, *names):
    hand.session.adjust(shown=hand.session.look.shown | set(names))
    hand.settle()


@pytest.mark.parametrize("button", [Qt.MouseButton.LeftButton, RIGHT])
def test_a_click_adds_a_point_where_it_is(curve, button):
    curve.click((0.5, 0.6), button)
    assert curve.data.n == 6
    assert curve.points[-1] == pytest.approx([0.5, 0.6], abs=0.02)


def test_dragging_a_point_moves_input_and_target_and_the_curve_follows(curve):
    before = drawn(curve)
    curve.drag(2, (0.3, 0.7), (0.5, 0.9))
    curve.settle()
    assert curve.points[2] == pytest.approx([0.5, 0.9], abs=0.02)
    assert curve.steps == 1
    after = drawn(curve)
    at = np.interp(0.5, *after.T)
    assert at > np.interp(0.5, *before.T)
    assert at == pytest.approx(curve.bench.frame.model.score([[0.5]])[0], abs=1e-3)


def test_a_stroke_of_the_brush_and_of_the_eraser_are_one_step_each(curve):
    curve.canvas.use("brush")
    curve.drag((-0.5, 0.3), (0.5, 0.3))
    added = curve.data.n - 5
    assert added > 3
    curve.canvas.use("erase")
    curve.drag((-0.8, 0.3), (0.8, 0.3))
    assert curve.data.n < 5 + added
    assert curve.steps == 2


def test_a_rectangle_selects_and_the_arrow_keys_move_up(curve):
    curve.canvas.use("select")
    curve.drag((-1.4, 0.7), (1.4, 1.2))
    assert curve.selection == (1, 3)
    curve.key(Qt.Key.Key_Up)
    assert (curve.data.y[[1, 3]] > 1.0).all()
    assert curve.data.X.tolist() == SOME.X.tolist()


def test_the_curve_is_computed_anew_for_what_is_seen(curve):
    curve.wheel((0.0, 0.5), -1200)
    curve.settle()
    view, line = curve.canvas.area.view, drawn(curve)
    assert view.right - view.left > 20
    assert (line[0, 0], line[-1, 0]) == pytest.approx((view.left, view.right))
    assert line[[0, -1], 1] == pytest.approx([0.0, 0.0], abs=1e-9)  # far from all points: back to 0


def test_both_axes_have_limits_of_their_own(hand):
    x = np.linspace(0.0, 1.0, 20)
    h = hand(Data.regression(x[:, None], 1e5 * x), "rbf(gamma=9)", "ridge(lam=0.01)")
    view = h.canvas.area.view
    assert view.right - view.left < 2
    assert view.top - view.bottom > 1e5
    assert h.canvas.banner.text == ""


def test_residual_lines_go_from_the_points_to_the_curve(curve):
    show(curve, "residuals")
    lines = decoration(curve).picture.residuals
    scores = curve.bench.frame.model.score(SOME.X)
    expected = [[[x, y], [x, s]] for (x, y), s in zip(curve.points, scores, strict=True)]
    assert np.array(lines) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("name", ["residuals", "bumps", "grid"])
def test_a_toggle_changes_what_is_seen_and_back(curve, name):
    plain = curve.picture()
    show(curve, name)
    assert (curve.picture() != plain).any()
    curve.session.toggle(name)
    assert (curve.picture() == plain).all()


def test_the_bump_of_the_hovered_point_stands_out(curve):
    show(curve, "bumps")
    before = curve.picture()
    curve.move(3)
    curve.beat()
    model = curve.bench.frame.model
    bump = np.vstack(decoration(curve).picture.bump([3]))
    expected = model.beta[3] * model.problem.kernel(bump[:, :1], SOME.X[[3]])[:, 0]
    assert bump[:, 1] == pytest.approx(expected, abs=1e-3)
    assert (curve.picture() != before).any(axis=2).sum() > 200


def test_pointing_at_a_point_shows_how_much_every_target_weighs_there(curve):
    show(curve, "weights")
    before = curve.picture()
    curve.move(1)
    curve.settle()
    assert (curve.picture() != before).any(axis=2).sum() > 200
    weights = curve.canvas.scene.pointed.weights
    assert weights @ SOME.y == pytest.approx(curve.bench.frame.model.training_scores[1])


def test_the_true_function_is_drawn_on_request_for_a_data_set_even_once_edited(hand):
    h = hand(dataset("sine(n=20, seed=1)"), "rbf(gamma=3)", "ridge(lam=0.1)")
    show(h, "truth")
    assert decoration(h).picture.truth == []  # of these points nobody knows where they came from
    h.session.change("choose data", data=h.data, source="sine(n=20, seed=1)")
    h.settle()
    x, y = drawn(h, "truth").T
    assert y == pytest.approx(np.sin(np.pi * x), abs=1e-9)
    h.drag(3, (0.0, 0.5))
    h.settle()
    assert h.session.document.source == ""
    assert len(drawn(h, "truth")) > 10
    assert "true function" in h.legend


@pytest.mark.parametrize("name", ["draws", "prior"])
def test_a_sample_is_the_same_function_before_and_after_zooming(hand, name):
    h = hand(SOME, "rbf(gamma=1)", "gaussian-process(noise=0.01)")
    show(h, name)

    def vertices():  # without those where it leaves the picture, halfway between two places
        return np.vstack([piece[1:-1] for piece in getattr(decoration(h).picture, name)])

    wide = vertices()
    h.wheel((0.0, 0.5), 600)
    h.settle()
    near = vertices()
    assert np.ptp(near[:, 0]) < 0.7 * np.ptp(wide[:, 0])
    places, at = np.unique(np.concatenate([wide[:, 0], near[:, 0]]), return_inverse=True)
    functions = h.bench.frame.model.draws(places[:, None], 6, prior=name == "prior")
    off = np.abs(functions[:, at] - np.concatenate([wide[:, 1], near[:, 1]])).min(axis=0)
    assert off.max() < 1e-6


def test_the_legend_speaks_of_no_classes(curve):
    show(curve, "residuals", "bumps")
    texts = curve.legend
    assert texts == ["s(x)", "residual", "βᵢ K(xᵢ, x)"]


def test_tools_and_description_speak_of_no_classes(curve):
    from kernelviz.ui.window.keyboard import sheet

    told = [tool.help_for(False) for tool in curve.canvas.kinds_of_tools]
    told += [sheet(False), curve.canvas.area.accessibleDescription(), curve.canvas.workspace.how_to_add]
    for text in told:
        assert "class" not in text.replace("<class", "")
        assert "+ point" not in text
        assert "− point" not in text


def test_held_out_points_are_hollow_and_can_be_dragged(curve):
    curve.session.replace("hold out", curve.session.document.with_share_aside(0.4))
    show(curve, "held_out")
    held = curve.session.document.held_out.data
    start = (held.X[0, 0], held.y[0])
    curve.drag(start, (start[0], start[1] + 0.2))
    moved = curve.session.document.held_out.data
    assert moved.y[0] == pytest.approx(start[1] + 0.2, abs=0.02)
    curve.settle()
    assert curve.bench.frame.test.mean_squared_error is not None


def test_nearest_neighbours_jump_and_are_drawn_so(hand):
    h = hand(SOME, "rbf(gamma=1)", "nearest-neighbours(k=1)")
    line = drawn(h)
    assert set(np.round(line[:, 1], 9)) == {0.0, 0.5, 1.0}
    assert np.diff(line[:, 0])[np.diff(line[:, 1]) != 0].max() < 0.001


@pytest.mark.parametrize("threaded", [False, True])
def test_several_fits_are_laid_over_each_other_and_follow_a_dragged_point(hand, threaded):
    h = hand(SOME, "rbf(gamma=4)", "ridge(lam=0.1)", threaded=threaded)
    alone = h.picture()
    h.session.replace("compare", h.session.document.with_fit(parse_fit("rbf(gamma=4) ; nadaraya-watson")))
    h.settle()

    def other():
        h.qtbot.waitUntil(lambda: decoration(h) is not None and others_behind(h) is not None)
        ((lines, _),) = others_behind(h).groups
        return np.vstack(lines)

    ridge = kernelviz.fit(SOME, kernel="rbf(gamma=4)", algorithm="ridge(lam=0.1)")
    x, s = other().T
    assert h.bench.frame.fit == 1  # the new one is active, and the panels show it
    assert s == pytest.approx(ridge.score(x[:, None]), abs=1e-9)
    assert (h.picture() != alone).any()
    texts = h.legend
    assert texts == ["A: Kernel ridge (λ = 0.1)", "B: Nadaraya-Watson"]
    h.drag(2, (0.0, 0.8))
    h.settle()
    moved = kernelviz.fit(h.data, kernel="rbf(gamma=4)", algorithm="ridge(lam=0.1)")
    h.qtbot.waitUntil(lambda: np.interp(0.0, *other().T) == pytest.approx(moved.score([[0.0]])[0], abs=1e-3))
    h.session.undo()
    h.session.undo()
    h.settle()
    assert others_behind(h) is None


@pytest.mark.parametrize("threaded", [False, True])
def test_a_fit_that_fails_beside_the_active_one_says_why_and_is_not_in_the_legend(hand, threaded):
    h = hand(SOME, "polynomial(degree=3, gamma=0.3)", "ridge(lam=0.1)", threaded=threaded)
    both = h.session.document.with_fit(parse_fit("polynomial(degree=3, gamma=0.3) ; nadaraya-watson"))
    h.session.replace("compare", both.replace(active=0))
    h.qtbot.waitUntil(lambda: h.canvas.banner.isVisible())
    assert h.canvas.banner.text.startswith("Fit B: nadaraya-watson")
    assert "negative" in h.canvas.banner.text
    h.settle()
    h.drag(2, (0.0, 0.6))
    h.settle()
    h.qtbot.waitUntil(lambda: h.canvas.banner.isVisible())
    assert h.legend == ["A: Kernel ridge (λ = 0.1)"]
    h.session.replace("kernel", both.replace(fits=(both.fits[0], parse_fit("rbf ; nadaraya-watson"))))
    h.qtbot.waitUntil(lambda: not h.canvas.banner.isVisible())
    h.settle()
    h.qtbot.waitUntil(lambda: len(h.legend) == 2)
    assert others_behind(h) is not None


@pytest.mark.parametrize("threaded", [False, True])
def test_an_active_fit_that_fails_does_not_hide_the_other_one(hand, threaded):
    h = hand(SOME, "polynomial(degree=3, gamma=0.3)", "ridge(lam=0.1)", threaded=threaded)
    both = h.session.document.with_fit(parse_fit("polynomial(degree=3, gamma=0.3) ; nadaraya-watson"))
    h.session.replace("compare", both)
    h.qtbot.waitUntil(lambda: h.canvas.banner.isVisible())
    h.qtbot.waitUntil(lambda: h.legend == ["A: Kernel ridge (λ = 0.1)"])
    assert h.bench.frame is None
    assert h.canvas.banner.text.startswith("Fit B: nadaraya-watson")
    h.drag(2, (0.0, 0.6))
    ridge = kernelviz.fit(h.data, kernel="polynomial(degree=3, gamma=0.3)", algorithm="ridge(lam=0.1)")

    def follows() -> bool:
        return np.interp(0.0, *drawn(h).T) == pytest.approx(ridge.score([[0.0]])[0], abs=1e-3)

    h.qtbot.waitUntil(lambda: decoration(h) is not None and follows())
    refused = parse_fit("polynomial(degree=5, gamma=0.3) ; nadaraya-watson")
    h.session.replace("kernel", both.replace(fits=(refused, both.fits[1])))
    h.qtbot.waitUntil(lambda: decoration(h) is None)
    labels = h.canvas.banner.findChildren(QLabel)
    h.qtbot.waitUntil(lambda: all(f"Fit {k}:" in " ".join(label.text() for label in labels) for k in "AB"))
