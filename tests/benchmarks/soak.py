"""A long day in the lecture hall in a minute: drags, sliders and switches, memory and threads watched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.report import Report

ROOT = Path(__file__).parents[2]
MOST_GROWTH = 20.0
"""Megabytes the process may grow after its first seconds."""


def run(report: Report, quick: bool) -> None:
    """Run the scene in a window of its own for a minute (quick: 15 s)."""
    report.heading("Soak")
    command = [sys.executable, "-m", "tests.benchmarks.soak_scene", "15" if quick else "60"]
    if server := shutil.which("xvfb-run"):
        command = [server, "-a", "-s", "-screen 0 1920x1080x24", *command]
    elif not os.environ.get("DISPLAY"):
        report.check("a real window", False, "needs xvfb-run or a display")
        return
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "KERNELVIZ_STATE": "/tmp/kernelviz-benchmark"}
    environment.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the soak failed:\n{done.stderr}")
    found = json.loads(done.stdout.splitlines()[-1])
    grown = found["grown"]
    report.check("memory", grown < MOST_GROWTH, f"grew by {grown:.1f} MB (under {MOST_GROWTH:g})")
    report.check("no exception", not found["exceptions"], "; ".join(found["exceptions"]) or "none")
    report.check("no thread left", not found["threads"], ", ".join(found["threads"]) or "none")
    report.check(
        "the last frame is a fresh solve",
        found["difference"] <= 1e-6,
        f"scores differ by {found['difference']:.1e} (at most 1e-6) after {found['frames']} frames",
    )
