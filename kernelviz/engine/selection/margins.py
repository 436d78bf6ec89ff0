"""Soft margins solved side by side: with a few hundred points most of a fit's time is spent between array
operations, which all folds, prices and kernels can share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.kernel import BLUR, DIGITS
from kernelviz.engine.selection.folds import NAN, Judged, Trial, Whole
from kernelviz.engine.solvers.qp.many import Climbed, climb
from kernelviz.engine.solvers.qp.program import Mask

MOST_POINTS = 512  # With more, the arithmetic of a fit takes longer than what is between.
ENTRIES = 1 << 21  # Of all kernel matrices that are used together.
WEIGHTS = 1 << 14  # Weights of all chains that are solved together: they should stay in the cache.

AT_ONCE = 2e7  # Settings times folds times squared points that take a fifth of a second side by side.

# The fits of one kernel without one fold; None where they have to be solved one by one.
Chain = list[Judged] | None


def suits(trial: Trial, fits: Sequence[Fit]) -> bool:
    """Return True if fits that share a kernel can be solved side by side."""
    return (
        all(isinstance(fit.algorithm, SoftMarginSVM) for fit in fits)
        and len({fit.algorithm.values()["tol"] for fit in fits}) == 1
        and fits[0].kernel.positive_definite
        and trial.data.task is Task.TWO_CLASSES
        and trial.data.n <= MOST_POINTS
    )


def settings_at_once(trial: Trial, fit: Fit) -> int:
    """Return how many settings are worth handing over together, or 0 if they would not be solved side by
    side."""
    if trial.by != "cv" or fit.kernel.domain != "vectors" or not suits(trial, [fit]):
        return 0
    return int(AT_ONCE / (len(trial.folds) * trial.data.n**2))


def folds_side_by_side(trial: Trial, groups: Sequence[Sequence[Fit]]) -> dict[int, list[Chain]]:
    """Return the results of each fold, by the places of groups of fits that share a kernel."""
    alike: dict[tuple[Algorithm, ...], list[int]] = {}
    for place, fits in enumerate(groups):
        if trial.by == "cv" and suits(trial, fits):
            alike.setdefault(tuple(fit.algorithm for fit in fits), []).append(place)
    found: dict[int, list[Chain]] = {}
    at_once = max(1, ENTRIES // trial.data.n**2)
    for places in alike.values():
        for begin in range(0, len(places), at_once):
            wholes = dict(_wholes(trial, groups, places[begin : begin + at_once]))
            if wholes:
                fits = groups[next(iter(wholes))]
                chains = side_by_side(list(wholes.values()), fits, trial.folds)
                found.update(zip(wholes, chains, strict=True))
    return found


def _wholes(
    trial: Trial, groups: Sequence[Sequence[Fit]], places: Sequence[int]
) -> Iterator[tuple[int, Whole]]:
    for place in places:
        try:
            yield place, Whole(trial, groups[place][0])
        except BadInput:  # reported when it is fitted alone
            continue


def side_by_side(wholes: Sequence[Whole], fits: Sequence[Fit], folds: Sequence[Indices]) -> list[list[Chain]]:
    """Solve soft margins without each of some folds, with each of some kernels."""
    n, prices = wholes[0].trial.data.n, [fit.algorithm.values()["C"] for fit in fits]
    order = np.argsort(prices, kind="stable")
    ascending = [prices[k] for k in order]
    z, tol = wholes[0].problem.z, fits[0].algorithm.values()["tol"]
    chains = [(kernel, fold) for kernel in range(len(wholes)) for fold in range(len(folds))]
    found: list[list[Chain]] = [[None] * len(folds) for _ in wholes]
    K = np.stack([whole.problem.gram for whole in wholes])
    at_once = max(1, WEIGHTS // n)
    for begin in range(0, len(chains), at_once):
        some = chains[begin : begin + at_once]
        inside = np.ones((len(some), n), dtype=bool)
        for q, (_, fold) in enumerate(some):
            inside[q, folds[fold]] = False
        which = np.array([kernel for kernel, _ in some])
        climbed = climb(K, z, which, inside, ascending, tol)
        for (kernel, fold), chain in zip(some, _judged(wholes, which, inside, climbed), strict=True):
            found[kernel][fold] = None if chain is None else [chain[k] for k in np.argsort(order)]
    return found


def _judged(wholes: Sequence[Whole], which: Indices, inside: Mask, climbed: Climbed) -> Iterator[Chain]:
    """Return the result of each chain, or None if it was given up or a score may be zero up to rounding."""
    z = wholes[0].problem.z
    wrong = z * climbed.scores <= 0.0
    sure = _sure(wholes, which, inside, climbed)
    left_out = ~inside
    errors = (wrong & left_out[:, None]).sum(axis=2) / left_out.sum(axis=1)[:, None]
    training = (wrong & inside[:, None]).sum(axis=2) / inside.sum(axis=1)[:, None]
    for q, kernel in enumerate(which.tolist()):
        if not sure[q]:
            yield None
            continue
        true = _true_errors(wholes[kernel], climbed.weights[q], climbed.offsets[q])
        yield [
            Judged(*each, 1.0) for each in zip(errors[q].tolist(), training[q].tolist(), true, strict=True)
        ]


def _sure(wholes: Sequence[Whole], which: Indices, inside: Mask, climbed: Climbed) -> Mask:
    """Return True if all scores of a chain's own points have a sign that rounding cannot have caused."""
    squares = np.array([whole.problem.radius**2 for whole in wholes])[which, None]
    terms = np.abs(climbed.weights).sum(axis=2) * squares + np.abs(climbed.offsets)
    sizes = np.where(inside[:, None], np.abs(climbed.scores), np.inf).min(axis=2)
    largest = np.where(inside[:, None], np.abs(climbed.scores), 0.0).max(axis=2)
    return np.asarray(((sizes > BLUR + DIGITS * terms) & (largest > climbed.gaps)).all(axis=1))


def _true_errors(whole: Whole, weights: Array, offsets: Array) -> list[float]:
    fresh = whole.trial.fresh
    if fresh is None or whole.to_fresh is None:
        return [NAN] * len(offsets)
    scores = whole.to_fresh @ weights.T + offsets
    wrong: list[float] = (fresh.z[:, None] * scores <= 0.0).mean(axis=0).tolist()
    return wrong
