"""Pairs of fits worth comparing, each declared once: the menu of the window follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.api import algorithm, kernel
from kernelviz.engine.fits import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.session.state import Document

__all__ = ["PRESETS", "Preset"]

PRICE = 10.0
"""C, where two algorithms are to pay the same for slack."""
Pair = tuple[str, str]


@dataclass(frozen=True)
class Preset:
    """Two fits that differ in what the title says. What is empty is what the document has; {lam} stands for
    λ = 1/(2nC), with which λ‖w‖² and a mean loss weigh as ½‖w‖² and C times the sum."""

    title: str
    algorithms: Pair = ("", "")
    kernels: Pair = ("", "")
    keeps: Callable[[Kernel], bool] = lambda present: False
    """Which other kernels of the document will do as well."""

    def fits(self, document: Document) -> tuple[Fit, Fit]:
        """Both of them. A kernel that is of the kind asked for, or will do, is kept."""
        lam = 1.0 / (2.0 * max(1, document.data.n) * PRICE)
        first, second = (
            Fit(
                self._kernel(alike, document.kernel),
                _algorithm(how.format(lam=f"{lam:.4g}"), document.algorithm),
            )
            for alike, how in zip(self.kernels, self.algorithms, strict=True)
        )
        return first, second

    def suits(self, document: Document) -> bool:
        """Whether both can be asked these data."""
        return all(fit.suits(document.data) for fit in self.fits(document))

    def _kernel(self, wanted: str, present: Kernel) -> Kernel:
        if not wanted or self.keeps(present):
            return present
        made = kernel(wanted)
        return present if type(present) is type(made) else made

    def applied(self, document: Document) -> Document:
        """The document with these two fits, the first of them active."""
        return document.replace(fits=self.fits(document), active=0)


def _algorithm(wanted: str, present: Algorithm) -> Algorithm:
    return algorithm(wanted) if wanted else present


SOFT = f"soft-margin-svm(C={PRICE:g})"
PRESETS = (
    Preset("Perceptron against maximum margin", ("perceptron", "hard-margin-svm")),
    Preset("Linear against squared slack", (SOFT, f"squared-slack-svm(lam={0.5 / PRICE:g})")),
    Preset(
        "Exact Gaussian against 100 random waves",
        (SOFT, "random-features(q=100, model=hinge, lam={lam})"),
        ("rbf", "rbf"),
    ),
    Preset("Soft margin against logistic", (SOFT, f"logistic(lam={1 / PRICE:g})")),
    Preset(
        "Kernel ridge against Nadaraya-Watson",
        ("ridge", "nadaraya-watson"),
        ("rbf", "rbf"),
        keeps=lambda present: present.non_negative,
    ),
    Preset(
        "Words against subsequences",
        kernels=("words(normalised=true)", "subsequence(length=2, decay=0.5, normalised=true)"),
    ),
)
