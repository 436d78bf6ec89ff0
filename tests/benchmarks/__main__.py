"""Run the benchmarks: every module here that defines `run(report, quick)`, or those named."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

from tests.benchmarks.report import Report

BY_NAME_ONLY = ("thresholds",)
"""Questions of those who work on the solver, without a target."""


def found() -> list[str]:
    """The names of all benchmarks."""
    modules = (m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return [m for m in modules if m not in ("__main__", "report") and _has_run(m)]


def _has_run(name: str) -> bool:
    return "def run(" in (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"any of: {', '.join(found())}")
    parser.add_argument("--quick", action="store_true", help="fewer problems, the same targets")
    parser.add_argument("--seed", type=int, default=1, help="of the data sets for svm and together")
    options = parser.parse_args()
    unknown = set(options.names) - set(found())
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(found())}")
    report = Report(seed=options.seed)
    print(f"{'':<46} {'median':>8}  {'worst 10%':>8} {'worst':>8}    times as fast as scikit-learn")
    for name in options.names or [name for name in found() if name not in BY_NAME_ONLY]:
        importlib.import_module(f"tests.benchmarks.{name}").run(report, options.quick)
    print("\nAll targets met." if not report.missed else "\nMissed:\n  " + "\n  ".join(report.missed))
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
