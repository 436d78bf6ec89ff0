"""Start from an earlier solution: changes are found by comparison, and only the changed parts are computed
again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp.program import ROUNDING, Dual, Mask, Point, rounding
from kernelviz.engine.solvers.qp.rows import GramRows


class PosesDual(Protocol):
    """An algorithm whose problem is a dual programme, perhaps with a ridge added to the kernel matrix."""

    @property
    def ridge(self) -> float: ...

    def dual(self, problem: Problem, rows: GramRows) -> Dual: ...


@dataclass(eq=False)
class SolverState:
    """A solver's working memory: the dual it solved with its Gram rows, and the point it reached.

    The rows hold the inputs and the kernel they were computed for."""

    algorithm: PosesDual
    target: Array | None
    weights: Array | None
    dual: Dual
    point: Point


@dataclass(eq=False)
class SolverSlot:
    """Holds a state until a successor takes it and overwrites it."""

    held: list[SolverState] = field(default_factory=list)


def take(start: Model | None) -> SolverState | None:
    """Take the state that a model left, if it belongs to these solvers and has not been taken yet."""
    memory = getattr(start, "memory", None)
    if not isinstance(memory, SolverSlot):
        return None
    try:
        return memory.held.pop()  # atomic, so that two threads cannot take the same state
    except IndexError:
        return None


def leave(start: Model | None, state: SolverState) -> None:
    """Give a state back to the model it was taken from, as far as it has come."""
    memory = getattr(start, "memory", None)
    if isinstance(memory, SolverSlot):
        memory.held.append(state)


def resume(algorithm: PosesDual, state: SolverState, problem: Problem) -> tuple[Dual, Point | None]:
    """Return the new problem's dual, and the old point carried over if it is of the same kind and useful."""
    old, kernel = state.dual, state.dual.rows.kernel
    _follow(state, problem, algorithm.ridge)
    point = state.point
    same = algorithm is state.algorithm or algorithm == state.algorithm
    unchanged = old is state.dual and same and kernel is state.dual.rows.kernel and kernel.positive_definite
    known = _equal(problem.data.target, state.target) and _equal(problem.data.weights, state.weights)
    if not (unchanged and known):
        dual = algorithm.dual(problem, state.dual.rows)
        if type(algorithm) is not type(state.algorithm):
            return dual, None
        dual.align(point.b)
        carry(state.dual, dual, point)
        state.dual = dual
    point.steps = 0
    return state.dual, point if _helps(state.dual, point) else None


def _equal(one: Array | None, other: Array | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))


def _helps(dual: Dual, point: Point) -> bool:
    """Return True if the weights are better than zero, which after a change of scale they need not be.

    Where zero is not feasible (p = 0) any weights are. Weights so large that rounding leaves no digit of a
    score are of no use: no step could tell whether it leads away from them."""
    if rounding(dual, point.b) > dual.spread:
        return False
    gain = float(dual.p.dot(point.b)) - 0.5 * float(point.b.dot(point.h))
    return gain > 0.0 or (not dual.p.any() and bool(point.b.any()))


