"""The progress of a student and the results of a class: a frozen value, one line of text, a table of many
lines.

The line is what *Copy my answers* puts on the clipboard and `kernelviz lesson results` counts:

    kernelviz-lesson 1 | no-line-does-it | 1f03aa27 | step 3/4 | 1:b 2:a! | tries 2:3 | green 2 | 7 min

Answers and tries are `step:value`; an exclamation mark says that the answer was right, a dash that it was
shown before anybody had given one."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Self

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.lesson import Lesson

FORMAT = 1
RESULT_LINE = re.compile(
    rf"kernelviz-lesson {FORMAT} \| (?P<lesson>[\w.-]{{1,100}}) \| (?P<version>[0-9a-f]{{8}}) \| "
    r"step (?P<step>\d{1,2})/(?P<steps>\d{1,2}) \| (?P<answers>-|[\d:a-d! -]+) \| "
    r"tries (?P<tries>-|[\d: ]+) \| green (?P<green>-|[\d ]+) \| (?P<minutes>\d+(?:\.\d+)?) min",
    re.ASCII,
)


@dataclass(frozen=True)
class LessonProgress:
    """One student in one lesson. Steps are counted from 1 everywhere here."""

    lesson: str
    version: str
    steps: int
    step: int = 1
    # The first choice for each prediction; empty where the answer was shown without one.
    answers: Mapping[int, str] = field(default_factory=dict)
    right: frozenset[int] = frozenset()  # Steps whose prediction was right.
    tries: Mapping[int, int] = field(default_factory=dict)  # Edits before a check turned green.
    green: frozenset[int] = frozenset()  # Steps whose check has turned green.
    minutes: float = 0.0

    @classmethod
    def begin(cls, lesson: Lesson) -> Self:
        """Return the progress at the beginning of the lesson."""
        return cls(lesson.name, lesson.version, len(lesson.steps))

    def is_of(self, lesson: Lesson) -> bool:
        """Return True if this progress belongs to the lesson in its present version."""
        return (self.version, self.steps) == (lesson.version, len(lesson.steps))

    def at_step(self, step: int) -> Self:
        """Return the progress at another step."""
        return dataclasses.replace(self, step=min(max(step, 1), self.steps))

    def answered(self, letter: str, right: bool) -> Self:
        """Return the progress with an answer to the prediction of this step; only the first one counts."""
        if self.step in self.answers:
            return self
        hit = self.right | {self.step} if right else self.right
        return dataclasses.replace(self, answers={**self.answers, self.step: letter}, right=hit)

    def tried(self) -> Self:
        """Return the progress with one more try at the task of this step, until its check is green."""
        if self.step in self.green:
            return self
        tries = {**self.tries, self.step: self.tries.get(self.step, 0) + 1}
        return dataclasses.replace(self, tries=tries)

    def turned_green(self) -> Self:
        """Return the progress with the check of this step done; it stays done."""
        return dataclasses.replace(self, green=self.green | {self.step})

    def after_minutes(self, minutes: float) -> Self:
        """Return the progress with more time spent."""
        return dataclasses.replace(self, minutes=self.minutes + max(0.0, minutes))

    @property
    def finished(self) -> bool:
        """Return True at the last step."""
        return self.step == self.steps

    def completes(self, lesson: Lesson) -> bool:
        """Return True at the last step once its question is answered and its task done."""
        last = lesson.steps[-1]
        if last.task is not None:
            return self.finished and self.steps in self.green
        return self.finished and (last.prediction is None or self.steps in self.answers)

    # Texts ---------------------------------------------------------------------------------------------
    def __str__(self) -> str:
        """Return the line with the answers, which `parse` reads back."""
        answers = " ".join(
            f"{k}:{v or '-'}{'!' * (k in self.right)}" for k, v in sorted(self.answers.items())
        )
        tries = " ".join(f"{k}:{v}" for k, v in sorted(self.tries.items()))
        green = " ".join(map(str, sorted(self.green)))
        return (
            f"kernelviz-lesson {FORMAT} | {self.lesson} | {self.version} | step {self.step}/{self.steps} | "
            f"{answers or '-'} | tries {tries or '-'} | green {green or '-'} | {self.minutes:.4g} min"
        )

    @classmethod
    def parse(cls, line: str) -> Self:
        """Parse the progress in a copied line; other text around it is ignored."""
        longest_record = 2000  # Characters of a line of answers.
        most_steps = 99
        most_minutes = 100_000
        match = RESULT_LINE.search(line) if len(line) <= longest_record else None
        if match is None:
            raise BadInput("This is not a line of answers, as 'Copy my answers' gives it.")
        steps = int(match["steps"])
        minutes = float(match["minutes"])
        answers, right, tries = {}, set(), {}
        for number, letter, mark in re.findall(r"(\d+):([a-d-])(!?)", match["answers"]):
            answers[int(number)] = letter.strip("-")
            right |= {int(number)} if mark else set()
        for number, count in re.findall(r"(\d+):(\d+)", match["tries"]):
            tries[int(number)] = int(count)
        green = frozenset(map(int, re.findall(r"\d+", match["green"])))
        numbers = {int(match["step"]), *answers, *tries, *green}
        if not 1 <= steps <= most_steps or not numbers <= set(range(1, steps + 1)) or minutes > most_minutes:
            raise BadInput("This line of answers names steps that the lesson does not have.")
        return cls(
            match["lesson"],
            match["version"],
            steps,
            int(match["step"]),
            answers,
            frozenset(right),
            tries,
            green,
            minutes,
        )


# A class -----------------------------------------------------------------------------------------------
def read_results(texts: Iterable[str]) -> list[LessonProgress]:
    """Return all lines of answers in texts: mails, a column of a table, one file for each student."""
    found = [
        LessonProgress.parse(line)
        for text in texts
        for line in text.splitlines()
        if "kernelviz-lesson " in line
    ]
    if not found:
        raise BadInput("There is no line of answers in these files; such lines begin with kernelviz-lesson.")
    return found


def results_table(results: Iterable[LessonProgress]) -> str:
    """Return a table of how a class did, lesson by lesson and step by step."""
    by_lesson: dict[tuple[str, str], list[LessonProgress]] = defaultdict(list)
    for progress in results:
        by_lesson[progress.lesson, progress.version].append(progress)
    blocks = []
    for (lesson, version), group in sorted(by_lesson.items()):
        done = sum(progress.finished for progress in group)
        time = median(progress.minutes for progress in group)
        lines = [f"{lesson} ({version}): {len(group)} answers, {done} finished, median {time:.3g} minutes"]
        lines.append(f"  {'step':>4}  {'a':>4} {'b':>4} {'c':>4} {'d':>4}  {'right':>6}  {'green':>6}  tries")
        lines += [_row(step, group) for step in range(1, group[0].steps + 1)]
        blocks.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(blocks) + "\n"


def _row(step: int, group: list[LessonProgress]) -> str:
    chosen = Counter(filter(None, (progress.answers.get(step) for progress in group)))
    letters = " ".join(f"{chosen[letter] or '':>4}" for letter in "abcd")
    right = sum(step in progress.right for progress in group)
    share = f"{100 * right / chosen.total():.0f} %" if chosen.total() else ""
    green = sum(step in progress.green for progress in group)
    tries = [progress.tries[step] for progress in group if step in progress.tries]
    return f"  {step:>4}  {letters}  {share:>6}  {green or '':>6}  {f'{median(tries):g}' if tries else ''}"
