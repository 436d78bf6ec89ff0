"""The test behind every verdict on an algorithm with a dual objective.

A dual objective is at most the minimum of the primal one, so that their gap bounds what can still be gained,
whatever led to the two points."""

from __future__ import annotations


def closed(gap: float, objective: float, share: float = 1e-3) -> bool:
    """Return True if the objective is at its minimum up to a share of itself, as the duality gap proves."""
    return gap <= share * abs(objective)
