"""Every number a fit reports, declared once: what it is called, its formula, its unit, what is better.

The status line, tables, bounds, the comparison, sweeps, captions and tips read this declaration; the keys are
those of `summary()` and of the JSON of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Number:
    """A number by the key it has in a summary."""

    key: str
    label: str
    formula: str  # The formula, or a few words that define it.
    unit: Literal["", "%"] = ""
    # Which of two fits it calls the better one. A small training error does not, and margins and objectives
    # of different kernels cannot be compared.
    better: Literal["", "smaller", "larger"] = ""
    needs_classes: bool = False  # Whether it means something only for a model that puts points into classes.


_IN_ORDER = (
    Number(
        "test_error",
        "held-out error",
        "the share of points that are not fitted with z s(x) ≤ 0",
        unit="%",
        better="smaller",
        needs_classes=True,
    ),
    Number(
        "test_hinge_loss",
        "held-out hinge loss",
        "the mean of max(0, 1 − z s(x)) on points that are not fitted",
        better="smaller",
        needs_classes=True,
    ),
    Number(
        "test_mean_squared_error",
        "held-out squared error",
        "the mean of (y − s(x))² on points that are not fitted",
        better="smaller",
    ),
    Number(
        "test_roc_area",
        "held-out area under the ROC curve",
        "the share of pairs of a + and a − that s(x) puts in the right order, on points that are not fitted",
        better="larger",
        needs_classes=True,
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
    ),
    Number("hinge_loss", "mean hinge loss", "(1/n) Σ max(0, 1 − zᵢ s(xᵢ))", needs_classes=True),
    Number("mean_squared_error", "mean squared error", "(1/n) Σ (yᵢ − s(xᵢ))²"),
    Number("mean_absolute_error", "mean absolute error", "(1/n) Σ |yᵢ − s(xᵢ)|"),
    Number("epsilon", "ε", "half the height of the tube, inside which a residual costs nothing"),
    Number("epsilon_loss", "mean ε-insensitive loss", "(1/n) Σ max(0, |yᵢ − s(xᵢ)| − ε)"),
    Number("r2", "R²", "1 − Σ (yᵢ − s(xᵢ))² / Σ (yᵢ − mean of y)²"),
    Number(
        "log_marginal_likelihood",
        "log marginal likelihood",
        "−½ y′(K + λI)⁻¹y − ½ ln det(K + λI) − ½ n ln 2π",
        better="larger",
    ),
    Number("margin", "smallest margin", "minᵢ zᵢ s(xᵢ)/‖w‖"),
    Number("margin_width", "half-width", "1/‖w‖, the distance from s = 0 to s = ±1"),
    Number("norm", "‖w‖", "√(β′Kβ), βᵢ = αᵢzᵢ"),
    Number("radius", "R", "maxᵢ √K(xᵢ, xᵢ)"),
    Number("support_vectors", "support vectors", "the number of points with αᵢ > 0"),
    Number("free", "free ones", "0 < αᵢ < C"),
    Number("bounded", "bounded ones", "αᵢ = C"),
    Number("primal_objective", "primal objective", "what the algorithm minimises"),
    Number("dual_objective", "dual objective", "what it maximises over the weights"),
    Number("duality_gap", "duality gap", "primal − dual ≥ 0, and 0 at the optimum"),
    Number(
        "kkt_violation",
        "largest KKT violation",
        "the largest amount by which a point misses its optimality condition",
    ),
    Number("iterations", "iterations", "steps of the solver, as it counts them"),
    Number("degrees_of_freedom", "degrees of freedom", "tr H with s = Hy at the points"),
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


def label(key: str) -> str:
    """Return what a number is called everywhere."""
    return NUMBERS[key].label
