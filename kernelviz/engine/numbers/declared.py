"""Every number that a fit reports, declared once: its name, formula and unit, and whether larger or smaller
is better.

The status line, tables, bounds, the comparison, sweeps, captions, tips and the checks of lessons read this
declaration; the keys are those of `summary()` and of the JSON of the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from kernelviz.engine.models.base import Model

# Numbers that are computed together: for every fit, for real targets, for two classes, for held-out points,
# and one by one where a lesson asks for them.
Group = Literal["fit", "residuals", "bounds", "held_out", "slow"]


@dataclass(frozen=True)
class Number:
    """A number by the key it has in a summary.

    With `group` and `of` the declaration is complete: summaries, tables, the comparison and lessons have the
    number then."""

    key: str
    label: str
    formula: str  # The formula, or a few words that define it.
    unit: Literal["", "%"] = ""
    # Which of two values belongs to the better fit; empty where neither does: a small training error does not
    # make a fit better, and margins and objectives of different kernels cannot be compared.
    better: Literal["", "smaller", "larger"] = ""
    needs_classes: bool = False  # Whether only models that put points into classes have it.
    group: Group | None = None  # None: a table of points or a curve brings it.
    # Its function, unless the module of the group computes several at a time.
    of: Callable[[Model], float | int | None] | None = None


def _iterations(model: Model) -> int | None:
    """Return the steps of the solver, or None for a solution in closed form."""
    return model.iterations if model.iterations or model.algorithm.watchable else None


_IN_ORDER = (
    Number(
        "test_error",
        "held-out error",
        "the share of points that are not fitted with z s(x) ≤ 0",
        unit="%",
        better="smaller",
        needs_classes=True,
        group="held_out",
    ),
    Number(
        "test_hinge_loss",
        "held-out hinge loss",
        "the mean of max(0, 1 − z s(x)) on points that are not fitted",
        better="smaller",
        needs_classes=True,
        group="held_out",
    ),
    Number(
        "test_mean_squared_error",
        "held-out squared error",
        "the mean of (y − s(x))² on points that are not fitted",
        better="smaller",
        group="held_out",
    ),
    Number(
        "test_roc_area",
        "held-out area under the ROC curve",
        "the share of pairs of a + and a − that s(x) puts in the right order, on points that are not fitted",
        better="larger",
        needs_classes=True,
        group="held_out",
    ),
    Number(
        "roc_area",
        "area under the ROC curve",
        "the share of pairs of a + and a − that s(x) puts in the right order",
        needs_classes=True,
    ),
    Number(
        "training_error",
        "training error",
        "the share of points that get another class than their own",
        unit="%",
        needs_classes=True,
        group="fit",
    ),
    Number("loss", "mean loss", "the mean of the algorithm's own loss", needs_classes=True, group="fit"),
    Number("hinge_loss", "mean hinge loss", "(1/n) Σ max(0, 1 − zᵢ s(xᵢ))", needs_classes=True, group="fit"),
    Number("mean_squared_error", "mean squared error", "(1/n) Σ (yᵢ − s(xᵢ))²", group="residuals"),
    Number("mean_absolute_error", "mean absolute error", "(1/n) Σ |yᵢ − s(xᵢ)|", group="residuals"),
    Number(
        "epsilon",
        "ε",
        "half the height of the tube, inside which a residual costs nothing",
        group="residuals",
    ),
    Number("epsilon_loss", "mean ε-insensitive loss", "(1/n) Σ max(0, |yᵢ − s(xᵢ)| − ε)", group="residuals"),
    Number("r2", "R²", "1 − Σ (yᵢ − s(xᵢ))² / Σ (yᵢ − mean of y)²", group="residuals"),
    Number(
        "log_marginal_likelihood",
        "log marginal likelihood",
        "−½ y′(K + λI)⁻¹y − ½ ln det(K + λI) − ½ n ln 2π",
        better="larger",
        group="residuals",
    ),
    Number("margin", "smallest margin", "minᵢ zᵢ s(xᵢ)/‖w‖", group="fit"),
    Number("margin_width", "half-width", "1/‖w‖, the distance from s = 0 to s = ±1", group="fit"),
    Number("norm", "‖w‖", "√(β′Kβ), βᵢ = αᵢzᵢ", group="fit"),
    Number("radius", "R", "maxᵢ √K(xᵢ, xᵢ)", group="fit"),
    Number("support_vectors", "support vectors", "the number of points with αᵢ > 0", group="fit"),
    Number("free", "free ones", "0 < αᵢ < C", group="fit"),
    Number("bounded", "bounded ones", "αᵢ = C", group="fit"),
    Number("primal_objective", "primal objective", "what the algorithm minimises", group="fit"),
    Number("dual_objective", "dual objective", "what it maximises over the weights", group="fit"),
    Number("duality_gap", "duality gap", "primal − dual ≥ 0, and 0 at the optimum", group="fit"),
    Number(
        "kkt_violation",
        "largest KKT violation",
        "the largest amount by which a point misses its optimality condition",
        group="fit",
    ),
    Number("iterations", "iterations", "steps of the solver, as it counts them", group="fit", of=_iterations),
    Number("degrees_of_freedom", "degrees of freedom", "tr H with s = Hy at the points"),
    Number(
        "bound_separation",
        "perfect separation",
        "(2/n) ((64R²/m²) ln(en m²/8R²) ln(32n R²/m²) + ln(4/δ)), m the margin",
        "%",
        group="bounds",
    ),
    Number(
        "bound_separation_needs",
        "points for perfect separation",
        "the least n at which that bound is below ½, all else being the same",
        group="bounds",
    ),
    Number("slack_ratio", "slack", "(R² + ‖h‖²)/γ₀², hᵢ = max(0, γ₀ − zᵢ s(xᵢ)/‖w‖)", group="bounds"),
    Number(
        "bound_compression",
        "compression",
        "(k ln(en/k) + ln(n/δ))/(n − k), k support vectors, no mistake",
        "%",
        group="bounds",
    ),
    Number(
        "bound_compression_needs",
        "points for compression",
        "the least n at which that bound is below ½, all else being the same",
        group="bounds",
    ),
    Number("mistakes", "mistakes", "the number of mistakes so far", group="bounds"),
    Number("mistake_bound", "mistakes at most", "‖g‖²R², zᵢ g(xᵢ) ≥ 1 for all i", group="bounds"),
    Number("smallest_eigenvalue", "smallest eigenvalue", "of the matrix K(xᵢ, xⱼ)", group="slow"),
    Number("features", "features", "the dimension of the feature space, if it is finite", group="slow"),
    Number(
        "taylor_degree",
        "degree of the Taylor sum",
        "the degree from which on it is within 0.01 of the kernel at all pairs of points",
        group="slow",
    ),
    Number(
        "component_error",
        "error of the first component",
        "the share of points that the sign of the first kernel principal component puts into the wrong class",
        "%",
        group="slow",
    ),
    Number("validation_error", "cross-validation error", "the mean error of five folds", "%", group="slow"),
    Number(
        "primal_difference",
        "difference of the two descents",
        "largest difference of scores between a descent in αᵢ and the same in weights of features",
        group="slow",
    ),
)
# By key, in the order of tables.
NUMBERS: Mapping[str, Number] = {number.key: number for number in _IN_ORDER}
# A number of a data set rather than of a fit, where the densities of its classes are known.
BAYES_ERROR = Number(
    "bayes_error",
    "Bayes error",
    "the mean of min(p, 1 − p), p the probability of + at x: no classifier has a smaller error",
    unit="%",
    needs_classes=True,
)


@cache  # asked for with every frame
def in_group(group: Group) -> tuple[str, ...]:
    """Return the keys of the numbers of a group, in the order of tables."""
    return tuple(number.key for number in NUMBERS.values() if number.group == group)


def computed(group: Group, model: Model) -> dict[str, float | int | None]:
    """Return the numbers of a group that are computed one by one; None for all others."""
    every = {key: NUMBERS[key].of for key in in_group(group)}
    return {key: None if of is None else of(model) for key, of in every.items()}


def label(key: str) -> str:
    """Return the name under which a number is shown everywhere."""
    return NUMBERS[key].label
