"""Algorithms and kernels in scikit-learn: the code that fits one to X and z or y and defines its score."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import number
from kernelviz.engine.fits.registry import algorithms
from kernelviz.engine.kernels.base import Kernel, Product, Scaled, Sum

TIGHT = "tol=1e-6"
TIES = ", break_ties=True"  # With equal votes the scores decide, not the order of the classes.

# Kernels scikit-learn has, as arguments of its estimators.
BUILT_IN: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "linear": lambda k: {"kernel": "linear"},
    "rbf": lambda k: {"kernel": "rbf", "gamma": k.gamma},
    "polynomial": lambda k: {"kernel": "poly", "degree": k.degree, "gamma": k.gamma, "coef0": k.c},
    "homogeneous": lambda k: {"kernel": "poly", "degree": k.degree, "gamma": k.gamma, "coef0": 0},
    "sigmoid": lambda k: {"kernel": "sigmoid", "gamma": k.gamma, "coef0": k.c},
}
NADARAYA_WATSON = """\
# scikit-learn has no Nadaraya-Watson: a mean of the targets, weighted by the kernel. The largest
# weight is made 1, because far from all points their sum would be too small to divide by.
def score(points):
    logs = log_K(points, X)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weights @ y / weights.sum(axis=1)

"""
# Algorithms that treat several classes as kernelviz does; the last one ignores them.
ONE_AGAINST_ONE = frozenset(
    {"soft-margin-svm", "hard-margin-svm", "squared-slack-svm", "nu-svm", "logistic", "one-class-svm"}
)


@dataclass(frozen=True)
class Recipe:
    """Lines that define `score(points)` from X and z or y, and `support` where there are support vectors.

    With several classes that vote the score has a column for each."""

    lines: tuple[str, ...]
    has_support: bool
    band: str  # An expression; empty for a curve without a band.
    votes: bool


def recipe_for(algorithm: Algorithm, kernel: Kernel, data: Data) -> Recipe:
    """Return the recipe of an algorithm; BadInput when scikit-learn has no equivalent.

    With several classes every pair of them votes, in scikit-learn as in kernelviz, and scores decide between
    equal votes."""
    # The half-width of the band around a curve s at the places x: of its tube, or two deviations.
    bands = {"svr": "model.epsilon", "nu-svr": "epsilon", "gaussian-process": "2 * deviation(x[:, None])"}
    write = RECIPES.get(algorithm.name)
    if write is None:
        learns = {name: how.learns(data.task, data.domain) for name, how in algorithms().items()}
        known = ", ".join(name for name in sorted(RECIPES) if learns[name])
        raise BadInput(f"scikit-learn has no {algorithm.title} that gives the same scores. It has: {known}.")
    if algorithm.needs_numbers and not data.has_numbers:
        raise BadInput(f"{algorithm.title} needs inputs that are numbers.")
    if _several(data) and algorithm.name not in ONE_AGAINST_ONE:
        known = ", ".join(sorted(ONE_AGAINST_ONE))
        raise BadInput(
            f"For more than two classes scikit-learn has no {algorithm.title} that gives the same scores. "
            f"It has: {known}."
        )
    if algorithm.votes_on(data.task) and algorithm.against_the_rest:
        raise BadInput("Classes against the rest are not written for scikit-learn; Copy as Python has them.")
    code = write(algorithm, kernel, data)
    lines = code.splitlines()
    if "log_K(" in code:
        lines = log_kernel_function(kernel) + lines
    elif re.search(r"\bK\b", code):
        lines = kernel_function(kernel) + lines
    votes = algorithm.votes_on(data.task)
    return Recipe(tuple(lines), "support" in code, bands.get(algorithm.name, ""), votes)


def _several(data: Data) -> bool:
    """Return True for more than two classes."""
    return data.task is Task.CLASSES


def _target(data: Data) -> str:
    """Return the name of the target: z = ±1 for two classes, y for the numbers of classes or quantities."""
    return "z" if data.task is Task.TWO_CLASSES else "y"


def _machine(name: str, own: str, kernel: Kernel, data: Data, score: str = "decision_function") -> str:
    """Return one of LIBSVM's machines, with its own kernels by name and all others as the function K."""
    target = f"X, {_target(data)}"
    if name == "OneClassSVM":
        target = "X"
    elif _several(data):
        own += TIES
    values = BUILT_IN[kernel.name](kernel) if kernel.name in BUILT_IN else {}
    named = (f'{k}="{v}"' if isinstance(v, str) else f"{k}={number(v)}" for k, v in values.items())
    return f"""\
model = {name}({own}, {", ".join(named) or "kernel=K"}, {TIGHT}).fit({target})
score, support = model.{score}, model.support_
"""


