"""The engine is tested where there is no Qt, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("hidden", "options"), [("PySide6", []), ("", ["-p", "no:pytest-qt"])], ids=["no Qt", "no pytest-qt"]
)
def test_the_tests_of_the_engine_run_without_qt(hidden: str, options: list[str]) -> None:
    script = f"import sys; sys.modules[{hidden!r}] = None; import pytest; raise SystemExit(pytest.main())"
    arguments = ["-q", "-p", "no:cacheprovider", *options, "tests/engine/core/test_params.py"]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
