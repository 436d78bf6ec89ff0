"""What a view remembers from one scene to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from kernelviz.drawing.insight.ranges import SteadyRange

Value = TypeVar("Value")


class Memory:
    """Ranges of axes that hold still while the numbers move a little, and results that still apply.

    A scene made on another thread gets a copy, which replaces the original together with the scene."""

    def __init__(self) -> None:
        self._ranges: dict[str, SteadyRange] = {}
        self._kept: dict[str, tuple[object, Any]] = {}

    def copy(self) -> Memory:
        """Return a memory of the same contents."""
        other = Memory()
        other._ranges, other._kept = dict(self._ranges), dict(self._kept)
        return other

    def steady(self, name: str, least: SteadyRange, low: float, high: float) -> SteadyRange:
        """Return the range of the axis `name` for values from low to high; it starts as `least`, and starts
        again whenever that differs."""
        last = self._ranges.get(name)
        if last is None or last.least != least.least:
            last = least
        self._ranges[name] = found = last.covering(low, high)
        return found

    def keep(self, name: str, key: object, make: Callable[[], Value]) -> Value:
        """Return the result called `name`; it is made again when `key` is no longer equal."""
        known = self._kept.get(name)
        if known is None or known[0] != key:
            known = self._kept[name] = (key, make())
        found: Value = known[1]
        return found

    def recall(self, name: str) -> Any:
        """Return the result last kept under that name; None if there is none."""
        known = self._kept.get(name)
        return None if known is None else known[1]
