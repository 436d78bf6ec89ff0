"""Pairs of fits that are worth comparing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kernelviz.engine.fits.parsing import Fit, algorithm, kernel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.session.state import Document

PRICE = 10.0  # C, where slack is to cost the same in both algorithms.
Pair = tuple[str, str]

SOFT = f"soft-margin-svm(C={PRICE:g})"


@dataclass(frozen=True)
class ComparisonPreset:
    """Two fits that differ as the title says.

    An empty text stands for the algorithm or kernel of the document; {lam} for λ = 1/(2nC), with which λ‖w‖²
    and a mean loss have the same weights as ½‖w‖² and C times the sum."""

    title: str
    algorithms: Pair = ("", "")
    kernels: Pair = ("", "")
    # Returns True for other kernels of the document that serve as well.
    keeps: Callable[[Kernel], bool] = lambda present: False

    def fits(self, document: Document) -> tuple[Fit, Fit]:
        """Return both fits. The document's kernel is kept if it is of the wanted kind or serves as well."""
        lam = 1.0 / (2.0 * max(1, document.data.n) * PRICE)
        first, second = (
            Fit(
                self._kernel(alike, document.kernel),
                algorithm(how.format(lam=f"{lam:.4g}")) if how else document.algorithm,
            )
            for alike, how in zip(self.kernels, self.algorithms, strict=True)
        )
        return first, second

    def suits(self, document: Document) -> bool:
        """Return True if both fits can be made with the document's data."""
        return all(fit.suits(document.data) for fit in self.fits(document))

    def _kernel(self, wanted: str, present: Kernel) -> Kernel:
        """Return the document's kernel where it will do, or else the wanted one."""
        if not wanted or self.keeps(present):
            return present
        made = kernel(wanted)
        return present if type(present) is type(made) else made

    def applied(self, document: Document) -> Document:
        """Return the document with these two fits, the first of them active."""
        return document.replace(fits=self.fits(document), active=0)


PRESETS = (
    ComparisonPreset("Perceptron against maximum margin", ("perceptron", "hard-margin-svm")),
    ComparisonPreset("Linear against squared slack", (SOFT, f"squared-slack-svm(lam={0.5 / PRICE:g})")),
    ComparisonPreset(
        "Exact Gaussian against 100 random waves",
        (SOFT, "random-features(q=100, model=hinge, lam={lam})"),
        ("rbf", "rbf"),
    ),
    ComparisonPreset("Soft margin against logistic", (SOFT, f"logistic(lam={1 / PRICE:g})")),
    ComparisonPreset(
        "Kernel ridge against Nadaraya-Watson",
        ("ridge", "nadaraya-watson"),
        ("rbf", "rbf"),
        keeps=lambda present: present.non_negative,
    ),
    ComparisonPreset(
        "Words against subsequences",
        kernels=("words(normalised=true)", "subsequence(length=2, decay=0.5, normalised=true)"),
    ),
)
