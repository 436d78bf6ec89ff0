"""What each threshold of the quadratic programme's solver is worth: the time with it switched off over the
time with it, on our side alone. `kernelviz/engine/solvers/README.md` quotes this table.

Run by name only (`python -m tests.benchmarks thresholds`). Problems are those of the svm benchmark, cold and
along chains of warm starts, and a few "stubborn" ones: linear and cubic kernels, wide Gaussians, large C.
With and without alternate, each problem counts by its faster of some runs, a column is the geometric mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import product
from time import thread_time as clock
from typing import Any

import numpy as np

import kernelviz
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.dot_products import Linear, Polynomial
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.problem import Problem
from tests.benchmarks.report import Report
from tests.benchmarks.svm import CHAIN, CHANGES, KINDS, grid

NEVER = 10**9

SWITCHES: dict[str, dict[str, Any]] = {
    "nothing (the noise of this table)": {},
    "SMO before Newton": {"solve.ROUGH": float(NEVER)},
    "SMO only to 0.3": {"solve.ROUGH": 0.3},
    "SMO for half as many steps as points": {"solve.STEPS": 1.0},
    "rescue": {"solve.RESCUE": 0},
    "first ridge": {"newton.RIDGE": 0.0},
    "finest ridge": {"newton.FINEST": 0.0},
    "few new rows in a round": {"newton.FEWEST_ROWS": NEVER},
    "border": {"working_set.BORDER": 0.0},
    "whole matrix up to 512": {"rows.WHOLE": 0},
    "stretches": {"rows.FEW_STRETCHES": 0},
}
"""What is switched off, by replacing names in the solver's modules."""

PLACES = {name: f"kernelviz.engine.algorithms.{name}" for name in ("dual_svm", "objectives")}
"""Modules that are not in the folder of the quadratic programme."""

WARM = ("a support vector moved", "a point added or removed", "C changed by 5 %")
"""The changes to start warm after."""

Task = Callable[[], tuple[float, int]]
"""Returns seconds, and how many fits did not converge."""


@contextmanager
def switched_off(names: dict[str, Any]) -> Iterator[None]:
    """The solver without something."""
    places = []
    for name in names:
        module, constant = name.split(".")
        places.append((import_module(PLACES.get(module, f"kernelviz.engine.solvers.qp.{module}")), constant))
    before = [getattr(module, name) for module, name in places]
    try:
        for (module, name), value in zip(places, names.values(), strict=True):
            setattr(module, name, value)
        yield
    finally:
        for (module, name), value in zip(places, before, strict=True):
            setattr(module, name, value)


def cold(data: Data, algorithm: SoftMarginSVM, kernel: Kernel) -> Task:
    def task() -> tuple[float, int]:
        problem = Problem(data, kernel)
        begin = clock()
        model = algorithm.fit(problem)
        return clock() - begin, not model.converged

    return task


def warm(what: str, data: Data, algorithm: SoftMarginSVM, kernel: Gaussian) -> Task:
    change = CHANGES[what][0]

    def task() -> tuple[float, int]:
        rng, spent, failed = np.random.default_rng(1), 0.0, 0
        model = algorithm.fit(Problem(data, kernel))
        for k in range(CHAIN):
            posed = change(model, rng, k)
            begin = clock()
            model = posed[1].fit(Problem(posed[0], posed[2]), start=model)
            spent += clock() - begin
            failed += not model.converged
        return spent, failed

    return task


def stubborn(seed: int) -> Iterator[Task]:
    for name, kernel, C in product(
        ("moons(n=300, noise=0.35", "blobs(n=300, classes=2", "xor(n=300, noise=0.7"),
        (Linear(), Polynomial(degree=3, gamma=0.5, c=1.0), Gaussian(gamma=0.05)),
        (1e2, 1e5),
    ):
        yield cold(kernelviz.dataset(f"{name}, seed={seed})"), SoftMarginSVM(C=C), kernel)


def columns(quick: bool, seed: int) -> dict[str, list[Task]]:
    """The tasks of each column."""
    every = {200: 9, 1000: 17, 5000: 3} if quick else {200: 2, 1000: 5, 5000: 1}
    found: dict[str, list[Task]] = {}
    for n, step in every.items():
        starts = [case for kind in KINDS for case in grid(kind, n, False, seed)[::step]]
        found[f"cold {n}"] = [cold(*case) for case in starts]
        if n <= 1000:
            tasks = [warm(what, *case) for what in WARM for case in starts[::3]]
            found[f"warm {n}"] = tasks
    return {**found, "stubborn": list(stubborn(seed))}


def compared(tasks: list[Task], off: dict[str, Any], times: int) -> tuple[float, int]:
    """(geometric mean of time without over time with, fits that do not converge without)."""
    ratios, failed = [], 0
    for task in tasks:
        with_it, without = [], []
        for _ in range(times):
            with_it.append(task()[0])
            with switched_off(off):
                seconds, failures = task()
            without.append(seconds)
        failed += failures
        ratios.append(min(without) / min(with_it))
    return float(np.exp(np.mean(np.log(ratios)))), failed


def run(report: Report, quick: bool) -> None:
    tasks = columns(quick, report.seed)
    report.heading("Switched off: time without over time with")
    print(f"  {'':<36}" + "".join(f"{name:>11}" for name in tasks))
    for name, off in SWITCHES.items():
        found = [compared(column, off, 2 if quick else 3) for column in tasks.values()]
        cells = "".join(f"{ratio:10.2f}{'!' if failed else ' '}" for ratio, failed in found)
        print(f"  {name:<36}{cells}", flush=True)
    print("  ! some of the fits did not converge without it")
