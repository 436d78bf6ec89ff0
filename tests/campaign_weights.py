"""Random fits with weights, cold and along chains of edits, checked in long double.

    python -m tests.campaign_weights --fits 2000 --seed 7

The check uses what a model shows and no code of the solvers. Every false claim is printed; the exit code is 1
if there is any."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.solve import fit_data
from tests.campaign import exact_gram

TOL, OBJECTIVE, GAP = 1.1e-3, 1.1e-5, 2e-3
"""The largest KKT violation of a converged fit, as a share of the size of a target, and the relative errors
of the objectives that are shown and of the gap between them."""


def claims(model: Any) -> list[str]:
    """The claims of a converged model that are false."""
    data, how, box = model.problem.data, model.algorithm, model.box
    beta, y, w = (np.asarray(v, np.longdouble) for v in (model.beta, data.y, data.weights))
    K = exact_gram(model.problem.kernel, data.X)
    s = K @ beta + np.longdouble(model.b)
    energy, alpha, dual, inverse = beta @ K @ beta, np.abs(beta), None, 1.0 / np.where(w > 0, w, 1.0)
    slope, size = np.zeros(len(y)), 1.0
    if how.name == "soft-margin-svm":
        primal, dual = 0.5 * energy + how.C * (w @ np.maximum(0, 1 - y * s)), alpha.sum() - 0.5 * energy
        slope = y * s - 1
    elif how.name == "svr":
        size, beyond = 0.5 * np.ptp(data.y), np.abs(y - s) - how.epsilon
        primal = 0.5 * energy + how.C * (w @ np.maximum(0, beyond))
        dual = y @ beta - how.epsilon * alpha.sum() - 0.5 * energy
        slope = np.where(beta == 0, -beyond, how.epsilon - np.sign(beta) * (y - s))
    elif how.name == "squared-slack-svm":
        slack = np.maximum(0, 1 - y * s)
        primal = 0.5 * energy + 0.5 * (w @ slack**2) / how.lam
        dual = alpha.sum() - 0.5 * energy - 0.5 * how.lam * (alpha**2 @ inverse)
        slope = np.where(w > 0, slack - how.lam * alpha * inverse, 0)
    elif how.name == "logistic":
        q = np.clip(how.lam * alpha * inverse, 0, 1)
        entropy = -(q * np.log(np.where(q > 0, q, 1)) + (1 - q) * np.log(np.where(q < 1, 1 - q, 1)))
        primal = w @ np.logaddexp(0, -y * s) + 0.5 * how.lam * energy
        dual = w @ entropy - 0.5 * how.lam * energy
    else:
        primal, slope = w @ (y - s) ** 2 + how.lam * energy, w * (y - s) - how.lam * beta
        size = float((w * np.abs(y)).max()) * 0.1  # a tenth of the violations of others is accepted
    if box is not None:  # the condition is one-sided at a bound
        slope = np.where(
            alpha == 0, np.minimum(slope, 0), np.where(alpha >= box, np.maximum(slope, 0), slope)
        )
        slope = np.where(w > 0, slope, 0)
    shown = [(model.objectives[0], primal), (model.objectives[1], dual)]
    false = {
        "a weight of 0 has no part": bool(beta[w == 0].any()),
        "the box": box is not None and bool((alpha > how.C * w * (1 + 1e-15)).any()),
        "the sum of beta": how.name != "ridge" and abs(beta.sum()) > 1e-9 * alpha.sum(),
        "the KKT conditions": np.abs(slope).max() > TOL * size,
        "the objectives": any(a is not None and abs(a - b) > OBJECTIVE * abs(b) for a, b in shown),
        "the gap": None not in (dual, shown[0][0]) and primal - dual > GAP * abs(primal),
    }
    return [name for name, wrong in false.items() if wrong]


def campaign(fits: int, seed: int) -> list[str]:
    """The false claims of some fits, each with the settings that lead to it."""
    rng, found = np.random.default_rng(seed), list[str]()
    for _ in range(fits):
        n = int(rng.integers(4, 60))
        X = rng.normal(size=(n, 2)) * 10 ** rng.uniform(-1, 1)
        X = np.round(X) if rng.random() < 0.3 else X
        z = np.where(X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=n) > 0, 1, -1)
        y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=n)
        C, lam, epsilon = 10 ** rng.uniform(-3, 4), 10 ** rng.uniform(-4, 2), rng.choice([0, 0.01, 0.1, 1])
        how = rng.choice(
            [
                f"soft-margin-svm(C={C})",
                f"svr(C={C}, epsilon={epsilon})",
                f"squared-slack-svm(lam={lam})",
                f"logistic(lam={lam})",
                f"ridge(lam={lam})",
            ]
        )
        kernel = f"rbf(gamma={10 ** rng.uniform(-2, 1)})" if rng.random() < 0.7 else "linear"
        kinds = [
            rng.integers(0, 4, size=n).astype(float),
            10 ** rng.uniform(-3, 3, size=n),
            rng.choice([1, 1e4, 1e-4, 0.0], size=n),
        ]
        weights, model = kinds[rng.integers(3)], None
        for step in range(3):
            try:
                data = Data.regression(X, y) if how.startswith("svr") else Data.labelled(X, z)
                data = data.weighted(weights)
                model = fit_data(data, kernel, how, model)
            except kernelviz.BadInput:  # one class
                break
            if model.converged and data.weights is not None:
                found += [f"{claim}: {kernel} {how}, {n} points, step {step}" for claim in claims(model)]
            weights, i = weights.copy(), rng.integers(n)
            if rng.random() < 0.5:
                weights[i] = rng.choice([0.0, 1.0, 3.0])
            else:
                X = X.copy()
                X[i] += 0.3
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    wrong = campaign(asked.fits, asked.seed)
    print("\n".join(wrong) or "no false claim")
    raise SystemExit(bool(wrong))
