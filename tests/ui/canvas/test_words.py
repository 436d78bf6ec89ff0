"""The words under the hand: the table is typed into, strings are tried and added, the map follows."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from kernelviz.engine.analysis.kernel_pca import ComponentMap, kernel_pca
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.models.problem import Problem
from kernelviz.scene.words.painter import PAINTER
from kernelviz.scene.workspace_painter import Subject
from kernelviz.session.session import Session
from kernelviz.session.state import Document, State
from kernelviz.session.themes import LIGHT
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.canvas.points import LimitsDialog
from kernelviz.ui.canvas.words.canvas import WordsCanvas
from kernelviz.ui.canvas.words.table import SHARE
from kernelviz.ui.workbench.workbench import Workbench

KERNEL = "subsequence(length=2, decay=0.5, normalised=true)"
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def make(qtbot):
    benches = []

    def make(data="spelling", kernel_text=KERNEL, how="soft-margin-svm(C=10)"):
        data = dataset(data) if isinstance(data, str) else data
        document = Document.of(data, kernel(kernel_text), algorithm(how), "test")
        bench = Workbench(Session(State(document, workspace_of(data).look(data))), synchronous=True)
        benches.append(bench)
        canvas = WordsCanvas(bench, LIGHT)
        qtbot.addWidget(canvas)
        canvas.resize(900, 600)
        canvas.show()
        bench.refresh()
        settle(qtbot, canvas)
        return canvas

    yield make
    for bench in benches:
        assert bench.stop()


def settle(qtbot, canvas):
    QApplication.processEvents()
    qtbot.waitUntil(lambda: canvas.workbench.up_to_date)
    QApplication.processEvents()


@pytest.fixture
def words(make):
    return make()


def data_of(canvas):
    return canvas.workbench.session.document.data


def cell(canvas, row, title):
    table = canvas.table
    k = [column.title for column in table.points.columns].index(title)
    index = table.points.index(row, k)
    table.scrollTo(index)
    return index, table.visualRect(index).center()


def type_into(qtbot, canvas, row, title, text):
    _, at = cell(canvas, row, title)
    QTest.mouseClick(canvas.table.viewport(), LEFT, pos=at)
    QTest.mouseDClick(canvas.table.viewport(), LEFT, pos=at)
    field = canvas.table.findChildren(QLineEdit)[-1]  # one that was left may still wait to be deleted
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not any(f.isVisible() for f in canvas.table.findChildren(QLineEdit)))
    settle(qtbot, canvas)


def place_of(canvas, i):
    area = canvas.area
    x, y = canvas.scene.bare.picture.points[i].tolist()
    return area.mapFromScene(area.box.mapViewToScene(QPointF(x, y)))


# The table ---------------------------------------------------------------------------------------------
def test_every_string_has_a_row_with_score_margin_and_weight_as_bars(words):
    table, frame = words.table, words.workbench.frame
    titles = [column.title for column in table.points.columns]
    assert titles == ["class", "text", "s", "margin", "α"]
    assert table.points.rowCount() == 24
    alpha = frame.model.alpha
    strongest, _ = cell(words, int(alpha.argmax()), "α")
    assert strongest.data(SHARE) == pytest.approx(1.0)
    lowest, _ = cell(words, int(frame.table.score.argmin()), "s")
    assert lowest.data(SHARE) < 0


def bar_and_number(words, row: int, title: str) -> tuple[list[int], list[int]]:
    """Where a cell has its bar and where its number, in pixels from the left.

    The bar alone is as high as that."""
    index, _ = cell(words, row, title)
    shown = words.table.viewport().grab(words.table.visualRect(index)).toImage()
    ground = shown.pixelColor(0, 0)
    across = range(shown.width())
    bar = [x for x in across if shown.pixelColor(x, 5) != ground]
    dark = [x for x in across if any(shown.pixelColor(x, y).lightness() < 90 for y in range(shown.height()))]
    return bar, dark


def test_numbers_stand_next_to_their_bars_and_have_equally_many_decimals(qtbot, words):
    words.resize(1400, 700)
    qtbot.waitUntil(lambda: not words.table.points.narrow)
    for title in ("s", "margin", "α"):
        texts = [cell(words, row, title)[0].data() for row in range(24)]
        assert len({len(text.partition(".")[2]) for text in texts if text != "0"}) == 1, texts
        for row in range(6):
            bar, number = bar_and_number(words, row, title)
            assert number
            assert not bar or max(bar) < min(number)
            assert len(number) > 4


def test_where_there_is_room_no_title_is_cut(qtbot, make):
    canvas = make(Data.labelled(["aa", "ab", "bb", "ba"], list("pqpq")))
    canvas.resize(1400, 700)
    header = canvas.table.horizontalHeader()
    qtbot.waitUntil(lambda: not canvas.table.points.narrow)
    for k, column in enumerate(canvas.table.points.columns):
        assert header.sectionSize(k) >= header.sectionSizeHint(k), column.title


def test_where_room_is_scarce_letters_have_half_of_the_table_and_classes_are_marks(qtbot, words):
    words.resize(460, 600)
    table, header = words.table, words.table.horizontalHeader()
    titles = [column.title for column in table.points.columns]

    def letters_have_half() -> bool:
        return 2 * header.sectionSize(titles.index("text")) >= table.viewport().width()

    qtbot.waitUntil(lambda: table.points.narrow and letters_have_half())
    assert not table.isColumnHidden(titles.index("s"))
    first = table.points.index(0, titles.index("class"))
    assert first.data() == ""
    assert first.data(Qt.ItemDataRole.AccessibleTextRole) == data_of(words).class_of_each[0]
    words.resize(1400, 600)
    qtbot.waitUntil(lambda: not any(table.isColumnHidden(k) for k in range(len(titles))))
    assert first.data() == data_of(words).class_of_each[0]


def test_typing_over_a_string_changes_it_as_one_step_of_undo_and_the_map_follows(qtbot, words):
    session, before = words.workbench.session, words.scene.bare.picture.points.copy()
    document = session.document
    type_into(qtbot, words, 1, "text", "sentence")
    assert data_of(words).X[1] == "sentence"
    assert session.history.undo_name == "edit string"
    assert not np.allclose(words.scene.bare.picture.points[1], before[1])
    session.undo()
    assert session.document is document


def test_a_cell_left_as_it_was_is_no_edit(qtbot, words):
    document = words.workbench.session.document
    type_into(qtbot, words, 0, "text", data_of(words).X[0])
    assert words.workbench.session.document is document


def test_a_class_is_typed_by_its_name_and_an_unknown_one_is_answered_in_a_sentence(qtbot, words):
    type_into(qtbot, words, 0, "class", "ban")
    assert data_of(words).class_of_each[0] == "banana"
    type_into(qtbot, words, 0, "class", "apple")
    assert words.banner.text.startswith("There is no class 'apple' here")
    assert data_of(words).class_of_each[0] == "banana"


def test_a_click_on_a_title_sorts_the_rows_and_no_string_changes(words):
    document = words.workbench.session.document
    header = words.table.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(1) + 5, header.height() // 2)
    QTest.mouseClick(header.viewport(), LEFT, pos=at)
    points = words.table.points
    shown = [points.index(row, 1).data() for row in range(points.rowCount())]
    assert shown == sorted(data_of(words).X)
    assert words.workbench.session.document is document


def test_rows_and_points_of_the_map_are_selected_together_and_deleted_by_a_key(qtbot, words):
    _, at = cell(words, 4, "s")
    QTest.mouseClick(words.table.viewport(), LEFT, pos=at)
    assert words.workbench.session.look.selection == (4,)
    gone = data_of(words).X[7]
    QTest.mouseClick(words.area.viewport(), LEFT, pos=place_of(words, 7))
    (chosen,) = words.workbench.session.look.selection
    assert words.table.selected == (chosen,)
    assert np.allclose(*words.scene.bare.picture.points[[chosen, 7]], atol=0.03)
    words.area.setFocus()
    QTest.keyClick(words.area, Qt.Key.Key_Delete)
    settle(qtbot, words)
    assert data_of(words).n == 23
    assert words.table.points.rowCount() == 23
    assert gone


def test_pointing_at_a_row_names_its_point_everywhere(words):
    _, at = cell(words, 3, "text")
    QTest.mouseMove(words.table.viewport(), at)
    assert words.workbench.hovered_point == 3


def test_after_a_deletion_what_is_pointed_at_is_the_string_that_now_lies_under_the_mouse(qtbot, words):
    words.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    _, at = cell(words, 5, "text")
    viewport = words.table.viewport()
    QTest.mouseMove(viewport, at)
    pointed = words.workbench.hovered_point
    assert pointed == words.table.points.order[5]
    words.editor.select([int(i) for i in words.table.points.order[5:8]])
    words.delete_selection()
    assert words.workbench.hovered_point is None
    settle(qtbot, words)
    under = lambda: words.table.points.order[words.table.indexAt(at).row()]  # noqa: E731
    qtbot.waitUntil(lambda: words.workbench.hovered_point == under())
    assert words.table.points.rowCount() == 21


# Trying and adding --------------------------------------------------------------------------------------
def test_a_string_is_judged_while_it_is_typed_by_those_that_speak_for_and_against_it(qtbot, words):
    model = words.workbench.frame.model
    for text in ("s", "sent", "sentense"):
        words.trial.line.clear()
        QTest.keyClicks(words.trial.line, text)
        score = float(model.score([text])[0])
        said = "sentence" if score > 0 else "banana"
        qtbot.waitUntil(lambda said=said: words.trial.verdict.text().endswith(f": {said}"))
        summands = words.trial.bars.summands
        assert sum(summand.value for summand in summands) == pytest.approx(score, abs=1e-9)
    assert {summand.name for summand in summands if summand.point is not None} <= set(data_of(words).X)


def test_what_is_tried_lies_on_the_map_where_it_would_be_added(qtbot, words):
    QTest.keyClicks(words.trial.line, "banana")
    qtbot.waitUntil(lambda: words.scene.guest is not None)
    own = data_of(words).X.index("banana")
    assert words.scene.guest.place[0] == pytest.approx(words.scene.bare.picture.points[own])
    QTest.keyClick(words.trial.line, Qt.Key.Key_Escape)
    assert words.scene.guest is None
    assert words.trial.text == ""


@pytest.mark.parametrize(
    ("modifier", "name"),
    [(Qt.KeyboardModifier.NoModifier, "sentence"), (Qt.KeyboardModifier.ShiftModifier, "banana")],
)
def test_enter_adds_it_as_plus_and_shift_enter_as_minus(qtbot, words, modifier, name):
    QTest.keyClicks(words.trial.line, "brand new")
    QTest.keyClick(words.trial.line, Qt.Key.Key_Return, modifier)
    settle(qtbot, words)
    assert data_of(words).X[-1] == "brand new"
    assert data_of(words).class_of_each[-1] == name
    assert words.workbench.session.look.selection == (24,)
    assert words.workbench.session.history.undo_name == "add string"
    assert words.trial.text == ""


def test_each_of_three_classes_has_a_button(qtbot, make):
    canvas = make(Data.labelled(["aa", "ab", "bb", "bc", "cc", "ca"], list("pqrpqr")))
    QTest.keyClicks(canvas.trial.line, "cab")
    QTest.mouseClick(canvas.trial.buttons[2], LEFT)
    settle(qtbot, canvas)
    assert data_of(canvas).class_of_each[-1] == "r"


def test_nothing_typed_is_nothing_added(words):
    document = words.workbench.session.document
    QTest.keyClick(words.trial.line, Qt.Key.Key_Return)
    QTest.mouseClick(words.trial.buttons[0], LEFT)
    assert words.workbench.session.document is document


# The map ------------------------------------------------------------------------------------------------
def test_other_components_are_chosen_without_another_fit(qtbot, words):
    frame, before = words.workbench.frame, words.scene.bare.picture
    words.maps[0].components.lists[1].setCurrentIndex(2)
    words.maps[0].components.lists[1].activated.emit(2)
    assert words.workbench.session.look.components == (0, 2)
    now = words.scene.bare.picture
    assert np.ptp(now.points[:, 0]) > 0
    assert now.columns[1].startswith("component 3 (")
    assert now.columns[0] == before.columns[0]
    assert words.workbench.frame is frame


def test_the_same_component_on_both_axes_swaps_them(words):
    words.maps[0].components.lists[1].setCurrentIndex(0)
    words.maps[0].components.lists[1].activated.emit(0)
    assert words.workbench.session.look.components == (1, 0)


def rows_of(combo):
    return [combo.itemText(k).partition(" · ")[0] for k in range(combo.count())]


def test_strings_that_are_added_leave_the_map_at_its_first_two_components(qtbot, words):
    for text in ("zzzz qqqq", "wwww kkkk", "yyyy jjjj"):
        QTest.keyClicks(words.trial.line, text)
        QTest.keyClick(words.trial.line, Qt.Key.Key_Return)
        settle(qtbot, words)
        across, up = words.maps[0].components.lists
        assert across.currentText().startswith("1 · ")
        assert up.currentText().startswith("2 · ")
        assert rows_of(up) == ["1", "2", "3", "4", "5", "6"]
        assert words.scene.bare.picture.columns[1].startswith("component 2 (")


def test_components_keep_their_axes_while_a_number_moves_and_their_ranks_when_it_rests(qtbot, make):
    words = make("topics")
    session, (across, up) = words.workbench.session, words.maps[0].components.lists
    words.maps[0].rest.setInterval(60_000)
    session.change("change decay", kernel=kernel("subsequence(length=2, decay=0.1, normalised=true)"))
    settle(qtbot, words)
    assert (across.currentIndex(), up.currentIndex()) == (0, 2), "the second and third change places here"
    assert rows_of(up) == ["1", "2", "3", "4", "5", "6"]
    words.maps[0].rest.setInterval(1)
    qtbot.waitUntil(lambda: (across.currentIndex(), up.currentIndex()) == (0, 1))
    assert not words.maps[0].rest.isActive()
    figure = PAINTER.figure(Subject.of(words.workbench.frame.model, session.look))
    assert figure.columns == words.scene.bare.picture.columns
    assert figure.columns[0].startswith("component 1 (")


def test_the_axes_and_the_dialog_of_their_limits_count_in_projections(qtbot, make, monkeypatch):
    words = make("topics", "spectrum(length=1)")
    session, reach = words.workbench.session, words.scene.bare.picture.unit
    model = words.workbench.frame.model
    farthest = np.hypot(*kernel_pca(model.problem, 6).projections[:, :2].T).max()
    assert words.area.unit == reach == pytest.approx(farthest)
    offered, before = [], session.look.view

    def answer(dialog):
        offered.append(dialog.chosen)
        dialog.chosen = ViewRange(-2 * reach, 2 * reach, -3 * reach, 3 * reach)
        return True

    monkeypatch.setattr(LimitsDialog, "exec", answer)
    words.set_limits()
    settle(qtbot, words)
    assert offered == [before.times(reach)]
    qtbot.waitUntil(lambda: session.look.limits is not None)
    assert session.look.limits.right == pytest.approx(2.0)
    assert session.look.limits.top == pytest.approx(3.0)


@pytest.mark.parametrize("left", [0, 1])
def test_where_there_is_nothing_to_compare_no_components_are_offered(qtbot, words, left):
    session = words.workbench.session
    session.change("take away", data=session.document.data.subset(range(left)))
    settle(qtbot, words)
    qtbot.waitUntil(lambda: len(words.scene.bare.picture.points) == left)
    assert words.maps[0].components.words.text() == ""
    for combo in words.maps[0].components.lists:
        assert combo.count() == 0
        assert combo.currentText() == ""
        assert not combo.isEnabled()
    session.undo()
    settle(qtbot, words)
    assert [combo.currentIndex() for combo in words.maps[0].components.lists] == [0, 1]


def test_a_point_of_the_map_cannot_be_dragged_and_nothing_offers_to(qtbot, words):
    assert set(words.tools) == {"select", "pan", "pen"}
    document, at = words.workbench.session.document, place_of(words, 2)
    port = words.area.viewport()
    QTest.mousePress(port, LEFT, pos=at)
    QTest.mouseMove(port, at + QPoint(60, 40))
    qtbot.wait(30)
    QTest.mouseRelease(port, LEFT, pos=at + QPoint(60, 40))
    qtbot.wait(30)
    assert words.workbench.session.document is document
    assert words.banner.text == ""


def test_arrow_keys_are_left_to_the_steps_of_the_algorithm(words):
    words.editor.select([1])
    words.area.setFocus()
    QTest.keyClick(words.area, Qt.Key.Key_Right)
    assert words.banner.text == ""


def test_enter_on_the_map_leads_to_the_letters_and_insert_to_the_line(words):
    words.editor.select([5])
    words.area.setFocus()
    QTest.keyClick(words.area, Qt.Key.Key_Return)
    field = words.table.findChild(QLineEdit)
    assert field is not None
    assert field.text() == data_of(words).X[5]
    QTest.keyClick(field, Qt.Key.Key_Escape)
    words.area.setFocus()
    QTest.keyClick(words.area, Qt.Key.Key_Insert)
    assert words.trial.line.hasFocus()


def test_in_a_small_place_the_map_has_all_the_room_and_the_table_comes_back_with_it(words):
    words.resize(300, 200)
    assert words.area.isVisible()
    assert not words.table.isVisible()
    assert not words.maps[0].components.isVisible()
    words.resize(900, 600)
    assert words.table.isVisible()
    assert words.maps[0].components.isVisible()


def test_the_share_of_the_variance_is_told(words):
    assert "of the kernel's variance" in words.maps[0].components.words.text()
    assert words.maps[0].components.words.text().rstrip(".").endswith("of the training scores")


def test_held_out_strings_are_hollow_points_of_the_map(qtbot, words):
    session = words.workbench.session
    session.replace("set aside", session.document.with_share_aside(0.25))
    settle(qtbot, words)
    assert len(words.scene.places("held_out")) == session.document.held_out.data.n


# What is not as it should be --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "texts",
    [
        ["", "", "b", "c"],
        ["  ", " ", "   ", "\t"],
        ["Привет", "مرحبا", "日本語", "e\u0301e"],
        ['q"uote', "ta\tb", "new\nline", "nul\0"],
        ["same", "same", "same", "same"],
    ],
)
def test_any_strings_are_shown_tried_and_drawn(qtbot, make, texts):
    canvas = make(Data.labelled(texts, [1, -1, 1, -1]))
    assert canvas.table.points.rowCount() == 4
    for row, text in enumerate(texts):
        assert cell(canvas, row, "x1")[0].data().strip(), "something is seen"
        assert cell(canvas, row, "x1")[0].data(Qt.ItemDataRole.EditRole) == text
    canvas.trial.line.setText(texts[0] + "x")
    qtbot.waitUntil(lambda: canvas.trial.verdict.text().startswith("s = "))
    assert not canvas.grab().isNull()


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["x" * 2001, "b", "c", "d"], "Subsequences of strings of up to 2,000 characters"),
        (["x" * 10_001, "b", "c", "d"], "A string may have 10,000 characters at most"),
        (["abcdefgh" * 20] * 400, "These strings are too many or too long to compare"),
    ],
)
def test_what_cannot_be_compared_is_said_and_the_table_keeps_it(make, texts, sentence):
    canvas = make(Data.labelled(texts, [1, -1] * (len(texts) // 2)))
    assert canvas.banner.text.startswith(sentence)
    assert canvas.table.points.rowCount() == len(texts)
    assert len(canvas.scene.bare.picture.points) == 0


def test_one_class_is_answered_with_a_sentence_and_the_other_can_be_added(qtbot, make):
    canvas = make(dataset("spelling").subset([0, 2, 4]))
    assert canvas.banner.text.endswith(".")
    QTest.keyClicks(canvas.trial.line, "banana")
    QTest.keyClick(canvas.trial.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    settle(qtbot, canvas)
    assert canvas.banner.text == ""
    assert len(canvas.scene.bare.picture.points) == 4


def test_strings_of_one_class_lie_where_the_kernel_puts_them(qtbot, make, monkeypatch):
    data = dataset("spelling")
    canvas = make(data.subset([i for i in range(data.n) if data.class_of_each[i] == "banana"]))
    shown = canvas.scene
    qtbot.waitUntil(lambda: len(shown.bare.picture.points) == data_of(canvas).n)
    problem = Problem(data_of(canvas), kernel(KERNEL))
    places = ComponentMap(kernel_pca(problem, 6)).places
    assert np.abs(shown.bare.picture.points) == pytest.approx(np.abs(places))
    assert canvas.maps[0].components.lists[1].currentText().startswith("2 · ")
    assert canvas.banner.text.endswith(".")
    canvas.maps[0].components.lists[1].activated.emit(2)
    qtbot.waitUntil(lambda: shown.bare.picture.columns[1].startswith("component 3 ("))
    gone = []
    monkeypatch.setattr(canvas.maps[0].components, "show_map", lambda picture: gone.append(picture is None))
    canvas.zoom_by(2.0)
    qtbot.waitUntil(lambda: canvas.scene.bare.picture.view.right < 1.0)
    assert not any(gone), "strings do not blink while one zooms"
    canvas.trial.line.setText("banana")
    assert canvas.trial.verdict.text() == "There is no fit yet to score it."
    assert not canvas.grab().isNull()


def test_a_string_too_long_to_be_tried_is_answered_in_a_sentence(qtbot, words):
    words.trial.line.setText("x" * 2001)
    qtbot.waitUntil(lambda: words.trial.verdict.text().startswith("Subsequences of strings"))


def test_where_there_is_little_room_what_the_map_shows_is_told_below_its_components(qtbot, words):
    chooser = words.maps[0].components
    words.resize(1800, 600)
    qtbot.waitUntil(lambda: chooser.words.x() > chooser.lists[1].geometry().right())
    words.resize(600, 600)
    qtbot.waitUntil(lambda: chooser.words.y() > chooser.lists[1].geometry().bottom())
    assert chooser.words.isVisible()
    for combo in chooser.lists:
        needed = combo.fontMetrics().horizontalAdvance(combo.currentText())
        assert combo.width() > needed + 20
