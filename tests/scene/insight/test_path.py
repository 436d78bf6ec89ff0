"""The regularisation path: followed while nothing moves, dragged along by the mouse."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

import kernelviz
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.runtime.background_results import PathCurves
from kernelviz.scene.insight.path import path_plots, relative
from kernelviz.scene.view import Scene
from kernelviz.scene.wording import shown
from tests.scene.insight.helpers import found, laid_out, legend, pixel

LEFT = Qt.MouseButton.LeftButton


# The plots --------------------------------------------------------------------------------------------------
def plots(training: Array, squares: bool = False, **errors: Array) -> Scene:
    values = np.geomspace(1e-3, 1e3, len(training))
    along = PathCurves(
        Ridge.parameter("lam"),
        lambda at: along,
        values,
        training,
        np.ones(len(training)),
        squares=squares,
        **errors,
    )
    return Scene(path_plots(along, 1.0))


def highest(scene: Scene) -> float:
    """The end of the axis of the errors."""
    return laid_out(scene).find("lower").node.y.high


def test_mistakes_that_most_fits_do_not_make_are_seen() -> None:
    assert highest(plots(np.r_[0.4, 0.2, np.zeros(20)])) == 0.5


@pytest.mark.parametrize("usual", [0.0, 1e-9, 0.1])
def test_squares_of_left_out_points_are_seen_however_small_the_others_are(usual: float) -> None:
    left_out = np.linspace(0.5, 1.0, 20)
    assert highest(plots(np.r_[np.full(19, usual), 0.3], squares=True, left_out=left_out)) >= 1.0


def test_squares_of_nearly_singular_systems_are_off_the_scale() -> None:
    assert highest(plots(np.r_[1e9, np.full(20, 0.1)], squares=True)) < 10.0


def test_the_leave_one_out_error_is_told_from_the_held_out_one() -> None:
    errors = np.full(5, 0.1)
    scene = plots(errors, squares=True, left_out=errors, held_out=errors)
    looks = {(curve.colour, curve.dash) for curve, _ in laid_out(scene).find("lower").node.entries}
    assert len(looks) == 3


def test_the_width_of_the_margin_is_a_curve_between_powers_of_ten_that_its_name_gives() -> None:
    widths = np.array([np.inf, 30.0, 10.0, 1.0, 0.3])
    assert relative(widths) == pytest.approx([np.nan, 0.8257, 0.6667, 0.3333, 0.1590], abs=1e-4, nan_ok=True)
    assert relative(np.full(3, 10.0**0.5)) == pytest.approx([0.5] * 3)
    scene = plots(np.zeros(5), margin=widths, weights=np.zeros((5, 2)), signs=np.array([1.0, -1.0]))
    assert list(legend(scene, "upper"))[1] == "half-width 1/‖w‖ (from 0.1 to 100, logarithmic)"


# The view ---------------------------------------------------------------------------------------------------
@pytest.fixture
def followed(opened):
    """A view with its path."""
    return lambda data="gaussians(n=40, seed=3)", kernel_text="rbf(gamma=1)", how="soft-margin-svm(C=1)": (
        opened("path", data=data, kernel_text=kernel_text, how=how)
    )


def weights(view) -> PathCurves:
    return found(view, "weights").along


def curve(view, name):
    return found(view, name).y


def place(view, share):
    """The pixel at a share of the plot's width."""
    inner = found(view, "upper").inner
    return pixel(QPointF(inner.left() + share * inner.width(), inner.center().y()))


def test_the_path_has_a_line_for_every_point_and_says_how_many_breakpoints(followed):
    view = followed()
    along = weights(view)
    assert along.weights.shape == (len(along.values), 40)
    assert along.weights.min() >= 0
    assert along.weights.max() <= 1
    assert view.bar.remark.text() == f"{len(along.breakpoints)} breakpoints"


def test_dragging_moves_the_fit_along_the_path_as_one_step_of_undo(followed):
    view = followed()
    session = view.workbench.session
    before = session.document
    seen = []
    session.subscribe(lambda old, new: seen.append(new.document.algorithm.C))
    QTest.mousePress(view.sheet, LEFT, pos=place(view, 0.4))
    for share in (0.5, 0.6, 0.7):
        QTest.mouseMove(view.sheet, place(view, share))
    QTest.mouseRelease(view.sheet, LEFT, pos=place(view, 0.7))
    assert seen == sorted(seen)
    assert len(seen) >= 2
    assert found(view, "present").x == session.document.algorithm.C
    session.undo()
    assert session.document is before


