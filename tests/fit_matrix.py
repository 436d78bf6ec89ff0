"""The JSON of `fit` for some 4,000 fits (data x kernels x algorithms), written to a file and compared.

    python -m tests.fit_matrix write FILE
    python -m tests.fit_matrix compare OLD NEW

The data are easy and hard ones: two points, coinciding points of both classes, scores of 0, and inputs and
targets far from 1. Everything is computed in one thread, so that the same code writes the same file."""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.held_out import set_aside
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.fits.solve import fit_data
from kernelviz.session.report import as_json, report

__all__ = ["answers", "cases", "differences"]

KERNELS = (
    *("linear", "rbf(gamma=0.01)", "rbf(gamma=1)", "rbf(gamma=1e6)", "polynomial(degree=3)", "laplacian"),
    *("1e8*rbf(gamma=1)", "1e-8*linear", "rbf(gamma=2) + linear", "sigmoid"),
)
CLASSIFIERS = (
    *("soft-margin-svm(C=1)", "soft-margin-svm(C=1e6)", "squared-slack-svm(lam=0.1)"),
    *("squared-slack-svm(lam=1e-8)", "hard-margin-svm", "nu-svm(nu=0.3)", "logistic(lam=0.1)"),
    *("logistic(lam=1e-6)", "ridge(lam=0.1)", "ridge(lam=1e-10)", "perceptron", "prototype", "feature-map"),
)
REGRESSIONS = (
    *("ridge(lam=0.1)", "ridge(lam=1e-10)", "svr(C=10, epsilon=0.1)", "svr(C=1e6, epsilon=0)"),
    *("nu-svr(C=10, nu=0.5)", "gaussian-process(noise=0.05)", "kernel-sgd(epochs=5)", "nadaraya-watson"),
)
OTHERS = (  # with one kernel only
    *("online-perceptron", "nearest-neighbours(k=3)", "random-features(q=40)", "kernel-sgd(epochs=5)"),
    *("one-class-svm(nu=0.2)", "density", "hinge-sgd(epochs=5)"),
)
STRINGS = ("words", "spectrum(length=2)", "subsequence(length=2)")


def sources() -> dict[str, Data]:
    """Return the data by name."""
    moons, sine = dataset("moons(n=24, seed=1)"), dataset("sine(n=24, seed=1)")
    corners = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    signs = np.array([0.0, 0.0, 1.0, 1.0])
    shift = np.array([1e4, -1e4])

    classes, numbers = Data.labelled, Data.regression
    named = (
        *("moons(n=40, seed=1)", "gaussians(n=40, seed=2)", "rings(n=40, seed=3)", "xor(n=30, seed=2)"),
        *("barely_separable(n=30)", "just_not_separable(n=30)", "blobs(n=30, classes=3, seed=1)"),
        *("three_points", "sine(n=30, seed=1)", "outliers(n=30, seed=2)", "step(n=30, seed=1)"),
    )
    return {text: dataset(text) for text in named} | {
        "two points": classes([[0.0, 0.0], [1.0, 0.0]], [0, 1]),
        "twins": classes(np.zeros((2, 2)), [0, 1]),
        "corners": classes(corners, signs),
        "corners, three times": classes(np.r_[corners, 0.37 * corners, 0.711 * corners], np.tile(signs, 3)),
        "corners and their middle": classes(np.r_[corners, np.zeros((2, 2))], np.r_[signs, 0.0, 1.0]),
        "every point of both classes": classes(np.r_[moons.X, moons.X], np.r_[moons.z, -moons.z]),
        "some points of both classes": classes(np.r_[moons.X, moons.X[:6]], np.r_[moons.z, -moons.z[:6]]),
        "every point twice": classes(np.r_[moons.X, moons.X], np.r_[moons.z, moons.z]),
        "one class": classes(moons.X[:6], np.zeros(6)),
        "on a line": classes(np.c_[np.linspace(-1, 1, 9), np.zeros(9)], [0, 0, 0, 1, 1, 1, 0, 0, 0]),
        **{f"{scale:g} x moons": classes(scale * moons.X, moons.z) for scale in (1e-9, 1e-4, 1e3, 1e8)},
        "moons, far from 0": classes(moons.X + shift, moons.z),
        "two targets": numbers([[0.0], [1.0]], [0.0, 1.0]),
        "two targets at one place": numbers([[0.0], [0.0]], [0.0, 1.0]),
        "equal targets": numbers(sine.X, np.full(sine.n, 0.1)),
        "every input twice": numbers(np.r_[sine.X, sine.X], np.r_[sine.y, sine.y + 0.5]),
        **{f"targets x {scale:g}": numbers(sine.X, scale * sine.y) for scale in (1e-9, 1e6)},
        "targets + 1e6": numbers(sine.X, sine.y + 1e6),
        "inputs x 1e6": numbers(1e6 * sine.X, sine.y),
        "spelling(n=20, seed=1)": dataset("spelling(n=20, seed=1)"),
    }


def cases() -> Iterator[tuple[str, Data, str, str]]:
    """Yield the name of the data, the data, the kernel and the algorithm of every fit."""
    for source, data in sources().items():
        if data.domain == "strings":
            fits = [*product(STRINGS, CLASSIFIERS[:-1])]
        else:
            usual = REGRESSIONS if data.task is Task.REGRESSION else CLASSIFIERS
            fits = [*product(KERNELS, usual), *(("rbf(gamma=1)", other) for other in OTHERS)]
        yield from ((source, data, kernel, algorithm) for kernel, algorithm in fits)


def answers() -> dict[str, Any]:
    """Return the JSON of every fit, with held-out points where there are enough, or why there is none."""
    found: dict[str, Any] = {}
    for source, data, kernel, algorithm in cases():
        train, rest = data, None
        if data.n > 12:
            train, held_out = set_aside(data, 0.25)
            rest = held_out.data
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                text = as_json(report(fit_data(train, kernel, algorithm), "", rest))
            answer = json.loads(text) | ({"warnings": [str(one.message) for one in caught]} if caught else {})
        except BadInput as error:
            answer = {"refused": str(error)}
        found[f"{source} | {kernel} | {algorithm}"] = answer
    return found


def differences(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name of every fit whose JSON differs, with what it said and says."""
    for case in old | new:
        before, after = (_flat(answers_.get(case, {})) for answers_ in (old, new))
        changed = [key for key in before | after if before.get(key, "-") != after.get(key, "-")]
        if changed:
            yield case, "; ".join(f"{key} {_short(before, key)} -> {_short(after, key)}" for key in changed)


def _flat(answer: dict[str, Any]) -> dict[str, Any]:
    rest = dict(answer)
    summary: dict[str, Any] = rest.pop("summary", {})
    return rest | summary


def _short(answer: dict[str, Any], key: str) -> str:
    text = json.dumps(answer[key]) if key in answer else "-"
    return text if len(text) < 70 else f"{text[:33]} … {text[-33:]}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fit_matrix", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("write", help="fit everything").add_argument("file", type=Path)
    comparing = verbs.add_parser("compare", help="list the fits whose JSON differs")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    asked = parser.parse_args()
    if asked.verb == "write":
        found = answers()
        asked.file.write_text(json.dumps(found, indent=1), encoding="utf-8")
        print(
            f"{len(found)} fits: {Counter('refused' if 'refused' in a else 'fitted' for a in found.values())}"
        )
        return 0
    changed = list(differences(*(json.loads(path.read_text("utf-8")) for path in (asked.old, asked.new))))
    for case, what in changed:
        print(f"{case}\n    {what}")
    print(f"{len(changed)} fits differ.")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
