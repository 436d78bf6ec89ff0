"""Every combination of size, mode and wish: no window is opened."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from kernelviz.ui.window.arrangement import (
    ONE_PANEL,
    PANELS,
    Arrangement,
    Mode,
    Wishes,
    arrange,
    closing,
    column_heights,
    fold,
    looking,
    opening,
    toggled,
)

DESK, STAGE, LESSON = Mode(), Mode(presenting=True), Mode(lesson=True)
HALL = Mode(hall=True)
LESSON_ON_STAGE = Mode(presenting=True, lesson=True)
USUAL = Wishes(views=("loss", "inspector"))
FULL_HD, LAPTOP, PROJECTOR, SMALL = (1920, 1080), (1366, 768), (1024, 768), (800, 600)


def wishing(**wishes: object) -> Wishes:
    return replace(USUAL, **wishes)


def places(made: Arrangement) -> str:
    """The panels that are shown and their places, as a line."""
    return ", ".join(f"{name} {where}" for name, where in made.panels.items() if where != "hidden")


ALL = "data left, kernel left, algorithm right, insight right"
ONE_COLUMN = "data left, kernel left, algorithm left"
NO_KERNEL, NO_INSIGHT = frozenset({"kernel"}), frozenset({"insight"})
TWO = frozenset({"kernel", "insight"})
AT_THE_DESK = [
    # size, scale, wishes -> shape, panels
    (FULL_HD, 1.0, USUAL, "columns", ALL),
    (LAPTOP, 1.0, USUAL, "columns", ALL),
    (PROJECTOR, 1.0, USUAL, "accordion", ONE_COLUMN),
    (PROJECTOR, 1.0, wishing(drawer=True), "accordion", f"{ONE_COLUMN}, insight below"),
    (PROJECTOR, 1.0, wishing(drawer=True, closed=NO_INSIGHT), "accordion", f"{ONE_COLUMN}, insight below"),
    (SMALL, 1.0, USUAL, "icons", ""),
    ((960, 540), 1.0, wishing(over="data"), "icons", "data over"),
    (FULL_HD, 1.5, USUAL, "accordion", ONE_COLUMN),
    (FULL_HD, 2.0, USUAL, "icons", ""),
    (LAPTOP, 1.0, wishing(closed=NO_KERNEL), "columns", "data left, algorithm right, insight right"),
    (PROJECTOR, 1.0, wishing(closed=NO_KERNEL), "accordion", "data left, algorithm left"),
    (LAPTOP, 1.0, wishing(closed=NO_INSIGHT), "columns", "data left, kernel left, algorithm right"),
    (SMALL, 1.0, wishing(by_hand="columns"), "columns", ALL),
    (SMALL, 1.0, wishing(by_hand="columns", gives_way=True), "icons", ""),
    (PROJECTOR, 1.0, wishing(by_hand="columns", gives_way=True), "columns", ALL),
]
IN_OTHER_MODES = [
    # size, mode, wishes -> panels, lesson
    (FULL_HD, STAGE, USUAL, "", ""),
    (FULL_HD, STAGE, wishing(presented=TWO, by_hand="accordion"), "kernel left, insight right", ""),
    (PROJECTOR, STAGE, wishing(presented=TWO), "insight right", ""),
    (LAPTOP, LESSON, USUAL, "", "beside"),
    (LAPTOP, LESSON, wishing(in_lesson=TWO), "kernel left, insight in the lesson", "beside"),
    (SMALL, LESSON, wishing(in_lesson=NO_INSIGHT), "insight in the lesson", "over"),
    (SMALL, LESSON, wishing(folded=True), "", "folded"),
    (SMALL, LESSON_ON_STAGE, wishing(folded=True), "", "beside"),
    (FULL_HD, LESSON_ON_STAGE, wishing(presented=TWO), "", "beside"),
    (PROJECTOR, Mode(audience=True), wishing(drawer=True), f"{ONE_COLUMN}, insight right", ""),
    (PROJECTOR, Mode(audience=True), USUAL, ONE_COLUMN, ""),
    (FULL_HD, HALL, USUAL, "insight right", ""),
    (PROJECTOR, replace(HALL, lesson=True), wishing(drawer=True), "insight right", ""),
    (SMALL, HALL, wishing(views=()), "", ""),
]


@pytest.mark.parametrize(("size", "scale", "wishes", "shape", "panels"), AT_THE_DESK)
def test_where_panels_are_at_the_desk(size, scale, wishes, shape, panels):
    made = arrange(size, scale, DESK, wishes)
    assert (made.shape, places(made), made.lesson) == (shape, panels, "")


@pytest.mark.parametrize(("size", "mode", "wishes", "panels", "lesson"), IN_OTHER_MODES)
def test_where_panels_and_lesson_are_in_other_modes(size, mode, wishes, panels, lesson):
    made = arrange(size, 1.0, mode, wishes)
    assert (places(made), made.lesson) == (panels, lesson)


@pytest.mark.parametrize(
    ("size", "mode", "wishes", "large"),
    [
        (LAPTOP, DESK, USUAL, "loss"),
        (LAPTOP, DESK, wishing(closed=NO_INSIGHT), ""),  # the canvas would be hidden
        (PROJECTOR, DESK, USUAL, ""),
        (PROJECTOR, DESK, wishing(drawer=True), "loss"),
        (SMALL, DESK, USUAL, "loss"),
        (PROJECTOR, STAGE, USUAL, "loss"),
        (LAPTOP, DESK, wishing(views=("gram",)), ""),  # it was chosen on the stage
        (LAPTOP, LESSON, USUAL, ""),  # it enlarges its own
        (FULL_HD, HALL, USUAL, ""),
    ],
)
def test_a_view_stays_large_wherever_the_canvas_may_have_its_slot(size, mode, wishes, large):
    assert arrange(size, 1.0, mode, replace(wishes, large="loss")).large == large


@pytest.mark.parametrize(
    ("wishes", "views"),
    [
        (USUAL, ("loss",)),
        (wishing(presented_views=("gram", "loss")), ("gram", "loss")),
        (wishing(presented_views=("gram", "loss"), large="loss"), ("gram", "loss")),
        (wishing(presented_views=("gram",), large="loss"), ("loss",)),
    ],
)
def test_a_stage_has_the_views_of_the_last_presentation_or_the_large_one_of_the_desk(wishes, views):
    assert arrange(FULL_HD, 1.0, STAGE, wishes).views == views


WAYS = [
    # size, mode, wishes; what the user does -> panels there, and at a large desk
    (LAPTOP, DESK, USUAL, ("kernel", False), "data left, algorithm right, insight right", NO_KERNEL),
    (PROJECTOR, DESK, USUAL, ("insight", True), f"{ONE_COLUMN}, insight below", ()),
    (SMALL, DESK, USUAL, ("data", True), "data over", ()),
    (SMALL, DESK, wishing(over="kernel"), ("data", True), "data over", ()),
    (SMALL, DESK, wishing(over="data"), ("data", False), "", ()),
    (FULL_HD, STAGE, wishing(presented=NO_KERNEL), ("insight", True), "kernel left, insight right", ()),
    (PROJECTOR, STAGE, wishing(presented=NO_INSIGHT), ("kernel", True), "kernel left", ()),
    (PROJECTOR, STAGE, wishing(presented=TWO), ("insight", False), "", ()),
    (LAPTOP, LESSON, USUAL, ("insight", True), "insight in the lesson", ()),
    (LAPTOP, LESSON, wishing(in_lesson=TWO), ("insight", False), "kernel left", ()),
]


@pytest.mark.parametrize(("size", "mode", "wishes", "does", "panels", "closed"), WAYS)
def test_a_panel_shown_or_hidden_in_a_mode_is_so_in_that_mode(size, mode, wishes, does, panels, closed):
    wishes = toggled(wishes, arrange(size, 1.0, mode, wishes), size, *does)
    assert places(arrange(size, 1.0, mode, wishes)) == panels
    assert arrange(LAPTOP, 1.0, DESK, wishes).shown == PANELS.keys() - closed


def test_views_chosen_on_the_stage_are_not_those_of_the_desk():
    wishes = looking(USUAL, arrange(LAPTOP, 1.0, STAGE, USUAL), ("gram", "weights"), "gram")
    assert arrange(LAPTOP, 1.0, STAGE, wishes).views == ("gram", "weights")
    assert arrange(LAPTOP, 1.0, DESK, wishes).views == USUAL.views
    assert looking(wishes, arrange(LAPTOP, 1.0, LESSON, wishes), ("sweep",), "sweep") == wishes


def test_a_view_made_large_is_not_covered_by_its_panel():
    wishes = wishing(over="insight")
    at_first = arrange(SMALL, 1.0, DESK, wishes)
    assert looking(wishes, at_first, USUAL.views, "").over == "insight"
    wishes = looking(wishes, at_first, USUAL.views, "loss")
    assert (wishes.over, wishes.large) == ("", "loss")
    assert looking(replace(wishes, over="insight"), at_first, USUAL.views, "loss").over == "insight"


MODES = [Mode(*on) for on in product((False, True), repeat=4)]
WISHES = [
    wishing(closed=frozenset(closed), drawer=drawer, large=large, by_hand=hand, presented=frozenset(shown))
    for closed, drawer, large, hand, shown in product(
        ((), ("kernel",), ("insight",)),
        (False, True),
        ("", "loss"),
        ("", "columns"),
        ((), ("kernel", "insight")),
    )
]


@pytest.mark.parametrize("mode", MODES)
def test_in_every_combination_there_is_one_place_for_all(mode):
    for size, scale, wishes in product((FULL_HD, LAPTOP, PROJECTOR, SMALL), (1.0, 1.5, 2.0), WISHES):
        made = arrange(size, scale, mode, wishes)
        assert made.panels.keys() == PANELS.keys()
        assert made.large in ("", *made.views)
        assert not made.large or made.may_hide_canvas or "insight" in made.shown
        usual = {"strip"} if mode.presenting else {"menu", "toolbar"}
        assert made.bars == (set() if mode.hall else usual)
        assert mode.lesson or not (mode.presenting and size[0] < ONE_PANEL and len(made.shown) > 1)


@pytest.mark.parametrize(
    ("wanted", "height", "opened"),
    [
        (("kernel", "algorithm"), 620, ("kernel", "algorithm")),
        (("kernel", "algorithm"), 430, ("kernel",)),
        (("kernel",), 620, ("kernel",)),
        ((), 620, ()),
        (("data", "gone"), 620, ("data", "algorithm")),
        (("gone", "data"), 620, ()),
    ],
)
def test_one_panel_of_the_accordion_is_open_and_a_second_one_where_it_fits(wanted, height, opened):
    made = fold(["data", "kernel", "algorithm"], wanted, height, 30, lambda _: 250, 1.0)
    assert made.opened == opened
    assert list(made.most.values()).count(None) == 1  # something has all the room that is left


def test_a_panel_that_is_opened_comes_first_and_one_that_is_closed_opens_no_other():
    wishes = opening(USUAL, "data")
    assert wishes.opened == ("data", "kernel")
    assert closing(wishes, "data").opened == ("kernel",)
    assert opening(closing(wishes, "data"), "algorithm").opened == ("algorithm", "kernel")
    assert closing(closing(wishes, "data"), "kernel").opened == ()


def test_a_column_gives_each_panel_its_least_height_first():
    assert column_heights("left", 600) == {"data": 378, "kernel": 276}
    assert column_heights("left", 700) == {"data": 386, "kernel": 314}
    assert column_heights("right", 1000) == {"algorithm": 300, "insight": 700}
