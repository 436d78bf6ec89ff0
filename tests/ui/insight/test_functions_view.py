"""The fit as a vector, by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelviz.drawing.insight.functions import OTHER, UNEDITED, FunctionsPicture
from kernelviz.engine.analysis.functions import compared
from kernelviz.engine.fits.parsing import Fit, algorithm, dataset, kernel
from kernelviz.session.workspaces.plane import Plane
from kernelviz.ui.insight.functions_view import FunctionsView


@pytest.fixture
def view(bench, show, qtbot):
    made = show(FunctionsView(bench()))
    qtbot.waitUntil(lambda: isinstance(made.picture, FunctionsPicture))
    return made


def move(view, point: int, gesture: object, x: float = 1.0) -> None:
    session = view.workbench.session
    moved = Plane().placed(session.document.data, [point], [[x, 1.0]])
    session.change("move point", gesture=gesture, data=moved)


def test_moving_a_point_shows_how_far_the_function_moves(view, qtbot):
    assert view.picture.comparison is None
    f = view.workbench.frame.model
    gesture = object()
    for x in (1.0, 1.5, 2.0):  # one drag
        move(view, int(f.support[0]), gesture, x)
    qtbot.waitUntil(
        lambda: view.picture.comparison is not None and view.picture.data is view.workbench.frame.data
    )
    expected = compared(view.workbench.frame.model, f)
    assert view.picture.comparison.distance == pytest.approx(expected.distance, rel=1e-6)
    assert expected.distance > 0.01


def test_moving_a_point_that_is_no_support_vector_leaves_the_function_where_it_was(bench, show, qtbot):
    view = show(FunctionsView(bench("barely_separable(n=40, gap=1.5)", "linear", "hard-margin-svm")))
    qtbot.waitUntil(lambda: isinstance(view.picture, FunctionsPicture))
    frame = view.workbench.frame
    i = int(max(range(40), key=lambda k: frame.table.product[k]))
    session = view.workbench.session
    moved = Plane().placed(frame.data, [i], [1.01 * frame.data.X[i]])
    session.change("move point", data=moved)
    qtbot.waitUntil(lambda: view.picture.comparison is not None)
    assert view.picture.comparison.distance < 1e-4 * view.picture.comparison.norms[0]


def test_another_fit_of_the_same_kernel_is_chosen_by_key(view, qtbot):
    session = view.workbench.session
    other = Fit(kernel("rbf(gamma=1)"), algorithm("ridge(lam=1)"))
    session.change("compare", fits=(*session.document.fits, other))
    view.lists["other"].setFocus()
    QTest.keyClick(view.lists["other"], Qt.Key.Key_Down)
    assert view.maker.switches.other == OTHER
    qtbot.waitUntil(lambda: "ridge" in view.picture.words)
    g = other.algorithm.fit(view.workbench.frame.model.problem)
    expected = compared(view.workbench.frame.model, g)
    assert view.picture.comparison.product == pytest.approx(expected.product)


def test_pointing_at_a_bar_lights_its_point(view, qtbot, place_of):
    i = int(view.picture.order[0])
    qtbot.mouseMove(view.sheet, place_of(view, i))
    assert view.workbench.hovered_point == i


def test_other_points_have_no_function_before(view, qtbot):
    """Two classes, three, and two again: what was fitted to the first is not compared with the last."""
    session = view.workbench.session
    for source in ("blobs(n=30, classes=3)", "rings(n=50)"):
        session.change("open data", data=dataset(source), source=source)
        qtbot.waitUntil(lambda: view.taken is not None and view.taken.data is session.document.data)
    qtbot.waitUntil(lambda: getattr(view.picture, "data", None) is session.document.data)
    assert view.picture.comparison is None
    assert view.picture.words == UNEDITED


def test_nor_have_points_chosen_anew_at_once(view, qtbot):
    session = view.workbench.session
    session.change("choose data set", data=dataset("rings(n=50)"), source="rings(n=50)")
    qtbot.waitUntil(lambda: getattr(view.picture, "data", None) is session.document.data)
    assert view.picture.comparison is None


def test_edits_nobody_saw_count_too(view, qtbot):
    """Away from sight C goes from 1 by 0.3 to 0.1: the function before the last edit is that of 0.3."""
    view.hide()
    session, fits = view.workbench.session, {}
    for C in (0.3, 0.1):
        session.change("C", algorithm=algorithm(f"soft-margin-svm(C={C})"))
        qtbot.waitUntil(lambda: view.workbench.up_to_date)
        fits[C] = view.workbench.frame.model
    view.show()
    qtbot.waitUntil(lambda: view.picture.comparison is not None)
    assert view.picture.comparison.norms == pytest.approx(compared(fits[0.1], fits[0.3]).norms)


def test_the_function_of_another_fit_is_not_the_one_before(view, qtbot):
    session = view.workbench.session
    session.change("compare", fits=(*session.document.fits, Fit(kernel("rbf(gamma=1)"), algorithm("ridge"))))
    session.activate(1)
    qtbot.waitUntil(lambda: view.taken is not None and view.taken.fit == 1)
    assert view.maker.reference is None
