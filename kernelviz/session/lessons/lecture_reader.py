"""Reading lectures: Markdown in the language of lessons, with stops instead of steps.

A stop that names a file which is missing or broken is read all the same; opening that stop says what is
wrong."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import nearest
from kernelviz.resource import resource_path
from kernelviz.session.files import kviz
from kernelviz.session.lessons.actions import Action, parse_actions
from kernelviz.session.lessons.blocks import Block, StopBlock
from kernelviz.session.lessons.facts import vocabulary
from kernelviz.session.lessons.language import Check, parse_check
from kernelviz.session.lessons.lecture import Lecture, Missing
from kernelviz.session.lessons.lesson import Do, Lesson, LessonStep, LessonTask, Part, Stage
from kernelviz.session.lessons.parts import PARTS, controls
from kernelviz.session.lessons.reader import SUFFIX, LessonReader, text_of
from kernelviz.session.lessons.shipped import shipped
from kernelviz.session.view import ViewRange

FILES = (kviz.SUFFIX, ".png")  # Sessions, and pictures with a session in them.


def lectures() -> list[Path]:
    """Return the lectures that come with kernelviz."""
    return sorted(resource_path("lectures").glob(f"*{SUFFIX}"))


def read_lecture(path: str | Path) -> Lecture:
    """Return the lecture of a file."""
    return parse_lecture(text_of(path), path)


def parse_lecture(text: str, path: str | Path) -> Lecture:
    """Parse a lecture; `path` is its file, which gives the lecture its name."""
    return LectureReader(Path(path), text.splitlines()).lecture(text)


def read_either(path: str | Path) -> Lesson:
    """Return the lesson or the lecture of a file."""
    path, text = Path(path), text_of(path)
    reader = LessonReader(path, text.splitlines())
    front, _ = reader.front_matter()
    return parse_lecture(text, path) if front.values.kind == "lecture" else reader.lesson(text)


def gathered(paths: Sequence[Path]) -> tuple[str, Path]:
    """Return the text of a lecture with a stop for each file, and where it would be: next to the files.

    Sessions, pictures with a session, lessons and lectures can be stops."""
    most_files = 200  # In the place of one lecture.
    if len(paths) > most_files:
        raise BadInput(f"At most {most_files} files can be opened as one lecture, not {len(paths)}.")
    whole = [path.absolute() for path in paths]
    for path in whole:
        if path.suffix.lower() not in (*FILES, SUFFIX):
            raise BadInput(f"{path.name} cannot be a stop of a lecture: open it alone.")
    folder = Path(os.path.commonpath([path.parent for path in whole]))
    lines = ["+++", "format = 1", 'kind   = "lecture"', f'title  = "{len(paths)} files"', "+++", ""]
    for path in whole:
        key = "lesson" if path.suffix.lower() == SUFFIX else "open"
        name = json.dumps(path.relative_to(folder).as_posix(), ensure_ascii=False)
        lines += [f"## {path.stem}", "", "```stage", f"{key} = {name}", "```", ""]
    return "\n".join(lines), folder / f"lecture{SUFFIX}"


@dataclass(frozen=True)
class _Contained(Stage):
    """A lesson or a lecture that takes the place of a stop."""

    steps: tuple[LessonStep, ...] = ()


@dataclass
class LectureReader(LessonReader):
    """Reads the lines of a lecture. within: the lectures that contain it."""

    within: tuple[Path, ...] = ()

    kind: ClassVar[Literal["lesson", "lecture"]] = "lecture"
    step: ClassVar[str] = "stop"
    most: ClassVar[int] = 200
    blocks: ClassVar[tuple[str, ...]] = ("stage", "predict", "do")

    def lecture(self, text: str) -> Lecture:
        lesson = self.lesson(text)
        steps: list[LessonStep] = []
        sections: list[int] = []
        for step in lesson.steps:
            own = step.stage.steps if isinstance(step.stage, _Contained) else (step,)
            steps += own
            sections += [step.line] * len(own)
        if len(steps) > self.most:
            raise self.fail(1, f"With its lessons it has {len(steps)} stops; {self.most} are allowed.")
        values = {field.name: getattr(lesson, field.name) for field in fields(Lesson)}
        return Lecture(**values | {"steps": tuple(steps)}, sections=tuple(sections), text=text)

    def fenced(self, kind: str, line: int, lines: list[str]) -> Part:
        if kind == "stage":
            return self.stop(self.block(kind, StopBlock, line, lines))
        return self.do(line, lines) if kind == "do" else super().fenced(kind, line, lines)

    # Stages --------------------------------------------------------------------------------------------
    def stop(self, block: Block[StopBlock]) -> Stage:
        """Return a stage, or the file or the lesson in its place."""
        values, opened = block.values, self.texts(block, "open")
        files = [name for name in opened if name.lower().endswith(FILES)]
        for name in opened:
            if name not in files and re.fullmatch(r"[^()]*\.\w+", name):
                neither = "neither a session (.kviz) nor a PNG that kernelviz has exported"
                raise self.fail(block.line_of("open"), f"{name} cannot be shown at a stop: it is {neither}.")
        as_set = tuple(text for text in opened if text not in files)
        if sum(map(bool, (values.data, values.rows, values.lesson))) + len(files) != 1:
            sentence = 'A stage needs one of data = "…", rows = […], open = "saved.kviz" and lesson = "…".'
            raise self.fail(block.line, sentence)
        stage = replace(self.shown(block, as_set), follows=self.texts(block, "follows"))
        if (zoom := values.view) is not None:
            seen = self.located(block.line_of("view"), partial(ViewRange.of, zoom))
            stage = replace(stage, view=seen)
        if values.lesson:
            return self.contained(block, stage)
        if files:
            if values.fit or values.test:
                raise self.fail(block.line, f"{files[0]} has its own fits and held-out points.")
            self.check_target(block.line_of("open"), files[0], False)
            return replace(stage, file=self.path.parent / files[0])
        return replace(stage, data=self.data(block, "data"), **self.fitted(block))

    def hideable(self) -> tuple[str, ...]:
        """Return the parts of the window, and the single controls."""
        return (*PARTS, *sorted(controls()))

    def contained(self, block: Block[StopBlock], stage: Stage) -> Stage:
        """Return the steps of a lesson or of a lecture, to be shown as stops: a task is done line by line."""
        name = block.values.lesson
        ours = {path.stem: path for path in shipped()}
        try:
            if name.endswith(SUFFIX):
                self.check_target(block.line_of("lesson"), name, False)
                path = self.path.parent / name
            elif name in ours:
                path = ours[name]
            else:
                raise BadInput(f"There is no lesson called {name!r}. {nearest(name, list(ours))}")
            return _Contained(stage.line, steps=tuple(map(_shown, self.steps_of(path))))
        except BadInput as problem:
            return Missing(stage.line, problem=str(problem))

    def steps_of(self, path: Path) -> tuple[LessonStep, ...]:
        here = path.resolve()
        if here in (*self.within, self.path.resolve()):
            raise BadInput(f"{path.name} contains itself.")
        if path.exists() and not path.is_file():  # a pipe, which would be waited for
            raise BadInput(f"{path.name} cannot be opened: it is not a file.")
        text = text_of(path)
        if LessonReader(path, text.splitlines()).front_matter()[0].values.kind == "lesson":
            return LessonReader(path, text.splitlines()).lesson(text).steps
        within = (*self.within, self.path.resolve())
        return LectureReader(path, text.splitlines(), within=within).lecture(text).steps

    # What is done --------------------------------------------------------------------------------------
    def do(self, line: int, lines: list[str]) -> Do:
        """Return the lines of a `do` block: actions, and checks that hold after those before them."""
        actions: list[Action] = []
        checks: list[tuple[int, int, Check]] = []
        for number, text in enumerate(lines, line + 1):
            verb, _, rest = text.strip().partition(" ")
            if verb == "true":
                read = partial(parse_check, rest, vocabulary(self.points))
                checks.append((len(actions), number, self.located(number, read)))
            elif verb and not verb.startswith("#"):
                actions += self.located(number, partial(parse_actions, text, self.points))
        if not actions:
            raise self.fail(line, "There is nothing to do here: write a line such as kernel.gamma = 20.")
        return Do(line, tuple(actions), tuple(checks))


def _shown(step: LessonStep) -> LessonStep:
    """Return a step of a lesson as a stop."""
    parts: list[Part] = []
    for part in step.parts:
        parts += [part.say, Do(part.line, part.do)] if isinstance(part, LessonTask) else [part]
    return replace(step, parts=tuple(parts))
