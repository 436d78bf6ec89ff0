"""The lessons that come with kernelviz: where they are, their order and their chapters."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kernelviz.resource import resource_path
from kernelviz.session.lessons.lesson import Lesson
from kernelviz.session.lessons.reader import SUFFIX

T = TypeVar("T")


def lessons_folder() -> Path:
    """Return the folder of the lessons that come with kernelviz."""
    return resource_path("lessons")


def shipped() -> list[Path]:
    """Return the lessons that come with kernelviz, in the order in which they are taught."""
    return sorted(lessons_folder().glob(f"*{SUFFIX}"))


@dataclass(frozen=True)
class Chapter:
    """A heading in the list of lessons, with a line about it."""

    title: str
    about: str


def in_chapters(items: Iterable[T], chapter: Callable[[T], str]) -> list[tuple[Chapter | None, list[T]]]:
    """Return the items by the chapter they name, in the order of the chapters; None has those without one."""
    with (lessons_folder() / "chapters.toml").open("rb") as file:
        known = [Chapter(**one) for one in tomllib.load(file)["chapter"]]
    items, titles = list(items), {one.title for one in known}
    found: list[tuple[Chapter | None, list[T]]] = [
        (one, [item for item in items if chapter(item) == one.title]) for one in known
    ]
    found.append((None, [item for item in items if chapter(item) not in titles]))
    return [(one, listed) for one, listed in found if listed]


def following(lesson: Lesson) -> Path | None:
    """Return the lesson that is taught after one of ours; None after the last, and for a lesson of others."""
    names = [path.stem for path in shipped()]
    after = names.index(lesson.name) + 1 if lesson.name in names else len(names)
    return shipped()[after] if after < len(names) else None


def template() -> Path:
    """Return the small lesson that a new one begins as."""
    return lessons_folder() / "template" / "lesson.md"
