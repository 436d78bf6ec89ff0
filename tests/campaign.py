"""Random svr and nu-svr fits, cold and along chains of slider moves, checked in long double.

    python -m tests.campaign --fits 20000 --seed 7

The check uses the kernel and what a model shows (weights, offset, numbers) and no code of the solvers. Every
false claim is printed with the fits that lead to it; the exit code is 1 if there is any."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import Kernel, Scaled, Sum
from kernelviz.engine.models.kernel import KernelModel

__all__ = ["Fit", "Truth", "campaign", "claims", "fits", "repeated"]

TOL, NORM, OBJECTIVE = 1e-3, 2e-3, 1e-5
"""The largest KKT violation of a converged fit, as a share of half the range of the targets, and the relative
errors of the squared norm and of the objectives that are shown."""

UNIT = 2.0**-53
"""The relative rounding error of a double."""

SCORE = 8.0 * UNIT
"""The error of a score, as a share of r_i sum_j |beta_j| r_j + |y_i| + |b| with r_i² = K(x_i, x_i). A kernel
of these has up to five factors, each with an error of UNIT of r_i r_j or less, and its products with beta
are summed in any order."""

KEPT = 1e-9
"""The share of half the range of the targets by which K beta may be off because no number shows it: the
solver computes it anew where that could be more than `program.FAINT` of the tolerance."""

FINE = 1e-6
"""The error of b that is no error, of the spread of the targets and of b."""

SETS = ("sine", "sinc", "step", "outliers", "cubic", "gap")


@dataclass(frozen=True)
class Fit:
    """One fit of a chain; `before` are the settings of the fits that it starts from."""

    data: Data
    source: str
    settings: tuple[str, str]
    before: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return " -> ".join(f"{kernel} {algorithm}" for kernel, algorithm in (*self.before, self.settings)) + (
            f"\n    on {self.source}"
        )


def exact_gram(kernel: Kernel, X: Any) -> Any:
    """The Gram matrix in long double, from the formulas and not from the kernel's code."""
    X, values = np.asarray(X, dtype=np.longdouble), kernel.values()
    if isinstance(kernel, Sum):
        return sum(exact_gram(term, X) for term in kernel.parts)
    if isinstance(kernel, Scaled):
        return np.longdouble(kernel.scale) * exact_gram(kernel.inner, X)
    apart = X[:, None, :] - X[None, :, :]
    match kernel.name:
        case "linear":
            return X @ X.T
        case "polynomial":
            gamma, c = np.longdouble(values["gamma"]), np.longdouble(values["c"])
            return (gamma * (X @ X.T) + c) ** values["degree"]
        case "rbf":
            return np.exp(-np.longdouble(values["gamma"]) * np.square(apart).sum(axis=-1))
        case "laplacian":
            return np.exp(-np.longdouble(values["gamma"]) * np.abs(apart).sum(axis=-1))
    raise NotImplementedError(kernel)


class Truth:
    """What a model of svr or nu-svr should show, in long double from its beta, b and epsilon; and by how much
    each number may be off, from the terms that it is a sum of."""

    def __init__(self, model: KernelModel) -> None:
        problem, settings = model.problem, model.algorithm.values()
        K = exact_gram(problem.kernel, problem.X)
        y, beta = problem.y.astype(np.longdouble), model.beta.astype(np.longdouble)
        C, b, epsilon = settings["C"], np.longdouble(model.b), np.longdouble(model.tube or 0.0)
        self.budget = C * settings["nu"] * problem.n if "nu" in settings else np.inf
        h = K @ beta
        self.scores, size = h + b, np.abs(beta)
        r = y - self.scores
        outside = np.maximum(np.abs(r) - epsilon, 0.0)
        # A weight below C may not lie outside the tube, and one that is not 0 not inside of its edge.
        self.violation = float(
            max(
                np.where(size < C, outside, 0.0).max(),
                np.where(beta != 0, epsilon - np.sign(beta) * r, 0.0).max(),
            )
        )
        self.norm2, self.total = float(beta @ h), float(size.sum())
        tube = C * problem.n * settings["nu"] * epsilon if "nu" in settings else 0.0
        self.primal = float(0.5 * beta @ h + C * outside.sum() + tube)
        linear = y @ beta - (0.0 if "nu" in settings else epsilon * size.sum())
        self.dual = float(linear - 0.5 * beta @ h)
        # A sum of beta that is not quite 0 changes the dual by b times that.
        self.gap = max(self.primal - self.dual, 0.0) + float((abs(b) + epsilon) * abs(beta.sum()))
        # The offsets that satisfy the conditions exactly lie between the two, where there are any.
        above, below = y - h - epsilon, y - h + epsilon
        self.lowest = float(max(above[beta < C].max(initial=-np.inf), below[beta < 0].max(initial=-np.inf)))
        self.highest = float(min(below[beta > -C].min(initial=np.inf), above[beta > 0].min(initial=np.inf)))
        radii = np.sqrt(np.abs(K.diagonal()))
        self.largest = float(radii.max()) ** 2 or 1.0
        self.spread = 0.5 * float(np.ptp(y)) or self.largest
        self.size = float(np.ptp(y)) + abs(model.b)
        blurs = SCORE * (radii * (radii @ size) + np.abs(y) + abs(b)) + KEPT * self.spread
        self.blur = float(blurs.max())
        """The error of a score that is computed in doubles."""
        weights, sums = size @ blurs, 4.0 * UNIT * problem.n
        charged = C * np.where(np.abs(r) > epsilon - blurs, blurs, 0.0).sum()
        self.blur_of_norm2 = float(weights)
        self.blur_of_primal = float(0.5 * weights + charged + sums * self.primal)
        self.blur_of_dual = float(0.5 * weights + sums * (np.abs(y) + epsilon) @ size)


