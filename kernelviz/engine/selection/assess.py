"""Assess settings: each is fitted without each fold, and judged by the points left out.

Settings that share a kernel share its matrix, of which every fold takes its part, and each fit starts from
the one before; soft margins are solved side by side. Ridge and the Gaussian process leave one out in
closed form."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.analysis.ridge_path import shrinkage, shrinks
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.fits.solve import algorithm_for, in_full
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.selection.folds import NAN, Outcome, Trial, Whole, training_error
from kernelviz.engine.selection.margins import Chain, folds_side_by_side, side_by_side, suits


def assess(trial: Trial, fits: Sequence[Fit]) -> list[Outcome]:
    """Return the outcomes of some settings; it is fastest if they are ordered by kernel."""
    groups = [list(group) for _, group in groupby(fits, key=_shared)]
    known = folds_side_by_side(trial, groups)
    return [
        outcome for place, group in enumerate(groups) for outcome in _outcomes(trial, group, known.get(place))
    ]


def _shared(fit: Fit) -> tuple[str, str]:
    return str(fit.kernel), fit.algorithm.name


def _outcomes(trial: Trial, fits: list[Fit], known: list[Chain] | None) -> list[Outcome]:
    try:
        return _alike(trial, fits, known)
    except BadInput:  # such as a nu that these classes do not allow: it is as if it were not there
        return [_alone(trial, fit) for fit in fits]


def _alone(trial: Trial, fit: Fit) -> Outcome:
    try:
        return _alike(trial, [fit])[0]
    except BadInput:
        return Outcome()


def _alike(trial: Trial, fits: list[Fit], known: list[Chain] | None = None) -> list[Outcome]:
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


def _over_folds(judged: Sequence[Chain]) -> list[Outcome]:
    """Return means over the folds."""
    losses = np.array(judged)  # (folds, fits, what)
    means = losses.mean(axis=0)
    spreads = losses[:, :, 0].std(axis=0, ddof=1) / np.sqrt(len(losses))
    return [
        Outcome(float(error), float(spread), float(training), float(true), converged=float(least))
        for (error, training, true), spread, least in zip(
            means[:, :3].tolist(), spreads, losses[:, :, 3].min(axis=0), strict=True
        )
    ]


# Leaving one out ----------------------------------------------------------------------------------------
def _each_left_out(whole: Whole, fits: list[Fit]) -> list[Outcome]:
    """Return the outcomes of leaving one out; training and true error are those of the fits to all points."""
    everything = np.arange(whole.trial.data.n)
    models = _chain(whole, fits)
    if shrinks(fits[0].algorithm) is not None and whole.task is not Task.CLASSES:
        losses = _closed_form(whole, fits)
    else:
        losses = _one_by_one(whole, fits, models)
    n = len(everything)
    return [
        Outcome(
            float(own.mean()),
            float(own.std(ddof=1) / np.sqrt(n)),
            training_error(model),
            whole.true_error(model, everything),
            converged=float(model.converged),
        )
        for own, model in zip(losses, models, strict=True)
    ]


def _chain(whole: Whole, fits: Sequence[Fit]) -> list[Model]:
    """Return the fits to all points, each started from the one before."""
    models: list[Model] = []
    for fit in fits:
        algorithm = algorithm_for(whole.trial.data, fit.algorithm)
        models.append(in_full(algorithm.fit(whole.problem, models[-1] if models else None)))
    return models


def _closed_form(whole: Whole, fits: list[Fit]) -> Array:
    """Return the leave-one-out losses by eigenvectors: one decomposition serves all λ."""
    name = shrinks(fits[0].algorithm) or ""
    return shrinkage(whole.problem, fits[0].algorithm, [f.algorithm.values()[name] for f in fits]).losses


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
    for i, chain in zip(asked, _without(whole, fits, asked), strict=True):
        open_ = np.flatnonzero(np.isnan(losses[:, i])).tolist()
        judged = chain or whole.judged(np.array([i]), fits)
        losses[open_, i] = [judged[k].error for k in open_]
    return losses


def _without(whole: Whole, fits: list[Fit], points: list[int]) -> list[Chain]:
    """Return the fits without each of some points, as far as they can be solved side by side."""
    if not suits(whole.trial, fits):
        return [None] * len(points)
    return side_by_side([whole], fits, [np.array([i]) for i in points])[0]


# The likelihood -----------------------------------------------------------------------------------------
def _likelihoods(whole: Whole, fits: list[Fit]) -> list[Outcome]:
    """Return ln p(y) of Gaussian processes that differ in their noise."""
    found = shrinkage(whole.problem, fits[0].algorithm, [f.algorithm.values()["noise"] for f in fits])
    assert found.log_marginal_likelihood is not None
    return [
        Outcome(training_error=float(training), likelihood=float(value), converged=1.0)
        for value, training in zip(found.log_marginal_likelihood, found.training_error, strict=True)
    ]
