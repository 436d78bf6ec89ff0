"""The point inspector."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from kernelviz.engine.analysis.functions import target_weights
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset
from kernelviz.scene.wording import shown
from kernelviz.session.tables.point_columns import columns_of
from kernelviz.ui.insight.inspector import SUM, PointInspector
from kernelviz.ui.widgets.term_bars import summands_of


@pytest.fixture
def inspector(bench, show):
    return show(PointInspector(bench()), 320, 460)


def test_at_first_it_invites(inspector):
    assert "Point at something" in inspector.heading.text()
    assert all(label.text() == "–" for label in inspector.values.values())


def test_a_point_with_a_weight_says_it(qtbot, inspector):
    session = inspector.workbench.session
    data = session.document.data
    session.change("weigh", data=data.weighted([8.0**0.5, *[1.0] * (data.n - 1)]))
    inspector.workbench.hover(0)
    qtbot.waitUntil(lambda: inspector.heading.text().endswith(", weight 2.83"))
    session.undo()
    qtbot.waitUntil(lambda: "weight" not in inspector.heading.text())
    assert inspector.heading.text().startswith("Point 1,")


@pytest.mark.parametrize("i", [0, 7, 39])
def test_a_hovered_point_is_told_with_all_its_numbers(inspector, i):
    inspector.workbench.hover(i)
    frame = inspector.workbench.frame
    table = frame.table
    assert inspector.heading.text().startswith(f"Point {i + 1}, class ")
    assert inspector.kind.text().split(",")[0] == str(table.kind[i])
    for name in ("alpha", "score", "product", "slack", "margin"):
        value = float(getattr(table, name)[i])
        assert inspector.values[name].text() == shown(value, zero=1e-12)
    assert inspector.condition.text() == table.state(i)
    assert inspector.values["alpha"].toolTip().endswith("0 ≤ α ≤ 1")


@pytest.mark.parametrize(("how", "caption"), [("logistic", "p(x)"), ("ridge", "value")])
def test_only_a_probability_is_called_p(bench, show, how, caption):
    inspector = show(PointInspector(bench("gaussians(n=40)", "rbf(gamma=1)", how)), 320, 460)
    inspector.workbench.hover(3)
    fitted = inspector.workbench.frame.model.fitted_values[3]
    assert inspector.numbers.captions["value"].text() == caption
    assert inspector.values["value"].text() == shown(fitted)
    titles = {
        column.title
        for column in columns_of(inspector.workbench.frame.model, inspector.workbench.frame.table)
    }
    assert caption in titles


def test_the_listed_terms_add_up_to_the_score(inspector):
    inspector.workbench.hover(5)
    parts = inspector.bars.summands
    assert sum(part.value for part in parts) == pytest.approx(inspector.workbench.frame.table.score[5])
    assert parts[-1].name == "offset b", "a string may be called b"
    points = [abs(part.value) for part in parts if part.point is not None]
    assert points == sorted(points, reverse=True)


def test_an_empty_place_shows_its_score_and_the_largest_terms(inspector):
    inspector.show_place(0.3, -0.2)
    model = inspector.workbench.frame.model
    (score,) = model.score([[0.3, -0.2]])
    assert inspector.heading.text() == "Place (0.3, −0.2)"
    assert inspector.values["score"].text() == shown(score)
    assert inspector.values["alpha"].text() == "–"
    name = model.problem.data.class_names[int(score > 0)]
    assert inspector.kind.text() == f"classified as {name}"
    assert sum(part.value for part in inspector.bars.summands) == pytest.approx(score)


def test_of_a_single_input_a_place_is_how_far_it_is_to_the_right(bench, show):
    points = Data.labelled(np.array([[-2.0], [-1.0], [0.5], [1.0]]), ["a", "a", "b", "b"], ["x"])
    inspector = show(PointInspector(bench(points)), 320, 460)
    inspector.show_place(0.25, 3.0)
    (score,) = inspector.workbench.frame.model.score([[0.25]])
    assert inspector.heading.text() == "Place (0.25)"
    assert inspector.values["score"].text() == shown(score)
    assert inspector.bars.summands


def test_a_place_where_a_local_mean_has_no_value_says_why(bench, show):
    workbench = bench(Data.regression([[0.0], [1.0]], [2.0, 3.0]), "box(l=0.5)", "nadaraya-watson")
    inspector = show(PointInspector(workbench), 320, 460)
    inspector.show_place(7.0, 1.0)
    assert inspector.kind.text() == "no training point nearby"
    assert inspector.values["score"].text() == "–"
    assert not inspector.bars.summands
    inspector.show_place(0.9, 1.0)
    assert inspector.kind.text() == ""
    assert inspector.values["score"].text() == "3"


def test_a_hovered_point_goes_before_a_selected_one_and_that_before_a_place(inspector):
    session = inspector.workbench.session
    inspector.show_place(0.0, 0.0)
    session.adjust(selection=(2,))
    assert inspector.heading.text().startswith("Point 3,")
    inspector.show_place(1.0, 1.0)
    assert inspector.heading.text().startswith("Point 3,")
    inspector.workbench.hover(8)
    assert inspector.heading.text().startswith("Point 9,")
    inspector.workbench.hover(None)
    assert inspector.heading.text().startswith("Point 3,")
    session.adjust(selection=())
    assert inspector.heading.text() == "Place (1, 1)"


def test_a_place_that_is_none_is_forgotten(inspector):
    inspector.show_place(0.0, 0.0)
    inspector.show_place(np.nan, np.nan)
    assert "Point at something" in inspector.heading.text()


def type_into(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_typed_coordinates_move_the_selected_point_as_one_step_of_undo(inspector, qapp):
    session = inspector.workbench.session
    session.adjust(selection=(4,))
    before = session.document
    inspector.activateWindow()
    type_into(inspector.fields[0], "1.25")
    assert session.document.data.X[4, 0] == 1.25
    assert session.document.data.X[4, 1] == before.data.X[4, 1]
    assert session.history.undo_name == "move point"
    qapp.processEvents()
    assert inspector.workbench.frame.data.X[4, 0] == 1.25
    session.undo()
    assert session.document is before
    assert inspector.point == 4


def test_coordinates_show_four_digits_until_one_is_typed(inspector, qtbot):
    session = inspector.workbench.session
    inspector.activateWindow()
    session.adjust(selection=(4,))
    field = inspector.fields[0]
    exact = float(session.document.data.X[4, 0])
    assert len(repr(exact)) > 10
    assert field.text() == f"{exact:.4g}"
    qtbot.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    assert field.text() == f"{exact:.4g}"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert session.document.data.X[4, 0] == exact, "nothing was typed, so nothing is rounded"
    type_into(field, "1.2345678")
    assert session.document.data.X[4, 0] == 1.2345678
    assert field.text() == "1.2345678"


def test_a_decimal_comma_is_understood(inspector):
    inspector.workbench.session.adjust(selection=(4,))
    type_into(inspector.fields[1], "-0,5")
    assert inspector.workbench.session.document.data.X[4, 1] == -0.5


@pytest.mark.parametrize("text", ["nonsense", "nan", "inf", "1e999"])
def test_what_is_no_number_moves_nothing_and_is_told(inspector, text):
    session = inspector.workbench.session
    session.adjust(selection=(4,))
    before = session.document
    type_into(inspector.fields[0], text)
    assert session.document is before
    assert "finite number" in inspector.condition.text()


def test_the_same_number_again_is_no_step(inspector):
    session = inspector.workbench.session
    session.adjust(selection=(4,))
    type_into(inspector.fields[0], repr(float(session.document.data.X[4, 0])))
    assert session.history.undo_name is None


def test_the_boxes_of_a_hovered_point_wait_for_the_mouse_and_a_click_into_one_pins_the_point(
    inspector, qtbot
):
    inspector.activateWindow()
    bench, at = inspector.workbench, inspector.workbench.session.document.data.X[4]
    bench.hover(4)
    bench.hover(None)
    inspector.show_place(0.5, 0.25)  # on the way to the boxes, which stay where they are
    qtbot.waitUntil(lambda: all(field.isVisible() for field in inspector.fields))
    assert [(field.text(), field.isReadOnly()) for field in inspector.fields] == [
        ("0.5", True),
        ("0.25", True),
    ]
    inspector.show_place(np.nan, np.nan)
    assert inspector.heading.text().startswith("Point 5,")
    qtbot.mouseClick(inspector.fields[1].lineEdit(), Qt.MouseButton.LeftButton)
    assert bench.session.look.selection == (4,)
    type_into(inspector.fields[1], "0.75")
    assert bench.session.document.data.X[4].tolist() == [at[0], 0.75]


def test_a_point_left_behind_is_forgotten_when_points_come_or_go(inspector, qtbot):
    session = inspector.workbench.session
    inspector.workbench.hover(4)
    inspector.workbench.hover(None)
    session.change("delete point", data=session.document.data.subset(range(10)))
    qtbot.waitUntil(lambda: "Point at something" in inspector.heading.text())


def test_pointing_at_a_bar_highlights_its_point_without_changing_the_inspector(inspector, qtbot, qapp):
    inspector.workbench.session.adjust(selection=(5,))
    qapp.processEvents()
    row = inspector.bars.summands[0]
    qtbot.mouseMove(inspector.bars, QPoint(30, 5))
    assert inspector.workbench.hovered_point == row.point
    assert inspector.heading.text().startswith("Point 6,")
    assert inspector.bars.toolTip() == row.detail


def test_numbers_follow_the_solver(inspector, qtbot):
    inspector.workbench.hover(int(inspector.workbench.frame.table.slack.argmax()))
    before = inspector.values["score"].text()
    session = inspector.workbench.session
    session.change("change C", algorithm=session.document.algorithm.replace(C=100.0))
    qtbot.waitUntil(lambda: inspector.values["score"].text() != before)
    assert inspector.values["alpha"].toolTip().endswith("0 ≤ α ≤ 100")


def test_several_classes_show_the_score_of_each(bench, show):
    inspector = show(PointInspector(bench("blobs(n=30, classes=3, seed=1)")))
    inspector.workbench.hover(0)
    assert inspector.values["score"].text().count(",") == 2
    assert inspector.bars.summands == ()
    inspector.workbench.hover(None)
    inspector.show_place(0.0, 0.0)
    assert inspector.kind.text().startswith("classified as")


def test_models_without_an_expansion_have_no_terms(bench):
    model = bench(how="nearest-neighbours(k=3)").frame.model
    assert model.beta is None
    assert summands_of(model, [0.0, 0.0], 0.0) == ()


@pytest.mark.parametrize("how", ["ridge(lam=0.1)", "nadaraya-watson"])
def test_real_targets_have_weights_that_add_up_to_the_score(bench, show, qtbot, how):
    inspector = show(PointInspector(bench("sine(n=20, seed=1)", "rbf(gamma=3)", how)), 320, 460)
    inspector.show_place(0.4, 0.0)
    if how == "nadaraya-watson":
        assert not inspector.on_targets.isVisible(), "there is nothing else to show"
    else:
        assert inspector.sum_line.text() == SUM
        qtbot.mouseClick(inspector.on_targets, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    frame = inspector.workbench.frame
    weights = target_weights(frame.model, np.array([[0.4]]))[0]
    listed = inspector.bars.summands
    assert [part.value for part in listed[:-1]] == pytest.approx(
        weights[[part.point for part in listed[:-1]]]
    )
    assert sum(part.value for part in listed) == pytest.approx(weights.sum())
    assert inspector.sum_line.text() == f"s(x) = Σ wᵢ yᵢ, Σ wᵢ = {shown(weights.sum())}"
    nearest = int(np.abs(frame.data.X[:, 0] - 0.4).argmin())
    assert listed[0].point == nearest or how != "nadaraya-watson"


def test_classes_have_no_weights_on_targets(inspector):
    inspector.show_place(0.3, -0.2)
    assert not inspector.on_targets.isVisible()


def test_a_point_that_is_gone_is_no_longer_shown(inspector, qtbot):
    from kernelviz.session.workspaces.plane import PlaneWorkspace

    inspector.workbench.hover(39)
    session = inspector.workbench.session
    session.change("delete points", data=PlaneWorkspace().removed(session.document.data, [39]))
    qtbot.waitUntil(lambda: "Point at something" in inspector.heading.text())


def test_coordinates_carry_the_names_of_their_columns(inspector, qapp, qtbot):
    session = inspector.workbench.session
    session.adjust(selection=(4,))
    qapp.processEvents()
    assert [label.text() for label in captions(inspector)] == ["x₁", "x₂"]
    session.change("data", data=dataset("iris"))
    session.adjust(selection=(4,))
    columns = list(session.document.data.columns)
    qtbot.waitUntil(lambda: [label.text() for label in captions(inspector)] == columns)
    assert inspector.minimumSizeHint().width() <= 280


def captions(inspector):
    return [label for label in inspector.coordinates.findChildren(QLabel) if label.isVisible()]


def test_what_rounding_leaves_of_zero_is_shown_as_zero(inspector, monkeypatch, qtbot):
    frame = inspector.workbench.frame
    dust = frame.table.slack.copy()
    dust[3], dust[4] = 8.9e-16, 2e-9
    monkeypatch.setitem(vars(frame), "table", replace(frame.table, slack=dust))
    inspector.workbench.hover(3)
    qtbot.waitUntil(lambda: inspector.heading.text().startswith("Point 4,"))
    assert inspector.values["slack"].text() == "0"
    inspector.workbench.hover(4)
    qtbot.waitUntil(lambda: inspector.values["slack"].text() == "2e−9")


@pytest.mark.parametrize(("text", "edge"), [("1000", "right"), ("-1000", "left")])
def test_the_view_follows_a_point_that_is_typed_out_of_it(inspector, qapp, text, edge):
    session = inspector.workbench.session
    session.adjust(selection=(0,))
    qapp.processEvents()
    before = session.look.view
    type_into(inspector.fields[0], text)
    after = session.look.view
    assert abs(getattr(after, edge)) > 1000
    others = {"left", "right", "bottom", "top"} - {edge}
    assert all(getattr(after, side) == getattr(before, side) for side in others)
    assert session.document.source == ""


def test_undo_of_a_point_typed_far_away_brings_the_others_back_into_sight(inspector, qapp):
    session = inspector.workbench.session
    session.adjust(selection=(0,))
    qapp.processEvents()
    type_into(inspector.fields[0], "1e12")
    session.undo()
    view = session.look.view
    assert view.right - view.left < 100


@pytest.mark.parametrize("text", ["1e30", "-2e12"])
def test_a_point_that_could_not_be_shown_is_refused_in_words(inspector, text):
    session = inspector.workbench.session
    session.adjust(selection=(4,))
    before = session.state
    type_into(inspector.fields[1], text)
    assert session.document is before.document
    assert session.look.view == before.look.view
    assert "as far as 1e+12 from 0" in inspector.condition.text()


def test_the_view_stays_where_it_is_while_the_point_is_in_it(inspector, qapp):
    session = inspector.workbench.session
    session.adjust(selection=(0,))
    qapp.processEvents()
    before = session.look.view
    type_into(inspector.fields[0], "0.25")
    assert session.document.data.X[0, 0] == 0.25
    assert session.look.view == before


@pytest.fixture
def unfitted(bench, show):
    """An inspector on points of a single class, which nothing is fitted to."""
    inspector = show(PointInspector(bench(Data.labelled([[0.0, 1.0], [2.0, 3.0]], ["+", "+"]))), 320, 460)
    assert inspector.workbench.frame is None
    return inspector


def test_without_a_fit_a_selected_point_can_still_be_typed(unfitted, qapp):
    session = unfitted.workbench.session
    session.adjust(selection=(1,))
    assert unfitted.heading.text() == "Point 2, class +"
    assert unfitted.kind.text() == "no fit yet"
    assert all(label.text() == "–" for label in unfitted.values.values())
    type_into(unfitted.fields[0], "1.25")
    assert session.document.data.X.tolist() == [[0.0, 1.0], [1.25, 3.0]]
    assert session.history.undo_name == "move point"


def test_without_a_fit_the_point_follows_undo_and_a_changed_class(unfitted, qtbot):
    from kernelviz.session.workspaces.plane import PlaneWorkspace

    session = unfitted.workbench.session
    session.adjust(selection=(1,))
    type_into(unfitted.fields[1], "-7")
    session.undo()
    qtbot.waitUntil(lambda: unfitted.fields[1].text() == "3")
    session.change("flip", data=PlaneWorkspace().flipped(session.document.data, [0, 1]))
    qtbot.waitUntil(lambda: unfitted.heading.text() == "Point 2, class −")


def test_without_a_fit_a_hovered_point_is_named_and_a_place_is_not(unfitted):
    unfitted.show_place(0.5, 0.5)
    assert "Point at something" in unfitted.heading.text()
    unfitted.workbench.hover(0)
    assert unfitted.heading.text() == "Point 1, class +"


def test_where_classes_share_the_most_votes_it_says_what_decides(bench, show):
    workbench = bench("blobs(n=90, classes=3, noise=0.6, seed=2)", "linear", "soft-margin-svm(C=10)")
    inspector = show(PointInspector(workbench), 320, 460)
    inspector.show_place(-0.16, 0.05)  # in the triangle where every class has one vote
    assert inspector.kind.text().endswith("tied votes, decided by the larger sum of scores")
    inspector.show_place(0.0, 2.0)
    assert inspector.kind.text() == "classified as A"


def test_a_free_support_vector_lies_on_the_margin_to_all_digits_shown(bench, show):
    inspector = show(
        PointInspector(bench("moons(n=60, noise=0.2)", "rbf(gamma=1)", "soft-margin-svm(C=10)")), 320, 460
    )
    free = [i for i, kind in enumerate(inspector.workbench.frame.table.kind) if kind == "free support vector"]
    assert free
    for i in free:
        inspector.workbench.hover(i)
        assert (inspector.values["product"].text(), inspector.values["slack"].text()) == ("1", "0")


def test_a_point_of_replaced_data_is_cleared_while_the_new_fit_is_computed(qtbot, inspector, monkeypatch):
    bench = inspector.workbench
    bench.hover(30)
    bench.hover(None)
    assert inspector.heading.text().startswith("Point 31, class ")
    monkeypatch.setattr(bench._runner, "submit", lambda _request: None)  # the new fit takes long
    pasted = dataset("gaussians(n=60)")
    bench.session.change("paste points", data=pasted, source="")
    assert bench.frame.data is not pasted
    qtbot.waitUntil(lambda: inspector.heading.text() == "Point at something on the canvas.")
    assert inspector.kind.text() == inspector.condition.text() == ""
    assert all(label.text() == "–" for label in inspector.values.values())
