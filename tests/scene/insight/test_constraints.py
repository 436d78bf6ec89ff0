"""The page about constraints."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from kernelviz.engine.analysis.constraints import ConstrainedOptimum
from kernelviz.scene.figure.text import text_width
from kernelviz.scene.insight.constraints import NO_SVM, ConstraintsView
from kernelviz.scene.rows import SMALLEST_SCROLLED
from kernelviz.scene.view import Now, ViewMemory
from tests.scene.insight.helpers import BELOW_CANVAS, ON_SCREEN, found, laid_out, made, pixel, press


def told(scene) -> dict[str, str]:
    """The numbers by their names; those of the SVM replace nothing, for they have other names."""
    node = found(scene, "rows").node
    return {item.name: item.value for item in (*node.more, *node.items)}


def test_an_active_constraint_has_a_positive_multiplier_and_an_inactive_one_has_0(frame_of):
    frame = frame_of()
    active, inactive = (told(made(ConstraintsView(t=t, angle=0.0), frame)) for t in (1.5, -1.0))
    assert active["constraint"].startswith("active")
    assert (active["g(x)"], active["multiplier λ"]) == ("0", "1 (≥ 0)")
    assert inactive["constraint"].startswith("inactive")
    assert (inactive["g(x)"], inactive["multiplier λ"]) == ("1.5", "0 (≥ 0)")
    assert inactive["optimum x"] == "(0.5, 0.25)"


def test_below_the_canvas_of_a_small_screen_all_conditions_are_seen_in_readable_type(frame_of):
    scene = made(ConstraintsView(), frame_of(), point=3)
    assert scene.root.height(BELOW_CANVAS.width(), ON_SCREEN) <= BELOW_CANVAS.height()
    rows, field = (laid_out(scene, BELOW_CANVAS, ON_SCREEN).find(part) for part in ("rows", "plane"))
    assert len(rows.rows) == 9 + 6
    assert all(BELOW_CANVAS.contains(box) for box in rows.rows.values())
    assert rows.size >= SMALLEST_SCROLLED * ON_SCREEN.text
    assert text_width(field.title, ON_SCREEN.text) <= field.rect.width()


def test_an_equality_may_have_a_negative_multiplier(frame_of):
    numbers = told(made(ConstraintsView(t=-1.0, angle=0.0, equality=True), frame_of()))
    assert numbers["multiplier λ"] == "−1.5 (any sign)"


def test_for_a_maximum_the_sign_of_the_gradient_turns(frame_of):
    smallest, largest = (
        told(made(ConstraintsView(optimum=which), frame_of())) for which in ("minimum", "maximum")
    )
    assert "∇f = λ∇g" in smallest
    assert "∇f = −λ∇g" in largest
    assert smallest["optimum x"] == largest["optimum x"]


@pytest.mark.parametrize(
    ("how", "name"),
    [("hard-margin-svm", "the SVM: f = ½‖w‖²"), ("soft-margin-svm(C=2)", "the SVM: f = ½‖w‖² + CΣξᵢ")],
)
def test_the_conditions_of_the_svm_are_counted_and_those_of_a_point_named(frame_of, how, name):
    frame = frame_of(how=how)
    alpha, slack = frame.model.alpha, frame.table.slack.sum()
    i = int(np.flatnonzero(alpha == 0)[0])
    numbers = told(made(ConstraintsView(), frame, point=i))
    assert numbers["active, αᵢ > 0"] == f"{np.count_nonzero(alpha)} support vectors"
    assert numbers[f"point {i + 1}"].endswith("α = 0")
    assert float(numbers[name]) == pytest.approx(0.5 * frame.model.squared_norm + 2 * slack, rel=0.01)


@pytest.mark.parametrize("how", ["ridge", "squared-slack-svm", "perceptron"])
def test_other_fits_have_no_such_conditions(frame_of, how):
    rows = found(made(ConstraintsView(), frame_of(how=how)), "rows").node
    assert (rows.more, rows.remarks) == ((), (NO_SVM,))


def test_the_page_needs_no_fit(bench):
    failure = bench("sine(n=20)", "polynomial(degree=3)", "nadaraya-watson").failure
    scene = ConstraintsView().without_fit(failure, Now(), ViewMemory())
    assert told(scene)["constraint"].startswith("active")
    assert found(scene, "rows").node.remarks == (NO_SVM,)


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(opened):
    return opened("constraints", 640, 400)


def test_dragging_moves_the_constraint_and_the_optimum_with_it(view, qtbot):
    plane = found(view, "plane")
    normal = np.array([np.cos(np.pi / 6), np.sin(np.pi / 6)])

    def at(place) -> QPointF:
        return QPointF(*plane.at(*place)[0].tolist())

    qtbot.mousePress(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(at(1.0 * normal)))
    qtbot.mouseMove(view.sheet, pixel(at(-0.5 * normal)))
    qtbot.mouseRelease(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(at(-0.5 * normal)))
    assert view.view.t == pytest.approx(-0.5, abs=0.05)
    assert told(view)["constraint"].startswith("inactive")


def test_a_drag_of_the_constraint_is_one_step_of_undo(view, qtbot):
    session, plane = view.workbench.session, found(view, "plane")
    document, frame = session.document, view.workbench.frame
    qtbot.mousePress(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(QPointF(*plane.at(1.0, 0.0)[0])))
    for x in (0.5, 0.0, -0.5):
        qtbot.mouseMove(view.sheet, pixel(QPointF(*plane.at(x, 0.0)[0])))
    qtbot.mouseRelease(view.sheet, Qt.MouseButton.LeftButton, pos=pixel(QPointF(*plane.at(-0.5, 0.0)[0])))
    moved = view.view.t
    assert moved < 0
    assert session.history.undo_name == "change t of Constraints"
    session.undo()
    assert view.view.t == view.numbers["t"].value == 1.0
    assert told(view)["constraint"] == "active"
    assert session.history.undo_name is None
    session.redo()
    assert view.view.t == moved
    assert told(view)["constraint"] == "inactive"
    assert (session.document, view.workbench.frame) == (document, frame)  # nothing was fitted again


def test_each_switch_of_the_constraint_is_undone_on_its_own(view):
    session = view.workbench.session
    view.lists["optimum"].setFocus()
    press(view.lists["optimum"], Qt.Key.Key_Down)
    press(view.boxes["equality"], Qt.Key.Key_Space)
    press(view.numbers["angle"].slider, Qt.Key.Key_Right)
    assert (view.view.optimum, view.view.equality, view.view.angle > 30.0) == ("maximum", True, True)
    session.undo()
    assert (view.view.equality, view.view.angle) == (True, 30.0)
    session.undo()
    assert (view.view.optimum, view.view.equality) == ("maximum", False)
    assert not view.boxes["equality"].isChecked()
    session.undo()
    assert view.lists["optimum"].currentText() == view.view.optimum == "minimum"


@pytest.mark.parametrize(("width", "height"), [(360, 260), (300, 300), (300, 520), (700, 210)])
def test_in_a_small_place_the_rows_are_readable_and_scroll_if_they_are_too_high(opened, width, height):
    view = opened("constraints", width, height)
    rows = found(view, "rows")
    assert rows.size >= 0.9 * rows.style.text
    assert rows.node.width(rows.style) <= rows.rect.width()
    assert all(rows.rect.contains(box) for box in rows.rows.values())


def test_a_key_turns_it(view):
    slider = view.numbers["angle"].slider
    press(slider, Qt.Key.Key_Right)
    assert view.view.angle > 30.0
    assert found(view, "constraint").problem.angle == view.view.angle


def test_the_conditions_follow_the_point_that_is_hovered(view):
    view.workbench.hover(7)
    assert "point 8" in told(view)


@pytest.mark.parametrize("optimum", ["minimum", "maximum"])
@pytest.mark.parametrize(("angle", "t"), [(30.0, 1.0), (-120.0, -0.75), (0.0, 0.5), (90.0, 0.0)])
def test_the_functions_are_written_out_as_they_are(frame_of, optimum, angle, t):
    numbers = told(made(ConstraintsView(optimum=optimum, angle=angle, t=t), frame_of()))
    problem = ConstrainedOptimum(angle, t, maximum=optimum == "maximum")
    for x in ([0.7, -1.2], [-0.4, 2.0]):
        assert value(numbers["f"], *x) == pytest.approx(float(problem.f(np.array(x))))
        assert value(numbers["g"], *x) == pytest.approx(float(problem.g(np.array(x))), abs=0.02)


def value(formula: str, x1: float, x2: float) -> float:
    """A formula as it is written, at a place."""
    text = formula.replace("½", "0.5*").replace("²", "**2").replace("−", "-")
    text = re.sub(r"(?<=\d)x", "*x", text.replace("₁", "1").replace("₂", "2"))
    return eval(text, {"x1": x1, "x2": x2})
