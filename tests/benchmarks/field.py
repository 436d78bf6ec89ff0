"""Fields on a grid beside `sklearn.svm.SVC.decision_function`: 200 support vectors, 200 x 200 nodes.

scikit-learn has some kernels built in; the others it gets as callables made of its own kernels. Each
comparison uses scikit-learn's fitted weights, so that both sides add up the same sum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics import pairwise
from sklearn.svm import SVC

from kernelviz.engine.fields.field import field
from kernelviz.engine.fits.parsing import kernel
from tests.benchmarks.report import Report, Target, best_of

POINTS = 200
NODES = 200
TOLERANCE = 1e-9


def poly(degree: int) -> dict[str, Any]:
    return {"kernel": "poly", "degree": degree, "gamma": 1.0, "coef0": 1.0}


def callable_kernel(function: Callable[..., Any]) -> dict[str, Any]:
    return {"kernel": function}


def by_axis(k: Any) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return lambda A, B: k(A[:, :1], B[:, :1]) * k(A[:, 1:], B[:, 1:])


def bumps_plus_cubic(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return pairwise.rbf_kernel(A, B, 1.0) + 0.5 * pairwise.polynomial_kernel(A, B, 3, 1.0, 1.0)


def bumps_times_line(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return pairwise.rbf_kernel(A, B, 1.0) * pairwise.linear_kernel(A, B)


def bumps_times_cubic(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return pairwise.rbf_kernel(A, B, 0.5) * pairwise.polynomial_kernel(A, B, 3, 1.0, 1.0)


GROUPS: dict[str, tuple[Target | None, dict[str, dict[str, Any]]]] = {
    "Gaussian": (
        Target("worst", 100),
        {f"rbf(gamma={g})": {"kernel": "rbf", "gamma": g} for g in (0.03, 0.3, 3, 30, 300)},
    ),
    "other separable kernels, sums and products": (
        Target("worst", 100),
        {
            "ard(l1=0.5, l2=2)": callable_kernel(gp.RBF([0.5, 2.0])),
            "laplacian(gamma=1)": callable_kernel(lambda A, B: pairwise.laplacian_kernel(A, B, 1.0)),
            "periodic(period=1.5, l=1)": callable_kernel(by_axis(gp.ExpSineSquared(1.0, 1.5))),
            "rbf(gamma=1) + 0.5*polynomial(degree=3, c=1)": callable_kernel(bumps_plus_cubic),
            "rbf(gamma=1)*linear": callable_kernel(bumps_times_line),
            "rbf(gamma=0.5)*polynomial(degree=3, c=1)": callable_kernel(bumps_times_cubic),
        },
    ),
    "polynomials": (
        Target("worst", 100),
        {"linear": {"kernel": "linear"}} | {f"polynomial(degree={d}, c=1)": poly(d) for d in (2, 3, 5, 10)},
    ),
    "other smooth kernels": (
        Target("worst", 8),
        {
            "rational_quadratic(l=1, alpha=1)": callable_kernel(gp.RationalQuadratic(1.0, 1.0)),
            "rational_quadratic(l=0.5, alpha=2)": callable_kernel(gp.RationalQuadratic(0.5, 2.0)),
            "rational_quadratic(l=0.2, alpha=0.5)": callable_kernel(gp.RationalQuadratic(0.2, 0.5)),
            "rational_quadratic(l=0.07, alpha=1)": callable_kernel(gp.RationalQuadratic(0.07, 1.0)),
            "rational_quadratic(l=0.3, alpha=0.15)": callable_kernel(gp.RationalQuadratic(0.3, 0.15)),
            "rational_quadratic(l=0.15, alpha=12)": callable_kernel(gp.RationalQuadratic(0.15, 12.0)),
            "rational_quadratic(l=3, alpha=0.8)": callable_kernel(gp.RationalQuadratic(3.0, 0.8)),
            "sigmoid(gamma=0.1, c=0)": {"kernel": "sigmoid", "gamma": 0.1},
            "sigmoid(gamma=1, c=-1)": {"kernel": "sigmoid", "gamma": 1.0, "coef0": -1.0},
            "sigmoid(gamma=4, c=0.5)": {"kernel": "sigmoid", "gamma": 4.0, "coef0": 0.5},
        },
    ),
    "kernels with a cusp": (
        None,
        {
            "matern32(l=1)": callable_kernel(gp.Matern(1.0, nu=1.5)),
            "matern52(l=1)": callable_kernel(gp.Matern(1.0, nu=2.5)),
            "matern32(l=0.1)": callable_kernel(gp.Matern(0.1, nu=1.5)),
            "matern52(l=0.3)": callable_kernel(gp.Matern(0.3, nu=2.5)),
        },
    ),
}


def run(report: Report, quick: bool) -> None:
    """Print how many times faster each kernel's field is, and check that it is the same field."""
    report.heading(f"Field of {POINTS} support vectors on {NODES} x {NODES}, float64")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((POINTS, 2))
    z = np.where(rng.random(POINTS) < 0.5, 1.0, -1.0)  # no rule to learn: every point supports
    worst = 0.0
    for group, (target, kernels) in GROUPS.items():
        ratios = []
        for expression, options in kernels.items():
            ratio, error = compare(expression, options, X, z, 2 if quick else 5)
            report.ratios(f"  {expression}", [ratio])
            ratios.append(ratio)
            worst = max(worst, error)
        report.ratios(group, ratios, *([target] if target else []))
    report.check("largest error", worst <= TOLERANCE, f"{worst:.1e} of max|F|, at most {TOLERANCE:g}")


def compare(
    expression: str, options: dict[str, Any], X: np.ndarray, z: np.ndarray, times: int
) -> tuple[float, float]:
    """(times faster, largest difference relative to the largest value)"""
    k = kernel(expression)
    machine = SVC(C=0.1 / POINTS / k.diagonal(X).max(), **options).fit(X, z)
    a, w, b = X[machine.support_], machine.dual_coef_[0], machine.intercept_[0]
    x = np.linspace(-3, 3, NODES)
    nodes = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    # In turns, so that whatever else the machine does meets both sides.
    rounds = [
        (best_of(lambda: field(k, a, w, x, x) + b, 10), best_of(lambda: machine.decision_function(nodes), 1))
        for _ in range(times)
    ]
    ours, theirs = map(min, zip(*rounds, strict=True))
    expected = machine.decision_function(nodes).reshape(NODES, NODES) - b
    error = np.abs(field(k, a, w, x, x) - expected).max() / np.abs(expected).max()
    return theirs / ours, float(error)
