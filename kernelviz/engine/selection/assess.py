"""Assess settings: each is fitted without each fold, and judged by the points left out.

Settings that share a kernel share its matrix, of which every fold takes its part, and each fit starts from
the one before. Ridge and the Gaussian process leave one out in closed form. Soft margins are solved side by
side: with a few hundred points most of a fit's time is spent between array operations, which all folds,
prices and kernels can share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.analysis.shrinkage import shrinkage, shrinks
from kernelviz.engine.core.arrays import Array, Indices, parts
from kernelviz.engine.core.data import Task, misclassified
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.fits.solve import algorithm_for, in_full
from kernelviz.engine.models.base import SURELY, Model
from kernelviz.engine.models.kernel import BLUR, TERM, KernelModel
from kernelviz.engine.selection.folds import NAN, Judged, SettingErrors, Trial, Whole, training_error
from kernelviz.engine.solvers.qp.many import Climbed, climb
from kernelviz.engine.solvers.qp.program import Mask

MOST_POINTS_SIDE_BY_SIDE = 512  # With more, the arithmetic of a fit takes longer than what is between.

# The fits of one kernel without one fold; None where they have to be solved one by one.
Chain = list[Judged] | None


def assess(trial: Trial, fits: Sequence[Fit]) -> list[SettingErrors]:
    """Return the outcomes of some settings, in their order; it is fastest if they are ordered by kernel.

    A setting that cannot be fitted, such as a ν that the classes do not allow, has the outcome NaN."""
    groups = [
        list(group) for _, group in groupby(fits, key=lambda fit: (str(fit.kernel), fit.algorithm.name))
    ]
    known = folds_side_by_side(trial, groups)
    outcomes: list[SettingErrors] = []
    for place, group in enumerate(groups):
        try:
            outcomes += _alike(trial, group, known.get(place))
        except BadInput:  # one of them has, say, a nu that these classes do not allow
            for fit in group:
                alone = [SettingErrors()]  # all of it NaN if it cannot be fitted
                with suppress(BadInput):
                    alone = _alike(trial, [fit])
                outcomes += alone
    return outcomes


def _alike(trial: Trial, fits: list[Fit], known: list[Chain] | None = None) -> list[SettingErrors]:
    """Return the outcomes of fits that share a kernel."""
    if known is not None and None not in known:
        return _over_folds(known)
    whole = Whole(trial, fits[0])
    if trial.by == "likelihood":
        return _likelihoods(whole, fits)
    if trial.by == "loo":
        found = _each_left_out(whole, fits)
    else:
        chains = known or [None] * len(trial.folds)
        pairs = zip(chains, trial.folds, strict=True)
        found = _over_folds([chain or whole.judged(rows, fits) for chain, rows in pairs])
    if isinstance(fits[0].algorithm, GaussianProcess):
        likelihoods = [outcome.likelihood for outcome in _likelihoods(whole, fits)]
        found = [own._replace(likelihood=value) for own, value in zip(found, likelihoods, strict=True)]
    return found


def _over_folds(judged: Sequence[Chain]) -> list[SettingErrors]:
    """Return means over the folds."""
    losses = np.array(judged)  # (folds, fits, what)
    means = losses.mean(axis=0)
    # Equal counts of mistakes in other folds would differ in the last digit.
    errors = [[float(f"{mean:.14g}") for mean in row] for row in means[:, :3].tolist()]
    spreads = losses[:, :, 0].std(axis=0, ddof=1) / np.sqrt(len(losses))
    return [
        SettingErrors(float(error), float(spread), float(training), float(true), converged=float(least))
        for (error, training, true), spread, least in zip(
            errors, spreads, losses[:, :, 3].min(axis=0), strict=True
        )
    ]


# Leaving one out ----------------------------------------------------------------------------------------
def _each_left_out(whole: Whole, fits: list[Fit]) -> list[SettingErrors]:
    """Return the outcomes of leaving one out; training and true error are those of the fits to all points."""
    data = whole.trial.data
    everything = np.arange(data.n)
    models: list[Model] = []  # of all points, each started from the one before
    for fit in fits:
        algorithm = algorithm_for(data, fit.algorithm)
        models.append(in_full(algorithm.fit(whole.problem, models[-1] if models else None)))
    name = shrinks(fits[0].algorithm)
    if name is not None and whole.task is not Task.CLASSES and data.weights is None:
        lams = [fit.algorithm.values()[name] for fit in fits]
        losses = shrinkage(whole.problem, fits[0].algorithm, lams).losses
    else:
        losses = _one_by_one(whole, fits, models)
    return [
        SettingErrors(
            float(own.mean()),
            float(own.std(ddof=1) / np.sqrt(data.n)),
            training_error(model),
            whole.true_error(model, everything),
            converged=float(model.converged),
        )
        for own, model in zip(losses, models, strict=True)
    ]


def _one_by_one(whole: Whole, fits: list[Fit], models: list[Model]) -> Array:
    """Return (fits, n): the loss of every point under the fit to all others. For a point of weight 0 the
    fit to all points is that fit already."""
    n = whole.trial.data.n
    losses = np.full((len(fits), n), NAN)
    for k, (fit, model) in enumerate(zip(fits, models, strict=True)):
        if fit.algorithm.forgets and isinstance(model, KernelModel):
            for i in np.flatnonzero(model.weights == 0.0).tolist():
                losses[k, i] = whole.mean(model, model.training_scores[[i]], whole.trial.data.y[[i]])
    asked = np.flatnonzero(np.isnan(losses).any(axis=0)).tolist()
    chains: list[Chain] = [None] * len(asked)
    if suits(whole.trial, fits):
        chains = side_by_side([whole], fits, [np.array([i]) for i in asked])[0]
    for i, chain in zip(asked, chains, strict=True):
        open_ = np.flatnonzero(np.isnan(losses[:, i])).tolist()
        judged = chain or whole.judged(np.array([i]), fits)
        losses[open_, i] = [judged[k].error for k in open_]
    return losses


# The likelihood -----------------------------------------------------------------------------------------
def _likelihoods(whole: Whole, fits: list[Fit]) -> list[SettingErrors]:
    """Return ln p(y) of Gaussian processes that differ in their noise."""
    found = shrinkage(whole.problem, fits[0].algorithm, [f.algorithm.values()["noise"] for f in fits])
    assert found.log_marginal_likelihood is not None
    return [
        SettingErrors(training_error=float(training), likelihood=float(value), converged=1.0)
        for value, training in zip(found.log_marginal_likelihood, found.training_error, strict=True)
    ]


# Soft margins side by side ------------------------------------------------------------------------------
def suits(trial: Trial, fits: Sequence[Fit]) -> bool:
    """Return True if fits that share a kernel can be solved side by side."""
    return (
        all(isinstance(fit.algorithm, SoftMarginSVM) for fit in fits)
        and len({fit.algorithm.values()["tol"] for fit in fits}) == 1
        and fits[0].kernel.positive_definite
        and trial.data.task is Task.TWO_CLASSES
        and trial.data.weights is None
        and trial.data.n <= MOST_POINTS_SIDE_BY_SIDE
    )


def settings_at_once(trial: Trial, fit: Fit) -> int:
    """Return how many settings are worth handing over together, or 0 if they would not be solved side by
    side."""
    if trial.by != "cv" or fit.kernel.domain != "vectors" or not suits(trial, [fit]):
        return 0
    at_once = 2e7  # Settings times folds times squared points that take a fifth of a second side by side.
    return int(at_once / (len(trial.folds) * trial.data.n**2))


def folds_side_by_side(trial: Trial, groups: Sequence[Sequence[Fit]]) -> dict[int, list[Chain]]:
    """Return the results of each fold, by the places of groups of fits that share a kernel."""
    alike: dict[tuple[Algorithm, ...], list[int]] = {}
    for place, fits in enumerate(groups):
        if trial.by == "cv" and suits(trial, fits):
            alike.setdefault(tuple(fit.algorithm for fit in fits), []).append(place)
    found: dict[int, list[Chain]] = {}
    entries = 1 << 21  # Of all kernel matrices that are used together.
    at_once = max(1, entries // trial.data.n**2)
    for places in alike.values():
        for some in parts(len(places), at_once):
            wholes: dict[int, Whole] = {}
            for place in places[some]:
                with suppress(BadInput):  # reported when it is fitted alone
                    wholes[place] = Whole(trial, groups[place][0])
            if wholes:
                fits = groups[next(iter(wholes))]
                chains = side_by_side(list(wholes.values()), fits, trial.folds)
                found.update(zip(wholes, chains, strict=True))
    return found


def side_by_side(wholes: Sequence[Whole], fits: Sequence[Fit], folds: Sequence[Indices]) -> list[list[Chain]]:
    """Solve soft margins without each of some folds, with each of some kernels."""
    n, prices = wholes[0].trial.data.n, [fit.algorithm.values()["C"] for fit in fits]
    order = np.argsort(prices, kind="stable")
    ascending = [prices[k] for k in order]
    z, tol = wholes[0].problem.z, fits[0].algorithm.values()["tol"]
    chains = [(kernel, fold) for kernel in range(len(wholes)) for fold in range(len(folds))]
    found: list[list[Chain]] = [[None] * len(folds) for _ in wholes]
    K = np.stack([whole.problem.gram for whole in wholes])
    # Weights of all chains that are solved together: they should stay in the cache.
    weights_at_a_time = 1 << 14
    for together in parts(len(chains), max(1, weights_at_a_time // n)):
        some = chains[together]
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
    wrong = misclassified(z, climbed.scores)
    # No score of a chain's own points may have a sign that rounding can have caused.
    squares = np.array([whole.problem.radius**2 for whole in wholes])[which, None]
    terms = np.abs(climbed.weights).sum(axis=2) * squares + np.abs(climbed.offsets)
    sizes = np.where(inside[:, None], np.abs(climbed.scores), np.inf).min(axis=2)
    largest = np.where(inside[:, None], np.abs(climbed.scores), 0.0).max(axis=2)
    sure = ((sizes > SURELY * (BLUR + TERM * terms)) & (largest > climbed.gaps)).all(axis=1)
    left_out = ~inside
    errors = (wrong & left_out[:, None]).sum(axis=2) / left_out.sum(axis=1)[:, None]
    training = (wrong & inside[:, None]).sum(axis=2) / inside.sum(axis=1)[:, None]
    for q, kernel in enumerate(which.tolist()):
        if not sure[q]:
            yield None
            continue
        to_fresh, fresh = wholes[kernel].to_fresh, wholes[kernel].trial.fresh
        true = [NAN] * len(climbed.offsets[q])
        if fresh is not None and to_fresh is not None:
            scores = to_fresh @ climbed.weights[q].T + climbed.offsets[q]
            true = misclassified(fresh.z[:, None], scores).mean(axis=0).tolist()
        yield [
            Judged(*each, 1.0) for each in zip(errors[q].tolist(), training[q].tolist(), true, strict=True)
        ]
