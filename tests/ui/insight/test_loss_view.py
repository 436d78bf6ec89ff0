"""The loss as a function of z·s."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtWidgets import QApplication

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.theme import DARK, LIGHT
from kernelviz.session import edits
from kernelviz.ui.insight.loss_view import LOSSES, LossView, hinge, thinned


@pytest.fixture
def view(bench, show):
    return show(LossView(bench()))


def place_of(view, i):
    """Where point i is drawn, in points."""
    return QPointF(*view._xy[np.flatnonzero(view._drawn == i)[0]].tolist())


def test_losses_agree_at_their_common_points():
    at_zero = {loss.name: float(loss.of(np.array(0.0))) for loss in LOSSES}
    assert at_zero == pytest.approx(dict.fromkeys(at_zero, 1.0))
    for loss in LOSSES:
        assert float(loss.of(np.array(-1.0))) >= 1.0


def test_every_training_point_is_on_the_curve_at_its_own_product(view):
    frame = view.workbench.frame
    expected = frame.data.z * frame.model.score(frame.data.X)
    assert view._products == pytest.approx(expected)
    plot_range = (view._x.low, view._x.high)
    assert plot_range[0] <= expected.min()
    assert expected.max() <= plot_range[1]


def test_the_mean_hinge_loss_is_the_models(view):
    assert view._means["hinge"] == pytest.approx(view.workbench.frame.model.numbers["hinge_loss"])
    assert view._means["0-1"] == pytest.approx(view.workbench.frame.model.numbers["training_error"])


def test_pointing_at_a_point_highlights_it_everywhere(view, qtbot, to_pixel):
    with qtbot.waitSignal(view.workbench.hovered) as told:
        qtbot.mouseMove(view.picture, to_pixel(place_of(view, 7)))
    assert told.args == [view.workbench.hovered_point]
    t = view._products
    assert t[view.workbench.hovered_point] == pytest.approx(t[7], abs=0.05)


def test_leaving_the_view_ends_the_highlight(view, qtbot, to_pixel):
    qtbot.mouseMove(view.picture, to_pixel(place_of(view, 7)))
    QApplication.sendEvent(view.picture, QEvent(QEvent.Type.Leave))
    assert view.workbench.hovered_point is None


def test_clicking_a_point_selects_it(view, qtbot, to_pixel):
    qtbot.mouseClick(view.picture, Qt.MouseButton.LeftButton, pos=to_pixel(place_of(view, 7)))
    (chosen,) = view.workbench.session.look.selection
    assert view._products[chosen] == pytest.approx(view._products[7], abs=0.05)


def test_a_point_highlighted_elsewhere_is_ringed_here(view, painted):
    style = Style()
    before = painted(view, style)
    view.workbench.hover(3)
    assert painted(view, style) != before


@pytest.mark.parametrize("name", ["0-1", "logistic", "squared"])
def test_an_overlay_appears_when_it_is_switched_on(view, painted, qtbot, name):
    before = painted(view, Style())
    qtbot.mouseClick(view.switches[name], Qt.MouseButton.LeftButton)
    assert [loss.name for loss in view.active] == ["hinge", name]
    assert painted(view, Style()) != before


def test_the_view_follows_a_moved_point(view, qtbot):
    session = view.workbench.session
    before = view._products.copy()
    session.change("move point", data=edits.move_points(session.document.data, [0], [[3.0, 3.0]]))
    qtbot.waitUntil(lambda: not np.array_equal(before, view._products))


def test_of_many_frames_in_a_row_few_are_taken_and_always_the_last(view, qtbot, monkeypatch):
    taken = []
    monkeypatch.setattr(type(view), "take", lambda self, frame: taken.append(frame))
    session = view.workbench.session
    for k in range(10):
        session.change("move point", data=edits.move_points(session.document.data, [0], [[3.0, 0.1 * k]]))
    qtbot.waitUntil(lambda: taken[-1:] == [view.workbench.frame])
    assert len(taken) < 6
    assert view.workbench.frame.data is session.document.data


def test_a_hidden_view_does_no_work_and_catches_up_when_shown(view, qapp):
    view.hide()
    taken = view.taken
    session = view.workbench.session
    session.change("move point", data=edits.move_points(session.document.data, [0], [[3.0, 3.0]]))
    qapp.processEvents()
    assert view.taken is taken
    view.show()
    assert view.taken is view.workbench.frame


def test_more_than_two_classes_are_said_to_have_no_such_loss(bench, show):
    view = show(LossView(bench("blobs(n=30, classes=3, seed=1)")))
    assert "two classes" in view.nothing_to_show()


def test_without_a_result_the_view_says_so(bench, show, qapp):
    view = show(LossView(bench()))
    session = view.workbench.session
    session.change("clear", data=edits.empty())
    qapp.processEvents()
    assert view.workbench.frame is None
    assert "no result" in view.nothing_to_show()
    view.grab()


def test_the_range_holds_still_while_a_point_moves_a_little(view, qapp):
    session = view.workbench.session
    ranges = set()
    for d in np.linspace(0, 0.05, 6):
        moved = edits.move_points(session.document.data, [0], session.document.data.X[[0]] + d)
        session.change("move point", data=moved)
        qapp.processEvents()
        ranges.add((view._x.low, view._x.high, view._y.low, view._y.high))
    assert len(ranges) == 1


def test_of_many_points_only_those_the_eye_can_tell_apart_are_drawn():
    xy = np.random.default_rng(0).random((20_000, 2)) * [300, 3]
    groups = np.arange(20_000) % 2
    chosen = thinned(xy, groups, 1.5)
    assert len(chosen) <= 2 * 201 * 3
    assert set(groups[chosen]) == {0, 1}
    # Nothing is further than a cell from something drawn of its own group.
    for i in range(0, 20_000, 997):
        same = chosen[groups[chosen] == groups[i]]
        assert np.abs(xy[same] - xy[i]).max(axis=1).min() <= 1.5


def test_few_points_are_all_drawn():
    xy = np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 5.0]])
    assert thinned(xy, np.zeros(3), 1.5).tolist() == [0, 1, 2]
    assert thinned(np.empty((0, 2)), np.empty(0), 1.5).tolist() == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_it_can_be_painted_into_a_figure_in_either_theme(view, painted, theme):
    image = painted(view, Style(theme=theme))
    colours = {image.pixelColor(x, y).name() for x in range(300) for y in range(200)}
    assert theme.paper in colours
    assert len(colours) > 20


def test_hinge_is_zero_beyond_the_margin():
    assert hinge(np.array([-1.0, 0.0, 1.0, 5.0])).tolist() == [2.0, 1.0, 0.0, 0.0]
