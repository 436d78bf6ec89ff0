"""Mercer's condition on given points: is the Gram matrix symmetric and positive semi-definite?

v'Kv ≥ 0 must hold for all v, up to rounding. A negative eigenvalue disproves it, and its eigenvector v is the
witness; a check on some points never proves that the kernel has the property everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.cholesky import with_ridge

MOST_JUDGED = 400  # Points looked at: eigenvalues cost n³, and a failing subset is already a proof.


@dataclass(frozen=True, eq=False)
class Mercer:
    """The verdict on a Gram matrix K.

    witness: a unit vector v with v'Kv < 0 when the matrix is not positive semi-definite."""

    holds: bool
    symmetric: bool
    smallest: float
    largest: float
    witness: Array | None
    verdict: str
    # All of those points that were looked at, in rising order.
    eigenvalues: Array = field(default_factory=lambda: np.empty(0))

    @property
    def effective_rank(self) -> float:
        """exp(-sum p ln p), p the shares of the positive eigenvalues: the number of directions in which
        the points would spread evenly."""
        positive = self.eigenvalues[self.eigenvalues > 0.0]
        if not len(positive):
            return 0.0
        p = positive / positive.sum()
        return float(np.exp(-(p * np.log(p, where=p > 0.0, out=np.zeros_like(p))).sum()))

    @property
    def rounding(self) -> float:
        """The size up to which an eigenvalue may be rounding error."""
        sizes = np.abs(self.eigenvalues)
        return _rounding(len(sizes)) * float(sizes.max(initial=0.0))

    @property
    def condition(self) -> float:
        """The largest over the smallest eigenvalue in absolute value; infinite if the smallest is rounding
        error."""
        sizes = np.abs(self.eigenvalues)
        if not len(sizes):
            return float("nan")
        least, most = float(sizes.min()), float(sizes.max())
        return most / least if least > self.rounding else float("inf")

    @property
    def ratio(self) -> float:
        """The smallest eigenvalue relative to the largest in absolute value."""
        scale = max(abs(self.smallest), abs(self.largest))
        return self.smallest / scale if scale > 0 else 0.0


def mercer(K: Array, total: int | None = None) -> Mercer:
    """Check symmetry and the smallest eigenvalue, up to rounding.

    `total` is the number of points when K is the matrix of the first MOST_JUDGED of them only."""
    n = len(K) if total is None else total
    if n == 0:
        return Mercer(True, True, 0.0, 0.0, None, "There are no points to check the kernel on.")
    if not np.isfinite(K).all():
        nothing = float("nan")
        return Mercer(
            False,
            False,
            nothing,
            nothing,
            None,
            "The kernel overflows on these points: not all values are finite.",
        )
    looked_at = np.asarray(K[:MOST_JUDGED, :MOST_JUDGED], dtype=np.float64)
    scale = float(np.abs(looked_at).max())
    symmetric = bool(np.abs(looked_at - looked_at.T).max() <= _rounding(n) * scale)
    half = 0.5 * (looked_at + looked_at.T)
    values = np.asarray(np.linalg.eigvalsh(half), dtype=np.float64)
    smallest, largest = float(values[0]), float(values[-1])
    positive = definite(values, n)
    witness = None
    if not positive:
        witness = np.zeros(n)
        # Eigenvectors cost six times as much as the values alone, and are needed only here.
        witness[: len(half)] = np.linalg.eigh(half)[1][:, 0]
        witness = read_only(witness)
    verdict = _verdict(symmetric, positive, smallest, largest, n)
    return Mercer(symmetric and positive, symmetric, smallest, largest, witness, verdict, read_only(values))


def definite(eigenvalues: Array, n: int) -> bool:
    """Return True if the ascending eigenvalues of a Gram matrix of n points are >= 0 up to rounding."""
    smallest, largest = float(eigenvalues[0]), float(eigenvalues[-1])
    return smallest >= -_rounding(n) * max(abs(smallest), abs(largest))


def positive(K: Array) -> bool:
    """Return True if K is positive semi-definite up to rounding: with a small multiple of I added it has a
    Cholesky factor. This is faster than `definite`, which needs eigenvalues."""
    n = len(K)
    largest = float(np.abs(K).sum(axis=1).max())  # no eigenvalue is larger
    try:
        np.linalg.cholesky(with_ridge(K, _rounding(n) * largest))
    except np.linalg.LinAlgError:
        return False
    return True


def _rounding(n: int) -> float:
    return float(10 * max(n, 100) * np.finfo(float).eps)


def _verdict(symmetric: bool, positive: bool, smallest: float, largest: float, n: int) -> str:
    """Return the verdict in a sentence."""
    points = "these points" if n <= MOST_JUDGED else f"the first {MOST_JUDGED} of {n} points"
    if not symmetric:
        return f"Not a kernel: K(x, x') and K(x', x) differ on {points}."
    if positive:
        zero = abs(smallest) <= _rounding(n) * largest
        least = "about 0" if zero else f"{smallest:.2g}"
        return f"Positive semi-definite on {points} (smallest eigenvalue {least}, largest {largest:.3g})."
    return (
        f"Not positive semi-definite on {points}: smallest eigenvalue {smallest:.3g}, largest {largest:.3g}."
    )
