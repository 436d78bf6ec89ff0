"""Starting from an earlier solution: what changed is found by comparison, and only that is computed anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.qp import Dual
from kernelviz.engine.algorithms.qp_rows import Rows
from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.model import Model
from kernelviz.engine.problem import Problem

__all__ = ["Slot", "State", "carried", "origins", "resume", "take"]


@dataclass(eq=False)
class State:
    """A solver's working memory: Gram rows, weights and h = Kb of the data the rows were computed for."""

    family: str
    """Which dual the weights belong to; weights of another one are no start."""
    rows: Rows
    dual: Dual
    b: Array
    h: Array


@dataclass(eq=False)
class Slot:
    """Holds a state until a successor takes it, which may then overwrite it: nobody else looks inside."""

    held: list[State] = field(default_factory=list)

    def take(self) -> State | None:
        try:
            return self.held.pop()
        except IndexError:
            return None


def take(start: Model | None) -> State | None:
    """The state a model left behind, if it is of these solvers and nobody has taken it yet."""
    memory = getattr(start, "memory", None)
    return memory.take() if isinstance(memory, Slot) else None


def origins(old: Any, new: Any) -> Indices:
    """For each new input the row it had before, or -1: equal places first, then equal ends, then any equal."""
    n = len(new)
    if old is new:
        return np.arange(n)
    if not isinstance(new, np.ndarray) or not isinstance(old, np.ndarray):
        where = {x: i for i, x in reversed(list(enumerate(map(_key, old))))}
        return np.array([where.get(_key(x), -1) for x in new], dtype=np.intp)
    if old.shape == new.shape:
        return np.where((old == new).all(axis=1), np.arange(n), -1)
    if old.shape[1:] != new.shape[1:]:
        return np.full(n, -1)
    shared = min(len(old), n)
    head = _run((old[:shared] == new[:shared]).all(axis=1))
    tail = _run((old[len(old) - shared + head :] == new[n - shared + head :]).all(axis=1)[::-1])
    if head + tail < shared:
        where = {x.tobytes(): i for i, x in reversed(list(enumerate(old)))}
        return np.array([where.get(x.tobytes(), -1) for x in new], dtype=np.intp)
    found = np.full(n, -1)
    found[:head] = np.arange(head)
    found[n - tail :] = np.arange(len(old) - tail, len(old))
    return found


def _key(x: Any) -> Any:
    return x.tobytes() if isinstance(x, np.ndarray) else x


def _run(same: Array) -> int:
    """How many leading entries are true."""
    return len(same) if same.all() else int(np.argmin(same))


def resume(state: State, problem: Problem, ridge: float) -> tuple[Rows, Array, Array, Dual]:
    """Rows for the new problem, with the old weights and h = Kb on it; the old dual's bounds, remapped."""
    rows, b, dual = state.rows, state.b, state.dual
    old, new = rows.X, rows.kernel.checked(problem.X)
    origin = origins(old, new)
    kept = origin >= 0
    if rows.kernel != problem.kernel or np.count_nonzero(~kept) * 2 > len(new):
        rows = Rows(problem, ridge)
        b = np.where(kept, b[origin], 0.0)
        return rows, b, rows.times(b), _remapped(dual, rows, origin, kept)
    if len(old) != len(new):
        rows.remap(origin, new)
        b = np.where(kept, b[origin], 0.0)
        h = rows.times(b)
        dual = _remapped(dual, rows, origin, kept)
    else:
        h = state.h
        if not kept.all():
            rows.move(np.flatnonzero(~kept), new, b, h)
    if rows.ridge != ridge:
        h += (ridge - rows.ridge) * b
        rows.set_ridge(ridge)
    return rows, b, h, dual


def _remapped(dual: Dual, rows: Rows, origin: Indices, kept: Array) -> Dual:
    lo, hi = np.where(kept, dual.lo[origin], 0.0), np.where(kept, dual.hi[origin], 0.0)
    return Dual(rows, np.zeros(len(origin)), lo, hi, dual.totals)


def carried(old: Dual, new: Dual, b: Array, h: Array) -> tuple[Array, Array]:
    """Old weights in the new box: scaled with it when points sit at its bound, which stay there."""
    before, after = old.largest, new.largest
    if before != after and 0.0 < before < np.inf and after < np.inf:
        bounded = (b != 0.0) & ((b == old.lo) | (b == old.hi))
        if bounded.any() or np.abs(b).max() > after:
            b, h = b * (after / before), h * (after / before)
            b = np.where(bounded, np.where(b > 0.0, new.hi, new.lo), b)
    inside = np.clip(b, new.lo, new.hi)
    outside = np.flatnonzero(inside != b)
    if len(outside):
        new.rows.need(outside)
        h = h + (inside - b)[outside] @ new.rows.K[outside]
    return inside, h
