"""Algorithms in scikit-learn: what to import, how to fit, how to get the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import number
from kernelviz.engine.fits.registry import algorithms
from kernelviz.engine.kernels.base import Kernel
from kernelviz.session.scripts.kernels import BUILT_IN, kernel_function, log_kernel_function

TIGHT = "tol=1e-6"
KERNEL_RIDGE = "from sklearn.kernel_ridge import KernelRidge"
TIES = ", break_ties=True"  # With equal votes the scores decide, not the order of the classes.


@dataclass(frozen=True)
class Recipe:
    """Code that defines `score(points)` from X and z, and `support` where there are support vectors."""

    imports: tuple[str, ...]
    lines: tuple[str, ...]
    has_support: bool = False
    # The half-width of the band around a curve s at the places x: of its tube, or two deviations.
    band: str = ""
    votes: bool = False  # Whether the score has a column for each of several classes.


def recipe_for(algorithm: Algorithm, kernel: Kernel, data: Data) -> Recipe:
    """Return the recipe of an algorithm; BadInput when scikit-learn has nothing like it.

    With several classes the score has a column for each: in scikit-learn, as in kernelviz, every pair of
    classes votes, and scores decide between equal votes."""
    write = RECIPES.get(algorithm.name)
    if write is None:
        learns = {name: how.learns(data.task, data.domain) for name, how in algorithms().items()}
        known = ", ".join(name for name in sorted(RECIPES) if learns[name])
        raise BadInput(f"scikit-learn has no {algorithm.title} that gives the same scores. It has: {known}.")
    if algorithm.needs_numbers and data.domain == "strings":
        raise BadInput(f"{algorithm.title} needs inputs that are numbers.")
    if _several(data) and algorithm.name not in ONE_AGAINST_ONE:
        known = ", ".join(sorted(ONE_AGAINST_ONE))
        raise BadInput(
            f"For more than two classes scikit-learn has no {algorithm.title} that gives the same scores. "
            f"It has: {known}."
        )
    return write(algorithm, kernel, data)


def _several(data: Data) -> bool:
    return data.task is Task.CLASSES


def _target(data: Data) -> str:
    """Return the name of the target: z = ±1 for two classes, y for the numbers of classes or quantities."""
    return "z" if data.task is Task.TWO_CLASSES else "y"


def _with_kernel(kernel: Kernel, imports: list[str], lines: list[str], **facts: Any) -> Recipe:
    """Return a recipe whose lines use the function K(A, B)."""
    needed, definition = kernel_function(kernel)
    return Recipe((*imports, *needed), (*definition, *lines), **facts)


def _function(name: str, expression: str) -> list[str]:
    """Return the lines of a function of `points`."""
    return ["", f"def {name}(points):", f"    return {expression}", ""]


def _machine(
    name: str, own: str, kernel: Kernel, data: Data, target: str = "", score: str = "decision_function"
) -> Recipe:
    """Return one of LIBSVM's machines, with its own kernels by name and all others as a function."""
    target = target or f"X, {_target(data)}"
    own += TIES if _several(data) and target != "X" else ""
    built_in = BUILT_IN.get(kernel.name)
    values = {} if built_in is None else built_in(kernel)
    named = (f'{k}="{v}"' if isinstance(v, str) else f"{k}={number(v)}" for k, v in values.items())
    chosen = ", ".join(named) or "kernel=K"
    imports = [f"from sklearn.svm import {name}"]
    lines = [
        f"model = {name}({own}, {chosen}, {TIGHT}).fit({target})",
        f"score, support = model.{score}, model.support_",
    ]
    if built_in is None:
        return _with_kernel(kernel, imports, lines, has_support=True)
    return Recipe(tuple(imports), tuple(lines), has_support=True)


