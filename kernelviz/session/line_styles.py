"""The width and the dashes of single lines of a figure: "boundary=2 dashed", "levels=dotted"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Kind, Parameter, nearest

# The lines that have a width and dashes of their own, by the names of their toggles.
LINES = (
    "boundary",
    "margins",
    "levels",
    "bayes",
    "slack",
    "distances",
    "curve",
    "truth",
    "residuals",
    "draws",
)
DASHES = {"solid": (), "dashed": (4.0, 2.5), "dotted": (1.0, 2.0), "dash-dotted": (5.0, 2.0, 1.0, 2.0)}


@dataclass(frozen=True)
class LineStyle:
    """The width of a line in points and the name of its dashes; None for the usual ones."""

    width: float | None = None
    dash: str | None = None

    def dashes(self, width: float) -> list[float]:
        """Return the lengths of dashes and gaps of a line of a width, in points."""
        return [max(width, 0.5) * length for length in DASHES[self.dash or "solid"]]


class LinesKind(Kind):
    """Lines with a width, dashes or both: `boundary=2 dashed`."""

    name = "lines"
    values_are = "word"
    several = True

    def check(self, value: Any, parameter: Parameter, where: str) -> tuple[str, ...]:
        parts = value.split(";") if isinstance(value, str) else value
        if not isinstance(parts, list | tuple):
            raise BadInput(f"{where} must be a list of texts, not {value!r}.")
        texts = tuple(text for part in parts if (text := " ".join(str(part).split())))
        line_styles(texts)
        return texts

    def values(self, parameter: Parameter) -> str:
        return f"NAME=WIDTH and one of {', '.join(DASHES)}"


LINE_STYLES = LinesKind()


def line_styles(texts: tuple[str, ...]) -> dict[str, LineStyle]:
    """Return the styles by the names of lines; BadInput for what is none."""
    found = {}
    for text in texts:
        name, _, words = text.partition("=")
        name = name.strip().replace("-", "_")
        if name not in LINES:
            raise BadInput(f"There is no line called {name[:40]!r}. {nearest(name[:40], LINES)}")
        dashes = "|".join(DASHES)
        match = re.fullmatch(rf"\s*(\d{{1,2}}(?:\.\d{{1,3}})?)?\s*({dashes})?\s*", words)
        if match is None or not any(match.groups()):
            raise BadInput(
                f"A line has a width in points and one of {', '.join(DASHES)}, as in boundary=2 dashed, "
                f"not {text[:60]!r}."
            )
        width = None if match[1] is None else float(match[1])
        low, high = 0.05, 20.0
        if width is not None and not low <= width <= high:
            raise BadInput(f"The width of {name} lies between {low:g} and {high:g} points, not {width:g}.")
        found[name] = LineStyle(width, match[2])
    return found
