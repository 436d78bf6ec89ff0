"""Kernel ridge: least squares with a penalty, for classes -1 and +1 or for real targets.

β = (K + λI)⁻¹ y minimises ||y - Kβ||² + λ β'Kβ. With H = K (K + λI)⁻¹ the scores are Hy, the degrees of
freedom tr H, and the residual of point i under the fit to all others is r_i/(1 - H_ii)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate, penalty
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.cholesky import factorise, solve, with_ridge
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.losses import SQUARED, SQUARED_TO_HALF, Loss
from kernelviz.engine.core.params import choice
from kernelviz.engine.models.base import FIVE_DIGITS, Model, Status
from kernelviz.engine.models.kernel import TERM, KernelModel, sizes_of_terms
from kernelviz.engine.models.method import Price
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.logistic import UNKNOWN
from kernelviz.engine.solvers.ridge import GramSpectrum, inverse_diagonal, shrinking

NEARLY_SINGULAR = "The linear system is nearly singular; a larger λ makes the answer reliable."

# Relative errors of the linear system: above the first a better way is tried, above the second nothing is
# called solved.
SOLVED_TO, VISIBLE = 1e-6, 1e-4


@dataclass(frozen=True)
class Ridge(Algorithm):
    """β = (K + λI)⁻¹ z minimises ||z - Kβ||² + λ β'Kβ; s(x) = Σ β_i K(x_i, x), no b.

    With zero-one targets the classes are 0 and 1, t = (z + 1)/2 in place of z. The fit then estimates the
    probability of class 1 and is compared with ½: s(x) = Σ β_i K(x_i, x) - ½, so b = -½."""

    name = "ridge"
    other_names = ("krr", "kernel-ridge", "least-squares")
    family = "Minimising a loss"
    place = 3
    title = "Kernel ridge"
    summary_line = "Least squares with a price on the norm: one linear system."
    latex = (
        r"\min_\beta \lVert y - K\beta\rVert^2 + \lambda\, \beta^\top K \beta,"
        r"\quad \beta = (K + \lambda I)^{-1} y"
    )
    tasks = frozenset({Task.TWO_CLASSES, Task.REGRESSION})
    watchable = False
    has_offset = False
    needs_both_classes = False
    only_for_classes = frozenset({"targets"})
    weighs_every_point = True
    accepts_weights = True

    lam: float = penalty(
        0.1,
        1e8,
        (1e-4, 1e2),
        "Weight of the penalty ‖w‖²; 0 interpolates, where K can be inverted",
        low=0.0,
    )
    targets: str = choice(
        "signs",
        ("signs", "zero-one"),
        label="targets",
        help="The two classes as numbers: -1 and +1 with the boundary at 0, or 0 and 1 with it at ½",
        silent=True,
    )

    @property
    def own_loss(self) -> Loss:
        return SQUARED_TO_HALF if self.targets == "zero-one" else SQUARED

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        lam, (y, threshold) = self.lam, self._targets(problem)
        spectrum = _earlier_spectrum(start, problem)
        beta = _weighted(problem, y, lam) if spectrum is None else spectrum.solve(y, lam)
        # As everybody will compute them, not by way of eigenvectors, which know more digits.
        fitted = problem.gram.dot(beta)
        if spectrum is not None and not _within(SOLVED_TO, y - fitted - lam * beta, y):
            beta = _solve(problem.gram, y, lam)  # as without the earlier fit, where these are not good enough
            fitted = problem.gram.dot(beta)
        beta.flags.writeable = fitted.flags.writeable = False
        residual = y - fitted
        status, message = Status.CONVERGED, "Solved exactly: one linear system."
        if threshold:
            message = "Solved exactly: one linear system for the targets 0 and 1; s = 0 where the fit is ½."
        not_invertible = (
            "λ = 0 asks for the inverse of K, which it does not have on these points as far as rounding can "
            "tell. Choose λ > 0 or a narrower kernel."
        )
        price = problem.priced(1.0)
        solved = _within(VISIBLE if lam else SOLVED_TO, price * residual - lam * beta, price * y)
        errors = TERM * sizes_of_terms(problem, problem.X, beta)
        if not solved or not visibly_known(problem, beta, errors, y):
            status = Status.LIMIT
            message = NEARLY_SINGULAR if lam else not_invertible
        primal, remark = penalised_squares(residual, fitted, beta, errors, price, lam)
        model = KernelModel(
            problem,
            self,
            status,
            message + remark,
            1,
            weights=beta,
            offset=-threshold,
            objectives=(primal, None),
            memory=spectrum,
            known_scores=fitted - threshold if threshold else fitted,
        )
        yield Iterate.in_closed_form(model, "one linear system")

    def hat(self, problem: Problem) -> Array:
        """Return K (K + λI)⁻¹ = I - λ (K + λI)⁻¹, with λ/w in place of λ for weights w."""
        if problem.data.weights is None:
            return shrinking(problem.gram, self.lam)
        return np.asarray(problem.gram @ _weighted_inverse(problem, self.lam))

    def left_out(self, problem: Problem, beta: Array) -> Array:
        """Return β_i / (A⁻¹)_ii, A = K + λI; 1 - H_ii would cancel at a small λ. A point of weight 0 has its
        own residual, as the fit is one to all others."""
        if problem.data.weights is not None:
            own = _weighted_inverse(problem, self.lam).diagonal()
            residuals = problem.y - problem.gram @ beta
            return read_only(np.divide(beta, own, out=residuals, where=problem.data.weights > 0.0))
        return read_only(beta / inverse_diagonal(problem.gram, self.lam))

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("", 1.0), Price("λ", self.lam)

    def _targets(self, problem: Problem) -> tuple[Array, float]:
        """Return the fitted targets, and the value that divides the classes; real targets are fitted
        unchanged."""
        if self.targets == "zero-one" and problem.data.task is Task.TWO_CLASSES:
            return 0.5 * (problem.z + 1.0), 0.5
        return problem.y, 0.0


def visibly_known(problem: Problem, beta: Array, errors: Array, y: Array) -> bool:
    """Return True if rounding changes no score of the points by a visible share of the largest target.

    Every term beta_i K(x_i, x) has an error of its own, and they add up as random steps. A closer look than
    the largest errors is worth its time only where these are too large."""
    visible = VISIBLE * float(np.abs(y).max())
    if float(errors.max()) <= visible:
        return True
    with np.errstate(over="ignore"):
        terms = problem.gram * beta
        return TERM * float(np.sqrt(np.einsum("ij,ij->i", terms, terms).max())) <= visible


def penalised_squares(
    residual: Array, fitted: Array, beta: Array, errors: Array, price: float | Array, lam: float
) -> tuple[float | None, str]:
    """Return Σ price r² + λ β'Kβ and an empty text, or None and a sentence if errors of the scores leave
    fewer than five digits of it. Where it is nothing but rounding of the targets, it is 0."""
    size = np.abs(beta)
    with np.errstate(over="ignore", invalid="ignore"):
        primal = float((price * residual).dot(residual)) + lam * float(beta.dot(fitted))
        doubt = float((price * errors).dot(2.0 * np.abs(residual) + errors)) + lam * float(size.dot(errors))
    if abs(primal) <= doubt <= np.finfo(float).eps * float((price * np.square(residual + fitted)).sum()):
        return 0.0, ""
    return (primal, "") if doubt <= FIVE_DIGITS * abs(primal) else (None, UNKNOWN)


def _earlier_spectrum(start: Model | None, problem: Problem) -> GramSpectrum | None:
    """Return the eigenvectors left by an earlier fit on the same points, or new ones.

    The second λ on the same points pays for them, and all later ones are matrix products. A drag, in which
    K changes, never pays."""
    if not isinstance(start, KernelModel) or not isinstance(start.algorithm, Ridge):
        return None
    # The number of points up to which keeping eigenvectors pays; beyond, a new solve is quicker.
    eigenvectors_up_to = 1200
    if (
        problem.data.weights is not None
        or problem.n > eigenvectors_up_to
        or not problem.adopt_gram(start.problem)
    ):
        return None
    return start.memory if start.memory is not None else GramSpectrum.of(problem.gram)


def _within(share: float, errors: Array, y: Array) -> bool:
    """Return True if no error exceeds a share of the largest target."""
    return bool(np.abs(errors).max() <= share * np.abs(y).max())


def _weighted(problem: Problem, y: Array, lam: float) -> Array:
    """Return the weights of the solution. With weights w of the points β = S (SKS + λI)⁻¹ S y, S = √w."""
    if problem.data.weights is None:
        return _solve(problem.gram, y, lam)
    S = np.sqrt(problem.data.weights)
    return S * _solve(S[:, None] * problem.gram * S, S * y, lam)


def _weighted_inverse(problem: Problem, lam: float) -> Array:
    """Return S (SKS + λI)⁻¹ S, which is (K + λ/w)⁻¹ with zeros for points of weight 0."""
    S = np.sqrt(problem.priced(1.0))
    B = with_ridge(S[:, None] * problem.gram * S, lam)
    L = factorise(B.copy())
    inverse = solve(L, np.eye(len(B))) if L is not None else np.linalg.pinv(B, hermitian=True)
    return np.asarray(S[:, None] * inverse * S)


def _solve(K: Array, y: Array, lam: float) -> Array:
    """Return beta = (K + lam I)^-1 y, without eigenvectors unless rounding requires them."""
    try:
        beta = np.asarray(np.linalg.solve(with_ridge(K, lam), y), dtype=np.float64)
    except np.linalg.LinAlgError:
        return GramSpectrum.of(K).solve(y, lam)
    return beta if _within(SOLVED_TO, y - K @ beta - lam * beta, y) else GramSpectrum.of(K).solve(y, lam)