def _nu_svr(algorithm: Any, kernel: Kernel, data: Data) -> str:
    """Return ν-SVR. scikit-learn does not report the width of its tube, so it is found from the support
    vectors that lie on its edge: |y - s(x)| = ε where 0 < |β| < C."""
    own = f"C={number(algorithm.C)}, nu={number(algorithm.nu)}"
    return f"""\
{_machine("NuSVR", own, kernel, data, "predict")}\
# On the edge of the tube are the support vectors whose weight is below C.
off = np.abs(y - score(X))[support]
free = np.abs(model.dual_coef_[0]) < {number(algorithm.C * (1 - 1e-6))}
epsilon = np.median(off[free]) if free.any() else off.min()
"""


def _gaussian_process(algorithm: Any, kernel: Kernel, data: Data) -> str:
    """Return the posterior of a Gaussian process.

    Its mean K(x, X) (K + σ² I)⁻¹ y is that of kernel ridge; its variance is K(x, x) - |L⁻¹ K(X, x)|² where L
    L' is K + σ² I."""
    noise = number(algorithm.noise)
    return f"""\
# The mean of a Gaussian process is kernel ridge with the variance of the noise as penalty.
model = KernelRidge(alpha={noise}, kernel="precomputed").fit(K(X, X), y)
L = np.linalg.cholesky(K(X, X) + {noise} * np.eye(len(X)))

def score(points):
    return model.predict(K(points, X))

def deviation(points):
    own = np.array([K(x[None], x[None])[0, 0] for x in points])
    return np.sqrt(np.maximum(own - (np.linalg.solve(L, K(X, points)) ** 2).sum(axis=0), 0))

"""


def _squared_slack(algorithm: Any, kernel: Kernel, data: Data) -> str:
    """Return the machine with squared slack as a hard margin with the kernel K + λ I."""
    return f"""\
# Squared slack is the hard margin of K + lambda I.
ridge = {number(algorithm.lam)} * np.eye(len(X))
model = SVC(C=1e8{TIES if _several(data) else ""}, kernel="precomputed", {TIGHT})
model.fit(K(X, X) + ridge, {_target(data)})
support = model.support_

def score(points):
    return model.decision_function(K(points, X))

"""


def _ridge(algorithm: Any, kernel: Kernel, data: Data) -> str:
    """Return kernel ridge, which fits z = ±1, or 0 and 1 with the threshold ½."""
    target, threshold = _target(data), ""
    if algorithm.targets == "zero-one" and data.task is Task.TWO_CLASSES:
        target, threshold = "(z + 1) / 2", " - 0.5"
    return f"""\
model = KernelRidge(alpha={number(algorithm.lam)}, kernel="precomputed").fit(K(X, X), {target})

def score(points):
    return model.predict(K(points, X)){threshold}

"""


def _logistic_regression(lam: float) -> str:
    """Return the estimator with C = 1/λ, solved to many digits."""
    return f"LogisticRegression(C={number(1 / lam)}, tol=1e-8, max_iter=10_000)"


