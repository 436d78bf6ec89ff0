"""Which points of a fit are ringed as support vectors, and which are marked as misclassified."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.models.base import Model

RING_SIZES = 5  # Ring sizes are quantised: few sprites, and sizes that can be told apart.
ALL_RINGED_UP_TO = 12
NOBODY: Indices = np.empty(0, dtype=np.intp)


class Ring(IntEnum):
    """The kinds of support vectors."""

    FREE = 0
    BOUNDED = 1


@dataclass(frozen=True, eq=False)
class Rings:
    """Support vectors by index, kind, and strength in {0, 1/4, 1/2, 3/4, 1} growing with alpha; and the
    misclassified points, support vectors or not."""

    points: Indices
    kinds: Indices
    strengths: Array
    mistakes: Indices
    possible: frozenset[int] = frozenset()  # Kinds that support vectors may have at any step of a run.
    judged: bool = False  # Whether points may be misclassified.

    @cached_property
    def groups(self) -> tuple[tuple[Ring, float, Indices], ...]:
        """Return (kind, strength, indices of the rings) for rings that look the same, computed once for all
        paints."""
        code = self.kinds * RING_SIZES + np.rint(self.strengths * (RING_SIZES - 1)).astype(np.intp)
        return tuple(
            (Ring(int(c) // RING_SIZES), float(c % RING_SIZES) / (RING_SIZES - 1), np.flatnonzero(code == c))
            for c in np.unique(code)
        )

    @classmethod
    def none(cls, mistakes: Indices = NOBODY) -> Rings:
        """Return no rings around support vectors."""
        return cls(NOBODY, NOBODY, np.empty(0), mistakes)


def rings_of(model: Model) -> Rings:
    """Return which points are support vectors, of which kind, and how strong; and which are misclassified.

    There are no rings where every point takes part, by construction as in ridge regression or because it so
    happened to many points without a box: they would say nothing."""
    n, support, alpha = model.problem.n, model.support, model.alpha
    wrong = NOBODY if model.mistakes is None else np.flatnonzero(model.mistakes)
    every, boxed = model.algorithm.weighs_every_point, model.box is not None
    possible = frozenset(() if every or alpha is None else Ring if boxed else (Ring.FREE,))
    judged = bool(model.problem.data.class_names) and not model.algorithm.ignores_labels
    if every or len(support) == 0 or (not boxed and len(support) == n > ALL_RINGED_UP_TO):
        return replace(Rings.none(wrong), possible=possible, judged=judged)
    own = alpha[support] if alpha is not None else np.zeros(len(support))
    kinds = np.full(len(support), Ring.FREE, dtype=np.intp)
    if model.box is not None:
        kinds[own >= model.box[support] * (1 - 1e-9)] = Ring.BOUNDED
    top = own.max()
    share = own / top if top > 0 else own
    strengths = np.rint(share * (RING_SIZES - 1)) / (RING_SIZES - 1)
    return Rings(support, kinds, strengths, wrong, possible, judged)
