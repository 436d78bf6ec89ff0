"""Model selection: settings tried out by other processes while nothing moves, clicked to adopt."""

from __future__ import annotations

from multiprocessing import active_children

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionComboBox

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.scene.figure.text import text_width
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.insight.parts.selection_chart import SettingsChart, key_bar, strength
from kernelviz.scene.insight.selection import ALONE, VALUES_OF_ONE, VALUES_OF_TWO
from kernelviz.ui.insight.views import VIEWS
from tests.patience import PATIENCE
from tests.scene.insight.helpers import pixel

SOURCE = "moons(n=30, noise=0.3)"
LONG = 1000 * PATIENCE
LEFT = Qt.MouseButton.LeftButton


def test_a_map_with_three_quarters_of_its_cells_at_the_best_shows_which_are_worse():
    errors = np.r_[np.full(9, 0.1), 0.2, 0.5]
    assert strength(errors, rising=False) == pytest.approx([*np.ones(9), 0.75, 0.0])


def test_a_map_of_equal_cells_has_one_shade():
    assert len(set(strength(np.full(4, 0.1), rising=False))) == 1


@pytest.fixture
def shown(bench, show):
    return lambda *setting, **size: show(VIEWS["selection"].widget(bench(*setting)), **size)


@pytest.fixture
def tried(shown, qtbot):
    """A view with all of its settings tried out."""

    def make(*setting):
        view = shown(*setting)
        qtbot.waitUntil(lambda: complete(view), timeout=LONG)
        return view

    return make


def run_of(view):
    """What tries the settings out that are shown."""
    return None if view.result is None else view.result[0]


def selection(view):
    return run_of(view).so_far


def complete(view) -> bool:
    return not view.scene.reason and run_of(view) is not None and run_of(view).ended and not view.working


def chart(view):
    return view.sheet.layout_of_scene.find("chart")


def drawn(view, part):
    """A layer of the chart; None if it has none of that name."""
    return next((layer for layer in chart(view).layers if layer.part == part), None)


def cell_at(view, cell) -> QPointF:
    return drawn(view, "cells").rects(chart(view))[cell].center()


def pick(view, field, row) -> None:
    picker = view.bar.pickers[field]
    picker.setCurrentIndex(row)
    picker.activated.emit(row)


def present(view) -> tuple[float, float]:
    at = drawn(view, "present")
    return at.y, at.x


def test_two_numbers_make_a_map_and_a_click_adopts_a_setting_as_one_step_of_undo(tried):
    view = tried(SOURCE)
    known = selection(view)
    assert [axis.key for axis in known.grid.axes] == ["gamma", "C"]
    assert len(drawn(view, "cells").shades) == VALUES_OF_TWO * VALUES_OF_TWO
    assert known.best is not None
    session, cell = view.workbench.session, 2 * VALUES_OF_TWO + 5
    before, run = session.document, run_of(view)
    QTest.mouseClick(view.sheet, LEFT, pos=pixel(cell_at(view, cell)))
    assert str(session.document.fit) == str(known.fit(cell))
    assert present(view) == (session.document.kernel.gamma, session.document.algorithm.C)
    assert run_of(view) is run
    assert not view.working
    session.undo()
    assert session.document is before
    assert active_children() == []


def test_what_is_told_of_all_settings_is_made_of_sentences(tried):
    assert tried(SOURCE).sheet.toolTip().startswith("5 folds.")


def test_a_key_explains_the_colours_of_the_map_in_per_cent(tried):
    view = tried("moons(n=60, noise=0.4)")
    worst, best = view.sheet.layout_of_scene.find("key").node.contents
    errors = selection(view).face("error")
    assert best == f"{100 * errors.min():.3g} %"
    assert worst.endswith("% or more")
    assert any(text.endswith(" %") for text in drawn(view, "cells").texts)


@pytest.mark.parametrize("width", [300, 480])
def test_the_button_that_stops_the_work_does_not_lie_on_the_key(shown, qtbot, width):
    view = shown(SOURCE)
    view.resize(width, 420)
    qtbot.waitUntil(lambda: view.halt.isVisible() and view.sheet.layout_of_scene.get("key") is not None)
    key = view.sheet.layout_of_scene.find("key")
    worst, best = key.node.contents
    bar, text = key_bar(worst, best, key.rect, key.style), key.style.text
    assert bar.width() >= 5 * text
    right = bar.right() + 0.4 * text + text_width(best, text)
    assert right <= view.halt.geometry().left() * POINTS_PER_PIXEL


def test_the_signs_leave_the_numbers_of_their_cells_readable(tried):
    view = tried("moons(n=60, noise=0.4)")
    axes = chart(view)
    for name in ("○", "□"):
        sign = drawn(view, name)
        box, text = sign.box(axes), axes.style.text
        assert sign.around in drawn(view, "cells").texts
        assert box.width() > text_width(sign.around, text)
        assert box.height() > text


