"""Maps of the inputs into three dimensions, in which a boundary may become a plane."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.on_features import feature_list
from kernelviz.engine.analysis.kernel_pca import KernelPCA, kernel_pca
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.kernels.features import FeatureMap
from kernelviz.engine.models.base import Method, Model, Status
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem

MOST_POINTS = 1000  # Points whose Gram matrix is taken apart; of more, evenly chosen ones span the space.


@dataclass(frozen=True, eq=False)
class FeatureCloud:
    """The `places`, (n, components), of every point; 0 along directions that the points do not span."""

    problem: Problem
    pca: KernelPCA
    places: Array

    @classmethod
    def of(cls, problem: Problem, components: int, before: FeatureCloud | None = None) -> FeatureCloud:
        """The same object while points and kernel are the same; otherwise the components, the most spread
        first, have the signs of those before."""
        if before is not None and before._is_of(problem):
            return before
        part, few = problem, problem.n <= MOST_POINTS
        if not few:
            rows = np.linspace(0, problem.n - 1, MOST_POINTS).astype(np.intp)
            part = Problem(problem.data.subset(rows), problem.kernel)
        pca = kernel_pca(part, components)
        if before is not None:
            pca = pca.following(before.pca, keep_order=False)
        found = pca.projections if few else pca.project(problem.X)
        places = read_only(np.pad(found, ((0, 0), (0, components - pca.components))))
        return cls(problem, pca, places)

    def _is_of(self, problem: Problem) -> bool:
        return self.problem.data is problem.data and self.problem.kernel == problem.kernel

    def component(self, k: int, algorithm: Method) -> KernelModel:
        """Return a component as a function of the input, in the form of a model."""
        weights, offsets = self.pca.expansion
        return KernelModel(
            self.pca.problem, algorithm, Status.CONVERGED, "", 0, weights[:, k], float(offsets[k]), blur=None
        )


COMPONENTS, FEATURES = "kernel PCA", "kernel's features"
ROOT = float(np.sqrt(2.0))
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
POWER = re.compile("x([₀-₉]*)([⁰¹²³⁴-⁹]*)")
PRODUCT = re.compile(f"(?:{POWER.pattern})+")


@dataclass(frozen=True)
class Lift:
    """x -> (u1, u2, u3) with a name for each; the third is 0 and has no name in a lift to two dimensions."""

    title: str
    axes: tuple[str, str, str]
    compute: Callable[[Array], Array]  # (m, p) -> (m, 3)
    same_unit: bool = False  # Whether distances mean the same along all three.

    def __call__(self, X: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return np.nan_to_num(self.compute(X))

    @property
    def flat(self) -> bool:
        return not self.axes[2]


def _paraboloid(X: Array) -> Array:
    return np.column_stack([X, (X**2).sum(axis=1)])


def _products(X: Array) -> Array:
    return np.column_stack([X[:, 0] ** 2, ROOT * X[:, 0] * X[:, 1], X[:, 1] ** 2])


def _in_two(compute: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda X: np.column_stack([compute(X), np.zeros(len(X))])


IN_THE_PLANE = (
    Lift("paraboloid", ("x₁", "x₂", "x₁² + x₂²"), _paraboloid),
    Lift("products", ("x₁²", "√2 x₁x₂", "x₂²"), _products),
    Lift("squares", ("x₁²", "x₂²", ""), _in_two(np.square)),
    Lift("polar", ("radius", "angle", ""), _in_two(feature_list("polar", 2, 1).compute)),
)
ON_A_LINE = (Lift("parabola", ("x", "x²", ""), lambda X: np.column_stack([X, X**2, 0.0 * X])),)
LIFTS = (*(lift.title for lift in (*IN_THE_PLANE, *ON_A_LINE)), FEATURES, COMPONENTS)  # All there are.


def feature_map_of(model: Model) -> FeatureMap | None:
    """Return the finite features a model is linear in, its own or those of its kernel, or None if it has
    none."""
    X = model.problem.X
    if isinstance(model, FeatureModel):
        return model.features
    if not isinstance(X, np.ndarray):
        return None
    return model.problem.kernel.feature_map(X.shape[1]) if model.algorithm.uses_kernel else None


def lifts_of(model: Model) -> tuple[Lift, ...]:
    """Return the lifts of the notes for inputs like a model's."""
    X = model.problem.X
    return {1: ON_A_LINE, 2: IN_THE_PLANE}.get(X.shape[1], ()) if isinstance(X, np.ndarray) else ()


