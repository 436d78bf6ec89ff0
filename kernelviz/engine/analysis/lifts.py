"""A fit in feature space: lifts into three dimensions, and the weight of each feature in the score.

In lifted coordinates u(x) a boundary may become a plane. The inputs become a sheet (of two inputs) or a
thread (of one) in that space. With all features phi of a model written out, s(x) = b + sum_j w_j phi_j(x)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from kernelviz.engine.algorithms.on_features import feature_list
from kernelviz.engine.analysis.kernel_pca import FeatureCloud
from kernelviz.engine.analysis.string_alignment import Piece, pieces_of
from kernelviz.engine.core.arrays import Array, parts, read_only
from kernelviz.engine.core.data import Task
from kernelviz.engine.fields.contours import BOUNDARY_AND_MARGINS, contours
from kernelviz.engine.kernels.base import LARGEST_VALUE
from kernelviz.engine.kernels.features import MOST_FEATURES, FeatureMap
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.features import FeatureModel

COMPONENTS, FEATURES = "kernel PCA", "kernel's features"
ROOT = float(np.sqrt(2.0))
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
# Unicode for the commands of LaTeX in the names of features.
FORMULA_SIGNS = {
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
PLAIN_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
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
        """Whether it lifts to two dimensions only."""
        return not self.axes[2]


def _products(X: Array) -> Array:
    return np.column_stack([X[:, 0] ** 2, ROOT * X[:, 0] * X[:, 1], X[:, 1] ** 2])


def _padded(X: Array) -> Array:
    """Return rows of up to three numbers as places in three dimensions, filled up with zeros."""
    return np.pad(X, ((0, 0), (0, 3 - X.shape[1])))


IN_THE_PLANE = (
    Lift("paraboloid", ("x₁", "x₂", "x₁² + x₂²"), lambda X: np.column_stack([X, (X**2).sum(axis=1)])),
    Lift("products", ("x₁²", "√2 x₁x₂", "x₂²"), _products),
    Lift("squares", ("x₁²", "x₂²", ""), lambda X: _padded(np.square(X))),
    Lift("polar", ("radius", "angle", ""), lambda X: _padded(feature_list("polar", 2, 1).compute(X))),
)
ON_A_LINE = (Lift("parabola", ("x", "x²", ""), lambda X: _padded(np.column_stack([X, X**2]))),)
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
    """Return the lifts offered for inputs like a model's: of one or of two numbers, none for others."""
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
    return Lift(COMPONENTS, names, lambda X: _padded(cloud.pca.project(X)), same_unit=True), cloud


def _of_features(features: FeatureMap, chosen: tuple[int, ...]) -> Lift:
    """Return the lift by three features, by default the first ones that are not constant."""
    telling = [j for j, name in enumerate(features.names) if "x" in name or len(features.names) <= 3]
    wanted = [*(j for j in chosen if j < features.q), *telling, *range(features.q)]
    three = list(dict.fromkeys(wanted))[:3]
    names = [plain(features.names[j]) for j in three]

    first, second, third = (*names, "", "")[:3]
    return Lift(FEATURES, (first, second, third), lambda X: _padded(features.compute(X)[:, three]))


def plain(latex: str) -> str:
    r"""Return the LaTeX name of a feature in plain signs: \sqrt{2}\, x_1 x_2^{2} is √2 x₁x₂²."""
    text = latex
    for command, sign in FORMULA_SIGNS.items():
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
        j = int(number.translate(PLAIN_DIGITS) or 1) - 1
        own = columns[j] if j < len(columns) and columns[j] not in ("x", f"x{j + 1}") else ""
        return f"{own or 'x' + number}{exponent}"

    def product(run: re.Match[str]) -> str:
        factors = [named(power) for power in POWER.findall(run.group())]
        return run.group() if "".join(factors) == run.group() else "·".join(factors)

    return PRODUCT.sub(product, axis)