def test_of_equal_cells_it_is_said_that_the_simplest_is_marked(tried):
    view = tried("gaussians(n=40, seed=3)")
    ties = len(selection(view).ties)
    assert ties > 1
    assert f"simplest of {ties}" in "".join(value for _, value in chart(view).node.legend)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_other_values_and_another_seed_are_a_click_away_and_stay(tried, qtbot):
    view = tried(SOURCE)
    first, popup = selection(view), view.bar.popup
    qtbot.mouseClick(view.bar.more, LEFT)
    assert popup.isVisible()
    assert popup.lines[0].placeholderText().endswith(f":{VALUES_OF_TWO}")
    qtbot.keyClicks(popup.lines[0], "1:5:3:linear")
    qtbot.keyClick(popup.lines[0], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: complete(view) and selection(view).grid.shape == (3, VALUES_OF_TWO), timeout=LONG)
    assert selection(view).grid.axes[0].values == (1.0, 3.0, 5.0)
    assert selection(view).grid.axes[1].values == first.grid.axes[1].values
    third = selection(view).face("error")
    qtbot.mouseClick(view.numbers["seed"].die, LEFT)
    qtbot.waitUntil(
        lambda: complete(view) and not np.array_equal(selection(view).face("error"), third), timeout=LONG
    )
    popup.close()
    view.hide()
    view.show()
    assert popup.lines[0].text() == "1:5:3:linear"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_values_that_cannot_be_are_refused_in_words_and_change_nothing(tried, qtbot):
    view = tried(SOURCE)
    run, popup = run_of(view), view.bar.popup
    qtbot.mouseClick(view.bar.more, LEFT)
    qtbot.keyClicks(popup.lines[1], "-1:5:3")
    qtbot.keyClick(popup.lines[1], Qt.Key.Key_Return)
    assert "must lie between" in popup.message.text()
    assert run_of(view) is run
    assert not view.working
    popup.close()


def test_one_number_makes_a_curve(tried, qtbot):
    view = tried(SOURCE)
    pick(view, "second", 0)
    assert view.scene.reason
    qtbot.waitUntil(lambda: complete(view), timeout=LONG)
    assert drawn(view, "validation").y.shape == (VALUES_OF_ONE,)
    room = chart(view).inner
    QTest.mouseClick(view.sheet, LEFT, pos=pixel(QPointF(room.right() - 1, room.center().y())))
    assert view.workbench.session.document.kernel.gamma == max(selection(view).grid.axes[0].values)


def test_the_faces_are_of_the_same_fits_and_what_is_missing_says_why(tried):
    view = tried(SOURCE)
    run = run_of(view)
    view.lists["face"].setCurrentText("training")
    shades = strength(run.so_far.face("training_error"), rising=False)
    assert drawn(view, "cells").shades == pytest.approx(shades.ravel())
    view.lists["face"].setCurrentText("likelihood")
    assert "Only a Gaussian process" in view.scene.reason
    view.lists["face"].setCurrentText("validation")
    assert drawn(view, "cells").shades == pytest.approx(strength(run.so_far.face("error"), False).ravel())
    assert run_of(view) is run


