"""The claims of the notes: what is on screen when one is seen, and how well the lessons show it.

A claim in `claims.toml` names what is seen: checks of views and layers, such as `view.loss.over == 's'`, and
numbers by their names, such as `training_error` or `point.alpha`. A prediction or a task that follows it has
a check of its own, its `true` or its `check`. From the two a grade is computed:

    A   changed by one's own hand, or predicted: all of it is on screen afterwards, and the check fails
        without the reveal or the `do`, and with any of the views closed or the layers hidden
    B   seen: all of it is on screen, but the check would hold without it
    C   told: something of it is not on screen
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from kernelviz.session.lessons.actions import after
from kernelviz.session.lessons.facts import StateFacts, vocabulary
from kernelviz.session.lessons.language import Check, parse_check
from kernelviz.session.lessons.lesson import Lesson, LessonTask, Prediction
from kernelviz.session.lessons.reader import read_lesson
from kernelviz.session.lessons.shipped import lessons_folder, shipped
from kernelviz.session.lessons.state import LessonState

CLAIMS_HEAD = """# Claims of the notes

Which lesson shows which claim of the five lecture notes (S0 to S4), and how well. A: it is seen, after a
prediction or by one's own hand, and the check of that step fails if the view that shows it is closed or
nothing is done. B: it is seen. C: it is told. The table is computed by `kernelviz lesson claims` from the
lessons and from `resources/lessons/claims.toml`; a test compares them.

"""


@dataclass(frozen=True)
class Claim:
    """A claim of the notes. checks: of the views and layers that show it; numbers: their names."""

    key: str
    says: str
    checks: tuple[Check, ...]
    numbers: frozenset[str]


@dataclass(frozen=True, eq=False)
class ClaimBlock:
    """A prediction or a task that follows claims, with the states before and after it."""

    lesson: Lesson
    block: Prediction | LessonTask
    before: StateFacts
    now: StateFacts

    @property
    def check(self) -> Check:
        """What must hold afterwards."""
        return self.block.true if isinstance(self.block, Prediction) else self.block.check

    def grade(self, claim: Claim) -> str:
        """Return how well it shows a claim: "A", "B" or "C"."""
        on_screen = all(check.holds(self.now) for check in claim.checks)
        if not on_screen or not claim.numbers <= self.check.names:
            return "C"
        return "A" if self.needs_the_act and not self.holds_without(claim) else "B"

    @property
    def needs_the_act(self) -> bool:
        """Whether the check fails while nothing has been revealed or done."""
        return not self.check.holds(self.before, self.before)

    def holds_without(self, claim: Claim) -> list[str]:
        """Return the views and layers of a claim without which the check holds all the same."""
        names = sorted({name for check in claim.checks for name in check.names})
        without = {name: StateFacts(taken_away(name, self.now.state), self.now.models) for name in names}
        return [name for name, facts in without.items() if self.check.holds(facts, self.before)]


def taken_away(name: str, state: LessonState) -> LessonState:
    """Return the state with a view closed, or a layer hidden: `view.loss.over` or `layer.slack`."""
    kind, which, *_ = name.split(".")
    if kind == "layer":
        return state.with_layer(which, False)
    return state.replace(views=state.views - {which})


@cache
def our_claims() -> Mapping[str, Claim]:
    """Return the claims that the lessons show, by their keys."""
    return read_claims(_listed()["claims"])


def _listed() -> Mapping[str, Any]:
    with (lessons_folder() / "claims.toml").open("rb") as file:
        return tomllib.load(file)


def read_claims(table: Mapping[str, Any]) -> dict[str, Claim]:
    """Return the claims of a table of `claims.toml` by their keys."""
    words, found = vocabulary(), {}
    of_points = {"K", *(f"point.{name}" for name in words.of_points)}
    for key, entry in table.items():
        numbers = {name for name in entry["seen"] if words.names.get(name, "truth") != "truth"}
        numbers |= of_points.intersection(entry["seen"])
        checks = (parse_check(text, words) for text in entry["seen"] if text not in numbers)
        found[key] = Claim(key, entry["says"], tuple(checks), frozenset(numbers))
    return found


def blocks_of(lesson: Lesson) -> Iterator[ClaimBlock]:
    """Yield the predictions and tasks of a lesson that follow claims, with the states around them."""
    for index, step in enumerate(lesson.steps):
        plan = lesson.plan(index)
        for block in (step.prediction, step.task):
            if block is not None and block.follows:
                start = plan.start_of(block)
                actions = block.reveal if isinstance(block, Prediction) else block.do
                yield ClaimBlock(lesson, block, StateFacts(start), StateFacts(after(actions, start)))


def graded(claims: Mapping[str, Claim], lessons: Iterable[Lesson]) -> dict[str, dict[str, str]]:
    """Return the grade of each claim by the number of the lesson that shows it, the best of its blocks."""
    grades: dict[str, dict[str, str]] = {key: {} for key in claims}
    for lesson in lessons:
        for shown in blocks_of(lesson):
            for key in shown.block.follows:
                here, number = grades[key], lesson.name[:2]
                here[number] = min(here.get(number, "C"), shown.grade(claims[key]))
    return grades


@cache
def claims_table() -> str:
    """Return the table of all claims as Markdown, with their grades and lessons."""
    claims, left_out = our_claims(), _listed()["left_out"]
    grades = graded(claims, map(read_lesson, shipped()))
    rows = {key: (claim.says, _best(grades[key]), _lessons(grades[key])) for key, claim in claims.items()}
    rows |= {key: (text, "left out", "") for key, text in left_out.items()}
    counts = [f"{sum(row[1] == grade for row in rows.values())} {grade}" for grade in ("A", "B", "C")]
    lines = [f"{len(rows)} claims: {', '.join(counts)}, {len(left_out)} left out.", ""]
    lines += ["| claim | | grade | lesson |", "|---|---|---|---|"]
    in_order = sorted(rows, key=lambda key: tuple(map(int, re.findall(r"\d+", key))))
    lines += [f"| {key} | {' | '.join(rows[key])} |" for key in in_order]
    return CLAIMS_HEAD + "\n".join(lines) + "\n"


def _best(grades: Mapping[str, str]) -> str:
    return min(grades.values(), default="none")


def _lessons(grades: Mapping[str, str]) -> str:
    """Return the lessons that show a claim, the best first."""
    return ", ".join(sorted(grades, key=lambda number: (grades[number], number)))
