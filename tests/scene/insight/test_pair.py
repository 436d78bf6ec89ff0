"""Two strings: lit letters, the list that adds up, the table cell by cell; which two, by real events."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.models.problem import Problem
from kernelviz.scene.figure.style import Style
from kernelviz.scene.insight.pair import LetteredText, PairView, fitting_size, name_of, pair_for
from kernelviz.scene.insight.parts.string_table import AlignmentTables, PlacedTable, visible
from kernelviz.scene.nodes import Blank, Hit, Marks
from kernelviz.scene.view import ViewMemory
from kernelviz.ui.insight.views import VIEWS
from tests.scene.insight.helpers import BELOW_CANVAS, ON_SCREEN, exported, laid_out, made, part, pixel

TEXTS = ("sentence", "sentance", "sentnce", "banana", "bananna", "bandana")
DATA = Data.labelled(list(TEXTS), ["s", "s", "s", "b", "b", "b"])
KERNELS = [
    "subsequence(length=3, decay=0.5)",
    "subsequence(length=2, decay=0.7, normalised=true)",
    "spectrum(length=2) + 0.5*words",
    "spectrum(length=1)*subsequence(length=2)",
]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def scene_of(frame_of):
    """What is shown of two strings."""

    def make(points=(0, 1), kernel_text=KERNELS[0], data=DATA, how="soft-margin-svm(C=1)", **fields):
        marks = Marks(points)
        return made(PairView(**fields), frame_of(data, kernel_text, how), marks=marks)

    return make


def strings(scene):
    return part(scene, "strings").node


@pytest.mark.parametrize("kernel_text", KERNELS)
@pytest.mark.parametrize("height", [120, 200, 700])
def test_however_many_rows_fit_what_is_listed_adds_up_to_the_kernel(scene_of, kernel_text, height):
    pieces = part(scene_of(kernel_text=kernel_text), "pieces", QRectF(0, 0, 300, height))
    total = sum(bar.value for bar in (*pieces.bars, pieces.others) if bar is not None)
    assert total == pytest.approx(float(kernel(kernel_text)([TEXTS[0]], [TEXTS[1]])[0, 0]), rel=1e-9)


def test_letters_are_lit_in_both_strings_and_those_of_a_piece_alone_when_it_is_pointed_at(scene_of, painted):
    scene = scene_of()
    node = strings(scene)
    left, right = (node.comparison.letters(side) for side in (0, 1))
    assert (left > 0).all(), "every letter of sentence is in a subsequence of sentance"
    assert right[4] == 0.0, "but the a is in none"
    piece = node.piece(node.row(0))
    assert name_of(piece) in ("s·e·n", "e·n·t", "n·c·e")
    assert (node.comparison.letters(0, piece) > 0).sum() < len(TEXTS[0])
    pointed = Marks(pointed=Hit("pieces", row=node.row(0)))
    assert painted(scene, marks=pointed) != painted(scene, marks=Marks())
    assert painted(scene_of(pinned=node.row(0))) != painted(scene)


def test_pieces_with_gaps_are_written_apart_and_blanks_are_seen(scene_of):
    data = Data.labelled(["a b c", "a b d", "x", "y"], [1, 1, -1, -1])
    for kernel_text, name in ((KERNELS[0], "a·␣·b"), ("spectrum(length=3)", "a␣b")):
        assert part(scene_of(data=data, kernel_text=kernel_text), "pieces").bars[0].name == name


def test_strings_that_share_nothing_say_so(scene_of, painted):
    scene = scene_of((0, 3))
    assert strings(scene).caption(None) == "K(1, 4) = 0: they share nothing"
    painted(scene)


def test_the_mouse_finds_the_strings_and_the_rows(scene_of):
    layout = laid_out(scene_of())
    for i, (place, _) in enumerate(layout.find("strings").texts):
        assert layout.hit(place.center()).points == (i,)
    pieces = layout.find("pieces")
    assert list(pieces.rows) == [strings(scene_of()).row(k) for k in range(pieces.page)]
    for row, place in pieces.rows.items():
        assert layout.hit(place.center()).row == row
    assert layout.hit(QPointF(20, 2)).row == ""


@pytest.mark.parametrize(
    "texts", [("", ""), ("", "abc"), ("a" * 300, "ab" * 200), ("é" * 9, "漢字かな"), ("a\tb", "a\nb")]
)
@pytest.mark.parametrize("table", [False, True])
def test_any_strings_are_painted(scene_of, painted, texts, table):
    data = Data.labelled([*texts, "one", "two"], [1, -1, 1, -1])
    scene = scene_of(data=data, kernel_text="subsequence(length=2)", how="prototype", table=table)
    assert not scene.reason
    painted(scene)


def test_too_long_strings_and_other_data_say_so(scene_of, frame_of):
    long = {"data": Data.labelled(["a" * 500, "b" * 500, "c", "d"], [1, -1, 1, -1]), "how": "prototype"}
    assert "400 characters" in scene_of(kernel_text="subsequence", **long).reason
    assert not scene_of(kernel_text="spectrum(length=2)", **long).reason
    too_long = scene_of(kernel_text="spectrum(length=2)", table=True, **long).reason
    assert "table is drawn for strings of up to 400" in too_long
    assert "numbers" in made(PairView(), frame_of()).reason
    single = Data.labelled(["a", "b"], [1, -1]).subset([0])
    assert pair_for(Problem(single, kernel("words")), Marks((0,))) is None


def test_the_same_pair_is_not_taken_apart_again(frame_of):
    memory = ViewMemory()

    def comparison(points, how="soft-margin-svm(C=1)"):
        frame = frame_of(DATA, KERNELS[0], how)
        return strings(made(PairView(), frame, memory, marks=Marks(points))).comparison

    first = comparison((0, 1))
    assert comparison((0, 1), "logistic") is first
    assert comparison((0, 2)) is not first


# Which two --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        (Marks(), (0, 2)),
        (Marks((3,)), (3, 4)),
        (Marks((), 4), (4, 3)),
        (Marks((3,), 1), (3, 1)),
        (Marks((5, 2, 1)), (5, 2)),
        (Marks((5, 2), 0), (5, 2)),
        (Marks((5, 2), 0, 4), (0, 4)),
        (Marks((99, 2)), (2, 0)),
    ],
    ids=str,
)
def test_what_is_selected_or_pointed_at_is_compared_else_what_is_most_alike(marks, expected):
    problem = Problem(DATA, kernel("subsequence(length=2, normalised=true)"))
    assert problem.gram.shape == (6, 6)
    assert pair_for(problem, marks) == expected


# The table --------------------------------------------------------------------------------------------------
def table(step=None, text="subsequence(length=2, decay=0.5)", s="cat", t="cart") -> AlignmentTables:
    found = AlignmentTables.of(kernel(text), s, t, step)
    assert found is not None
    return found


def test_cells_are_filled_row_by_row_and_table_by_table():
    assert table(0).present is None
    assert table(1).present == (0, 0, 0)
    assert table(6).present == (0, 1, 1)
    assert table(13).present == (1, 0, 0)
    assert table().step == table(99).step == 24


def test_the_sum_grows_with_every_cell_to_the_kernel():
    sums = [table(step).sum_so_far for step in range(12, 25)]
    assert sums[1:] == sorted(sums[1:])
    exact = float(kernel("subsequence(length=2, decay=0.5)")("cat", "cart"))
    assert table().sum_so_far == pytest.approx(exact)


def test_every_step_says_what_it_did():
    assert "nothing is filled" in table(0).sentence
    assert table(1).sentence.startswith("W₁[c, c] = d² = 0.25.")
    assert "letters differ" in table(2).sentence
    a_after_c = table(12 + 6)
    assert a_after_c.sentence.startswith("W₂[a, a] = d² · 0.25 = 0.0625, by W₁ above and to the left.")
    assert table().sentence.endswith("= K")
    assert table(text="subsequence(length=2, normalised=true)").sentence.endswith("= K before normalising")
    assert table(text="words + spectrum(length=2)").sentence.endswith("= K of Spectrum (k = 2)")
    assert table(text="spectrum(length=2)").sum_so_far == 1.0, "ca"


def test_a_kernel_without_tables_has_none(scene_of):
    assert AlignmentTables.of(kernel("words"), "a", "b", None) is None
    assert scene_of(kernel_text="words").switches == ()
    assert scene_of().switches == ("table",)


def test_every_step_of_a_table_looks_different(scene_of, painted):
    images = [painted(scene_of(table=True, step=((0, 1), step))) for step in range(12)]
    assert all(a != b for a, b in pairwise(images))


@pytest.mark.parametrize("width", [280.0, 60.0])
@pytest.mark.parametrize("height", [0.0, 8.0, 20.0, 40.0, 90.0])
def test_the_table_leaves_what_is_above_its_room_alone(height, width):
    drawn = table(s="sentence", t="senttence").below(Blank())
    white = QColor("white")
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(white)
    painter = QPainter(image)
    top = 199 - height
    for leaf in drawn.leaves(QRectF(10.0, top, width, height), Style()):
        leaf.draw_ground(painter)
        leaf.draw_data(painter, None)
    painter.end()
    assert {image.pixel(x, y) for x in range(300) for y in range(int(top) - 1)} == {white.rgb()}


def test_in_a_low_wide_place_the_tables_are_next_to_the_strings_and_in_a_high_one_below(scene_of):
    scene = scene_of(table=True)
    low, high = (laid_out(scene, rect, ON_SCREEN) for rect in (BELOW_CANVAS, QRectF(0, 0, 531, 400)))
    for layout, side_by_side in ((low, True), (high, False)):
        strings, tables = layout.find("strings"), [x for x in layout.leaves if isinstance(x, PlacedTable)]
        assert len(tables) == 2
        assert all(layout.room.contains(table.rect) for table in tables)
        assert all((table.rect.left() >= strings.rect.right()) == side_by_side for table in tables)
        assert all((table.rect.top() >= strings.bottom) != side_by_side for table in tables)
        (sentence,) = (leaf for leaf in layout.leaves if leaf.part == "text")
        assert sentence.rect.top() >= strings.bottom


# Letters ----------------------------------------------------------------------------------------------------
def test_text_breaks_between_words_and_inside_long_ones():
    width = 0.1 + sum(wide for _, wide, _ in LetteredText.of("one two ", 10.0, 1e9).cells)
    lettered = LetteredText.of("one two three", 10.0, width)
    assert [line for _, _, line in lettered.cells] == [0] * 8 + [1] * 5
    long = LetteredText.of("m" * 90, 10.0, 100.0)
    assert {line for _, _, line in long.cells} == {0, 1, 2, 3}
    assert max(x + wide for x, wide, _ in long.cells) <= 100.0
    assert visible("a b\t") == "a␣b␣"


def test_short_texts_are_larger_and_both_of_the_same_size():
    assert fitting_size(("ab", "cd"), 10.0, 500.0) == 16.0
    assert fitting_size(("ab", "m" * 90), 10.0, 100.0) == 10.0


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(opened):
    return opened("pair", 520, 420, data=DATA, kernel_text="subsequence(length=2, decay=0.5)")


def points(view):
    return view.sheet.layout_of_scene.find("strings").node.points


@pytest.fixture
def becomes(view, qtbot):
    """Wait until a pair is shown."""
    return lambda *pair: qtbot.waitUntil(lambda: points(view) == pair)


def test_the_two_selected_strings_are_compared(view, becomes):
    view.workbench.session.adjust(selection=(3, 5))
    becomes(3, 5)
    assert [picker.currentIndex() for picker in view.bar.pickers.values()] == [3, 5]


def test_pointing_at_a_string_elsewhere_compares_it_with_the_selected_one(view, becomes):
    view.workbench.session.adjust(selection=(3,))
    becomes(3, 4)
    view.workbench.hover(0)
    becomes(3, 0)
    view.workbench.hover(None)
    becomes(3, 4)


def test_the_lists_select_what_they_compare_also_a_string_with_itself(view, becomes, qtbot):
    first, second = view.bar.pickers.values()
    qtbot.keyClick(second, Qt.Key.Key_Down)
    becomes(0, 3)
    assert view.workbench.session.look.selection == (0, 3)
    for k in range(3):
        qtbot.keyClick(first, Qt.Key.Key_Down)
        becomes(k + 1, 3)
    assert view.workbench.session.look.selection == (3,)
    view.workbench.session.adjust(selection=(1, 2))
    becomes(1, 2)


def test_pointing_at_a_piece_lights_its_letters_and_a_click_keeps_them_lit(view, qtbot):
    plain = view.grab().toImage()
    row, box = list(view.sheet.layout_of_scene.find("pieces").rows.items())[1]
    qtbot.mouseMove(view.sheet, pixel(box.center()))
    assert view.sheet.marks.pointed.row == row
    assert view.grab().toImage() != plain
    for pinned in (row, ""):
        qtbot.mouseClick(view.sheet, LEFT, pos=pixel(box.center()))
        QApplication.sendEvent(view.sheet, QEvent(QEvent.Type.Leave))
        qtbot.waitUntil(lambda pinned=pinned: view.scene.root.head.pinned == pinned)
        printed = exported(view)
        assert printed.root.head.pinned == pinned


def test_pointing_at_one_of_the_strings_highlights_it_everywhere_and_changes_no_pair(view, qtbot, settled):
    before = points(view)
    place, _ = view.sheet.layout_of_scene.find("strings").texts[1]
    qtbot.mouseMove(view.sheet, pixel(place.center()))
    assert view.workbench.hovered_point == before[1]
    settled(view)
    assert points(view) == before


def test_the_table_is_filled_step_by_step(view, qtbot):
    steps = view.bar.steppers["step"]
    assert not steps.isVisible()
    qtbot.mouseClick(view.boxes["table"], LEFT)
    qtbot.waitUntil(steps.isVisible)

    def step():
        return view.scene.steps["step"][1]

    size = view.scene.steps["step"][2]
    assert step() == size
    assert not steps.forward.isEnabled()
    qtbot.mouseClick(steps.back, LEFT)
    qtbot.waitUntil(lambda: step() == size - 1)
    qtbot.keyClick(steps.slider, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: step() == 0)
    assert not steps.back.isEnabled()
    for count in (1, 2, 3):
        qtbot.mouseClick(steps.forward, LEFT)
        qtbot.waitUntil(lambda count=count: step() == count)
    qtbot.keyClick(steps.slider, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: step() == 4)


def test_an_edited_string_is_compared_and_named_again_in_the_lists(view, qtbot):
    changed = Data.labelled(["sense", *TEXTS[1:]], ["s", "s", "s", "b", "b", "b"])
    view.workbench.session.change("edit string", data=changed)
    qtbot.waitUntil(lambda: view.sheet.layout_of_scene.find("strings").node.comparison.texts[0] == "sense")
    assert view.bar.pickers["first"].itemText(0) == "1: sense"


def test_points_of_a_plane_are_no_strings(bench, show, qtbot):
    view = show(VIEWS["pair"].widget(bench()))
    qtbot.waitUntil(lambda: "numbers" in view.scene.reason)
    assert not any(picker.isVisible() for picker in view.bar.pickers.values())


def test_a_slider_of_the_kernel_does_not_choose_other_strings(opened, qtbot):
    data = Data.labelled(["abcd", "abzz", "axbxcxd", "zzzq"], ["a", "b", "a", "b"])
    view = opened("pair", 520, 420, data=data, kernel_text="subsequence(length=2, decay=0.05)")
    bench = view.workbench
    qtbot.waitUntil(lambda: bench.up_to_date and bench.frame.model.problem.known_gram is not None)
    view.point_out()  # as when the mouse moves over any view
    pair = points(view)
    bench.session.change("change λ", kernel=kernel("subsequence(length=2, decay=0.95)"))
    qtbot.waitUntil(lambda: view.taken is bench.frame and bench.up_to_date and not view.busy)
    qtbot.waitUntil(lambda: bench.frame.model.problem.known_gram is not None)
    assert pair_for(bench.frame.model.problem, Marks()) != pair, "the first is now most like another"
    view.point_out()
    assert points(view) == pair
