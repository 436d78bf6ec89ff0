"""How far a student is, the line with the answers, and the table of a class."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.progress import LessonProgress, read_results, results_table
from kernelviz.session.lessons.reader import parse_lesson
from kernelviz.session.lessons.shipped import template

TEMPLATE = template().read_text(encoding="utf-8")

BEGUN = LessonProgress("the-width", "0123abcd", 3)


def test_progress_begins_at_the_first_step() -> None:
    lesson = parse_lesson(TEMPLATE, "the-width.md")
    begun = LessonProgress.begin(lesson)
    assert (begun.lesson, begun.version, begun.step, begun.steps) == ("the-width", lesson.version, 1, 1)


def test_only_the_first_answer_counts() -> None:
    twice = BEGUN.answered("a", False).answered("b", True)
    assert twice.answers == {1: "a"}
    assert not twice.right


def test_tries_are_counted_until_the_check_is_green_and_green_stays() -> None:
    done = BEGUN.tried().tried().turned_green().tried().at_step(2)
    assert done.tries == {1: 2}
    assert done.at_step(1).green == {1}


def test_steps_stay_within_the_lesson() -> None:
    assert BEGUN.at_step(-4).step == 1
    assert BEGUN.at_step(99).finished


STEPS = st.integers(1, 9)


@given(
    st.dictionaries(STEPS, st.sampled_from("abcd")),
    st.dictionaries(STEPS, st.integers(0, 99)),
    st.frozensets(STEPS),
    STEPS,
    st.integers(0, 500),
)
def test_the_line_reads_back(
    answers: dict[int, str], tries: dict[int, int], green: frozenset[int], step: int, minutes: int
) -> None:
    right = frozenset(list(answers)[:1])
    progress = LessonProgress("a-lesson", "00ff00ff", 9, step, answers, right, tries, green, float(minutes))
    assert LessonProgress.parse(f'"Ada Lovelace","{progress}",2026') == progress


@pytest.mark.parametrize(
    "line",
    [
        "",
        "kernelviz-lesson 2 | x | 0123abcd | step 1/2 | - | tries - | green - | 1 min",
        "kernelviz-lesson 1 | x | 0123abcd | step 3/2 | - | tries - | green - | 1 min",
        "kernelviz-lesson 1 | x | 0123abcd | step 1/2 | 7:a | tries - | green - | 1 min",
        "kernelviz-lesson 1 | x | 0123abcd | step 1/2 | - | tries - | green 0 | 1 min",
        "kernelviz-lesson 1 | x | 0123abcd | step 1/0 | - | tries - | green - | 1 min",
        "kernelviz-lesson 1 | x | 0123abcd | step 1/2 | - | tries - | green - | 999999999 min",
        "x" * 5000,
    ],
)
def test_other_lines_are_refused(line: str) -> None:
    with pytest.raises(BadInput):
        LessonProgress.parse(line)


def test_a_class_is_counted_step_by_step() -> None:
    first = BEGUN.answered("b", True).at_step(2).tried().tried().turned_green().at_step(3).after_minutes(6)
    second = BEGUN.answered("a", False).at_step(2).tried().turned_green().after_minutes(8)
    text = f"Name,Answers\nAda,{first}\nBob,{second}\n"
    table = results_table(read_results([text])).splitlines()
    assert table[0] == "the-width (0123abcd): 2 answers, 1 finished, median 7 minutes"
    assert table[2].split() == ["1", "1", "1", "50", "%"]
    assert table[3].split() == ["2", "2", "1.5"]


def test_files_without_answers_are_refused() -> None:
    with pytest.raises(BadInput, match="no line of answers"):
        read_results(["nothing here"])
