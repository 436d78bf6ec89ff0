"""The exact SVM solver beside `sklearn.svm.SVC.fit`, through the public Algorithm.fit and nothing else.

Five data sets x C x gamma at tolerance 1e-3, once as the data sets come and once with so much noise that the
classes overlap; every target holds for both. From 2000 points on there are two data sets and fewer C and
gamma. Warm starts are chains, as in a drag: each fit starts from the model before it; scikit-learn solves
exactly the same problems. Times are those of the thread, so that other load on the machine falls out.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from time import thread_time as clock

import numpy as np
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from tests.benchmarks.report import Report, Target

KINDS = {
    "as they come": {"rings": "", "moons": "", "blobs": "classes=2", "xor": "", "spirals": ""},
    "overlapping": {
        "rings": "noise=0.3",
        "moons": "noise=0.35",
        "blobs": "classes=2, noise=1.0",
        "xor": "noise=0.7",
        "spirals": "noise=0.15",
    },
}
"""With default noise most classes hardly touch and there is little to solve; with more, there is much."""
CS = (0.1, 1.0, 10.0, 1000.0)
GAMMAS = (0.3, 3.0, 30.0)
CHAIN = 5
TIMES = 5  # The best counts: fresh memory for 5000 points costs the system 10 ms at times, and 200 at others.


LARGE = 2000
"""From so many points on there are fewer problems, of moderate C and gamma."""
LARGE_SETS = ("moons", "blobs")
LARGE_CS = (1.0, 10.0)
LARGE_GAMMAS = (0.5, 2.0)

Change = tuple[Data, SoftMarginSVM, Gaussian]


def grid(kind: str, n: int, quick: bool, seed: int) -> list[Change]:
    """All problems of one kind and size."""
    sets, Cs, gammas = [*KINDS[kind].items()][: 2 if quick else None], CS, GAMMAS
    if n >= LARGE:
        sets, Cs, gammas = [(name, KINDS[kind][name]) for name in LARGE_SETS], LARGE_CS, LARGE_GAMMAS
    posed = []
    for (name, options), C, gamma in product(sets, Cs, gammas):
        data = kernelviz.dataset(f"{name}(n={n}, seed={seed}{', ' * bool(options)}{options})")
        posed.append((data, SoftMarginSVM(C=C), Gaussian(gamma=gamma)))
    return posed


def theirs(data: Data, algorithm: SoftMarginSVM, kernel: Gaussian) -> float:
    """Seconds scikit-learn takes for the same problem."""
    machine = SVC(C=algorithm.C, gamma=kernel.gamma, tol=1e-3, cache_size=200)
    begin = clock()
    machine.fit(data.X, data.target)
    return clock() - begin


NEAR, FAR = 0.03, 0.1
"""How far a point is dragged, as a part of the data's spread: some five pixels of a window, as a mouse goes
between two frames, and three times that. The ratios depend on it, so both are shown."""


def moved(data: Data, i: int, rng: np.random.Generator, distance: float = NEAR) -> Data:
    """The data with one point dragged."""
    X = data.X.copy()
    X[i] += distance * X.std() * rng.normal(size=2)
    X.flags.writeable = False
    return Data(X, data.target, data.task, data.class_names, data.columns)


def drag(of_support: bool, distance: float = NEAR) -> Callable[..., Change]:
    def change(model: Model, rng: np.random.Generator, k: int) -> Change:
        data = model.problem.data
        i = int(rng.choice(model.support)) if of_support else int(rng.integers(data.n))
        return moved(data, i, rng, distance), model.algorithm, model.problem.kernel

    return change


def grow_C(model: Model, rng: np.random.Generator, k: int) -> Change:
    factor = 1.05 if k % 2 else 1 / 1.05
    return model.problem.data, model.algorithm.replace(C=model.algorithm.C * factor), model.problem.kernel


def grow_gamma(model: Model, rng: np.random.Generator, k: int) -> Change:
    kernel = model.problem.kernel
    factor = 1.05 if k % 2 else 1 / 1.05
    return model.problem.data, model.algorithm, kernel.replace(gamma=kernel.gamma * factor)


def add_or_remove(model: Model, rng: np.random.Generator, k: int) -> Change:
    data = model.problem.data
    if k % 2:
        i = int(rng.integers(data.n))
        X, z = np.delete(data.X, i, axis=0), np.delete(data.target, i)
    else:
        i = int(rng.integers(data.n))
        X = np.r_[data.X, data.X[i : i + 1] + 0.1 * rng.normal(size=(1, 2))]
        z = np.r_[data.target, data.target[i]]
    return Data.labelled(X, z), model.algorithm, model.problem.kernel


def chain(start: Change, change: Callable[..., Change], seed: int) -> tuple[list[float], list[float], int]:
    """(our seconds, their seconds, how many did not converge) over a chain of warm starts."""
    rng = np.random.default_rng(seed)
    data, algorithm, kernel = start
    model = algorithm.fit(Problem(data, kernel))
    own, posed, unconverged = [], [], 0
    for k in range(CHAIN):
        posed.append(change(model, rng, k))
        data, algorithm, kernel = posed[-1]
        begin = clock()
        model = algorithm.fit(Problem(data, kernel), start=model)
        own.append(clock() - begin)
        unconverged += not model.converged
    return own, [theirs(*problem) for problem in posed], unconverged


CHANGES: dict[str, tuple[Callable[..., Change], dict[int, tuple[Target, ...]]]] = {
    "a point moved": (
        drag(False),
        {200: (Target("median", 8), Target("decile", 3)), 1000: (Target("median", 15),)},
    ),
    "a support vector moved": (drag(True), {n: (Target("median", 5),) for n in (200, 500, 1000)}),
    "a point moved far": (drag(False, FAR), {}),
    "a support vector moved far": (drag(True, FAR), {}),
    "a point added or removed": (add_or_remove, {}),
    "C changed by 5 %": (grow_C, {n: (Target("median", 4),) for n in (200, 500, 1000)}),
    "gamma changed by 5 %": (grow_gamma, {n: (Target("median", 1.5),) for n in (200, 500, 1000)}),
}


def warm(report: Report, kind: str, sizes: tuple[int, ...], quick: bool, only: str = "") -> None:
    for what, (change, targets) in CHANGES.items():
        if only not in what:
            continue
        for n in sizes:
            ratios, unconverged = [], 0
            for seed, start in enumerate(grid(kind, n, quick, report.seed)):
                own, other, failed = chain(start, change, seed)
                ratios.append(np.median(other) / np.median(own))
                unconverged += failed
            report.ratios(f"{what}, n = {n}", ratios, *targets.get(n, ()))
            if unconverged:
                report.check(f"{what}, n = {n}: all converge", False, f"{unconverged} did not")


def cold(report: Report, kind: str, sizes: tuple[int, ...], quick: bool) -> tuple[float, float]:
    """Check the medians; returns the slowest case on either side."""
    own_slowest = their_slowest = 0.0
    unconverged = 0
    for n in sizes:
        ratios = []
        for data, algorithm, kernel in grid(kind, n, quick, report.seed):
            own, other = [], []
            for _ in range(TIMES):
                other.append(theirs(data, algorithm, kernel))
                begin = clock()
                model = algorithm.fit(Problem(data, kernel))
                own.append(clock() - begin)
                unconverged += not model.converged
            ratios.append(min(other) / min(own))
            own_slowest, their_slowest = max(own_slowest, min(own)), max(their_slowest, min(other))
        report.ratios(f"cold, n = {n}", ratios, Target("median", 1 / 1.5))
    report.check("cold, every case converges", unconverged == 0, f"{unconverged} did not")
    print(f"  cold, slowest of these cases: {own_slowest * 1e3:.1f} ms against {their_slowest * 1e3:.1f} ms")
    return own_slowest, their_slowest


def run(report: Report, quick: bool) -> None:
    small, sizes = ((), (200, 1000)) if quick else ((20, 100), (200, 500, 1000))
    slowest = []
    for kind in KINDS:
        report.heading(f"Soft-margin SVM against SVC.fit, data {kind}")
        slowest.append(cold(report, kind, (*small, *sizes, 2000, 5000), quick))
        warm(report, kind, sizes if quick else (*sizes, 2000), quick)
    report.heading("Over the whole grid, both kinds of data")
    own, other = map(max, zip(*slowest, strict=True))
    report.check("cold, slowest case", own < other, f"{own * 1e3:.1f} ms against {other * 1e3:.1f} ms")