def _follow(state: SolverState, problem: Problem, ridge: float) -> None:
    """Update rows, b and h = Kb to the new inputs, kernel and ridge; the dual's bounds follow their
    points."""
    rows, point = state.dual.rows, state.point
    new = problem.X
    same_kernel = rows.kernel is problem.kernel or rows.kernel == problem.kernel
    old = rows.X
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray) and old.shape == new.shape:
        moved = _moved(old, new)
        if not same_kernel or 3 * len(moved) > len(new):
            rows.renew(problem.kernel, problem.kernel.checked(new))
            point.refresh(state.dual)
        elif len(moved):
            before = rows.scale
            rows.move(moved, new, point.b, point.h)
            point.drift += ROUNDING * state.dual.size(point.b) * (before + rows.scale)
    else:
        new = problem.kernel.checked(new)
        origin = origins(old, new)
        kept = origin >= 0
        gone = np.ones(len(point.b), dtype=bool)
        gone[origin[kept]] = False
        lost = (gone & (point.b != 0.0)).nonzero()[0]
        once = np.count_nonzero(gone) + np.count_nonzero(kept) == len(gone)  # no old row found twice
        updated = same_kernel and once and rows.knows(lost)
        point.count_updates(state.dual)
        if updated and len(lost):
            point.h -= point.b[lost] @ rows.some(lost)
        if same_kernel:
            rows.remap(origin, new)
        else:
            rows.renew(problem.kernel, new)
        b, h = np.where(kept, point.b[origin], 0.0), np.where(kept, point.h[origin], 0.0)
        lo, hi = (np.where(kept, bound[origin], 0.0) for bound in (state.dual.lo, state.dual.hi))
        state.dual = Dual(rows, np.zeros(len(origin)), lo, hi, state.dual.totals)
        state.point = point = Point(b, h, drift=point.drift)
        if updated:
            added = (~kept).nonzero()[0]
            h[added] = rows.some(added) @ b
            point.count_updates(state.dual)
        else:
            point.refresh(state.dual)
    if rows.ridge != ridge:
        point.count_updates(state.dual)
        point.h += (ridge - rows.ridge) * point.b
        rows.set_ridge(ridge)
        point.count_updates(state.dual)


def _moved(old: Array, new: Array) -> Indices:
    """Return the rows that differ."""
    if old is new:
        return np.empty(0, dtype=np.intp)
    rows: Indices = (old != new).ravel().nonzero()[0] // old.shape[1]
    if len(rows) and rows[0] == rows[-1]:
        return rows[:1]
    return np.unique(rows)


def origins(old: Any, new: Any) -> Indices:
    """Return for each new input the row it had before, or -1.

    Equal beginnings and ends keep their places; any other input is searched for."""
    n = len(new)
    if not isinstance(new, np.ndarray) or not isinstance(old, np.ndarray):
        return _found(old, new)
    if old.shape[1:] != new.shape[1:]:
        return np.full(n, -1)
    shared = min(len(old), n)
    head = _run(old[:shared] != new[:shared])
    tail = _run((old[len(old) - shared + head :] != new[n - shared + head :])[::-1])
    if head + tail < shared:
        return _found(old, new)
    found = np.full(n, -1)
    found[:head] = np.arange(head)
    found[n - tail :] = np.arange(len(old) - tail, len(old))
    return found


def _found(old: Any, new: Any) -> Indices:
    """Return for each new input the row of an equal old one, using each old row once."""
    where: dict[Any, list[int]] = {}
    for i in reversed(range(len(old))):
        where.setdefault(_key(old[i]), []).append(i)
    return np.array([rows.pop() if (rows := where.get(_key(x))) else -1 for x in new], dtype=np.intp)


def _key(x: Any) -> Any:
    return x.tobytes() if isinstance(x, np.ndarray) else x


def _run(differ: Mask) -> int:
    """Return the number of leading rows without a difference."""
    entries = differ.ravel()
    first = int(entries.argmax()) if entries.size else 0
    return first // differ.shape[1] if entries.size and entries[first] else len(differ)


def carry(old: Dual, new: Dual, point: Point) -> None:
    """Move old weights into the new box: scaled with it if points are at its bound, where they stay."""
    b, h = point.b, point.h
    before, after = old.largest, new.largest
    if before != after and 0.0 < before < np.inf and after < np.inf:
        bounded = (b != 0.0) & ((b == old.lo) | (b == old.hi))
        if bounded.any() or np.abs(b).max() > after:
            b *= after / before
            h *= after / before
            point.drift *= after / before
            point.count_updates(new)
            # Only rounding is put right here, as h does not follow: a point of another class leaves below.
            bound = np.where(b > 0.0, new.hi, new.lo)
            np.copyto(b, bound, where=bounded & (np.abs(bound - b) <= 1e-15 * after))
    inside = np.minimum(np.maximum(b, new.lo), new.hi)
    outside = (inside != b).nonzero()[0]
    if len(outside):
        h += (inside - b)[outside] @ new.rows.some(outside)
        point.count_updates(new)
        b[:] = inside