def test_moving_along_the_path_computes_nothing(followed):
    view = followed()
    along = weights(view)
    QTest.mouseClick(view.sheet, LEFT, pos=place(view, 0.2))
    assert weights(view) is along
    assert not view.working


def test_the_mouse_without_its_button_moves_nothing(followed):
    view = followed()
    before = view.workbench.session.document
    QTest.mouseMove(view.sheet, place(view, 0.3))
    QTest.mouseMove(view.sheet, place(view, 0.8))
    assert view.workbench.session.document is before


def test_another_kernel_is_followed_anew_once_nothing_moves(followed, qtbot):
    view = followed()
    along = weights(view)
    view.workbench.session.change("x", kernel=kernel("rbf(gamma=5)"))
    qtbot.waitUntil(lambda: weights(view) is not along)


def test_held_out_points_have_their_curve(followed, qtbot):
    view = followed("moons(n=60, noise=0.3)")
    assert weights(view).held_out is None
    session = view.workbench.session
    session.replace("hold out", session.document.with_share_aside(0.3))
    qtbot.waitUntil(lambda: weights(view).held_out is not None)
    assert np.array_equal(curve(view, "held-out error"), weights(view).held_out)


def test_hovering_a_line_marks_its_point_everywhere(followed, qtbot):
    view = followed()
    along = weights(view)
    row = along.weights[len(along.values) // 2]
    middle = np.flatnonzero((row > 0.1) & (row < 0.9))
    i = int(middle[np.argmin(row[middle])])
    x, y = found(view, "upper").at(along.values[len(along.values) // 2], row[i])[0]
    qtbot.mouseMove(view.sheet, pixel(QPointF(x, y)))
    assert view.workbench.hovered_point is not None
    assert abs(row[view.workbench.hovered_point] - row[i]) < 0.05


def test_ridge_shows_errors_and_freedom_over_its_penalty(followed):
    view = followed("moons(n=40, noise=0.3)", "rbf(gamma=2)", "ridge(lam=0.1)")
    assert "weights" not in found(view, "upper").parts
    assert (np.diff(curve(view, "freedom")) < 0).all()
    QTest.mouseClick(view.sheet, LEFT, pos=place(view, 0.9))
    assert view.workbench.session.document.algorithm.lam > 0.1


def test_an_algorithm_without_a_path_says_which_have_one(bench, opened):
    view = opened("path", workbench=bench("moons(n=40)", "linear", "perceptron"))
    assert "soft-margin SVM has a path" in view.scene.reason
    view.workbench.session.change("x", algorithm=algorithm("prototype"))
    assert not view.working


def test_a_path_that_cannot_be_followed_says_why(bench, opened, qtbot):
    view = opened("path", workbench=bench("moons(n=1100)"))
    qtbot.waitUntil(lambda: "up to 1,000 points" in view.scene.reason)


def test_hidden_it_computes_nothing(followed):
    view = followed()
    view.hide()
    view.workbench.session.change("x", kernel=kernel("rbf(gamma=5)"))
    assert not view.working


@pytest.mark.parametrize("fitted", ["soft-margin-svm(C=0.0367)", "soft-margin-svm(C=3.21)"])
def test_the_numbers_above_the_path_are_those_of_the_fit_at_this_very_C(followed, fitted):
    view = followed("moons(n=60, noise=0.3)", "rbf(gamma=2)", fitted)
    document = view.workbench.session.document
    numbers = kernelviz.fit(document.data, kernel=document.kernel, algorithm=document.algorithm).numbers
    support, margin = legend(view, "upper").values()
    (training,) = legend(view, "lower").values()
    assert support == f"{100 * numbers['support_vectors'] / 60:.3g} %"
    assert margin == shown(numbers["margin_width"], 4)
    assert training == f"{100 * numbers['training_error']:.3g} %"


def test_beyond_the_end_of_the_path_no_numbers_are_made_up(followed):
    along = weights(followed())
    scene = Scene(path_plots(along, 2 * float(along.values[-1])))
    assert list(legend(scene, "upper")) == ["beyond the path: C"]
    assert legend(scene, "lower") == {}
