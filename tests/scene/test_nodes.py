"""Layout, memory and comparison by value."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from kernelviz.scene.axes import Curve, SteadyRange
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import SMALLEST_TYPE, text_width
from kernelviz.scene.nodes import Column, Either, Marks, Message, Row, Size, Text, WithSquare, value_of
from kernelviz.scene.painter import Layout
from kernelviz.scene.plot_layers import Lines
from kernelviz.scene.view import ViewMemory

STYLE = Style(text=10.0)


def rects(node, width, height):
    """Where the messages are, by their sentences; the outer node has no padding."""
    leaves = node.leaves(QRectF(0, 0, width, height), STYLE)
    return {leaf.node.contents[0]: leaf.rect.getRect() for leaf in leaves}


def test_a_row_gives_lines_shares_and_the_rest():
    children = ((Message("a"), Size(lines=3)), (Message("b"), None), (Message("c"), Size(share=0.25)))
    assert rects(Row(children, gap=1.0), 200, 50) == {
        "a": (0, 0, 30, 50),
        "b": (40, 0, 100, 50),
        "c": (150, 0, 50, 50),
    }


def test_a_column_does_the_same_downwards():
    assert rects(Column(((Message("a"), None), (Message("b"), Size(lines=2)))), 70, 60) == {
        "a": (0, 0, 70, 40),
        "b": (0, 40, 70, 20),
    }


@pytest.mark.parametrize(
    ("width", "height", "square", "other"),
    [
        (300, 100, (0, 0, 100, 100), (110, 0, 190, 100)),
        (150, 100, (0, 0, 75, 100), (85, 0, 65, 100)),
        (100, 300, (0, 0, 100, 100), (0, 110, 100, 190)),
        (100, 150, (0, 0, 100, 75), (0, 85, 100, 65)),
    ],
)
def test_a_square_has_its_neighbour_where_there_is_more_room(width, height, square, other):
    found = rects(WithSquare(Message("square"), Message("other")), width, height)
    assert found == {"square": square, "other": other}


def test_one_of_two_nodes_is_chosen_by_the_room_in_lines_of_type():
    node = Either(lambda width, height: width > 10 * height, Message("flat"), Message("high"))
    assert list(rects(node, 400, 30)) == ["flat"]
    assert list(rects(node, 200, 30)) == ["high"]


def line(*ys):
    return Lines(x=np.arange(len(ys)), y=np.array(ys), curve=Curve("", "ink"))


def test_layers_are_compared_by_their_contents():
    assert value_of(line(1.0, 2.0)) == value_of(line(1.0, 2.0))
    assert value_of(line(1.0, 2.0)) != value_of(line(1.0, 3.0))
    assert value_of((line(1.0),)) != value_of((line(1.0), line(1.0)))
    assert value_of(np.zeros((2, 3))) != value_of(np.zeros((3, 2)))


def test_what_is_not_there_is_not_found(qapp):
    layout = Layout(Message("nothing"), QRectF(0, 0, 100, 100), STYLE)
    assert layout.find("message").node.contents == ("nothing",)
    with pytest.raises(KeyError):
        layout.find("points")


def test_a_memory_makes_a_result_again_only_when_its_key_changes():
    memory, made = ViewMemory(), []
    for key in (1, 1, 2):
        memory.keep("it", key, lambda: made.append(1) or len(made))
    assert len(made) == 2
    assert memory.recall("it") == 2
    assert memory.recall("other") is None


def test_a_copy_of_a_memory_goes_its_own_way():
    memory = ViewMemory()
    memory.keep("it", 1, lambda: "first")
    other = memory.copy()
    other.keep("it", 2, lambda: "second")
    assert (memory.recall("it"), other.recall("it")) == ("first", "second")


def test_a_steady_range_starts_again_when_its_least_range_changes():
    memory, narrow = ViewMemory(), SteadyRange.at_least(0.0, 1.0)
    wide = memory.steady("x", narrow, 0.0, 7.0)
    assert memory.steady("x", narrow, 0.0, 6.0) == wide
    assert memory.steady("x", SteadyRange.at_least(0.0, 2.0), 0.0, 1.5).high == 2.0


def test_of_the_marked_points_the_hovered_one_comes_last_and_those_that_are_gone_are_left_out():
    assert Marks((3, 9), 1).among(5) == (3, 1)
    assert Marks((3,), 7).among(5) == (3,)
    assert Marks().among(5) == ()
    assert Marks((3, 9), 1).point == 1
    assert Marks((3, 9)).point == 3
    assert Marks().point is None


VERDICT = "Positive semi-definite on these points (smallest eigenvalue 3.7e-07, largest 13.7)."


@pytest.mark.parametrize("width", [1.5, 0.6, 0.4, 0.1])
def test_a_text_too_long_for_its_lines_is_set_smaller_before_it_is_cut(qapp, width):
    """A caption below a picture has room for two lines, or for three of smaller type."""
    style = STYLE
    room = QRectF(0.0, 0.0, width * text_width(VERDICT, style.text), 3.1 * style.text)
    (placed,) = Text(VERDICT).leaves(room, style)
    assert placed.size >= SMALLEST_TYPE * style.text
    assert all(text_width(line, placed.size) <= room.width() for line in placed.lines) or width == 0.1
    assert (len(placed.lines) - 1) * 1.3 * placed.size + 0.95 * placed.size <= room.height()
    assert (placed.size == style.text) is (width >= 0.6)
    assert (" ".join(placed.lines) == VERDICT) is (width > 0.1)