def claims(model: KernelModel, cold: KernelModel | None = None) -> Iterator[str]:
    """Every claim of a model that is false, in words; `cold` is the same fit without a start."""
    truth, shown = Truth(model), model.numbers
    gap = shown["duality_gap"]
    if gap is not None and gap < 0.0:
        yield f"the duality gap shown is negative: {gap:.3g}"
    if not model.converged:
        return
    if not truth.violation <= min(TOL * truth.spread, model.violation) + 2.0 * truth.blur:
        yield f"the KKT violation is {truth.violation:.3g}, shown {model.violation:.3g} ± {truth.blur:.1g}"
    if truth.total > truth.budget * (1.0 + 1e-9):
        yield f"the weights sum to {truth.total:.6g}, above C nu n = {truth.budget:.6g}"
    if abs(float(model.beta.sum())) > 1e-10 * truth.total + 0.05 * TOL * truth.spread / truth.largest:
        yield f"the sum of beta is {model.beta.sum():.3g}"
    for name, scores in (
        ("training_scores", model.training_scores),
        ("score()", model.score(model.problem.X)),
    ):
        if (error := float(np.abs(scores - truth.scores).max())) > truth.blur:
            yield f"{name} are off by {error:.3g}, rounding {truth.blur:.1g}"
    yield from _of_the_objectives(truth, shown, model.message)
    norm = shown["norm"]
    if norm == 0.0:  # no score differs from b, which |w|² in long double cannot tell where large terms cancel
        if (apart := float(np.abs(truth.scores - model.b).max())) > truth.blur:
            yield f"the norm shown is 0, but scores differ from b by {apart:.3g}"
    elif norm is not None and abs(norm**2 - truth.norm2) > min(NORM * abs(truth.norm2), truth.blur_of_norm2):
        yield f"the norm is {np.sqrt(abs(truth.norm2)):.6g}, shown {norm:.6g}"
    if cold is not None and cold.converged:
        reference = Truth(cold)
        slack = FINE * reference.size + truth.largest * abs(float(model.beta.sum()))
        for fitted, known in ((model, truth), (cold, reference)):
            # |w - w*|² is at most twice the gap, and at a support vector b follows w.
            slack += 2.0 * (fitted.violation + known.blur) + float(np.sqrt(2.0 * known.gap * known.largest))
        slack += abs((model.tube or 0.0) - (cold.tube or 0.0))  # nu-svr may have a choice of b and epsilon
        if not reference.lowest - slack <= model.b <= reference.highest + slack:
            yield f"b is {model.b:.9g}, outside of [{reference.lowest:.9g}, {reference.highest:.9g}]"


def _of_the_objectives(truth: Truth, shown: dict[str, Any], verdict: str) -> Iterator[str]:
    """False claims about the objectives and the gap: what is shown has all digits that rounding leaves, and
    OBJECTIVE of them at least; what is not shown is said to be unknown."""
    gap = truth.blur_of_primal + truth.blur_of_dual
    # Where the sums of the weights are rounded, the dual objective may be above the primal one; they are
    # shown as the same number then.
    for name, true, blur in (
        ("primal_objective", truth.primal, truth.blur_of_primal),
        ("dual_objective", min(truth.dual, truth.primal), max(truth.blur_of_dual, truth.dual - truth.primal)),
        ("duality_gap", max(truth.primal - truth.dual, 0.0), gap),
    ):
        if shown[name] is None:
            if "not known" not in verdict:
                yield f"the {name} is missing without a word"
        elif abs(shown[name] - true) > min(blur, OBJECTIVE * max(abs(truth.primal), abs(truth.dual))):
            yield f"the {name} is {true:.9g}, shown {shown[name]:.9g}, rounding {blur:.1g}"


