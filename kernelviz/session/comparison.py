"""Several fits of the same data: pairs worth comparing, and their numbers side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import add
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.params import number
from kernelviz.engine.fits.parsing import Fit, algorithm, kernel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.declared import NUMBERS
from kernelviz.engine.numbers.of_fit import resolution
from kernelviz.session.state import LETTERS, Document

PRICE = 10.0  # C, where two algorithms are to pay the same for slack.
Pair = tuple[str, str]


@dataclass(frozen=True)
class Preset:
    """Two fits that differ in what the title says. What is empty is what the document has; {lam} stands for
    λ = 1/(2nC), with which λ‖w‖² and a mean loss weigh as ½‖w‖² and C times the sum."""

    title: str
    algorithms: Pair = ("", "")
    kernels: Pair = ("", "")
    # Which other kernels of the document will do as well.
    keeps: Callable[[Kernel], bool] = lambda present: False

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


# Numbers that say which fit is better, and how.
BETTER = {n.key: max if n.better == "larger" else min for n in NUMBERS.values() if n.better}
# Numbers that mean something only where points are put into classes.
OF_SIDES = ("loss", *(n.key for n in NUMBERS.values() if n.needs_classes))
DIGITS = 4


def compared(models: Sequence[Model], reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The reports of the fits, named A, B, …; all numbers side by side, with the letters of the better ones;
    the points on which they disagree, as far as they put points into classes, and the letters of those that
    do not."""
    letters = LETTERS[: len(models)]
    names = list(dict.fromkeys(name for told in reports for name in told["summary"]))
    numbers = {name: list(map(partial(_number, name), models, reports)) for name in names}
    return {
        "n": reports[0]["n"],
        "fits": [
            {"name": letter, **{key: told[key] for key in ("kernel", "algorithm", "converged", "message")}}
            for letter, told in zip(letters, reports, strict=True)
        ],
        "numbers": numbers,
        "better": {name: best for name in BETTER if (best := _better(name, numbers.get(name), letters))},
        "disagree": _disagreement([model for model in models if model.is_classifier]),
        "take_no_sides": [
            letter for letter, model in zip(letters, models, strict=True) if not model.is_classifier
        ],
    }


def _number(name: str, model: Model, told: dict[str, Any]) -> float | None:
    """Of mistakes and slack nothing is told where no point was put into a class."""
    return told["summary"].get(name) if model.is_classifier or name not in OF_SIDES else None


def _better(name: str, values: Sequence[float | None] | None, letters: str) -> list[str]:
    """The letters of the best; all of them is a tie, and nobody where some have no such number. What reads
    the same is the same: solvers do not agree to the last digit."""
    if values is None or any(value is None for value in values):
        return []
    best = BETTER[name](value for value in values if value is not None)
    return [letter for letter, value in zip(letters, values, strict=True) if _shown(value) == _shown(best)]


def _disagreement(models: Sequence[Model]) -> list[int] | None:
    """Points, counted from 0, that not all fits put into the same class; None without classes, or where no
    two fits do so."""
    data = models[0].problem.data if len(models) > 1 else None
    if data is None or data.task not in (Task.TWO_CLASSES, Task.CLASSES):
        return None
    said = [
        np.sign(model.training_scores) if data.task is Task.TWO_CLASSES else model.codes(data.X)
        for model in models
    ]
    return np.flatnonzero(np.any([own != said[0] for own in said[1:]], axis=0)).tolist()


def as_table(told: dict[str, Any]) -> str:
    """For people: a column for each fit, a star for what is better, which is explained below."""
    fits = told["fits"]
    heads = [f"{fit['name']}: {fit['kernel']} ; {fit['algorithm']}" for fit in fits]
    rows = [["", *(fit["name"] for fit in fits)]]
    for name, values in told["numbers"].items():
        if any(value is not None for value in values):
            better = told["better"].get(name, [])
            marks = ["*" if fit["name"] in better and len(better) < len(fits) else "" for fit in fits]
            told_values = map(partial(_resolved, name), values, told["numbers"]["dual_objective"])
            rows.append([name, *map(add, map(_shown, told_values), marks)])
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    tail = [f"{fit['name']}: {fit['message']}" for fit in fits if not fit["converged"]]
    if any("*" in cell for row in rows for cell in row):
        tail.insert(0, "* better value, where the numbers can be compared")
    return "\n".join([*heads, "", *lines, "", *tail, *about_disagreement(told)]) + "\n"


def about_disagreement(told: dict[str, Any]) -> list[str]:
    """On how many points they disagree, and who has no part in that."""
    silent, apart, count = told["take_no_sides"], told["disagree"], len(told["fits"])
    said = []
    if apart is not None:
        who = "They disagree" if not silent else "The others disagree"
        said.append(f"{who} on {len(apart)} of {told['n']} points.")
    if silent and (apart is not None or len(silent) < count):
        verb = "puts" if len(silent) == 1 else "put"
        said.insert(0, f"{' and '.join(silent)} {verb} no point into a class.")
    return said


def _resolved(name: str, value: float | None, dual_objective: float | None) -> float | None:
    """0 for what rounding leaves of it."""
    small = value is not None and abs(value) <= resolution(name, dual_objective)
    return 0.0 if small and isinstance(value, float) else value


def _shown(value: float | int | None) -> str:
    if value is None:
        return "–"
    return number(value) if isinstance(value, int) else f"{value:.{DIGITS}g}"
