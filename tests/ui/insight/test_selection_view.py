"""The model selection view: tried out by other processes while nothing moves, clicked to adopt."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing import active_children

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionComboBox

from kernelviz.drawing.insight.picture import NothingToShow
from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.ui.insight.selection_view import LINE, SIDE, SelectionView
from tests.patience import PATIENCE
from tests.ui.insight.conftest import pixel

SOURCE = "moons(n=30, noise=0.3)"
LONG = 1000 * PATIENCE


@pytest.fixture
def tried(bench, show, qtbot):
    """A view with all of its settings tried out."""

    def make(*arguments):
        view = show(SelectionView(bench(*arguments)))
        wait(qtbot, view)
        return view

    return make


def wait(qtbot, view):
    qtbot.waitUntil(lambda: complete(view), timeout=LONG)


def complete(view):
    selection = view.maker.selection
    return selection is not None and selection.done == len(selection.outcomes) and not view._background.busy


def click(view, cell):
    picture, room, style = view.picture, view.sheet.room, view.sheet.style_of_picture
    at = picture._rectangles(picture._plot(room, style))[cell].center()
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(at))


def test_two_numbers_make_a_map_and_a_click_adopts_a_setting_as_one_step_of_undo(tried, qtbot):
    view = tried(SOURCE)
    assert [axis.key for axis in view.picture.selection.grid.axes] == ["gamma", "C"]
    assert view.picture.values.shape == (SIDE, SIDE)
    assert view.picture.selection.best is not None
    session, cell = view.workbench.session, 2 * SIDE + 5
    before, selection = session.document, view.picture.selection
    click(view, cell)
    assert str(session.document.fit) == str(selection.fit(cell))
    assert view.picture.present == (session.document.kernel.gamma, session.document.algorithm.C)
    assert view.picture.selection is selection
    assert not view._rest.isActive()
    session.undo()
    assert session.document is before
    assert active_children() == []


def test_what_is_told_of_all_settings_is_made_of_sentences(tried):
    assert tried(SOURCE).sheet.toolTip().startswith("5 folds.")


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_other_values_and_another_seed_are_a_click_away_and_stay(tried, qtbot):
    view = tried(SOURCE)
    first = view.picture.selection
    qtbot.mouseClick(view.more, Qt.MouseButton.LeftButton)
    ranges = view.ranges
    assert ranges.isVisible()
    assert ranges.lines[0].placeholderText().endswith(f":{SIDE}")
    qtbot.keyClicks(ranges.lines[0], "1:5:3:linear")
    qtbot.keyClick(ranges.lines[0], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: complete(view) and view.picture.values.shape == (3, SIDE), timeout=LONG)
    assert view.picture.selection.grid.axes[0].values == (1.0, 3.0, 5.0)
    assert view.picture.selection.grid.axes[1].values == first.grid.axes[1].values
    third = [outcome.error for outcome in view.picture.selection.outcomes]
    qtbot.mouseClick(ranges.seed.die, Qt.MouseButton.LeftButton)
    wait(qtbot, view)
    qtbot.waitUntil(
        lambda: complete(view) and [o.error for o in view.picture.selection.outcomes] != third, timeout=LONG
    )
    ranges.close()
    view.hide()
    view.show()
    assert ranges.lines[0].text() == "1:5:3:linear"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_values_that_cannot_be_are_refused_in_words_and_change_nothing(tried, qtbot):
    view = tried(SOURCE)
    before = view.picture.selection
    qtbot.mouseClick(view.more, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(view.ranges.lines[1], "-1:5:3")
    qtbot.keyClick(view.ranges.lines[1], Qt.Key.Key_Return)
    assert "must lie between" in view.ranges.message.text()
    assert view.picture.selection is before
    assert not view._rest.isActive()
    view.ranges.close()


def test_one_number_makes_a_curve(tried, qtbot):
    view = tried(SOURCE)
    view.pickers[1].setCurrentIndex(0)
    view.pickers[1].activated.emit(0)
    assert isinstance(view.picture, NothingToShow)
    wait(qtbot, view)
    assert view.picture.values.shape == (LINE,)
    plot = view.picture._plot(view.sheet.room, view.sheet.style_of_picture)
    at = QPointF(plot.inner.right() - 1, plot.inner.center().y())
    QTest.mouseClick(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(at))
    assert view.workbench.session.document.kernel.gamma == max(view.picture.selection.grid.axes[0].values)


def test_the_faces_are_of_the_same_fits_and_what_is_missing_says_why(tried):
    view = tried(SOURCE)
    selection = view.picture.selection
    view.lists["face"].setCurrentText("training")
    assert np.array_equal(view.picture.values, selection.face("training_error"))
    view.lists["face"].setCurrentText("likelihood")
    assert "Only a Gaussian process" in view.picture.reason
    view.lists["face"].setCurrentText("validation")
    assert np.array_equal(view.picture.values, selection.face("error"))


def test_a_map_fills_up_while_it_is_computed(bench, show, qtbot):
    view, seen = show(SelectionView(bench("moons(n=120, noise=0.3)"))), []
    view._background.progressed.connect(lambda _share: seen.append(view.picture.selection.done))
    wait(qtbot, view)
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert seen[0] == ((SIDE + 1) // 2) ** 2  # the coarse ones


def test_pointing_at_a_setting_tells_its_errors_and_their_spread(tried):
    view, cell = tried(SOURCE), 3 * SIDE + 4
    picture, selection = view.picture, view.picture.selection
    at = picture._rectangles(picture._plot(view.sheet.room, view.sheet.style_of_picture))[cell].center()
    QTest.mouseMove(view.sheet, pixel(at))
    outcome, told = selection.outcomes[cell], view.sheet.toolTip()
    assert told.startswith(f"γ = {selection.grid.values_of(cell)['gamma']:.4g}")
    assert f"left out {100 * outcome.error:.3g} % ± {100 * outcome.spread:.3g} %" in told
    assert f"training {100 * outcome.training_error:.3g} %" in told
    assert selection.message in told


def test_the_training_error_is_shown_with_the_bad_choice_it_would_have_been(tried):
    view = tried("moons(n=60, noise=0.4)")
    misled = view.picture.selection.misled
    outcomes = view.picture.selection.outcomes
    assert outcomes[misled].error > outcomes[view.picture.selection.best].error
    view.lists["face"].setCurrentText("training")
    drawn = view.sheet.grab().toImage()
    told = replace(view.maker.selection)
    told.__dict__["misled"] = None
    view.maker = replace(view.maker, selection=told)
    view.take(view.taken)
    assert view.sheet.grab().toImage() != drawn


def on_the_hill(tried, qtbot, fit="rbf(gamma=30)", process="gaussian-process(noise=0.5)"):
    view = tried("sine(n=30)", fit, process)
    view.lists["face"].setCurrentText("likelihood")
    qtbot.waitUntil(lambda: view.picture.ascent is not None, timeout=LONG)
    return view


def test_the_way_uphill_on_the_likelihood_begins_at_the_fit_and_ends_above_every_cell(tried, qtbot):
    view = on_the_hill(tried, qtbot)
    way, document = view.picture.ascent, view.workbench.session.document
    assert tuple(way.places[0]) == (document.kernel.gamma, document.algorithm.noise)
    assert (np.diff(way.heights) > 0).all()
    assert way.heights[-1] >= np.nanmax(view.picture.values)
    drawn = view.sheet.grab().toImage()
    view.maker = replace(view.maker, ascent=None)
    view.take(view.taken)
    assert view.sheet.grab().toImage() != drawn


def test_another_setting_has_another_way_uphill_and_hidden_there_is_none(tried, qtbot):
    view = on_the_hill(tried, qtbot)
    selection, session = view.picture.selection, view.workbench.session
    session.change("noise", algorithm=algorithm("gaussian-process(noise=0.01)"))
    assert view.picture.ascent is None
    qtbot.waitUntil(lambda: view.picture.ascent is not None, timeout=LONG)
    assert view.picture.ascent.places[0][1] == 0.01
    assert view.picture.selection is selection  # the map holds for all of them
    session.change("noise", algorithm=algorithm("gaussian-process(noise=0.02)"))
    view.hide()
    assert not view._before_climbing.isActive()


def test_one_number_goes_uphill_alone(tried, qtbot):
    view = on_the_hill(tried, qtbot)
    view.pickers[1].setCurrentIndex(0)
    view.pickers[1].activated.emit(0)
    wait(qtbot, view)
    qtbot.waitUntil(lambda: view.picture.ascent is not None, timeout=LONG)
    assert view.picture.ascent.places.shape[1] == 1
    assert view.picture.ascent.heights[-1] >= np.nanmax(view.picture.values) - 1e-6


def test_hidden_nothing_goes_on(bench, show, qtbot):
    view = show(SelectionView(bench("moons(n=300, noise=0.3)")))
    qtbot.waitUntil(lambda: bool(active_children()), timeout=LONG)
    view.hide()
    qtbot.waitUntil(lambda: not active_children(), timeout=LONG)
    assert not view._background.busy


def test_other_points_are_tried_anew_and_those_too_few_for_folds_are_told(tried, qtbot):
    view = tried(SOURCE)
    session = view.workbench.session
    session.change("x", data=session.document.data.subset(np.arange(6)))
    qtbot.waitUntil(lambda: "the 5 folds need one for each" in getattr(view.picture, "reason", ""))


def test_what_has_no_numbers_has_nothing_to_choose(bench, show):
    view = show(SelectionView(bench(SOURCE, "linear", "prototype")))
    assert view.picture.reason == "There is no number to choose."
    assert not view._background.busy


def test_what_is_chosen_survives_another_kernel_of_the_same_kind(tried, qtbot):
    view = tried(SOURCE)
    view.workbench.session.change("x", algorithm=algorithm("logistic(lam=0.1)"))
    wait(qtbot, view)
    assert [axis.key for axis in view.picture.selection.grid.axes] == ["gamma", "lam"]
    view.workbench.session.change("x", kernel=kernel("rbf(gamma=2)"))
    assert view.picture.present == (2.0, 0.1)


def closed(picker):
    """What a closed list reads."""
    option = QStyleOptionComboBox()
    picker.initStyleOption(option)
    return picker.shortened(option)


def test_the_numbers_to_choose_are_told_in_full_or_alone_but_never_cut(bench, show, qtbot):
    view = show(SelectionView(bench(SOURCE)), 480)
    whole = ["γ  –  Gaussian (RBF)", "C  –  Soft-margin SVM"]
    qtbot.waitUntil(lambda: [closed(picker) for picker in view.pickers] == whole)
    view.resize(220, 360)
    qtbot.waitUntil(lambda: [closed(picker) for picker in view.pickers] == ["γ", "C"])


@pytest.mark.parametrize("width", [230, 300, 480, 1200])
@pytest.mark.parametrize("face", ["validation", "training"])
def test_the_line_above_the_map_says_less_rather_than_in_smaller_type(tried, width, face):
    view = tried(SOURCE)
    picture = replace(view.picture, face=face)
    plot = picture._plot(QRectF(0, 0, 0.75 * width, 220), view.sheet.style_of_picture)
    told = picture.strip(plot)
    assert told
    assert plot.strip_scale(told) >= 0.85


def test_it_can_be_stopped_and_gone_on_with(bench, show, qtbot):
    view = show(SelectionView(bench("moons(n=300, noise=0.3)")))
    qtbot.waitUntil(view.halt.isVisible, timeout=LONG)
    assert view.halt.text() == "Stop"
    qtbot.mouseClick(view.halt, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not active_children(), timeout=LONG)
    assert not view._background.busy
    assert not complete(view), "the rest was left alone"
    assert view.halt.text() == "Resume"
    qtbot.mouseClick(view.halt, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: complete(view), timeout=LONG)
    qtbot.waitUntil(view.halt.isHidden)


def test_where_no_setting_can_be_fitted_it_says_so(bench, show, qtbot):
    view = show(SelectionView(bench("rings(n=30)", "linear", "random-features")))
    said = "5 folds. No setting could be fitted."
    qtbot.waitUntil(lambda: getattr(view.picture, "reason", "") == said, timeout=LONG)
