"""What the benchmarks share: timing that alternates between the sides, ratios, targets and one table."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

__all__ = ["Report", "Target", "best_of", "seconds"]


@dataclass(frozen=True)
class Target:
    """What must hold: a statistic of the measured values on the right side of a bound."""

    statistic: str
    """"median", "decile" (the worst tenth begins here) or "worst"."""
    bound: float

    def __str__(self) -> str:
        return f"{self.statistic} >= {self.bound:g}x"


@dataclass
class Report:
    """Prints a line for every measurement and remembers whether all targets were met."""

    missed: list[str] = field(default_factory=list)
    seed: int = 1
    """Of the data sets: another one tells whether a solver was tuned to its benchmark."""

    def heading(self, text: str) -> None:
        print(f"\n{text}", flush=True)

    def ratios(self, what: str, ratios: Sequence[float], *targets: Target) -> None:
        """How many times faster than the other side: median, worst decile, worst case."""
        found = {
            "median": float(np.median(ratios)),
            "decile": float(np.quantile(ratios, 0.1)),
            "worst": float(np.min(ratios)),
        }
        wanted = ", ".join(map(str, targets))
        failed = [t for t in targets if found[t.statistic] < t.bound]
        verdict = "MISSED " if failed else ("met " if targets else "")
        print(
            f"  {what:<44} {found['median']:8.2f}x {found['decile']:8.2f}x {found['worst']:8.2f}x"
            f"   {verdict}{wanted}",
            flush=True,
        )
        self.missed += [f"{what}: {t}, measured {found[t.statistic]:.2f}x" for t in failed]

    def check(self, what: str, holds: bool, detail: str) -> None:
        """A statement that is true or false."""
        print(f"  {what:<44} {detail}   {'met' if holds else 'MISSED'}", flush=True)
        if not holds:
            self.missed.append(f"{what}: {detail}")


def seconds(action: Callable[[], object]) -> float:
    """The time one call takes."""
    begin = perf_counter()
    action()
    return perf_counter() - begin


def best_of(action: Callable[[], object], times: int) -> float:
    """The fastest of some calls: what the work costs when nothing else disturbs it."""
    gc.collect()
    return min(seconds(action) for _ in range(times))
