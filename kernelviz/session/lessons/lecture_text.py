"""The text of a lecture as its stops, so that one can be moved, renamed, removed or added, while
the rest of the text stays as it is."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, replace
from typing import Self

from kernelviz.session.lessons.lecture import Lecture
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.lessons.writing import stage_block
from kernelviz.session.view import surrounds

HEAD = """+++
format = 1
kind   = "lecture"
title  = {title}
+++

"""


@dataclass(frozen=True)
class LectureText:
    """head: the front matter and the words before the first stop. stops: the text of each, with its `##`."""

    head: str
    stops: tuple[str, ...] = ()

    @classmethod
    def of(cls, lecture: Lecture) -> Self:
        """Return the text of a lecture in its parts."""
        lines = lecture.text.splitlines(keepends=True)
        begins = [line - 1 for line in dict.fromkeys(lecture.sections)]
        ends = [*begins[1:], len(lines)]
        stops = ("".join(lines[a:b]) for a, b in zip(begins, ends, strict=True))
        return cls("".join(lines[: begins[0]]), tuple(map(_ended, stops)))

    @classmethod
    def empty(cls, title: str) -> Self:
        """Return the text of a lecture without a stop, which can be read once it has one."""
        return cls(HEAD.format(title=json.dumps(title, ensure_ascii=False)))

    def __str__(self) -> str:
        return self.head + "".join(self.stops)

    def moved(self, number: int, to: int) -> Self:
        """Return the text with a stop at another place."""
        stops = list(self.stops)
        stops.insert(to, stops.pop(number))
        return replace(self, stops=tuple(stops))

    def renamed(self, number: int, title: str) -> Self:
        """Return the text with another title of a stop."""
        _, _, rest = self.stops[number].partition("\n")
        return self._with(number, f"## {title}\n{rest}")

    def removed(self, number: int) -> Self:
        """Return the text without a stop."""
        return replace(self, stops=self.stops[:number] + self.stops[number + 1 :])

    def added(self, number: int, title: str, stage: str) -> Self:
        """Return the text with one more stop."""
        stop = f"## {title}\n\n{stage}\nSay here what the class should see.\n\n"
        return replace(self, stops=(*self.stops[:number], stop, *self.stops[number:]))

    def _with(self, number: int, stop: str) -> Self:
        return replace(self, stops=(*self.stops[:number], stop, *self.stops[number + 1 :]))


def _ended(stop: str) -> str:
    """Return the text of a stop with an empty line at its end, so that any other can come after it."""
    return stop.rstrip("\n") + "\n\n"


def stop_block(state: LessonState, large: bool) -> str:
    """Return the fenced block of a stage for what is on screen, with its layers; BadInput if rows and
    expressions cannot say it. large: a view is in the place of the canvas."""
    *lines, end = stage_block(state).rstrip("\n").splitlines()
    if state.look is not None:
        view = state.look.limits or state.look.view
        if not surrounds(view, state.document.workspace.extent(state.document.data)):
            lines.append(f"view = {json.dumps([float(f'{side:.6g}') for side in astuple(view)])}")
    if large and state.views:
        lines.append("large = true")
    return "\n".join([*lines, end, ""])