def fits(seed: int) -> Iterator[Fit]:
    """Chains without end: a data set, a kernel, then a few settings in turn."""
    rng = np.random.default_rng(seed)
    while True:
        data, source = _data(rng)
        name = "svr" if rng.random() < 0.7 else "nu-svr"
        kernel, scale = _kernel(rng), float(np.abs(data.y).max()) or 1.0
        before: tuple[tuple[str, str], ...] = ()
        C, epsilon = 10 ** rng.uniform(-3, 4), 10 ** rng.uniform(-3, 0.3)
        for _ in range(int(rng.choice([1, 2, 5]))):
            match rng.integers(4):
                case 0:
                    C = 10 ** rng.uniform(-8, 8) if rng.random() < 0.1 else C * 10 ** rng.normal(0, 0.7)
                case 1:
                    epsilon = 0.0 if rng.random() < 0.1 else 10 ** rng.uniform(-4, 0.3)
                case 2:
                    C, epsilon = 10 ** rng.uniform(-3, 4), 10 ** rng.uniform(-3, 0)
                case 3:
                    kernel = _kernel(rng)
            C = float(np.clip(C, 1e-8, 1e10))
            width = (
                f"nu={rng.uniform(0.02, 1.0):.3g}" if name == "nu-svr" else f"epsilon={scale * epsilon:.3g}"
            )
            settings = kernel, f"{name}(C={C:.3g}, {width})"
            yield Fit(data, source, settings, before)
            before = (*before, settings)


def _data(rng: np.random.Generator) -> tuple[Data, str]:
    """A data set of our own, a few points of any scale, or small targets of points that stand there twice."""
    kind = rng.random()
    if kind < 0.5:
        source = f"{rng.choice(SETS)}(n={rng.integers(5, 61)}, seed={rng.integers(10**6)})"
        return kernelviz.dataset(source), source
    if kind < 0.6:
        seed, noise = int(rng.integers(10**6)), float(rng.choice([0.0, 1e-7]))
        return repeated(seed, noise), f"repeated(seed={seed}, noise={noise:g})"
    n, p, seed = int(rng.integers(1, 13)), int(rng.choice([1, 1, 2])), int(rng.integers(10**6))
    digits = int(rng.choice([1, 2, 6]))
    wide, high, shift = (10 ** rng.uniform(-2, 2 if rng.random() < 0.8 else 6), 10 ** rng.uniform(-3, 3), 0.0)
    if rng.random() < 0.2:
        shift = 10 ** rng.uniform(0, 5)
    draws = np.random.default_rng(seed)
    X, y = (
        np.round(draws.normal(size=(n, p)), digits) * wide,
        np.round(draws.normal(size=n), digits) * high + shift,
    )
    return Data.regression(X, y), f"X = {X.tolist()}, y = {y.tolist()}"


def repeated(seed: int, noise: float = 0.0) -> Data:
    """Thirty points of a curve with targets of 1e-6, and eight of them again, with noise in the target."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (30, 1))
    y = 1e-6 * (np.sin(4 * X[:, 0]) + 0.1 * rng.normal(size=30))
    again = rng.integers(30, size=8)
    return Data.regression(
        np.concatenate([X, X[again]]), np.concatenate([y, y[again] + noise * rng.normal(size=8)])
    )


def _kernel(rng: np.random.Generator) -> str:
    gamma = 10 ** rng.uniform(-3, 2)
    return str(
        rng.choice(
            [
                "linear",
                f"polynomial(degree={rng.integers(2, 6)})",
                f"polynomial(degree={rng.integers(1, 4)}, c={rng.choice([0, 2])})",
                f"rbf(gamma={gamma:.3g})",
                f"laplacian(gamma={gamma:.3g})",
                f"linear + {10 ** rng.uniform(-3, 3):.3g}*rbf(gamma={gamma:.3g})",
            ]
        )
    )


def campaign(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """How the fits ended, and the false claims."""
    endings, found = Counter[str](), []
    model: KernelModel | None = None
    for fit, _ in zip(fits(seed), range(count), strict=False):
        try:
            cold = kernelviz.fit(fit.data, None, *fit.settings)
            model = kernelviz.fit(fit.data, None, *fit.settings, start=model) if fit.before else cold
        except BadInput as refusal:
            endings[str(refusal)] += 1
            model = None
            continue
        for state, model_, reference in (("cold", cold, None), ("warm", model, cold)):
            if state == "cold" or fit.before:
                endings[f"{state} {model_.algorithm.name} {model_.status}"] += 1
                found += [f"{state}: {claim}\n    {fit}" for claim in claims(model_, reference)]
    return endings, found


def run_from_the_command_line(
    campaign: Callable[[int, int], tuple[Counter[str], list[str]]], about: str | None
) -> int:
    """Run a campaign of as many fits as asked for; print how they ended, and every false claim."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--fits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    endings, found = campaign(arguments.fits, arguments.seed)
    print(*found, sep="\n")
    print(*(f"{count:7d}  {ending}" for ending, count in sorted(endings.items())), sep="\n")
    print(f"{len(found)} false claims")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(run_from_the_command_line(campaign, __doc__))
