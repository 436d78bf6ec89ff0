"""Random fits with points far away and data of any scale, cold and warm, checked in long double.

    python -m tests.campaign_far --fits 20000 --seed 7

The check uses the formula of the kernel and what a model shows (weights, offset, numbers), and no code of the
solvers. Every false claim is printed with the fit; the exit code is 1 if there is any."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.kernel import KernelModel
from tests.campaign import exact_gram, run_from_the_command_line

__all__ = ["CASES", "Case", "Truth", "campaign", "claims"]

TOO_FAR = 1e-3
"""The share of the objective by which a converged fit may be above its dual objective."""

UNIT = 2.0**-52
"""The relative rounding error of a kernel value, and of its product with a weight."""


class Truth:
    """What a model should show, in long double from its weights and offset."""

    def __init__(self, model: KernelModel) -> None:
        problem = model.problem
        self.lam = np.longdouble(
            model.algorithm.values().get("lam", model.algorithm.values().get("noise", 0))
        )
        self.K, self.beta = exact_gram(problem.kernel, problem.X), model.beta.astype(np.longdouble)
        self.y = problem.data.y if problem.data.task.name == "REGRESSION" else problem.z
        self.h = self.K @ self.beta
        self.scores = self.h + np.longdouble(model.b or 0.0)
        self.norm2 = self.beta @ self.h
        lengths = np.sqrt(np.abs(self.K.diagonal()))
        sizes = lengths * (lengths @ np.abs(self.beta)) + np.abs(self.y) + abs(model.b or 0.0)
        self.blurs = 8.0 * UNIT * sizes
        """The errors of scores that are computed in doubles."""
        self.blur_of_norm2 = float(np.abs(self.beta) @ self.blurs)

    def linear_system(self, model: KernelModel) -> Iterator[str]:
        """Ridge and the mean of a Gaussian process: (K + λI) β = y."""
        left = np.abs(self.y - self.h - self.lam * self.beta).max()
        if not left <= 2e-4 * np.abs(self.y).max():
            yield f"the system is off by {float(left / np.abs(self.y).max()):.2g} of the largest target"

    def logistic_loss(self, model: KernelModel) -> Iterator[str]:
        """P - D at λα, the divergence of λα from the chances of the wrong classes."""
        z, share = self.y, self.lam * self.y * self.beta
        if (share < 0).any() or (share > 1 + 1e-15).any():
            yield f"λα is outside of [0, 1]: {float(share.min()):.3g} to {float(share.max()):.17g}"
            return
        losses = np.logaddexp(0, -z * self.scores)
        least, share = np.finfo(np.longdouble).tiny, np.minimum(share, 1)
        gap = share * (np.log(np.maximum(share, least)) + losses + z * self.scores)
        gap += (1 - share) * (np.log1p(-np.minimum(share, 1 - UNIT)) + losses)
        primal = losses.sum() + self.lam / 2 * self.norm2
        yield from self._sum()
        if not gap.sum() <= TOO_FAR * primal:
            yield f"the objective is {float(primal):.6g}, the duality gap {float(gap.sum()):.3g}"
        yield from self._objective(model, primal)

    def squared_slack(self, model: KernelModel) -> Iterator[str]:
        """α ≥ 0, h = λα is the slack where α > 0, and slack is 0 where α = 0."""
        alpha, room = self.y * self.beta, 1 - self.y * self.scores
        if (alpha < 0).any():
            yield f"α is {float(alpha.min()):.3g}"
        off = np.where(alpha > 0, np.abs(room - self.lam * alpha), np.maximum(room, 0))
        if not off.max() <= 1e-3 + 2.0 * self.blurs.max():
            yield f"the KKT violation is {float(off.max()):.3g}, shown {model.violation:.3g}"
        yield from self._sum()
        slack = np.maximum(room, 0)
        primal = self.norm2 / 2 + slack @ slack / (2 * self.lam)
        dual = alpha.sum() - (self.norm2 + self.lam * self.beta @ self.beta) / 2
        shown = model.numbers["primal_objective"] is not None or "not known" not in model.message
        if shown and not primal - dual <= TOO_FAR * primal:
            yield f"the objective is {float(primal):.6g}, the duality gap {float(primal - dual):.3g}"
        yield from self._objective(model, primal)

    def _sum(self) -> Iterator[str]:
        if abs(self.beta.sum()) > 1e-9 * np.abs(self.beta).sum():
            yield f"the sum of β is {float(self.beta.sum()):.3g} of {float(np.abs(self.beta).sum()):.3g}"

    def _objective(self, model: KernelModel, primal: Any) -> Iterator[str]:
        shown = model.numbers["primal_objective"]
        if shown is not None and not abs(shown - primal) <= 2e-5 * primal:
            yield f"the objective is {float(primal):.9g}, shown {shown:.9g}"

    def numbers(self, model: KernelModel) -> Iterator[str]:
        """The norm, and the scores of the training points."""
        off = np.abs(model.training_scores - self.scores)
        if (off > self.blurs + 1e-9 * np.abs(self.y).max()).any():
            yield f"scores are off by {float(off.max()):.3g}, rounding {float(self.blurs.max()):.2g}"
        norm = model.numbers["norm"]
        if norm and not abs(norm**2 - self.norm2) <= min(
            4e-3 * self.norm2, self.blur_of_norm2 + 1e-9 * self.norm2
        ):
            yield f"the norm is {float(np.sqrt(abs(self.norm2))):.6g}, shown {norm:.6g}"


@dataclass(frozen=True)
class Case:
    """An algorithm of the campaign: how its settings are drawn, what is checked, and its task."""

    name: str
    settings: str  # With the powers of ten between which {lam} is drawn.
    powers: tuple[float, float]
    check: Callable[[Truth, KernelModel], Iterator[str]]
    task: str = "classification"


CASES = (
    Case("logistic", "logistic(lam={lam})", (-6, 6), Truth.logistic_loss),
    Case("ridge", "ridge(lam={lam})", (-6, 6), Truth.linear_system, "regression"),
    Case("ridge of classes", "ridge(lam={lam})", (-6, 6), Truth.linear_system),
    Case("squared slack", "squared-slack-svm(lam={lam})", (-6, 6), Truth.squared_slack),
    Case("gaussian process", "gaussian-process(noise={lam})", (-8, 4), Truth.linear_system, "regression"),
)


def claims(case: Case, model: KernelModel) -> Iterator[str]:
    """Every claim of a converged model that is false, in words."""
    if model.converged:
        truth = Truth(model)
        yield from case.check(truth, model)
        yield from truth.numbers(model)


def _points(rng: np.random.Generator) -> Any:
    """Some points of any scale, and none, one or two far away."""
    n, p = int(rng.choice([2, 3, 5, 10, 20, 40])), int(rng.choice([1, 2, 3]))
    X = rng.normal(size=(n, p))
    far = min(int(rng.choice([0, 1, 1, 2])), n - 1)
    X[:far] = 10.0 ** rng.uniform(1, 6) * np.sign(rng.normal(size=(far, p)))
    return X * 10.0 ** rng.choice([0, 0, rng.uniform(-6, 6)])


def _kernel(rng: np.random.Generator, size: float) -> str:
    gamma = 10 ** rng.uniform(-2, 2) / min(max(size, 1e-6), 1e6) ** 2
    degree = rng.integers(2, 6)
    return str(
        rng.choice(
            [
                "linear",
                f"polynomial(degree={degree})",
                f"polynomial(degree={degree}, c=0)",
                f"rbf(gamma={gamma:.3g})",
                f"laplacian(gamma={gamma**0.5:.3g})",
                f"linear + {10 ** rng.uniform(-3, 3):.3g}*rbf(gamma={gamma:.3g})",
            ]
        )
    )


def campaign(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """How the fits ended, and the false claims."""
    rng = np.random.default_rng(seed)
    endings, found, done = Counter[str](), list[str](), 0
    while done < count:
        case = CASES[rng.integers(len(CASES))]
        X = _points(rng)
        y = np.where(rng.random(len(X)) < 0.5, -1.0, 1.0)
        y[:2] = 1.0, -1.0
        if case.task == "regression":
            y = 10 ** rng.uniform(-6, 6) * rng.normal(size=len(X))
        kernel, model = _kernel(rng, float(np.median(np.abs(X)))), None
        for state in ("cold", "warm", "warm")[: int(rng.choice([1, 1, 3]))]:
            settings = case.settings.format(lam=f"{10 ** rng.uniform(*case.powers):.3g}")
            done += 1
            try:
                model = kernelviz.fit(X, y, kernel, settings, start=model, task=case.task)
            except BadInput as refusal:
                endings[f"refused: {str(refusal)[:60]}"] += 1
                break
            endings[f"{state} {case.name} {model.status}"] += 1
            found += [
                f"{state}: {claim}\n    {kernel} {settings} on X = {X.tolist()}, y = {y.tolist()}"
                for claim in claims(case, model)
            ]
    return endings, found


if __name__ == "__main__":
    raise SystemExit(run_from_the_command_line(campaign, __doc__))