@dataclass(frozen=True, eq=False)
class LevelPlane:
    """The plane in three dimensions on which a score has one value: s = offset + weights·u, weights (3,)."""

    weights: Array
    offset: float

    @classmethod
    def through(cls, places: Array, scores: Array) -> LevelPlane | None:
        """Return the linear function with these values, or None if there is none."""
        good = np.isfinite(scores) & (np.abs(scores) < LARGEST_VALUE)
        if good.sum() < 4:
            return None
        scale = np.abs(places[good]).max(axis=0)
        scale[scale == 0.0] = 1.0
        columns = np.column_stack([places[good] / scale, np.ones(good.sum())])
        found, *_ = np.linalg.lstsq(columns, scores[good], rcond=None)
        left = float(np.abs(columns @ found - scores[good]).max())
        spread = float(scores[good].std())
        if spread == 0.0 or left > 1e-4 * spread:
            return None
        return cls(found[:3] / scale, float(found[3]))


# By level polylines on the sheet, each lifted and flat.
Lines: TypeAlias = tuple[tuple[float, tuple[tuple[Array, Array], ...]], ...]


@dataclass(frozen=True, eq=False)
class LiftedFit:
    """Everything in lifted coordinates (…, 3), together with the original places (flat: the inputs).

    sheet: (rows, columns, 3) of two inputs, (nodes, 3) of one; scores: the score there."""

    lift: Lift
    points: Array
    flat_points: Array
    sheet: Array | None = None
    flat_sheet: Array | None = None
    scores: Array | None = None
    classes: Array | None = None  # Of the sheet's nodes, where there are more than two.
    lines: Lines = ()
    plane: LevelPlane | None = None

    @classmethod
    def of(cls, lift: Lift, model: Model, places: Array | None = None) -> LiftedFit:
        """Return the lifted fit of a model; `places` are those of its points if they are known."""
        X = model.problem.X
        points = lift(X) if places is None else places
        if not isinstance(X, np.ndarray) or X.shape[1] not in (1, 2):
            scores = model.training_scores
            plane = LevelPlane.through(points, scores) if np.ndim(scores) == 1 else None
            return cls(lift, points, _padded(points[:, :2]), plane=plane)
        found = (_on_a_line if X.shape[1] == 1 else _in_the_plane)(lift, model, points)
        return found if model.problem.data.task is not Task.REGRESSION else found._with_targets(model)

    def _with_targets(self, model: Model) -> LiftedFit:
        """Return the fit with real targets as the third coordinate where there is room for one: the fit is
        a thread, or if it is linear a plane y = s. Elsewhere the score is no boundary."""
        if not self.lift.flat or self.sheet is None or self.scores is None:
            return replace(self, plane=None, scores=None, lines=())
        points, sheet = self.points.copy(), self.sheet.copy()
        points[:, 2], sheet[..., 2] = model.problem.y, self.scores
        plane = None if self.plane is None else LevelPlane(self.plane.weights - [0, 0, 1], self.plane.offset)
        first, second, _ = self.lift.axes
        lift = replace(self.lift, axes=(first, second, "y"))
        return replace(self, lift=lift, points=points, sheet=sheet, plane=plane, scores=None)


def _in_the_plane(lift: Lift, model: Model, points: Array) -> LiftedFit:
    """Return the lifted fit of two inputs: a sheet of patches, with level lines and the plane s = 0."""
    X = model.problem.X
    x1, x2 = (_stretch(side, 21) for side in X.T)
    flat = np.stack([*np.meshgrid(x1, x2), np.zeros((len(x2), len(x1)))], axis=-1)
    sheet = lift(flat[..., :2].reshape(-1, 2)).reshape(flat.shape)
    F = model.on_grid(x1, x2)
    if F.ndim == 3:
        return LiftedFit(lift, points, _padded(X), sheet, flat, classes=F.argmax(axis=0))
    plane = LevelPlane.through(
        np.vstack([sheet.reshape(-1, 3), points]), np.concatenate([F.ravel(), model.training_scores])
    )
    fine1, fine2 = (np.linspace(x[0], x[-1], 121) for x in (x1, x2))
    found = contours(fine1, fine2, model.on_grid(fine1, fine2), BOUNDARY_AND_MARGINS)
    lines = tuple((level, tuple((lift(line), _padded(line)) for line in own)) for level, own in found)
    return LiftedFit(lift, points, _padded(X), sheet, flat, F, lines=lines, plane=plane)


