"""Dealing points out into folds, each of which is left out once."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.arrays import Indices
from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput

__all__ = ["each_point", "stratified"]


def stratified(data: Data, folds: int, seed: int = 0) -> tuple[Indices, ...]:
    """The rows of each fold, drawn at random with the seed: of every class as many in each, to within one."""
    if data.n < 2:
        raise BadInput("Cross-validation needs at least two points.")
    if not 2 <= folds <= data.n:
        raise BadInput(f"{data.n} points can be put into 2 to {data.n} folds, not into {folds}.")
    _check_classes(data, folds, f"the {folds} folds need one for each")
    order = np.random.Generator(np.random.PCG64(seed)).permutation(data.n)
    if (codes := data.codes) is not None:
        order = order[np.argsort(codes[order], kind="stable")]
    # Dealt out like cards, class after class, so that folds of all classes together are alike in size too.
    return tuple(np.sort(order[k::folds]) for k in range(folds))


def each_point(data: Data) -> tuple[Indices, ...]:
    """Folds of a single point."""
    if data.n < 2:
        raise BadInput("Leaving one out needs at least two points.")
    _check_classes(data, 2, "without it a class would have none")
    return tuple(np.array([i]) for i in range(data.n))


def _check_classes(data: Data, least: int, why: str) -> None:
    if data.codes is None:
        return
    counts = np.bincount(data.codes, minlength=len(data.class_names))
    scarce = int(counts.argmin())
    if counts[scarce] < least:
        points = "point" if counts[scarce] == 1 else "points"
        raise BadInput(f"Class {data.class_names[scarce]} has {counts[scarce]} {points}; {why}.")