def _logistic(algorithm: Any, kernel: Kernel, data: Data) -> str:
    """Return logistic regression in features whose inner products on the points are the kernel.

    With K = V Λ V' these are the rows of K(x, X) V Λ^(-1/2)."""
    model = _logistic_regression(algorithm.lam)
    return f"""\
# Features whose inner products on the points are the kernel.
values, vectors = np.linalg.eigh(K(X, X))
kept = values > 1e-10 * values[-1]

def features(points):
    return K(points, X) @ vectors[:, kept] / np.sqrt(values[kept])

model = {f"OneVsOneClassifier({model})" if _several(data) else model}
model.fit(features(X), {_target(data)})

def score(points):
    return model.decision_function(features(points))

"""


def _neighbours(algorithm: Any, kernel: Kernel, data: Data) -> str:
    """Return the mean of the targets of the k nearest points in feature space."""
    one = "x[None]" if data.has_numbers else "[x]"
    nearest = "model.kneighbors(distances(points, X), return_distance=False)"
    return f"""\
def distances(A, B):
    \"\"\"In feature space: K(a, a) - 2 K(a, b) + K(b, b), under a root.\"\"\"
    aa, bb = (np.array([K({one}, {one})[0, 0] for x in C]) for C in (A, B))
    return np.sqrt(np.maximum(aa[:, None] - 2 * K(A, B) + bb[None], 0))

model = NearestNeighbors(n_neighbors={min(algorithm.k, data.n)}, metric="precomputed")
model.fit(distances(X, X))

def score(points):
    return {_target(data)}[{nearest}].mean(axis=1)

"""


def _feature_map(algorithm: Any, kernel: Kernel, data: Data) -> str:
    """Return a linear model in explicit features: logistic regression, ridge, or the soft margin.

    kernelviz minimises a mean of losses and λ|w|², scikit-learn C times their sum and |w|²/2, so C is
    1/(2nλ)."""
    features = {
        "coordinates": "points",
        "squares": "points**2",
        "polar": "np.column_stack([np.hypot(*points.T), np.arctan2(*points.T[::-1])])",
        "monomials": f"PolynomialFeatures({algorithm.degree}, include_bias=False).fit_transform(points)",
    }[algorithm.features]
    lam, score = algorithm.lam, "decision_function"
    if algorithm.model == "logistic":
        model = _logistic_regression(lam)
    elif algorithm.model == "ridge":
        model = f"Ridge(alpha={number(lam)}{'' if algorithm.offset else ', fit_intercept=False'})"
        score = "predict"
    else:
        model = f'SVC(C={number(1 / (2 * data.n * lam))}, kernel="linear", {TIGHT})'
    return f"""\

def features(points):
    return {features}

model = {model}.fit(features(X), {_target(data)})

def score(points):
    return model.{score}(features(points))

"""


# The code for each algorithm, by its name. Algorithms with random draws or particular steps have no equal in
# scikit-learn.
RECIPES: Mapping[str, Callable[[Any, Kernel, Data], str]] = {
    "soft-margin-svm": lambda a, kernel, data: _machine("SVC", f"C={number(a.C)}", kernel, data),
    "hard-margin-svm": lambda a, kernel, data: (
        "# No slack: C is so large that none pays.\n" + _machine("SVC", "C=1e8", kernel, data)
    ),
    "squared-slack-svm": _squared_slack,
    "nu-svm": lambda a, kernel, data: _machine("NuSVC", f"nu={number(a.nu)}", kernel, data),
    "one-class-svm": lambda a, kernel, data: _machine("OneClassSVM", f"nu={number(a.nu)}", kernel, data),
    "ridge": _ridge,
    "logistic": _logistic,
    "nearest-neighbours": _neighbours,
    "feature-map": _feature_map,
    "svr": lambda a, kernel, data: _machine(
        "SVR", f"C={number(a.C)}, epsilon={number(a.epsilon)}", kernel, data, "predict"
    ),
    "nu-svr": _nu_svr,
    "gaussian-process": _gaussian_process,
    "nadaraya-watson": lambda a, kernel, data: NADARAYA_WATSON,
}