def _on_a_line(lift: Lift, model: Model, points: Array) -> LiftedFit:
    """Return the lifted fit of one input: a thread, and the plane s = 0."""
    X = model.problem.X
    x = _stretch(X[:, 0], 121)[:, None]
    sheet, s = lift(x), model.score(x)
    if s.ndim == 2:
        return LiftedFit(lift, points, _padded(X), sheet, _padded(x), classes=s.argmax(axis=1))
    plane = LevelPlane.through(np.vstack([sheet, points]), np.concatenate([s, model.training_scores]))
    return LiftedFit(lift, points, _padded(X), sheet, _padded(x), s, plane=plane)


def _stretch(values: Array, count: int) -> Array:
    """Return an interval from end to end of the values, and a tenth of it beyond."""
    low, high = float(values.min()), float(values.max())
    air = 0.1 * (high - low) or 1.0
    return np.linspace(low - air, high + air, count)


@dataclass(frozen=True, eq=False)
class FeatureWeights:
    """s(x) = b + Σ_j w_j φ_j(x), w = Σ_i β_i φ(x_i). For strings the pieces of the support vectors: all
    others have weight zero."""

    names: Sequence[str]
    weights: Array
    offset: float
    computed: bool  # Whether the fit computes the features, as it does without a kernel.
    features: Callable[[Any], Array]  # φ(x) of one input.
    degree: int | None = None  # Up to which there are features, of infinitely many.

    @classmethod
    def of(cls, model: Model, degree: int = 8) -> FeatureWeights | None:
        """Return all features of a model, or those up to a degree if the kernel has infinitely many that can
        be listed, as the Gaussian does. None of a model that is not linear in features, or in too many."""
        if not isinstance(model.problem.X, np.ndarray):
            return cls._of_pieces(model)
        found, listed = feature_map_of(model), None
        if found is None and model.algorithm.uses_kernel:
            found, listed = model.problem.kernel.taylor_features(model.problem.X.shape[1], degree), degree
        if found is None or model.b is None:
            return None
        names, phi = [plain(name) for name in found.names], found

        def features(x: Array) -> Array:
            return np.asarray(phi(x[None])[0])

        if isinstance(model, FeatureModel):
            return cls(names, model.weights, model.b, True, features)
        if model.beta is None:
            return None
        support, w = model.support, np.zeros(found.q)
        entries = 4_000_000  # Features of some points that are written out at a time.
        for some in parts(len(support), max(1, entries // max(1, found.q))):
            rows = support[some]
            w += model.beta[rows] @ found(model.problem.X[rows])
        return cls(names, read_only(w), model.b, False, features, listed)

    @classmethod
    def _of_pieces(cls, model: Model) -> FeatureWeights | None:
        """Return the weights of the pieces of all support vectors that are strings, or None if they are
        too many."""
        kernel, weights = model.problem.kernel, dict[Piece, float]()
        if model.beta is None or model.b is None or not model.algorithm.uses_kernel:
            return None
        for i in model.support.tolist():
            pieces = pieces_of(kernel, model.problem.X[i])
            if pieces is None or len(weights) > MOST_FEATURES:
                return None
            for piece, value in pieces.items():
                weights[piece] = weights.get(piece, 0.0) + float(model.beta[i]) * value
        known = tuple(weights)

        def features(text: str) -> Array:
            own = pieces_of(kernel, text) or {}
            return np.array([own.get(piece, 0.0) for piece in known])

        w = read_only(np.fromiter(weights.values(), float, len(known)))
        return cls([" ".join(piece) for piece in known], w, model.b, False, features)

    @property
    def q(self) -> int:
        """The number of features."""
        return len(self.names)

    def terms(self, x: Any) -> Array:
        """Return w_j φ_j(x) of one input."""
        return np.asarray(self.weights * self.features(x))
