"""Model selection by several processes: all settings of a grid, and the way uphill on a likelihood."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from operator import index
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import Steps, finished
from kernelviz.engine.fits.held_out import fresh as fresh_points
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.fits.parsing import algorithm as as_algorithm
from kernelviz.engine.fits.parsing import kernel as as_kernel
from kernelviz.engine.fits.posing import posed
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.derivatives import ParameterPath
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.selection.assess import assess, settings_at_once
from kernelviz.engine.selection.choice import Selection
from kernelviz.engine.selection.folds import By, SettingErrors, Trial
from kernelviz.engine.selection.grid import SettingsGrid, asked_axes, usual_axes
from kernelviz.engine.selection.tunable import Knob
from kernelviz.engine.solvers.likelihood import NOISE, Ascent, ascent
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.processes import cores, spread

WAYS: tuple[By, ...] = ("cv", "loo", "likelihood")


class SelectionRun:
    """A run over all settings of a grid; a view may ask for `so_far` at any time."""

    def __init__(
        self,
        grid: SettingsGrid,
        trial: Trial,
        note: str = "",
        jobs: int | None = None,
        coarse_first: bool = False,
        apart: bool = False,
    ) -> None:
        """jobs: the number of processes, this one included, which does not wait for the others. coarse_first:
        try a coarse grid first. apart: do all the work in other processes."""
        # Settings times folds times squared points from which another process pays, unless it was asked for:
        # starting one takes half a second.
        worth_processes = 5e7
        self.grid, self.trial, self.note, self.apart = grid, trial, note, apart
        enough = not apart and self.effort <= worth_processes
        self._processes = jobs or (1 if enough else cores())
        most = min(settings_at_once(trial, grid.fit), len(grid) // self._processes)
        self._lines = [line for stage in grid.stages(coarse_first) for line in _joined(stage, most)]
        self._outcomes = [SettingErrors()] * len(grid)
        self.ended = False  # Whether every setting has been tried.

    @property
    def so_far(self) -> Selection:
        """The outcomes of the settings that have been tried, and empty ones for the others."""
        return Selection(self.grid, tuple(self._outcomes), self.trial.by, self.note)

    @property
    def effort(self) -> float:
        """Settings times folds times squared points, which the time it takes grows with."""
        return float(len(self.grid) * max(1, len(self.trial.folds)) * self.trial.data.n**2)

    def work(self, beat: Beat) -> Generator[float, None, Selection]:
        """Try all settings; yield the share done. When it ends, so do its processes."""
        fits = [[self.grid.fits[cell] for cell in line] for line in self._lines]
        jobs = min(self._processes, len(fits))
        trying, here = partial(assess, self.trial), not self.apart
        done = 0
        with closing(spread(trying, fits, jobs, beat=beat, here=here, keep=here)) as answers:
            for number, outcomes in answers:
                cells = self._lines[number]
                for cell, outcome in zip(cells, outcomes, strict=True):
                    self._outcomes[cell] = outcome
                done += len(cells)
                yield done / len(self.grid)
        self.ended = True
        return self.so_far


class AscentRun:
    """Maximises the likelihood of a Gaussian process over the chosen numbers; `found` is set at the end."""

    def __init__(self, data: Data, fit: Fit, chosen: Sequence[Knob]) -> None:
        self._data, self._fit, self._chosen = data, fit, chosen
        self.found: Ascent | None = None

    @staticmethod
    def suits(data: Data, fit: Fit) -> bool:
        """Return True if there is a likelihood, and dozens of matrices of these points are affordable."""
        most_for_likelihood = 1000  # Points up to which the likelihood is maximised.
        return (
            isinstance(fit.algorithm, GaussianProcess)
            and 0 < data.n <= most_for_likelihood
            and fit.suits(data)
        )

    def work(self, beat: Beat) -> Generator[float, None, Ascent]:
        """Climb step by step; yield the share done."""
        process = self._fit.algorithm
        assert isinstance(process, GaussianProcess)
        asked: list[ParameterPath] = [
            NOISE if knob.whose == "algorithm" else (*knob.part, knob.parameter.name) for knob in self._chosen
        ]
        steps = Steps(ascent(Problem(self._data, self._fit.kernel), process, asked))
        for share in steps:
            beat()
            yield share
        self.found = steps.result
        return self.found


def _joined(lines: list[list[int]], most: int) -> list[list[int]]:
    """Return the lines with neighbours joined, as long as these have at most `most` cells."""
    joined: list[list[int]] = []
    for line in lines:
        if joined and len(joined[-1]) + len(line) <= most:
            joined[-1] = joined[-1] + line
        else:
            joined.append(line)
    return joined


def prepare_selection(
    data: Data,
    fit: Fit,
    over: Sequence[str] = (),
    folds: int = 5,
    by: str = "cv",
    seed: int = 0,
    jobs: int | None = None,
    source: str = "",
) -> SelectionRun:
    """Return a run that is ready to begin; BadInput for wrong settings.

    source: the data set that the points come from, if fresh ones can be drawn."""
    way = next((known for known in WAYS if known == by), None)
    if way is None:
        raise BadInput(f"Settings can be judged by {', '.join(WAYS)}, not by {by!r}.")
    folds, seed = _whole("number of folds", folds), _whole("seed", seed)
    jobs = None if jobs is None else _whole("number of processes", jobs)
    if jobs is not None and not 1 <= jobs <= 1024:
        raise BadInput(f"The number of processes must lie between 1 and 1024, not be {jobs}.")
    axes = asked_axes(fit, over) if over else usual_axes(fit)
    if not axes:
        raise BadInput(f"{fit} has no parameter to choose.")
    if fit.kernel.slow:
        fit.kernel.check_cost(fit.kernel.checked(data.X))
    trial = Trial.of(data, fit.algorithm, way, folds, seed, fresh_of(source))
    note = {
        "cv": f"{folds} folds (seed {seed}).",
        "loo": "Each point left out once.",
        "likelihood": "The likelihood of all points; none is left out.",
    }[way]
    return SelectionRun(SettingsGrid(fit, axes), trial, note, jobs)


def _whole(name: str, value: Any) -> int:
    """Return a whole number that is not negative, or raise BadInput with its name."""
    try:
        found = index(value)
    except TypeError:
        raise BadInput(f"The {name} is a whole number, not {value!r}.") from None
    if found < 0:
        raise BadInput(f"A {name} cannot be negative: {found}.")
    return found


def fresh_of(source: str) -> Data | None:
    """Return fresh points of a data set; None where they cannot be drawn."""
    try:
        return fresh_points(source).data if source else None
    except BadInput:  # no distribution to draw from
        return None


def select(
    X: Any,
    z: Any = None,
    kernel: str | Kernel = "rbf(gamma=1)",
    algorithm: str | Algorithm = "soft-margin-svm(C=10)",
    over: Mapping[str, Any] | Sequence[str] = (),
    *,
    folds: int = 5,
    by: str = "cv",
    seed: int = 0,
    jobs: int = 1,
    task: str | None = None,
    missing: str | None = None,
) -> Selection:
    """Try settings of one or two parameters and return the error of each on points left out.

    X, z, kernel, algorithm, task, missing: as in `fit`.
    over: the numbers and their values, {"gamma": "0.01:100:10", "C": (0.1, 1000, 10)}: the ends and the count
        of values, evenly on the scale of the slider. By default the numbers that matter most.
    by: "cv" leaves out one of `folds` folds at a time, drawn with the seed, with the classes in proportion;
        "loo" leaves out one point at a time; "likelihood" is for Gaussian processes and leaves out none.
    jobs: the number of processes, this one included; the others stay ready for the next call. With several
        processes a script needs `if __name__ == "__main__":`.

    In the result `best` is the number of the setting with the smallest error, and `one_standard_error` that
    of the simplest one whose error is within a standard error of it; `chosen` returns their values.

    >>> found = kernelviz.select(data, over={"gamma": (0.1, 10, 5), "C": (1, 100, 5)}, folds=5)
    >>> found.chosen(found.best), found.chosen(found.one_standard_error), found.message"""
    how = as_algorithm(algorithm)
    data, remark = posed(X, z, how, task, missing)
    fit = Fit(as_kernel(kernel, data.X), how)
    run = prepare_selection(data, fit, _texts(over), folds, by, seed, jobs)
    found = finished(run.work(lambda: None))
    return replace(found, note=" ".join(filter(None, (remark, found.note))))


def _texts(over: Mapping[str, Any] | Sequence[str]) -> list[str]:
    """Return the grid as the texts that the command line takes: {"C": (1, 10, 5)} gives "C=1:10:5"."""
    if isinstance(over, str):
        return [over]
    if not isinstance(over, Iterable):
        raise BadInput(f"Give the grid as a dict, e.g. {{'gamma': (0.01, 100, 10)}}; got {over!r}.")
    if not isinstance(over, Mapping):
        return [str(text) for text in over]
    found = []
    for name, values in over.items():
        parts = [values] if isinstance(values, str) else np.asarray(values, dtype=object).ravel().tolist()
        found.append(f"{name}={':'.join(map(str, parts))}")
    return found