# Kernels ----------------------------------------------------------------------------------------------
def _times(factor: float) -> str:
    """Return a factor as the beginning of a product; nothing for 1."""
    return "" if factor == 1 else f"{number(factor)} * "


# K(A, B) in numpy, by the kernel's name. A kernel that is missing here is taken from kernelviz itself.
EXPRESSIONS: Mapping[str, Callable[[Any], str]] = {
    "linear": lambda k: "A @ B.T",
    "polynomial": lambda k: f"({_times(k.gamma)}A @ B.T + {number(k.c)}) ** {k.degree}",
    "homogeneous": lambda k: f"({_times(k.gamma)}A @ B.T) ** {k.degree}",
    "power_series": lambda k: f"sum((A @ B.T) ** d for d in range({k.degree + 1}))",
    "exponential": lambda k: f"np.exp({_times(k.gamma)}A @ B.T)",
    "sigmoid": lambda k: f"np.tanh({_times(k.gamma)}A @ B.T + {number(k.c)})",
    "rbf": lambda k: f'np.exp(-{_times(k.gamma)}cdist(A, B, "sqeuclidean"))',
    "laplacian": lambda k: f'np.exp(-{_times(k.gamma)}cdist(A, B, "cityblock"))',
    "rational_quadratic": lambda k: (
        f'(1 + cdist(A, B, "sqeuclidean") / {number(2 * k.alpha * k.l**2)}) ** -{number(k.alpha)}'
    ),
    "periodic": lambda k: (
        f"np.exp(-{number(2 / k.l**2)} * "
        f"(np.sin(np.pi * (A[:, None] - B[None]) / {number(k.period)}) ** 2).sum(axis=2))"
    ),
    "matern32": lambda k: f"(lambda r: (1 + r) * np.exp(-r))(3**0.5 * cdist(A, B) / {number(k.l)})",
    "matern52": lambda k: (
        f"(lambda r: (1 + r + r**2 / 3) * np.exp(-r))(5**0.5 * cdist(A, B) / {number(k.l)})"
    ),
}


def numpy_expression(kernel: Kernel) -> str | None:
    """Return K(A, B) as one expression of numpy and cdist, or None for a kernel that is not in
    EXPRESSIONS."""
    if isinstance(kernel, Scaled):
        inner = numpy_expression(kernel.inner)
        return inner and f"{number(kernel.scale)} * ({inner})"
    if isinstance(kernel, Sum | Product):
        parts = [numpy_expression(part) for part in kernel.parts]
        if any(part is None for part in parts):
            return None
        if isinstance(kernel, Sum):
            return " + ".join(str(part) for part in parts)
        return " * ".join(f"({part})" for part in parts)
    write = EXPRESSIONS.get(kernel.name)
    return write(kernel) if write else None


def kernel_function(kernel: Kernel) -> list[str]:
    """Return the lines that define the function K(A, B)."""
    expression = numpy_expression(kernel)
    if expression is None:
        return [f'K = kernelviz.kernel("{kernel}")']
    if not isinstance(kernel, Sum):
        return ["def K(A, B):", f"    return {expression}", ""]
    first, *others = (numpy_expression(term) for term in kernel.parts)
    added = [f"        + {other}" for other in others]
    return ["def K(A, B):", "    return (", f"        {first}", *added, "    )", ""]


def log_kernel_function(kernel: Kernel) -> list[str]:
    """Return the lines that define log_K(A, B), the logarithm of K up to a constant.

    It is the exponent where K is an exponential, so it never underflows; otherwise it is at least -690."""
    plain = kernel.inner if isinstance(kernel, Scaled) else kernel
    expression = "" if plain.parts else numpy_expression(plain) or ""
    if expression.startswith("np.exp("):
        return ["def log_K(A, B):", f"    return {expression.removeprefix('np.exp(')[:-1]}", ""]
    logarithm = "    return np.log(np.maximum(K(A, B), 1e-300))"
    return [*kernel_function(kernel), "def log_K(A, B):", logarithm, ""]
