"""Reading lessons: Markdown with TOML between `+++`, steps under `##`, and fenced blocks.

Everything a writer can get wrong is a BadInput that names file and line. Nothing in a lesson is executed, and
nothing outside its folder is opened."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from kernelviz.engine.core.errors import BadInput, reason
from kernelviz.engine.core.params import nearest
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.session.lessons.actions import Action, parse_actions
from kernelviz.session.lessons.blocks import (
    B,
    BadBlock,
    Block,
    Front,
    PredictBlock,
    StageBlock,
    Staged,
    TaskBlock,
    read_block,
)
from kernelviz.session.lessons.facts import vocabulary
from kernelviz.session.lessons.language import Check, parse_check
from kernelviz.session.lessons.lesson import (
    FRESH,
    Lesson,
    LessonStep,
    LessonTask,
    Part,
    Prediction,
    Row,
    Stage,
)
from kernelviz.session.lessons.state import LAYERS, VIEWS
from kernelviz.session.state import MOST_FITS
from kernelviz.session.view_listing import parse_view

SUFFIX = ".md"
LARGEST_FILE = 200_000  # Bytes.

T = TypeVar("T")


def title_of(path: Path) -> str:
    """Return the title of a lesson or a lecture, of which only the beginning is read."""
    front, _ = LessonReader(path, text_of(path).splitlines()).front_matter()
    return front.values.title


def read_lesson(path: str | Path) -> Lesson:
    """Return the lesson of a file."""
    return parse_lesson(text_of(path), path)


def text_of(path: str | Path) -> str:
    """Return the text of a lesson's or a lecture's file."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as problem:
        raise BadInput(f"{path}: cannot be read: {reason(problem)}.") from None
    if len(content) > LARGEST_FILE:
        raise BadInput(f"{path}: a lesson has at most {LARGEST_FILE // 1000} kB.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise BadInput(f"{path}, line {line}: this is not UTF-8 text.") from None
    return text


def parse_lesson(text: str, path: str | Path) -> Lesson:
    """Parse a lesson; `path` is its file, which gives the lesson its name."""
    return LessonReader(Path(path), text.splitlines()).lesson(text)


@dataclass
class LessonReader:
    """Reads the lines of a lesson."""

    path: Path
    lines: list[str]
    points: tuple[str, ...] = field(default=())  # Names that the last stage gave.

    kind: ClassVar[Literal["lesson", "lecture"]] = "lesson"
    step: ClassVar[str] = "step"  # The noun for the part that a heading begins.
    most: ClassVar[int] = 30  # Steps.
    blocks: ClassVar[tuple[str, ...]] = ("stage", "predict", "task")

    def fail(self, line: int, problem: str) -> BadInput:
        return BadInput(f"{self.path}, line {line}: {problem}")

    def located(self, line: int, read: Callable[[], T]) -> T:
        """Return what `read` returns; its complaint gets file and line."""
        try:
            return read()
        except BadInput as problem:
            raise self.fail(line, str(problem)) from None

    # The file ------------------------------------------------------------------------------------------
    def lesson(self, text: str) -> Lesson:
        # Controls a lesson may keep in view, besides parameters and views.
        controls = ("kernel", "algorithm", "data", "status", "held-out", "watch", "fits", "canvas")
        front, body = self.front_matter()
        if front.values.kind != self.kind:
            raise self.fail(front.line_of("kind"), f"This is a {front.values.kind}, not a {self.kind}.")
        intro, steps = self.steps(body)
        if not steps:
            raise self.fail(
                len(self.lines),
                f"A {self.kind} needs at least one {self.step}: a heading that begins with ##.",
            )
        if steps[0].stage is None:
            raise self.fail(steps[0].line, f"The first {self.step} needs a stage.")
        settable = ("kernel.", "algorithm.", "data.", "layer.")
        known = [*controls, *VIEWS, *(name for name in vocabulary().names if name.startswith(settable))]
        return Lesson(
            re.sub(r"[^\w.-]+", "-", self.path.stem, flags=re.ASCII)[:100],  # as in a line of answers
            self.path,
            hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8],
            self.text(front, "title"),
            intro,
            tuple(steps),
            front.values.minutes,
            self.texts(front, "follows"),
            self.texts(front, "after"),
            self.names(front, "shows", known, "control"),
            front.values.chapter,
        )

    def front_matter(self) -> tuple[Block[Front], int]:
        """Return the TOML at the top, and the number of lines it takes."""
        if not self.lines or self.lines[0].strip() != "+++":
            raise self.fail(1, f"A {self.kind} begins with +++, then its title and so on, then +++.")
        for k, line in enumerate(self.lines[1:], 1):
            if line.strip() == "+++":
                return self.block("front matter", Front, 1, self.lines[1:k]), k + 1
        raise self.fail(1, "The second +++ is missing.")

    def block(self, kind: str, form: type[B], line: int, lines: list[str]) -> Block[B]:
        try:
            return read_block(kind, form, line, lines)
        except BadBlock as problem:
            raise self.fail(problem.line, str(problem)) from None

    def steps(self, first: int) -> tuple[str, list[LessonStep]]:
        """Return the prose before the first step, and the steps."""
        intro: list[Part] = []
        steps: list[LessonStep] = []
        title, line, parts = "", first, intro
        for number, heading, part in self.pieces(first):
            if heading is None:
                assert part is not None
                if not title and not isinstance(part, str):
                    raise self.fail(
                        number, f"Blocks belong to a {self.step}: put a heading that begins with ## before."
                    )
                self.check_order(number, parts, part)
                parts.append(part)
                continue
            if title:
                steps.append(LessonStep(title, line, tuple(parts)))
            if len(steps) >= self.most:
                raise self.fail(number, f"A {self.kind} has at most {self.most} {self.step}s.")
            title, line, parts = heading, number, []
        if title:
            steps.append(LessonStep(title, line, tuple(parts)))
        return "\n\n".join(str(part) for part in intro), steps

    def check_order(self, line: int, parts: list[Part], part: Part) -> None:
        """A step has at most one block of each kind, and its stage before the others."""
        blocks = [type(other) for other in parts if not isinstance(other, str)]
        if type(part) in blocks:
            *others, last = (f"one {kind}" for kind in self.blocks)
            each = f"{', '.join(others)} and {last}"
            raise self.fail(line, f"A {self.step} has at most {each}. Begin another {self.step}.")
        if isinstance(part, Stage) and blocks:
            raise self.fail(line, f"The stage comes before the other blocks of its {self.step}.")

    def pieces(self, first: int) -> Iterator[tuple[int, str | None, Part | None]]:
        """Yield (line, heading, None) and (line, None, part) in the order of the file."""
        prose: list[tuple[int, str]] = []
        k = first
        while k < len(self.lines):
            line, number = self.lines[k].rstrip(), k + 1
            k += 1
            fence, heading = line.startswith(("```", "~~~")), line.startswith("#")
            if (fence or heading) and (text := self.prose(prose)):
                yield prose[0][0], None, text
            if fence:
                end = next((m for m in range(k, len(self.lines)) if self.lines[m].strip() == line[:3]), None)
                if end is None:
                    raise self.fail(number, "This block is never closed: end it with ```.")
                yield number, None, self.fenced(line[3:].strip(), number, self.lines[k:end])
                k = end + 1
            elif heading:
                if not line.startswith("## ") or not line[3:].strip():
                    raise self.fail(
                        number, f"A {self.step} begins with ## and its name; there are no other headings."
                    )
                self.check_text(number, line)
                yield number, line[3:].strip(), None
            if fence or heading:
                prose = []
            else:
                prose.append((number, line))
        if text := self.prose(prose):
            yield prose[0][0], None, text

    def fenced(self, kind: str, line: int, lines: list[str]) -> Part:
        match kind if kind in self.blocks else "":
            case "stage":
                return self.stage(self.block(kind, StageBlock, line, lines))
            case "predict":
                return self.prediction(self.block(kind, PredictBlock, line, lines))
            case "task":
                return self.task(self.block(kind, TaskBlock, line, lines))
        hint = nearest(kind, self.blocks)
        raise self.fail(line, f"There is no block called {kind!r} in a {self.kind}. {hint}")

    # Texts ---------------------------------------------------------------------------------------------
    def prose(self, lines: list[tuple[int, str]]) -> str:
        longest_text = 5000  # Characters of a sentence, and of a piece of prose.
        for number, line in lines:
            self.check_text(number, line)
        text = "\n".join(line for _, line in lines).strip()
        if len(text) > longest_text:
            raise self.fail(
                lines[0][0], f"More than {longest_text} characters at a stretch: make two {self.step}s of it."
            )
        return text

    def check_text(self, line: int, text: str) -> None:
        """Refuse HTML, pictures and links from elsewhere, and formulas that do not end on their line."""
        pieces = text.split("$")
        if len(pieces) % 2 == 0:
            raise self.fail(line, "A formula begins and ends with $ on the same line.")
        plain = " ".join(pieces[::2])
        if found := re.search(r"<[A-Za-z/!?][^>]*>?", plain):
            raise self.fail(line, f"HTML such as {found[0][:40]!r} is not shown; use Markdown.")
        for picture, target in re.findall(r"(!?)\[[^\]]*\]\(\s*([^)\s]*)", plain):
            self.check_target(line, target, bool(picture))

    def check_target(self, line: int, target: str, picture: bool) -> None:
        """Refuse a link or a picture that leads out of the lesson's folder, also by a symbolic link."""
        folder = self.path.parent.resolve()
        inside = (
            not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//", target) and "\\" not in target and "\0" not in target
        )
        try:
            if not inside or not (folder / target).resolve().is_relative_to(folder):
                raise self.fail(line, f"{target!r} is outside the {self.kind}'s folder.")
            if picture and not (folder / target).is_file():
                raise self.fail(line, f"There is no picture {target!r} in the {self.kind}'s folder.")
        except (OSError, RuntimeError):
            raise self.fail(line, f"{target!r} is not the name of a file.") from None

    def text(self, block: Block[B], key: str) -> str:
        """Return a sentence of a block."""
        return " ".join(self.texts(block, key))

    def texts(self, block: Block[Any], key: str) -> tuple[str, ...]:
        """Return the texts of a list, or a single text as a list of one."""
        value = getattr(block.values, key)
        found = [value] if isinstance(value, str) else value
        for text in found:
            self.check_text(block.line_of(key), text.replace("\n", " "))
        return tuple(text.strip() for text in found if text.strip())

    def names(self, block: Block[Any], key: str, known: list[str], kind: str) -> tuple[str, ...]:
        """Return the names of a list, which must all be known."""
        return self.known(block, key, self.texts(block, key), known, kind)

    def known(
        self, block: Block[Any], key: str, names: tuple[str, ...], known: list[str], kind: str
    ) -> tuple[str, ...]:
        """Return names that must all be known."""
        for name in names:
            if name not in known:
                hint = nearest(name, known)
                raise self.fail(block.line_of(key), f"There is no {kind} called {name!r}. {hint}")
        return names

    # Blocks --------------------------------------------------------------------------------------------
    def stage(self, block: Block[StageBlock]) -> Stage:
        values = block.values
        if bool(values.data) is bool(values.rows):
            raise self.fail(block.line, 'A stage needs either data = "…" or rows = […].')
        stage = self.shown(block, self.texts(block, "open"))
        return replace(stage, data=self.data(block, "data"), **self.fitted(block))

    def fitted(self, block: Staged) -> dict[str, Any]:
        """Return the fields of a stage for its fits and the points they are fitted to."""
        values, fits = block.values, self.texts(block, "fit")
        if len(fits) > MOST_FITS:
            raise self.fail(block.line_of("fit"), f"There is room for {MOST_FITS} fits, not for {len(fits)}.")
        named = isinstance(values.test, str) and values.test not in ("", FRESH)
        return {
            "rows": self.rows(block),
            "test": self.data(block, "test") if named else str(values.test),
            "fits": tuple(self.located(block.line_of("fit"), partial(parse_fit, fit)) for fit in fits),
        }

    def data(self, block: Staged, key: str) -> str:
        """Return the expression of a data set; empty if there is none."""
        text = getattr(block.values, key)
        return str(self.located(block.line_of(key), partial(parse_dataset, text))) if text else ""

    def shown(self, block: Staged, as_set: tuple[str, ...]) -> Stage:
        """Return a stage without data, with everything that determines its look. as_set: the open views."""
        values = block.values
        line = block.line_of("open")
        views = tuple(self.located(line, partial(parse_view, text)).name for text in as_set)
        if not all(name.isidentifier() for name in values.points):
            raise self.fail(block.line_of("points"), "The name of a point is a word, as in { p = 3 }.")
        self.points = tuple(values.points)
        if values.large and not views:
            raise self.fail(block.line_of("large"), 'large needs a view to show, as in open = ["gram"].')
        points = tuple((name, number - 1) for name, number in values.points.items())
        layers, hidden = self.seen(block)
        return Stage(
            block.line,
            views=views,
            as_set=as_set,
            points=points,
            step=values.watch,
            large=values.large,
            layers=layers,
            hidden=hidden,
        )

    def seen(self, block: Staged) -> tuple[tuple[tuple[str, bool], ...], tuple[str, ...]]:
        """Return the layers that are shown or hidden, and what else is hidden."""
        on = self.names(block, "show", list(LAYERS), "layer")
        off = self.names(block, "hide", [*LAYERS, *self.hideable()], "part of the window")
        layers = [(name, True) for name in on] + [(name, False) for name in off if name in LAYERS]
        return tuple(layers), tuple(name for name in off if name not in LAYERS)

    def hideable(self) -> tuple[str, ...]:
        """Return what a stage can hide besides layers."""
        return ()

    def rows(self, block: Staged) -> tuple[Row, ...]:
        """Return the points a stage lists: (x, y, class), (x, y), or (text, class), all of the same kind."""
        rows = block.values.rows
        kinds = {"".join("t" if isinstance(value, str) else "n" for value in row) for row in rows}
        if kinds not in ({"nnt"}, {"nn"}, {"tt"}, set()):
            sentence = 'rows are all of [x, y, "+"], or all of [x, y], or all of ["text", "+"].'
            raise self.fail(block.line_of("rows"), sentence)
        return tuple(map(tuple, rows))

    def prediction(self, block: Block[PredictBlock]) -> Prediction:
        texts = {letter: self.text(block, letter) for letter in "abcd"}
        choices = {letter: text for letter, text in texts.items() if text}
        answer, why = block.values.answer, {str(key): text for key, text in block.values.why.items()}
        if answer not in choices:
            raise self.fail(block.line_of("answer"), f"The answer {answer!r} is not one of the choices.")
        for text in why.values():
            self.check_text(block.line_of("why"), text)
        reveal = self.actions(block, "reveal") if block.values.reveal else ()
        true = self.check(block, "true", block.values.true)
        follows = self.texts(block, "follows")
        return Prediction(block.line, self.text(block, "ask"), choices, answer, true, reveal, why, follows)

    def task(self, block: Block[TaskBlock]) -> LessonTask:
        misses = []
        for check, sentence in block.values.miss:
            self.check_text(block.line_of("miss"), sentence)
            misses.append((self.check(block, "miss", check), sentence))
        return LessonTask(
            block.line,
            self.text(block, "say"),
            self.check(block, "check", block.values.check),
            self.actions(block, "do"),
            self.texts(block, "hint"),
            tuple(misses),
            self.texts(block, "follows"),
        )

    def check(self, block: Block[B], key: str, text: str) -> Check:
        return self.located(block.line_of(key), partial(parse_check, text, vocabulary(self.points)))

    def actions(self, block: Block[B], key: str) -> tuple[Action, ...]:
        value = getattr(block.values, key)
        lines = value if isinstance(value, str) else "\n".join(value)
        return self.located(block.line_of(key), partial(parse_actions, lines, self.points))
