"""Views as they are set, layers and selected points, in checks, stages and actions."""

from __future__ import annotations

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.export.worksheet_items import markdown
from kernelviz.scene.insight import view_class
from kernelviz.session.lessons.actions import after, parse_actions
from kernelviz.session.lessons.facts import StateFacts, vocabulary
from kernelviz.session.lessons.language import parse_check
from kernelviz.session.lessons.lesson import Stage
from kernelviz.session.lessons.reader import parse_lesson
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.lessons.writing import difference, stage_block
from kernelviz.session.view_listing import listed_scenes, parse_view, set_views, switches_text

LESSON = """+++
format = 1
title  = "Views"
+++

## One

```stage
data = "rings(n=40)"
fit  = "polynomial(degree=2) ; soft-margin-svm"
{stage}
```

```predict
ask    = "What is seen?"
a      = "This"
b      = "That"
answer = "a"
reveal = ["{reveal}"]
true   = "{true}"
```
"""


def lesson(stage: str = "", reveal: str = "open gram", true: str = "n == 40"):
    return parse_lesson(LESSON.format(stage=stage, reveal=reveal, true=true), "x.md")


def rings() -> LessonState:
    return Stage(1, data="rings(n=40)", points=(("p", 3),)).state()


def holds(check: str, state: LessonState) -> bool | None:
    return parse_check(check, vocabulary(("p",))).holds(StateFacts(state))


def test_checks_know_every_switch_of_every_view_by_its_declared_type() -> None:
    names = vocabulary().names
    for listed in listed_scenes():
        for parameter in view_class(listed.name).parameters():
            assert names[f"view.{listed.name}.{parameter.name}"] == parameter.kind.values_are


@pytest.mark.parametrize("name", [listed.name for listed in listed_scenes()])
def test_every_switch_of_a_view_is_read_as_it_is_set_and_written_as_it_is_read(name: str) -> None:
    kind = set_views()[name]
    for parameter in kind.parameters():
        values = [*parameter.options] or [True, False] if not parameter.is_number else [parameter.low]
        for value in values:
            view = kind(**{parameter.name: value})
            assert parse_view(switches_text(view)) == view
            assert rings().with_view(str(view)).switch(name, parameter.name) == value


@pytest.mark.parametrize(
    "spelled", ["Mercer's sum", "Mercers_sum", "mercers sum", "Mercers-sum", "mercers_sum"]
)
def test_a_face_has_many_spellings_in_actions_stages_and_checks(spelled: str) -> None:
    quoted = f'\\"{spelled}\\"'
    made = lesson(f'open = "gram(face={quoted})"', f"open gram(face={quoted})", f"view.gram.face == {quoted}")
    state = made.start(0)
    assert state.switch("gram", "face") == "Mercer's sum"
    step = made.steps[0]
    assert step.plan(state).end.switch("gram", "face") == "Mercer's sum"
    assert step.prediction is not None
    assert step.prediction.true.holds(StateFacts(state)) is True


def test_a_switch_of_a_closed_view_is_unknown() -> None:
    state = rings()
    assert holds("view.gram.face == 'matrix'", state) is None
    assert holds("view.gram.face == 'matrix'", state.with_view("gram")) is True
    closed = after(parse_actions("open gram(face=spectrum)\nclose gram"), state)
    assert holds("view.gram.face == 'spectrum'", closed) is None
    assert holds("view.gram.face == 'spectrum'", after(parse_actions("open gram"), closed)) is True


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        ("view.gram.fase == 'matrix'", "Did you mean view.gram.face?"),
        ("view.gram.face == 'mercer'", "Did you mean Mercers_sum?"),
        ("view.gram.face", "is a word"),
        ("view.gram.m == 'three'", "compares a number with a word"),
        ("layer.slak", "Did you mean layer.slack?"),
        ("view.table.face == 'x'", "There is nothing called"),
    ],
)
def test_an_unknown_switch_word_or_layer_is_an_error_with_a_suggestion_at_load(
    check: str, sentence: str
) -> None:
    with pytest.raises(BadInput, match=r"x\.md, line 20: .*" + sentence.replace("?", r"\?")):
        lesson(true=check)


@pytest.mark.parametrize(
    ("stage", "sentence"),
    [
        ('open = "gram(fase=spectrum)"', "line 11: .* Did you mean face"),
        ('open = "gram(face=spectra)"', "line 11: .* Did you mean spectrum"),
        ('open = "gran"', "line 11: .* Did you mean gram"),
        ('show = "slak"', "line 11: .* Did you mean slack"),
        ('hide = "toolbar"', "line 11: .* no part of the window called 'toolbar'"),
    ],
)
def test_a_stage_that_shows_what_does_not_exist_is_refused_at_load(stage: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        lesson(stage)


def test_layers_are_shown_and_hidden_by_a_stage_and_by_actions() -> None:
    state = lesson('show = "slack"\nhide = "levels"').start(0)
    assert holds("layer.slack and not layer.levels and not layer.bayes", state) is True
    assert holds("layer.bayes and not layer.slack", after(parse_actions("show bayes\nhide slack"), state))
    assert holds("layer.weights", state) is None  # A layer of curves.


def test_a_switch_that_is_a_layer_of_the_canvas_is_set_with_it() -> None:
    state = Stage(1, data="sine(n=20)").state()
    raised = state.with_view("balance(bump=true)")
    assert holds("view.balance.bump and layer.raised", raised) is True
    lowered = after(parse_actions("hide raised"), raised)
    assert holds("view.balance.bump", lowered) is False


def test_points_are_selected_by_name() -> None:
    state = after(parse_actions("select p 1", ("p",)), rings())
    assert holds("point('p').selected == 1 and point(1).selected == 1 and point(2).selected == 0", state)
    assert state.shown().look.selection == (3, 0)
    assert holds("point('p').selected == 0", after(parse_actions("select 2"), state))
    assert after(parse_actions("remove 2-40"), state).shown().look.selection == (0,)


def test_what_is_recorded_says_how_views_are_set_and_which_layers_are_shown() -> None:
    old = rings().with_view("gram(face=spectrum)").with_layer("slack", True)
    new = rings().with_view("gram").with_view("loss(over=s)").with_layer("bayes", True)
    lines = difference(old, new)
    assert lines is not None
    assert "open loss(over=s)" in lines
    assert {"hide slack", "show bayes"} <= set(lines)
    assert after(parse_actions("\n".join(lines)), old).on_screen == new.on_screen


def test_the_block_of_a_stage_opens_views_as_they_are_set() -> None:
    state = rings().with_view("gram(face=Mercers_sum, m=5)").with_layer("slack", True)
    text = f"+++\nformat = 1\ntitle = 'x'\n+++\n\n## One\n\n{stage_block(state)}"
    assert parse_lesson(text, "x.md").start(0).on_screen == state.on_screen


def test_a_worksheet_says_how_views_are_set_and_points_selected() -> None:
    text = markdown(lesson("points = { p = 3 }", 'open loss(over=s, hinge=true)", "select p'), True)
    assert "Open *Loss*. Set *over* to s. Tick *hinge*." in text
    assert "Select p." in text
