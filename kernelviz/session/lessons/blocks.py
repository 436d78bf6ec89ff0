"""The blocks of a lesson as written in TOML: their keys, and messages for faulty ones."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Annotated, Generic, Literal, TypeVar

import msgspec

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import nearest
from kernelviz.session.files import kviz

MOST_ROWS = 500  # Of a stage that lists its points.
Texts = str | list[str]  # A single text may stand without brackets.

TYPES = kviz.TYPES | {"object": "a table"}  # As TOML calls it.


class Front(msgspec.Struct, forbid_unknown_fields=True):
    """The front matter."""

    format: Literal[1]
    title: str
    kind: Literal["lesson", "lecture"] = "lesson"
    chapter: str = ""
    minutes: Annotated[int, msgspec.Meta(ge=1, le=60)] = 5
    follows: Texts = ""
    after: Texts = ""
    shows: Texts = ""


class StageBlock(msgspec.Struct, forbid_unknown_fields=True):
    """A fenced `stage`."""

    data: str = ""
    rows: Annotated[list[list[float | str]], msgspec.Meta(max_length=MOST_ROWS)] = []
    test: str | float = ""
    fit: Texts = ""
    open: Texts = ""
    show: Texts = ""
    hide: Texts = ""
    large: bool = False
    watch: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    points: dict[str, Annotated[int, msgspec.Meta(ge=1)]] = {}


class StopBlock(StageBlock, forbid_unknown_fields=True):
    """A fenced `stage` of a lecture."""

    lesson: str = ""
    view: Annotated[list[float], msgspec.Meta(min_length=4, max_length=4)] | None = None
    follows: Texts = ""


class PredictBlock(msgspec.Struct, forbid_unknown_fields=True):
    """A fenced `predict`."""

    ask: str
    a: str
    b: str
    answer: Literal["a", "b", "c", "d"]
    true: str
    c: str = ""
    d: str = ""
    reveal: Texts = ""
    follows: Texts = ""
    why: dict[Literal["a", "b", "c", "d"], str] = {}


class TaskBlock(msgspec.Struct, forbid_unknown_fields=True):
    """A fenced `task`."""

    say: str
    check: str
    do: Texts
    hint: Texts = ""
    follows: Texts = ""
    miss: list[tuple[str, str]] = []


B = TypeVar("B", Front, StageBlock, StopBlock, PredictBlock, TaskBlock)


@dataclass
class Block(Generic[B]):
    """The values of a block, and the lines it was read from."""

    values: B
    line: int  # Of the fence.
    lines: list[str]

    def line_of(self, key: str) -> int:
        """Return the line on which a key is set."""
        return _line_of(key, self.line, self.lines)


Staged = Block[StageBlock] | Block[StopBlock]


class BadBlock(BadInput):
    """A block that cannot be read, and the line that is wrong."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


def read_block(kind: str, form: type[B], line: int, lines: list[str]) -> Block[B]:
    """Return the values of a block. line: of its fence, or of the +++ above it."""
    try:
        return Block(msgspec.convert(tomllib.loads("\n".join(lines)), form), line, lines)
    except tomllib.TOMLDecodeError as problem:
        place = re.search(r"\(at line (\d+), column \d+\)", str(problem))
        where = line + int(place[1]) if place else line + len(lines)
        what = re.sub(r"\s*\(at [^)]*\)", "", str(problem))
        raise BadBlock(where, f"This is not TOML: {what[0].lower()}{what[1:]}.") from None
    except msgspec.ValidationError as problem:
        key, sentence = _explained(str(problem), kind, form)
        raise BadBlock(_line_of(key, line, lines), sentence) from None
    except (RecursionError, ValueError, OverflowError):
        raise BadBlock(line, "This is not TOML that can be read.") from None


def _line_of(key: str, fence: int, lines: list[str]) -> int:
    named = re.compile(rf"\s*\"?{re.escape(key)}\"?\s*[=.]")
    return next((fence + 1 + k for k, line in enumerate(lines) if named.match(line)), fence)


def _explained(problem: str, kind: str, form: type[msgspec.Struct]) -> tuple[str, str]:
    """Return the key that msgspec complains about, and the complaint in words for a person."""
    key = (re.search(r"`([^`$]+)`$", problem) or re.search(r"\$\.(\w+)", problem) or [problem, ""])[1]
    if "unknown field" in problem:
        return key, f"The {kind} has no {key!r}. {nearest(key, form.__struct_fields__)}"
    if "missing required" in problem:
        return "", f"The {kind} needs {key} = …"
    what, _, where = problem.removesuffix("`").partition(" - at `$.")
    subject = key if where in ("", key) else f"A value in {key}"
    if found := re.match(r"Invalid enum value (\S+)", what):
        return key, f"{subject} cannot be {found[1]}."
    return key, f"{subject} should be {kviz.expected(what, TYPES)}."
