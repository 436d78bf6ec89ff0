"""What was done between two states, as lines that do it again."""

from __future__ import annotations

import contextlib
import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.actions import after, parse_actions
from kernelviz.session.lessons.reader import parse_lesson
from kernelviz.session.lessons.robot import examine
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.lessons.writing import Recording, difference
from tests.session.lessons.test_actions import stage

PLANE = stage()
CURVE = stage("sine(n=12)", "rbf(gamma=3) ; ridge(lam=0.1)")
WORDS = stage("spelling", "words ; soft-margin-svm(C=10)")

LINES = {
    "plane": [
        "kernel = rbf(gamma=2)", "kernel = 0.5*rbf(gamma=2) + linear", "algorithm = soft-margin-svm(C=3)",
        "data = moons(n=40)", "data.n = 30", "add + (0, 1)", "add - (0.25, 1.5)", "move 3 (1, 2)",
        "remove 2 5-7", "flip 4", "open gram", "open loss", "press add_fit", "press next_fit", "watch to 1",
        "press median_width",
    ],
    "curve": ["algorithm.lam = 3", "kernel.l = 2", "add (0, 1)", "move 3 (1, 2)", "remove 2", "open balance"],
    "words": ["kernel.fold_case = true", "kernel = spectrum(length=3)", "retype 2 another text", "flip 3"],
}  # fmt: skip


def replayed(lines: list[str], start: LessonState) -> LessonState:
    return after(parse_actions("\n".join(lines)), start) if lines else start


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (start, line)
        for start, name in ((PLANE, "plane"), (CURVE, "curve"), (WORDS, "words"))
        for line in LINES[name]
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_one_thing_done_is_one_line_that_does_it(start: LessonState, line: str) -> None:
    start = dataclasses.replace(start, points=())
    end = replayed([line], start)
    lines = difference(start, end)
    assert lines is not None
    assert len(lines) <= 2
    assert replayed(lines, start).fingerprint == end.fingerprint


@given(st.lists(st.sampled_from(LINES["plane"]), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_a_recording_leads_to_the_same_state_and_its_lesson_can_be_read(lines: list[str]) -> None:
    start = state = dataclasses.replace(PLANE, points=())
    recording = Recording(start)
    for line in lines:
        with contextlib.suppress(BadInput):  # a fifth fit, say
            state = replayed([line], state)
        recording.follow(state)
    lesson = parse_lesson(recording.lesson(), "x.md")
    end = lesson.start(len(lesson.steps) - 1)
    assert lesson.steps[-1].plan(end).end.fingerprint == state.fingerprint


def test_later_values_replace_earlier_ones_and_the_robot_is_content() -> None:
    start = state = dataclasses.replace(CURVE, points=())
    recording = Recording(start)
    for line in ("algorithm.lam = 1", "algorithm.lam = 2", "open balance", "move 1 (0, 1)", "move 1 (0, 2)"):
        state = replayed([line], state)
        recording.follow(state)
    lesson = parse_lesson(recording.lesson(), "x.md")
    (step,) = lesson.steps
    assert step.task is not None
    assert [action.text for action in step.task.do] == ["algorithm.lam = 2", "open balance", "move 1 (0, 2)"]
    assert set(lesson.shows) == {"algorithm.lam", "balance", "canvas", "status"}
    assert examine(lesson) == []


def test_what_no_line_can_do_begins_another_step() -> None:
    start = dataclasses.replace(PLANE, points=())
    recording = Recording(start)
    recording.follow(start.replace(document=start.document.with_share_aside(0.3)))
    first, second = parse_lesson(recording.lesson(), "x.md").steps
    assert first.task is None
    assert second.stage is not None
    assert second.stage.test == "0.3"
