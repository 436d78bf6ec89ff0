"""Lines of a script: numbers in short, long lists broken into lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import number

WIDTH = 100


@dataclass(frozen=True)
class Sheet:
    """The file, size and words of a figure. options: what `kernelviz.render` takes besides."""

    suffix: str = ".png"
    width: int | None = None
    height: int | None = None
    dpi: float = 200.0
    title: str = ""
    transparent: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    canvas: bool = True  # Whether the canvas is part of the figure.
    # Titles of the insight views beside the canvas, and what `kernelviz.render` calls each; empty for one it
    # cannot draw.
    views: Mapping[str, str] = field(default_factory=dict)
    letter: str = ""  # Of one among several fits that have a figure each.

    def name(self, by: str) -> str:
        """The file that a library draws. A name each: both figures can be compared."""
        return f"figure-{by}{'-' if self.letter else ''}{self.letter}{self.suffix}"

    def subplots(self, data: Data, height: float) -> list[str]:
        """A figure with one plot. To matplotlib what stands between two $ is a formula, unless it is told."""
        texts = data.X if data.domain == "strings" else ()
        names = (*data.columns, data.target_name, *data.class_names, *texts, self.title)
        plain = ['plt.rcParams["text.parse_math"] = False'] if any("$" in name for name in names) else []
        size = (6.4, height)
        if self.width is not None and self.height is not None:
            size = (round(self.width / self.dpi, 3), round(self.height / self.dpi, 3))
        return [*plain, f"fig, ax = plt.subplots(figsize={size})"]

    def saved(self) -> list[str]:
        """The title, and the file of a figure by matplotlib."""
        title = [f"ax.set_title({self.title!r})"] if self.title else []
        clear = ", transparent=True" if self.transparent else ""
        return [*title, f'fig.savefig("{self.name("sklearn")}", dpi={short(self.dpi)}{clear})']


def short(value: float) -> str:
    """To six digits: enough for a limit of an axis."""
    return number(float(f"{value:.6g}"))


def wrapped(opening: str, items: Iterable[str], closing: str) -> list[str]:
    """As many items on a line as fit, all on the first if that is enough."""
    lines = [""]
    for item in items:
        longer = f"{lines[-1]} {item}," if lines[-1] else f"{item},"
        if lines[-1] and len(longer) > WIDTH - 4:
            lines.append(f"{item},")
        else:
            lines[-1] = longer
    if len(lines) == 1 and len(opening) + len(lines[0]) + len(closing) <= WIDTH:
        return [f"{opening}{lines[0].rstrip(',')}{closing}"]
    return [opening, *(f"    {line}" for line in lines), closing]


def inputs(name: str, data: Data) -> list[str]:
    """The inputs of all points: an array, or a list of strings."""
    if data.domain == "strings":
        return wrapped(f"{name} = [", map(repr, data.X), "]")
    rows = (f"[{', '.join(map(number, row))}]" for row in data.X.tolist())
    return wrapped(f"{name} = np.array([", rows, "])")


def vector(name: str, values: Array) -> list[str]:
    """One number for each point."""
    return wrapped(f"{name} = np.array([", map(number, values.tolist()), "])")
