"""The robot does every lesson; and it finds what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelviz.scene.export.worksheet_items import markdown
from kernelviz.session.lessons.claims import our_claims
from kernelviz.session.lessons.lesson import Lesson, Prediction
from kernelviz.session.lessons.reader import parse_lesson, read_lesson
from kernelviz.session.lessons.robot import examine
from kernelviz.session.lessons.shipped import shipped, template

TEMPLATE = template().read_text(encoding="utf-8")

LESSONS = shipped()


def sentences(text: str) -> list[str]:
    return [f"{problem.line}: {problem.sentence}" for problem in examine(parse_lesson(text, "x.md"))]


def test_the_template_of_a_new_lesson_holds() -> None:
    assert sentences(TEMPLATE) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "test_error > before(test_error)",
            "test_error < before(test_error)",
            "is not true after the reveal",
        ),
        ("test_error > before(test_error)", "step > 3", "cannot be answered after the reveal"),
        ("training_error == 0 and test_error < 0.125", "n > 3", "is true before anything is done"),
        ('kernel.gamma = 20"', 'kernel.gamma = 1000"', "is not true after the do"),
        ('["test_error >= 0.125"', '["test_error > 0.9"', "None of the reasons under miss"),
        ("γ goes from 1 to 200", "$\\\\frac{1$", "cannot be typeset"),
        ("soft-margin-svm(C=10)", "svr", "cannot be fitted"),
        ("kernel.gamma = 200", "kernel = linear\\nkernel.gamma = 200", "has no parameter 'gamma'"),
        ("kernel.gamma = 200", "remove 500", "There is no point 500"),
    ],
)
def test_the_robot_finds_what_is_wrong(old: str, new: str, problem: str) -> None:
    assert old in TEMPLATE
    assert any(problem in sentence for sentence in sentences(TEMPLATE.replace(old, new, 1)))


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_lesson_holds(path: Path) -> None:
    assert [f"{path.name}, line {p.line}: {p.sentence}" for p in examine(read_lesson(path))] == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_lesson_keeps_to_the_rules(path: Path) -> None:
    lesson = read_lesson(path)
    assert 3 <= len(lesson.steps) <= 6
    assert 5 <= lesson.minutes <= 8
    assert any(step.prediction for step in lesson.steps)
    assert any(step.task for step in lesson.steps)
    assert lesson.follows
    assert set(lesson.comes_after) <= {known.stem for known in LESSONS}
    for step in lesson.steps:
        assert step.prediction or step.task, step.title
        if step.task:
            assert one_sentence(step.task.say), step.task.say
            assert step.task.hints, step.title
        if step.prediction:
            wrong = set(step.prediction.choices) - {step.prediction.answer}
            assert wrong <= set(step.prediction.why or {}), step.title


def one_sentence(text: str) -> bool:
    return text.endswith(".") and ". " not in text


def predictions() -> list[Prediction]:
    steps = (step for path in LESSONS for step in read_lesson(path).steps)
    return [step.prediction for step in steps if step.prediction is not None]


def test_the_right_choice_is_the_longest_or_the_shortest_no_more_often_than_by_chance() -> None:
    asked, by_chance = predictions(), sum(1 / len(one.choices) for one in predictions())
    for extreme in (max, min):
        share = 0.0
        for one in asked:
            lengths = {letter: len(text) for letter, text in one.choices.items()}
            found = [letter for letter in lengths if lengths[letter] == extreme(lengths.values())]
            share += (one.answer in found) / len(found)
        assert share <= by_chance * 1.1, extreme


def test_at_least_twenty_five_lessons_are_shipped() -> None:
    assert len(LESSONS) >= 25


def test_lessons_follow_known_claims() -> None:
    for path in LESSONS:
        assert set(read_lesson(path).follows) <= set(our_claims()), path.stem


def test_a_worksheet_has_every_question_and_its_solutions_only_if_asked_for() -> None:
    lesson: Lesson = parse_lesson(TEMPLATE, "x.md")
    plain, solved = markdown(lesson), markdown(lesson, with_solutions=True)
    assert "☐ B: It rises" in plain
    assert "☐ **Do.** Find a γ" in plain
    assert "Solutions" not in plain
    assert solved.startswith(plain.rstrip("\n")[:200])
    assert "Set γ to 20." in solved


def test_prose_after_a_prediction_is_on_paper_only_with_the_solutions() -> None:
    text = TEMPLATE.replace("```task", "It rose to 29 %.\n\n```task")
    plain, solved = (markdown(parse_lesson(text, "x.md"), solutions) for solutions in (False, True))
    assert "It rose" not in plain
    assert solved.index("It rose") > solved.index("# Solutions")
