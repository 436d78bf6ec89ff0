"""The table of claims is up to date, and its grades are what the lessons show."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelviz.session.lessons.claims import blocks_of, claims_table, our_claims, read_claims
from kernelviz.session.lessons.lecture_reader import lectures, read_lecture
from kernelviz.session.lessons.reader import parse_lesson, read_lesson
from kernelviz.session.lessons.shipped import shipped

TABLE = Path(__file__).parents[3] / "resources" / "claims.md"
LESSON = """+++
format = 1
title  = "Slack"
+++

## Slack

```stage
data = "moons(n=40)"
fit  = "linear ; soft-margin-svm"
{stage}
```

```task
say   = "Show the loss and the slack."
check = "{check}"
do    = {do}
follows = ["X-1"]
```
"""
SEEN = {"X-1": {"says": "Slack is paid for.", "seen": ["view.loss.over == 's'", "layer.slack", "hinge_loss"]}}
DO = '["open loss(over=s)", "show slack"]'
CHECK = "view.loss.over == 's' and layer.slack and hinge_loss > 0"


def rows() -> list[list[str]]:
    lines = claims_table().splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| S")]


def grade(stage: str = "", check: str = CHECK, do: str = DO) -> str:
    lesson = parse_lesson(LESSON.format(stage=stage, check=check, do=do), "x.md")
    (shown,) = blocks_of(lesson)
    return shown.grade(read_claims(SEEN)["X-1"])


def test_the_table_says_what_the_lessons_show() -> None:
    """If it does not: kernelviz lesson claims > resources/claims.md"""
    assert TABLE.read_text(encoding="utf-8") == claims_table()


def test_all_209_claims_of_the_notes_are_in_it_and_every_one_is_seen_or_has_a_reason() -> None:
    grades = [row[2] for row in rows()]
    assert len(grades) == 209
    assert set(grades) <= {"A", "B", "left out"}
    assert grades.count("A") >= 150


def test_a_claim_is_graded_a_if_the_check_needs_what_is_seen_and_done() -> None:
    assert grade() == "A"


@pytest.mark.parametrize(
    ("change", "graded"),
    [
        ({"check": "view.loss.over == 's' and hinge_loss > 0"}, "B"),  # The slack is not asked for,
        ({"check": "layer.slack and hinge_loss > 0"}, "B"),  # nor the loss.
        ({"check": "hinge_loss > 0"}, "B"),  # Nothing need be done.
        ({"check": "view.loss.over == 's' and layer.slack"}, "C"),  # The number plays no part.
        ({"do": "'open loss(over=s)'"}, "C"),  # The slack is never shown,
        ({"do": '["open loss", "show slack"]'}, "C"),  # nor the loss over s.
        ({"stage": "open = 'loss(over=s)'\nshow = 'slack'"}, "B"),  # It is on screen before anything is done.
    ],
)
def test_a_claim_is_graded_lower_without(change: dict[str, str], graded: str) -> None:
    assert grade(**change) == graded


@pytest.mark.parametrize("path", shipped(), ids=lambda path: path.stem)
def test_a_check_fails_without_the_view_the_layer_and_the_act_that_show_its_claims(path: Path) -> None:
    for shown in blocks_of(read_lesson(path)):
        for key in shown.block.follows:
            where = f"{path.name}, line {shown.block.line}: {key}"
            assert shown.needs_the_act, where
            assert shown.check.holds(shown.now, shown.before), where
            assert not shown.holds_without(our_claims()[key]), where


@pytest.mark.parametrize("note", ["S1", "S2", "S4"])
def test_lectures_show_every_claim_of_their_note_that_can_be_seen(note: str) -> None:
    stages = [step.stage for path in lectures() for step in read_lecture(path).steps]
    shown = {claim for stage in stages if stage is not None for claim in stage.follows}
    seen = {row[0] for row in rows() if row[0].startswith(f"{note}-") and row[2] != "left out"}
    assert seen == {claim for claim in shown if claim.startswith(note)}