def test_a_map_fills_up_while_it_is_computed(shown, qtbot):
    view, seen = shown("moons(n=120, noise=0.3)"), []
    qtbot.waitUntil(lambda: view.halt.isVisible() or complete(view), timeout=LONG)
    seen.append(selection(view).done)
    qtbot.waitUntil(lambda: seen.append(selection(view).done) or complete(view), timeout=LONG)
    assert len(set(seen)) > 2
    assert seen == sorted(seen)
    assert seen[0] >= ((VALUES_OF_TWO + 1) // 2) ** 2  # the coarse ones


def test_pointing_at_a_setting_tells_its_errors_and_their_spread(tried):
    view, cell = tried(SOURCE), 3 * VALUES_OF_TWO + 4
    QTest.mouseMove(view.sheet, pixel(cell_at(view, cell)))
    known, told = selection(view), view.sheet.toolTip()
    outcome = known.outcomes[cell]
    assert told.startswith(f"γ = {known.grid.values_of(cell)['gamma']:.4g}")
    assert f"left out {100 * outcome.error:.3g} % ± {100 * outcome.spread:.3g} %" in told
    assert f"training {100 * outcome.training_error:.3g} % (mean of the folds)" in told
    assert known.message in told


def test_the_training_error_is_shown_with_the_bad_choice_it_would_have_been(tried):
    view = tried("moons(n=60, noise=0.4)")
    known = selection(view)
    assert known.outcomes[known.misled].error > known.outcomes[known.best].error
    assert drawn(view, "✕") is None
    view.lists["face"].setCurrentText("training")
    gamma, C = known.grid.values_of(known.misled).values()
    assert (drawn(view, "✕").y, drawn(view, "✕").x) == (gamma, C)


@pytest.fixture
def on_the_hill(tried, qtbot):
    """A view of the likelihood with the way uphill."""
    view = tried("sine(n=30)", "rbf(gamma=30)", "gaussian-process(noise=0.5)")
    view.lists["face"].setCurrentText("likelihood")
    qtbot.waitUntil(lambda: drawn(view, "uphill") is not None, timeout=LONG)
    return view


def ascent(view):
    return view.result[1][1]


def test_the_way_uphill_on_the_likelihood_begins_at_the_fit_and_ends_above_every_cell(on_the_hill):
    view = on_the_hill
    way, document = drawn(view, "uphill"), view.workbench.session.document
    assert (way.y[0], way.x[0]) == (document.kernel.gamma, document.algorithm.noise)
    heights = ascent(view).heights
    assert (np.diff(heights) > 0).all()
    assert heights[-1] >= np.nanmax(selection(view).face("likelihood"))


def test_another_setting_has_another_way_uphill_and_hidden_there_is_none(on_the_hill, qtbot):
    view = on_the_hill
    run, session = run_of(view), view.workbench.session
    session.change("noise", algorithm=algorithm("gaussian-process(noise=0.01)"))
    assert drawn(view, "uphill") is None
    qtbot.waitUntil(lambda: drawn(view, "uphill") is not None, timeout=LONG)
    assert drawn(view, "uphill").x[0] == 0.01
    assert run_of(view) is run  # the map holds for all of them
    session.change("noise", algorithm=algorithm("gaussian-process(noise=0.02)"))
    view.hide()
    assert not view.working


def test_one_number_goes_uphill_alone(on_the_hill, qtbot):
    view = on_the_hill
    pick(view, "second", 0)
    qtbot.waitUntil(lambda: complete(view) and drawn(view, "uphill") is not None, timeout=LONG)
    assert ascent(view).places.shape[1] == 1
    assert ascent(view).heights[-1] >= np.nanmax(selection(view).face("likelihood")) - 1e-6


def test_hidden_nothing_goes_on(shown, qtbot):
    view = shown("moons(n=300, noise=0.3)")
    qtbot.waitUntil(lambda: bool(active_children()), timeout=LONG)
    view.hide()
    qtbot.waitUntil(lambda: not active_children(), timeout=LONG)
    assert not view.working


def test_other_points_are_tried_too_and_those_too_few_for_folds_are_told(tried, qtbot):
    view = tried(SOURCE)
    session = view.workbench.session
    session.change("x", data=session.document.data.subset(np.arange(6)))
    qtbot.waitUntil(lambda: "the 5 folds need one for each" in view.scene.reason)


def test_what_has_no_numbers_has_nothing_to_choose(shown):
    view = shown(SOURCE, "linear", "prototype")
    assert view.scene.reason == "There is no parameter to choose."
    assert not active_children()


def test_what_is_chosen_survives_another_kernel_of_the_same_kind(tried, qtbot):
    view = tried(SOURCE)
    view.workbench.session.change("x", algorithm=algorithm("logistic(lam=0.1)"))
    qtbot.waitUntil(lambda: complete(view), timeout=LONG)
    assert [axis.key for axis in selection(view).grid.axes] == ["gamma", "lam"]
    view.workbench.session.change("x", kernel=kernel("rbf(gamma=2)"))
    assert present(view) == (2.0, 0.1)


def closed(picker):
    """What a closed list reads."""
    option = QStyleOptionComboBox()
    picker.initStyleOption(option)
    return picker.shortened(option)


def test_the_numbers_to_choose_are_told_in_full_or_alone_but_never_cut(shown, qtbot):
    view = shown(SOURCE, width=480)
    numbers = [view.bar.pickers[field] for field in ("first", "second")]
    whole = ["γ  –  Gaussian (RBF)", "C  –  Soft-margin SVM"]
    qtbot.waitUntil(lambda: [closed(picker) for picker in numbers] == whole)
    view.resize(220, 360)
    qtbot.waitUntil(lambda: [closed(picker) for picker in numbers] == ["γ", "C"])
    assert view.bar.pickers["second"].itemText(0) == ALONE


@pytest.mark.parametrize("width", [230, 300, 480, 1200])
@pytest.mark.parametrize("face", ["validation", "training"])
def test_the_line_above_the_map_says_less_rather_than_in_smaller_type(tried, width, face):
    view = tried(SOURCE)
    node = SettingsChart(selection(view), face, (1.0, 1.0), False, None).node
    (plot, *_) = node.leaves(QRectF(0, 0, 0.75 * width, 220), view.sheet.layout_of_scene.style)
    assert plot.legend.curves
    assert plot.legend.scale >= 0.85


def test_it_can_be_stopped_and_gone_on_with(shown, qtbot):
    view = shown("moons(n=300, noise=0.3)")
    qtbot.waitUntil(view.halt.isVisible, timeout=LONG)
    assert view.halt.text() == "Stop"
    qtbot.mouseClick(view.halt, LEFT)
    qtbot.waitUntil(lambda: not active_children(), timeout=LONG)
    assert not view.working
    assert not complete(view), "the rest was left alone"
    assert view.halt.text() == "Resume"
    qtbot.mouseClick(view.halt, LEFT)
    qtbot.waitUntil(lambda: complete(view), timeout=LONG)
    qtbot.waitUntil(view.halt.isHidden)


def test_where_no_setting_can_be_fitted_it_says_so(shown, qtbot):
    view = shown("rings(n=30)", "linear", "random-features")
    qtbot.waitUntil(lambda: view.scene.reason == "5 folds. No setting could be fitted.", timeout=LONG)
