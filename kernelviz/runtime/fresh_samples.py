"""Fits on further samples of the same distribution: the learning curve over n, and bias and variance.

Each is a `work` generator for `Jobs`, as in `background_results`; a view may ask for the result so far."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fields.contours import quick_contours
from kernelviz.engine.fits.held_out import proportional
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.numbers.of_fit import on_held_out
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.runs import errors_of, model_after

LARGEST, SIZES, SEEDS = 1000, 9, 10  # Of a learning curve: the largest n, how many n, and samples of each.
SMALLEST = 10
TEST = 1000  # Points that fits are tested on.
FEWEST = 30  # Points of which parts make a learning curve, where no others can be drawn.
REST = 0.3  # Of data that cannot be drawn again, the share that is always left to test on.
SAMPLES = 50  # Fits whose spread is shown.

Draw = Callable[[int, int], tuple[Data, Data]]  # From n and a seed to points to fit and to test on.


def fitted(fit: Fit, data: Data, beat: Beat) -> Model | None:
    """Return the fit to these points, or None if there is none."""
    try:
        model = model_after(data, fit, None, beat)
    except BadInput:
        return None
    return None if model.status is Status.NOT_SEPARABLE else model


def drawing(data: Data, origin: DataSet | None) -> tuple[Draw, int]:
    """Return what draws samples, and the largest n: new points of a data set, or else parts of the data."""
    test = None if origin is None else origin.fresh(TEST)
    if origin is not None and test is not None:
        return lambda n, seed: (_sample(origin, n, seed), test), LARGEST

    def part(n: int, seed: int) -> tuple[Data, Data]:
        rows = proportional(data, n, seed)
        return data.subset(rows), data.subset(np.setdiff1d(np.arange(data.n), rows))

    return part, int((1.0 - REST) * data.n)


def _sample(origin: DataSet, n: int, seed: int) -> Data:
    """Return n fresh points of a data set that can draw them, never the points that fits are tested on."""
    found = origin.fresh(n, 1 + seed)
    assert found is not None
    return found


# The learning curve ------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Errors for ascending n, (sizes, samples); NaN where there is no fit, or not yet."""

    sizes: Array
    training: Array
    held_out: Array
    squares: bool = False  # Whether errors are means of squares, for real targets.
    bayes_error: float | None = None  # The smallest error that is possible, if it is known.


class LearningCurveRun:
    """A learning curve: the same fit on samples of more and more points."""

    def __init__(self, data: Data, origin: DataSet | None, fit: Fit) -> None:
        self._draw, largest = drawing(data, origin)
        self._fit, self._origin = fit, origin
        self._sizes = np.unique(np.geomspace(SMALLEST, largest, SIZES).round().astype(int))
        self._errors = np.full((2, len(self._sizes), SEEDS), np.nan)
        self._squares = data.task is Task.REGRESSION
        self._bayes: float | None = None

    @property
    def so_far(self) -> LearningCurve:
        """The errors of the samples that have been fitted, and NaN for the others."""
        training, held_out = self._errors.copy()
        return LearningCurve(self._sizes.astype(float), training, held_out, self._squares, self._bayes)

    def work(self, beat: Beat) -> Generator[float, None, LearningCurve]:
        """Fit all samples, the small ones first; the share done is that of the points fitted."""
        if self._origin is not None:
            known = self._origin.truth(np.zeros(1)) is not None
            self._bayes = float(self._origin.values()["noise"]) ** 2 if known else self._origin.bayes_error()
        total, done = SEEDS * float(self._sizes.sum()), 0.0
        for k, n in enumerate(self._sizes.tolist()):
            for seed in range(SEEDS):
                data, test = self._draw(n, seed)
                model = fitted(self._fit, data, beat)
                if model is not None:
                    self._errors[:, k, seed] = errors_of(model, on_held_out(model, test))
                done += n
                yield done / total
        return self.so_far


