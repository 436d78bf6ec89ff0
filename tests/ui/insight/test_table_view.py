"""The table of points: sorted, edited, linked, copied."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from kernelviz.ui.insight.table_view import TableView

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(bench, show):
    return show(TableView(bench("gaussians(n=12, seed=3, distance=1)")), 900, 500)


def column(view, title):
    return [c.title for c in view.model.columns].index(title)


def shown_in(view, title):
    k = column(view, title)
    return [view.model.index(row, k).data() for row in range(view.model.rowCount())]


def cell(view, row, title):
    index = view.model.index(row, column(view, title))
    return index, view.table.visualRect(index).center()


def test_it_has_a_row_for_every_point_and_the_numbers_of_the_model(view):
    model = view.workbench.frame.model
    titles = [c.title for c in view.model.columns]
    assert titles == ["#", "x1", "x2", "class", "α", "β", "s(x)", "z·s", "margin", "slack", "status"]
    assert view.model.rowCount() == 12
    alpha = view.model.columns[column(view, "α")].numbers
    assert np.array_equal(alpha, model.alpha)
    slack = view.model.columns[column(view, "slack")].numbers
    assert np.allclose(slack, np.maximum(0, 1 - model.problem.z * model.score(model.problem.X)), atol=1e-12)


def test_a_click_on_a_title_sorts_and_another_one_turns_the_order(view):
    header = view.table.horizontalHeader()
    k = column(view, "s(x)")
    at = QPoint(header.sectionViewportPosition(k) + 5, header.height() // 2)
    QTest.mouseClick(header.viewport(), LEFT, pos=at)
    order = view.model.columns[k].numbers[view.model.order]
    assert (np.diff(order) >= 0).all()
    QTest.mouseClick(header.viewport(), LEFT, pos=at)
    order = view.model.columns[k].numbers[view.model.order]
    assert (np.diff(order) <= 0).all()


def test_selecting_a_row_selects_its_point_everywhere_and_the_other_way_round(view):
    view.table.sortByColumn(column(view, "x1"), Qt.SortOrder.DescendingOrder)
    _, at = cell(view, 3, "s(x)")
    QTest.mouseClick(view.table.viewport(), LEFT, pos=at)
    session = view.workbench.session
    assert session.look.selection == (int(view.model.order[3]),)
    session.adjust(selection=(5, 7))
    assert set(view.table.selected) == {5, 7}


def test_pointing_at_a_row_highlights_its_point(view):
    _, at = cell(view, 2, "x1")
    QTest.mouseMove(view.table.viewport(), at)
    assert view.workbench.hovered_point == int(view.model.order[2])


def test_a_coordinate_is_changed_by_typing_as_one_step_of_undo(view, qapp):
    session = view.workbench.session
    before = session.document
    _, at = cell(view, 4, "x2")
    QTest.mouseClick(view.table.viewport(), LEFT, pos=at)
    QTest.mouseDClick(view.table.viewport(), LEFT, pos=at)
    editor = view.table.findChild(QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "-0.625")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qapp.processEvents()
    assert session.document.data.X[4, 1] == -0.625
    session.undo()
    assert session.document is before


def test_numbers_that_arrive_leave_alone_what_is_being_typed(view, qapp):
    session = view.workbench.session
    _, at = cell(view, 4, "x2")
    QTest.mouseClick(view.table.viewport(), LEFT, pos=at)
    QTest.mouseDClick(view.table.viewport(), LEFT, pos=at)
    editor = view.table.findChild(QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "-0.6")
    view.table.show_columns(list(view.table.points.columns), session.document.data.n)
    QTest.keyClicks(editor, "25")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qapp.processEvents()
    assert session.document.data.X[4, 1] == -0.625


@pytest.mark.parametrize("typed", ["", "abc", "nan", "inf"])
def test_what_is_no_place_is_refused_in_words(view, typed):
    before = view.workbench.session.document
    assert not view.model.setData(view.model.index(0, column(view, "x1")), typed)
    assert view.workbench.session.document is before
    assert view.message.sentence


def test_numbers_that_follow_from_the_fit_cannot_be_typed(view):
    index, _ = cell(view, 0, "α")
    assert not view.model.flags(index) & Qt.ItemFlag.ItemIsEditable


def test_the_table_is_copied_with_all_digits_in_the_order_shown(view):
    view.table.sortByColumn(column(view, "x1"), Qt.SortOrder.AscendingOrder)
    QTest.mouseClick(view.copying, LEFT)
    rows = list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text())))
    data = view.workbench.session.document.data
    assert [float(row["x1"]) for row in rows] == sorted(data.X[:, 0].tolist())
    assert [float(row["α"]) for row in rows] == [
        view.workbench.frame.model.alpha[int(row["#"]) - 1] for row in rows
    ]
    view.workbench.session.adjust(selection=(1,))
    view.table.setFocus()
    QTest.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().count("\n") == 2


def test_rows_hold_still_while_numbers_move_and_sort_once_they_rest(view, qapp, qtbot):
    k = column(view, "x1")
    view.table.sortByColumn(k, Qt.SortOrder.AscendingOrder)
    order = view.model.order.copy()
    assert view.put(int(order[0]), 0, "9")
    qapp.processEvents()
    view.catch_up()
    assert np.array_equal(view.model.order, order)
    qtbot.waitUntil(lambda: view.model.order[-1] == order[0])


def test_every_algorithm_has_a_table(bench, show):
    for how in ("prototype", "ridge", "one-class-svm", "nearest-neighbours", "random-features"):
        assert show(TableView(bench("gaussians(n=8)", "rbf", how))).model.rowCount() == 8
    several = show(TableView(bench("blobs(n=12)")))
    assert "status" in [c.title for c in several.model.columns]


def test_a_double_click_left_as_it_was_is_no_edit(view, qapp):
    history = len(view.workbench.session.history)
    _, at = cell(view, 3, "x1")
    QTest.mouseClick(view.table.viewport(), LEFT, pos=at)
    QTest.mouseDClick(view.table.viewport(), LEFT, pos=at)
    editor = view.table.findChild(QLineEdit)
    assert editor is not None
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qapp.processEvents()
    assert len(view.workbench.session.history) == history
