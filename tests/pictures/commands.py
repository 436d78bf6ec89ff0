"""The JSON of the command line for a matrix of sources, kernels and algorithms."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

__all__ = ["COMMANDS", "write_answers"]

COMMANDS = [
    *(
        ["fit", source, "--kernel", kernel, "--algorithm", algorithm, "--test", "0.25"]
        for source in ("moons(n=40, seed=1)", "xor(n=30, seed=2)")
        for kernel, algorithm in (
            ("rbf(gamma=1)", "soft-margin-svm(C=10)"),
            ("polynomial(degree=3)", "hard-margin-svm"),
            ("matern32", "logistic(lam=0.1)"),
            ("linear", "perceptron"),
            ("rbf(gamma=2) + linear", "squared-slack-svm(lam=0.1)"),
            ("rbf(gamma=1)", "nu-svm(nu=0.3)"),
            ("rbf(gamma=1)", "nearest-neighbours(k=3)"),
            ("rbf(gamma=1)", "random-features(q=40)"),
        )
    ),
    *(
        ["fit", source, "--kernel", "rbf(gamma=2)", "--algorithm", algorithm]
        for source in ("sine(n=30, seed=1)", "outliers(n=30, seed=2)")
        for algorithm in (
            "ridge(lam=0.1)",
            "svr(C=10, epsilon=0.1)",
            "nu-svr(C=10, nu=0.5)",
            "gaussian-process(noise=0.05)",
            "nadaraya-watson",
            "kernel-sgd(epochs=20)",
        )
    ),
    *(
        ["fit", "spelling(n=20, seed=1)", "--kernel", kernel, "--algorithm", "soft-margin-svm(C=1)"]
        for kernel in ("words", "spectrum(length=2)", "subsequence(length=2)")
    ),
    ["fit", "moons(n=30)", "--algorithm", "one-class-svm(nu=0.2)"],
    ["fit", "blobs(n=40, classes=3, seed=1)"],
    ["select", "moons(n=40, seed=1)", "--over", "gamma=0.1:10:4", "--over", "C=0.1:100:4", "--jobs", "1"],
    [
        "select",
        "sine(n=30, seed=1)",
        "--algorithm",
        "ridge",
        "--over",
        "lam=0.001:1:4",
        "--by",
        "loo",
        "--jobs",
        "1",
    ],
    ["path", "gaussians(n=30, seed=1)", "--kernel", "rbf(gamma=1)"],
    ["compare", "moons(n=40)", "--fit", "linear ; perceptron", "--fit", "rbf(gamma=1) ; ridge(lam=0.1)"],
    *(["list", what, "--json"] for what in ("kernels", "algorithms", "datasets")),
    ["fit", "moons(n=40"],
    ["fit", "moons", "--kernel", "rbf(gamma=-1)"],
]


def write_answers(path: Path) -> None:
    """Run every command and write its exit code, output and error."""
    with ThreadPoolExecutor(2) as pool:
        answers = dict(zip(map(" ".join, COMMANDS), pool.map(_answer, COMMANDS), strict=True))
    path.write_text(json.dumps(answers, indent=1, ensure_ascii=False), encoding="utf-8")


def _answer(command: list[str]) -> dict[str, object]:
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "kernelviz", *command], capture_output=True, text=True, env=environment
    )
    try:
        output = json.loads(done.stdout)
    except json.JSONDecodeError:
        output = done.stdout
    return {"code": done.returncode, "output": output, "error": done.stderr}
