"""Lines of a script: numbers in short, long lists broken into lines."""

from __future__ import annotations

from collections.abc import Iterable

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.params import number

__all__ = ["OWN_FIGURE", "SKLEARN_FIGURE", "inputs", "short", "subplots", "vector", "wrapped"]

WIDTH = 100
OWN_FIGURE, SKLEARN_FIGURE = "figure-kernelviz.png", "figure-sklearn.png"
"""Two names: who runs both scripts wants to compare their figures."""


def short(value: float) -> str:
    """To six digits: enough for a limit of an axis."""
    return number(float(f"{value:.6g}"))


def subplots(data: Data, height: float) -> list[str]:
    """A figure with one plot. To matplotlib what stands between two $ is a formula, unless it is told."""
    names = (
        *data.columns,
        data.target_name,
        *data.class_names,
        *(data.X if data.domain == "strings" else ()),
    )
    plain = ['plt.rcParams["text.parse_math"] = False'] if any("$" in name for name in names) else []
    return [*plain, f"fig, ax = plt.subplots(figsize=(6.4, {height}))"]


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