# Bias and variance -------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class Spread:
    """Fits to samples of the same size, and the parts of their expected error.

    The error of a classifier is that of ŷ = 0 or 1 in (ŷ − y)², so that for classes as for real targets
    error = bias² + variance + noise, averaged over the inputs. bias² and variance are those of the fits
    there are, around their own mean: neither is negative, and their sum is exactly the mean of (ŷ − E y)².
    bias² and noise are None where the truth is not known."""

    x: Array  # Nodes of the horizontal axis.
    curves: Array  # (fits, nodes) for real targets, else empty.
    lines: tuple[tuple[Array, ...], ...]  # The boundaries of each fit of two classes.
    vote: tuple[Array, ...]  # The boundary of the majority of the fits.
    mean: Array  # The mean curve, or empty.
    deviation: Array  # The standard deviation of the curves, or empty.
    truth: Array | None  # The true curve.
    error: float  # On points that are not fitted, the mean over all fits.
    variance: float
    bias: float | None  # bias², as are the others.
    noise: float | None

    @property
    def count(self) -> int:
        """The number of fits."""
        return max(len(self.curves), len(self.lines))


class SpreadRun:
    """Fits of one kind on SAMPLES samples of n points each."""

    def __init__(self, n: int, origin: DataSet, fit: Fit, view: tuple[float, float, float, float]) -> None:
        nodes = 61  # Of the grid of boundaries, along each axis; a curve has four times as many.
        test = origin.fresh(TEST)
        assert test is not None
        self._n, self._origin, self._fit, self._test = n, origin, fit, test
        left, right, bottom, top = view
        self._squares = test.task is Task.REGRESSION
        self._x = np.linspace(left, right, 4 * nodes if self._squares else nodes)
        self._height = np.linspace(bottom, top, nodes)
        self._predicted: list[Array] = []
        self._shown: list[Array] = []
        self._lines: list[tuple[Array, ...]] = []
        # The result of the fits so far, made on the thread of the work: the window may ask at any moment.
        self.so_far: Spread | None = None

    def work(self, beat: Beat) -> Generator[float, None, Spread | None]:
        """Fit all samples; yield the share done, and bring `so_far` up to date every few fits."""
        stride = 5  # Fits after which the picture is made again.
        for k in range(SAMPLES):
            model = fitted(self._fit, _sample(self._origin, self._n, k), beat)
            if model is not None:
                self._add(model)
            beat()
            if k % stride == stride - 1 or k == SAMPLES - 1:
                self.so_far = self._spread()
            yield (k + 1) / SAMPLES
        return self.so_far

    def _add(self, model: Model) -> None:
        """Keep the predictions of a fit at the test points and on the nodes, and its boundary."""
        if self._squares:
            self._predicted.append(model.score(self._test.X))
            self._shown.append(model.score(self._x[:, None]))
            return
        self._predicted.append((model.score(self._test.X) > 0.0).astype(float))
        F = model.on_grid(self._x, self._height)
        self._shown.append((F > 0.0).astype(float))
        self._lines.append(self._boundary(F))

    def _boundary(self, F: Array) -> tuple[Array, ...]:
        """Return the lines on which values on the grid are zero."""
        ((_, lines),) = quick_contours(self._x, self._height, F, (0.0,))
        return tuple(lines)

    def _spread(self) -> Spread | None:
        """Return the result of the fits so far; None while there are fewer than two."""
        if len(self._predicted) < 2:
            return None
        predicted, shown = np.array(self._predicted), np.array(self._shown)
        y = self._test.y if self._squares else 0.5 * (self._test.z + 1.0)
        expected, noise = self._expected()
        bias = None if expected is None else float(np.mean((predicted.mean(axis=0) - expected) ** 2))
        mean = shown.mean(axis=0)
        return Spread(
            self._x,
            shown if self._squares else np.empty((0, 0)),
            tuple(self._lines),
            () if self._squares else self._boundary(mean - 0.5),
            mean if self._squares else np.empty(0),
            shown.std(axis=0) if self._squares else np.empty(0),
            self._origin.truth(self._x) if self._squares else None,
            error=float(np.mean((predicted - y) ** 2)),
            variance=float(predicted.var(axis=0).mean()),
            bias=bias,
            noise=noise,
        )

    def _expected(self) -> tuple[Array | None, float | None]:
        """Return the mean of y at the inputs tested on, and its mean variance there, if they are known."""
        if self._squares:
            truth = self._origin.truth(self._test.X[:, 0])
            return truth, None if truth is None else float(self._origin.values()["noise"]) ** 2
        found = self._origin.class_densities(self._test.X)
        if found is None:
            return None, None
        minus, plus = found
        chance = plus / (minus + plus)
        return chance, float(np.mean(chance * (1.0 - chance)))