def _svr(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    own = f"C={number(algorithm.C)}, epsilon={number(algorithm.epsilon)}"
    return replace(_machine("SVR", own, kernel, data, score="predict"), band="model.epsilon")


def _nu_svr(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    own = f"C={number(algorithm.C)}, nu={number(algorithm.nu)}"
    recipe = _machine("NuSVR", own, kernel, data, score="predict")
    lines = (
        *recipe.lines,
        "# On the edge of the tube are the support vectors whose weight is below C.",
        "off = np.abs(y - score(X))[support]",
        f"free = np.abs(model.dual_coef_[0]) < {number(algorithm.C * (1 - 1e-6))}",
        "epsilon = np.median(off[free]) if free.any() else off.min()",
    )
    return replace(recipe, lines=lines, band="epsilon")


def _nadaraya_watson(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    imports, lines = log_kernel_function(kernel)
    lines = [
        *lines,
        "# scikit-learn has no Nadaraya-Watson: a mean of the targets, weighted by the kernel. The largest",
        "# weight is made 1, because far from all points their sum would be too small to divide by.",
        "def score(points):",
        "    logs = log_K(points, X)",
        "    weights = np.exp(logs - logs.max(axis=1, keepdims=True))",
        "    return weights @ y / weights.sum(axis=1)",
        "",
    ]
    return Recipe(tuple(imports), tuple(lines))


def _gaussian_process(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    noise = number(algorithm.noise)
    lines = [
        "# The mean of a Gaussian process is kernel ridge with the variance of the noise as penalty.",
        f'model = KernelRidge(alpha={noise}, kernel="precomputed").fit(K(X, X), y)',
        f"L = np.linalg.cholesky(K(X, X) + {noise} * np.eye(len(X)))",
        *_function("score", "model.predict(K(points, X))"),
        "def deviation(points):",
        "    own = np.array([K(x[None], x[None])[0, 0] for x in points])",
        "    return np.sqrt(np.maximum(own - (np.linalg.solve(L, K(X, points)) ** 2).sum(axis=0), 0))",
        "",
    ]
    return _with_kernel(kernel, [KERNEL_RIDGE], lines, band="2 * deviation(x[:, None])")


def _hard_margin(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    made = _machine("SVC", "C=1e8", kernel, data)
    return Recipe(made.imports, ("# No slack: C is so large that none pays.", *made.lines), True)


def _squared_slack(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    lines = [
        "# Squared slack is the hard margin of K + lambda I.",
        f"ridge = {number(algorithm.lam)} * np.eye(len(X))",
        f'model = SVC(C=1e8{TIES if _several(data) else ""}, kernel="precomputed", {TIGHT})',
        f"model.fit(K(X, X) + ridge, {_target(data)})",
        "support = model.support_",
        *_function("score", "model.decision_function(K(points, X))"),
    ]
    return _with_kernel(kernel, ["from sklearn.svm import SVC"], lines, has_support=True)


def _ridge(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    target, threshold = _target(data), ""
    if algorithm.targets == "zero-one" and data.task is Task.TWO_CLASSES:
        target, threshold = "(z + 1) / 2", " - 0.5"
    lines = [
        f'model = KernelRidge(alpha={number(algorithm.lam)}, kernel="precomputed").fit(K(X, X), {target})',
        *_function("score", f"model.predict(K(points, X)){threshold}"),
    ]
    return _with_kernel(kernel, [KERNEL_RIDGE], lines)


def _logistic(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    imports = ["from sklearn.linear_model import LogisticRegression"]
    model = f"LogisticRegression(C={number(1 / algorithm.lam)}, tol=1e-8, max_iter=10_000)"
    if _several(data):
        imports.append("from sklearn.multiclass import OneVsOneClassifier")
        model = f"OneVsOneClassifier({model})"
    lines = [
        "# Features whose inner products on the points are the kernel.",
        "values, vectors = np.linalg.eigh(K(X, X))",
        "kept = values > 1e-10 * values[-1]",
        *_function("features", "K(points, X) @ vectors[:, kept] / np.sqrt(values[kept])"),
        f"model = {model}",
        f"model.fit(features(X), {_target(data)})",
        *_function("score", "model.decision_function(features(points))"),
    ]
    return _with_kernel(kernel, imports, lines)


def _neighbours(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    target, one = _target(data), "[x]" if data.domain == "strings" else "x[None]"
    lines = [
        "def distances(A, B):",
        '    """In feature space: K(a, a) - 2 K(a, b) + K(b, b), under a root."""',
        f"    aa, bb = (np.array([K({one}, {one})[0, 0] for x in C]) for C in (A, B))",
        "    return np.sqrt(np.maximum(aa[:, None] - 2 * K(A, B) + bb[None], 0))",
        "",
        f'model = NearestNeighbors(n_neighbors={min(algorithm.k, data.n)}, metric="precomputed")',
        "model.fit(distances(X, X))",
        *_function(
            "score", f"{target}[model.kneighbors(distances(points, X), return_distance=False)].mean(axis=1)"
        ),
    ]
    return _with_kernel(kernel, ["from sklearn.neighbors import NearestNeighbors"], lines)


def _feature_map(algorithm: Any, kernel: Kernel, data: Data) -> Recipe:
    expression = {
        "coordinates": "points",
        "squares": "points**2",
        "polar": "np.column_stack([np.hypot(*points.T), np.arctan2(*points.T[::-1])])",
        "monomials": f"PolynomialFeatures({algorithm.degree}, include_bias=False).fit_transform(points)",
    }[algorithm.features]
    imports = ["from sklearn.preprocessing import PolynomialFeatures"] if "Poly" in expression else []
    lam, score = algorithm.lam, "decision_function"
    if algorithm.model == "logistic":
        imports.append("from sklearn.linear_model import LogisticRegression")
        model = f"LogisticRegression(C={number(1 / lam)}, tol=1e-8, max_iter=10_000)"
    elif algorithm.model == "ridge":
        imports.append("from sklearn.linear_model import Ridge")
        model = f"Ridge(alpha={number(lam)}{'' if algorithm.offset else ', fit_intercept=False'})"
        score = "predict"
    else:
        imports.append("from sklearn.svm import SVC")
        model = f'SVC(C={number(1 / (2 * data.n * lam))}, kernel="linear", {TIGHT})'
    lines = [
        *_function("features", expression),
        f"model = {model}.fit(features(X), {_target(data)})",
        *_function("score", f"model.{score}(features(points))"),
    ]
    return Recipe(tuple(imports), tuple(lines))


# By the algorithm's name. Algorithms with random draws or particular steps have no equal in scikit-learn.
RECIPES: Mapping[str, Callable[[Any, Kernel, Data], Recipe]] = {
    "soft-margin-svm": lambda a, kernel, data: _machine("SVC", f"C={number(a.C)}", kernel, data),
    "hard-margin-svm": _hard_margin,
    "squared-slack-svm": _squared_slack,
    "nu-svm": lambda a, kernel, data: _machine("NuSVC", f"nu={number(a.nu)}", kernel, data),
    "one-class-svm": lambda a, kernel, data: _machine("OneClassSVM", f"nu={number(a.nu)}", kernel, data, "X"),
    "ridge": _ridge,
    "logistic": _logistic,
    "nearest-neighbours": _neighbours,
    "feature-map": _feature_map,
    "svr": _svr,
    "nu-svr": _nu_svr,
    "gaussian-process": _gaussian_process,
    "nadaraya-watson": _nadaraya_watson,
}

# Algorithms that treat several classes as kernelviz does; the last one ignores them.
ONE_AGAINST_ONE = frozenset(
    {"soft-margin-svm", "hard-margin-svm", "squared-slack-svm", "nu-svm", "logistic", "one-class-svm"}
)
