"""Reading lessons: Markdown with TOML between `+++`, steps under `##`, and fenced blocks.

Everything a writer can get wrong is a BadInput that names file and line. Nothing in a lesson is executed, and
nothing outside its folder is opened."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import nearest
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.parsing import Fit, parse_fit
from kernelviz.resource import resource_path
from kernelviz.session.lessons.actions import parse_actions
from kernelviz.session.lessons.language import parse_check
from kernelviz.session.lessons.lesson import FRESH, Lesson, Part, Prediction, Row, Stage, Step, Task
from kernelviz.session.lessons.state import VIEWS, vocabulary
from kernelviz.session.state import MOST_FITS

SUFFIX = ".md"
FORMAT = 1
LARGEST_FILE = 200_000  # Bytes.
MOST_STEPS = 30
MOST_ROWS = 500  # Of a stage that lists its points.
LONGEST_TEXT = 5000  # Characters of a sentence, and of a piece of prose.
LETTERS = "abcd"
# Controls a lesson may keep in view, besides parameters and views.
CONTROLS = ("kernel", "algorithm", "data", "status", "held-out", "watch", "fits", "canvas")

T = TypeVar("T")


def lessons_folder() -> Path:
    """Return the folder of the lessons that come with kernelviz."""
    return resource_path("lessons")


def shipped() -> list[Path]:
    """Return the lessons that come with kernelviz, in the order in which they are taught."""
    return sorted(lessons_folder().glob(f"*{SUFFIX}"))


def read_lesson(path: str | Path) -> Lesson:
    """Return the lesson of a file."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise BadInput(f"{path}: cannot be read: {why.lower()}.") from None
    if len(content) > LARGEST_FILE:
        raise BadInput(f"{path}: a lesson has at most {LARGEST_FILE // 1000} kB.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise BadInput(f"{path}, line {line}: this is not UTF-8 text.") from None
    return parse_lesson(text, path)


def parse_lesson(text: str, path: str | Path) -> Lesson:
    """Return the lesson a text stands for; the path is where it is, and gives the lesson its name."""
    return _Reader(Path(path), text.splitlines()).lesson(text)


@dataclass
class _Block:
    """The content of a fenced block, or of the front matter, and where it stands."""

    kind: str
    line: int  # Of the fence.
    values: dict[str, Any]
    lines: list[str]

    def line_of(self, key: str) -> int:
        """Return the line on which a key is set."""
        named = re.compile(rf"\s*\"?{re.escape(key)}\"?\s*[=.]")
        for k, line in enumerate(self.lines):
            if named.match(line):
                return self.line + 1 + k
        return self.line


@dataclass
class _Reader:
    path: Path
    lines: list[str]
    points: tuple[str, ...] = field(default=())  # Names that the last stage gave.

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
        front, body = self.front_matter()
        intro, steps = self.steps(body)
        known = ("format", "title", "follows", "minutes", "after", "shows")
        self.check_keys(front, known)
        if (number := front.values.get("format")) != FORMAT:
            raise self.fail(front.line_of("format"), f"The format should be {FORMAT}, not {number!r}.")
        minutes = front.values.get("minutes", 5)
        if not isinstance(minutes, int) or isinstance(minutes, bool) or not 1 <= minutes <= 60:
            raise self.fail(
                front.line_of("minutes"), f"The minutes are a number from 1 to 60, not {minutes!r}."
            )
        if not steps:
            raise self.fail(
                len(self.lines), "A lesson needs at least one step: a heading that begins with ##."
            )
        if steps[0].stage is None:
            raise self.fail(steps[0].line, "The first step needs a stage.")
        return Lesson(
            self.path.stem,
            self.path,
            hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8],
            self.text(front, "title"),
            intro,
            tuple(steps),
            minutes,
            self.words(front, "follows"),
            self.words(front, "after"),
            self.shown(front),
        )

    def front_matter(self) -> tuple[_Block, int]:
        """Return the TOML at the top, and the number of lines it takes."""
        if not self.lines or self.lines[0].strip() != "+++":
            raise self.fail(1, "A lesson begins with +++, then its title and so on, then +++.")
        for k, line in enumerate(self.lines[1:], 1):
            if line.strip() == "+++":
                return self.block("front matter", 1, self.lines[1:k]), k + 1
        raise self.fail(1, "The second +++ is missing.")

    def block(self, kind: str, line: int, lines: list[str]) -> _Block:
        try:
            return _Block(kind, line, tomllib.loads("\n".join(lines)), lines)
        except tomllib.TOMLDecodeError as problem:
            place = re.search(r"\(at line (\d+), column \d+\)", str(problem))
            where = line + int(place[1]) if place else line + len(lines)
            what = re.sub(r"\s*\(at [^)]*\)", "", str(problem))
            raise self.fail(where, f"This is not TOML: {what[0].lower()}{what[1:]}.") from None
        except (RecursionError, ValueError, OverflowError):
            raise self.fail(line, "This is not TOML that can be read.") from None

    def steps(self, first: int) -> tuple[str, list[Step]]:
        """Return the prose before the first step, and the steps."""
        intro: list[Part] = []
        steps: list[Step] = []
        title, line, parts = "", first, intro
        for number, heading, part in self.pieces(first):
            if heading is None:
                assert part is not None
                if not title and not isinstance(part, str):
                    raise self.fail(
                        number, "Blocks belong to a step: put a heading that begins with ## before."
                    )
                self.check_order(number, parts, part)
                parts.append(part)
                continue
            if title:
                steps.append(Step(title, line, tuple(parts)))
            if len(steps) >= MOST_STEPS:
                raise self.fail(number, f"A lesson has at most {MOST_STEPS} steps.")
            title, line, parts = heading, number, []
        if title:
            steps.append(Step(title, line, tuple(parts)))
        return "\n\n".join(str(part) for part in intro), steps

    def check_order(self, line: int, parts: list[Part], part: Part) -> None:
        """A step has at most one block of each kind, and its stage before the others."""
        blocks = [type(other) for other in parts if not isinstance(other, str)]
        if type(part) in blocks:
            raise self.fail(
                line, "A step has at most one stage, one predict and one task. Begin another step."
            )
        if isinstance(part, Stage) and blocks:
            raise self.fail(line, "The stage comes before the predict and the task of its step.")

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
                        number, "A step begins with ## and its name; there are no other headings."
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
        readers: Mapping[str, Callable[[_Block], Part]] = {
            "stage": self.stage,
            "predict": self.prediction,
            "task": self.task,
        }
        if kind not in readers:
            raise self.fail(line, f"There is no block called {kind!r}. {nearest(kind, list(readers))}")
        return readers[kind](self.block(kind, line, lines))

    # Texts ---------------------------------------------------------------------------------------------
    def prose(self, lines: list[tuple[int, str]]) -> str:
        for number, line in lines:
            self.check_text(number, line)
        text = "\n".join(line for _, line in lines).strip()
        if len(text) > LONGEST_TEXT:
            raise self.fail(
                lines[0][0], f"More than {LONGEST_TEXT} characters at a stretch: make two steps of it."
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
        for target in re.findall(r"!?\[[^\]]*\]\(\s*([^)\s]*)", plain):
            outside = Path(target).is_absolute() or ".." in re.split(r"[/\\]", target)
            if outside or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//", target) or "\\" in target:
                raise self.fail(line, f"{target!r} is outside the lesson's folder.")

    def text(self, block: _Block, key: str, default: str | None = None) -> str:
        """Return a sentence, or raise BadInput where it is missing or not one."""
        value = block.values.get(key, default)
        line = block.line_of(key)
        if value is None:
            raise self.fail(block.line, f'The {block.kind} needs {key} = "…".')
        return self.sentence(line, key, value)

    def sentence(self, line: int, key: str, value: object) -> str:
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            raise self.fail(line, f"{key} is a text of at most {LONGEST_TEXT} characters.")
        self.check_text(line, value.replace("\n", " "))
        return value.strip()

    def words(self, block: _Block, key: str) -> tuple[str, ...]:
        """Return a list of texts; a single one may stand without brackets."""
        value = block.values.get(key, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or len(values) > 100:
            raise self.fail(block.line_of(key), f"{key} is a list of texts.")
        return tuple(self.sentence(block.line_of(key), key, word) for word in values)

    def check_keys(self, block: _Block, known: tuple[str, ...]) -> None:
        for key in block.values:
            if key not in known:
                hint = nearest(key, known)
                raise self.fail(block.line_of(key), f"The {block.kind} has no {key!r}. {hint}")

    def shown(self, front: _Block) -> tuple[str, ...]:
        """Return the controls that stay in view."""
        names = self.words(front, "shows")
        known = [*CONTROLS, *VIEWS, *(name for name in vocabulary().names if "." in name)]
        for name in names:
            if name not in known:
                raise self.fail(
                    front.line_of("shows"), f"There is no control {name!r}. {nearest(name, known)}"
                )
        return names

    # Blocks --------------------------------------------------------------------------------------------
    def stage(self, block: _Block) -> Stage:
        self.check_keys(block, ("data", "rows", "test", "fit", "open", "points"))
        data, rows = self.text(block, "data", ""), self.rows(block)
        if bool(data) is bool(rows):
            raise self.fail(block.line, 'A stage needs either data = "…" or rows = […].')
        if data:
            data = str(self.located(block.line_of("data"), lambda: parse_dataset(data)))
        test = str(block.values.get("test", ""))
        if test and test != FRESH and not re.fullmatch(r"[0-9.]{1,10}", test):
            test = str(self.located(block.line_of("test"), lambda: parse_dataset(test)))
        views = self.words(block, "open")
        for view in views:
            if view not in VIEWS:
                hint = nearest(view, list(VIEWS))
                raise self.fail(block.line_of("open"), f"There is no view called {view!r}. {hint}")
        made = Stage(block.line, data, rows, test, self.fits(block), views, self.named(block))
        self.points = tuple(name for name, _ in made.points)
        return made

    def fits(self, block: _Block) -> tuple[Fit, ...]:
        texts, line = self.words(block, "fit"), block.line_of("fit")
        if len(texts) > MOST_FITS:
            raise self.fail(line, f"There is room for {MOST_FITS} fits, not for {len(texts)}.")
        return tuple(self.located(line, partial(parse_fit, text)) for text in texts)

    def rows(self, block: _Block) -> tuple[Row, ...]:
        """Return the points a stage lists: (x, y, class), (x, y), or (text, class), all of the same kind."""
        rows, line = block.values.get("rows", []), block.line_of("rows")
        whole = isinstance(rows, list) and all(isinstance(row, list) for row in rows)
        kinds = {tuple(isinstance(value, str) for value in row) for row in rows} if whole else set()
        good: tuple[set[tuple[bool, ...]], ...] = (
            {(False, False, True)},
            {(False, False)},
            {(True, True)},
            set(),
        )
        numbers = (
            all(isinstance(v, str | int | float) and v == v for row in rows for v in row) if whole else False
        )
        if not whole or kinds not in good or not numbers or len(rows) > MOST_ROWS:
            raise self.fail(
                line, f'rows are at most {MOST_ROWS} of [x, y, "+"], or of [x, y], or of ["text", "+"].'
            )
        return tuple(tuple(v if isinstance(v, str) else float(v) for v in row) for row in rows)

    def named(self, block: _Block) -> tuple[tuple[str, int], ...]:
        points, line = block.values.get("points", {}), block.line_of("points")
        found = []
        for name, number in points.items() if isinstance(points, dict) else [("", 0)]:
            if not re.fullmatch(r"[A-Za-z]\w{0,20}", name) or type(number) is not int or number < 1:
                raise self.fail(line, "points gives names to points by their number, as in { p = 3 }.")
            found.append((name, number - 1))
        return tuple(found)

    def prediction(self, block: _Block) -> Prediction:
        self.check_keys(block, ("ask", *LETTERS, "answer", "reveal", "true", "why"))
        choices = {letter: self.text(block, letter) for letter in LETTERS if letter in block.values}
        if len(choices) < 2:
            raise self.fail(block.line, "A prediction needs at least two choices, a and b.")
        answer = self.text(block, "answer")
        if answer not in choices:
            raise self.fail(block.line_of("answer"), f"The answer {answer!r} is not one of the choices.")
        why = block.values.get("why", {})
        if not isinstance(why, dict) or any(letter not in choices for letter in why):
            raise self.fail(block.line_of("why"), "why.a, why.b … are about one of the choices each.")
        reasons = {
            key: self.sentence(block.line_of("why"), f"why.{key}", value) for key, value in why.items()
        }
        reveal = block.values.get("reveal")
        return Prediction(
            block.line,
            self.text(block, "ask"),
            choices,
            answer,
            self.check(block, "true"),
            self.actions(block, "reveal") if reveal is not None else (),
            reasons,
        )

    def task(self, block: _Block) -> Task:
        self.check_keys(block, ("say", "check", "do", "hint", "miss"))
        misses, line = block.values.get("miss", []), block.line_of("miss")
        if not isinstance(misses, list) or len(misses) > 20:
            raise self.fail(line, "miss is a list of [check, sentence].")
        found = []
        for miss in misses:
            if not isinstance(miss, list) or len(miss) != 2 or not isinstance(miss[0], str):
                raise self.fail(line, "miss is a list of [check, sentence].")
            check = self.located(line, partial(parse_check, miss[0], vocabulary(self.points)))
            found.append((check, self.sentence(line, "miss", miss[1])))
        return Task(
            block.line,
            self.text(block, "say"),
            self.check(block, "check"),
            self.actions(block, "do"),
            self.words(block, "hint"),
            tuple(found),
        )

    def check(self, block: _Block, key: str) -> Any:
        text = self.text(block, key)
        return self.located(block.line_of(key), lambda: parse_check(text, vocabulary(self.points)))

    def actions(self, block: _Block, key: str) -> Any:
        value = block.values.get(key)
        lines = "\n".join(map(str, value)) if isinstance(value, list) else value
        if lines is None:
            raise self.fail(block.line, f'The {block.kind} needs {key} = "…": one way to do it.')
        if not isinstance(lines, str) or len(lines) > LONGEST_TEXT:
            raise self.fail(block.line_of(key), f"{key} is a text, one action on each line.")
        return self.located(block.line_of(key), lambda: parse_actions(lines, self.points))