def lift_for(
    wanted: str, model: Model, chosen: tuple[int, ...] = (), before: FeatureCloud | None = None
) -> tuple[Lift, FeatureCloud | None]:
    """Return the lift of that title, or the first that the data allow; `chosen` are three features of a
    finite map. For principal components also return where the points lie along them."""
    offered = lifts_of(model)
    features = feature_map_of(model) if wanted == FEATURES else None
    if features is not None and features.q:
        return _of_features(features, chosen), None
    if wanted != COMPONENTS and offered:
        return next((lift for lift in offered if lift.title == wanted), offered[0]), None
    cloud = FeatureCloud.of(model.problem, 3, before)
    names = ("component 1", "component 2", "component 3")
    return Lift(COMPONENTS, names, _along(cloud), same_unit=True), cloud


def _of_features(features: FeatureMap, chosen: tuple[int, ...]) -> Lift:
    """Return the lift by three features, by default the first ones that are not constant."""
    telling = [j for j, name in enumerate(features.names) if "x" in name or len(features.names) <= 3]
    wanted = [*(j for j in chosen if j < features.q), *telling, *range(features.q)]
    three = list(dict.fromkeys(wanted))[:3]
    names = [plain(features.names[j]) for j in three]

    def compute(X: Array) -> Array:
        found = features.compute(X)[:, three]
        return np.pad(found, ((0, 0), (0, 3 - len(three))))

    first, second, third = (*names, "", "")[:3]
    return Lift(FEATURES, (first, second, third), compute)


def _along(cloud: FeatureCloud) -> Callable[[Array], Array]:
    def compute(X: Array) -> Array:
        found = cloud.pca.project(X)
        return np.pad(found, ((0, 0), (0, 3 - found.shape[1])))

    return compute


# What stands for the commands of LaTeX in the names of features.
SIGNS = {
    r"\sqrt{1}": "",
    r"\,": " ",
    r"\rho": "radius",
    r"\theta": "angle",
    r"\lVert x\rVert": "‖x‖",
    r"\left(": "(",
    r"\right)": ")",
    r"\sum_j x_j": "Σxⱼ",
    r"^{-1/2}": "^(−½)",
}


def plain(latex: str) -> str:
    r"""Return the LaTeX name of a feature in plain signs: \sqrt{2}\, x_1 x_2^{2} is √2 x₁x₂²."""
    text = latex
    for command, sign in SIGNS.items():
        text = text.replace(command, sign)
    text = re.sub(r"e\^\{-([^{}]*)\}", r"exp(−\1)", text)
    text = re.sub(r"\\sqrt\{([^}]*)\}", r"√\1", text)
    text = re.sub(r"_\{?(\d+)\}?", lambda found: found.group(1).translate(SUBSCRIPTS), text)
    text = re.sub(r"\^\{?(\d+)\}?", lambda found: found.group(1).translate(SUPERSCRIPTS), text)
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r"(?<=[₀-₉⁰¹²³⁴-⁹]) (?=x)", "", text)


def called(axis: str, columns: Sequence[str]) -> str:
    """Return the name of an axis with the columns' own names: x₁²x₂ is height²·width; x₁ for a column
    without a name."""

    def named(power: tuple[str, str]) -> str:
        number, exponent = power
        j = int(number.translate(DIGITS) or 1) - 1
        own = columns[j] if j < len(columns) and columns[j] not in ("x", f"x{j + 1}") else ""
        return f"{own or 'x' + number}{exponent}"

    def product(run: re.Match[str]) -> str:
        factors = [named(power) for power in POWER.findall(run.group())]
        return run.group() if "".join(factors) == run.group() else "·".join(factors)

    return PRODUCT.sub(product, axis)
