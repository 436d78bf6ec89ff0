"""Every script in resources/examples runs without a warning and makes the files that it names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "resources" / "examples").glob("*.py"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_an_example_runs_and_makes_the_files_it_names(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()
    named = set(re.findall(r"[\w]+\.(?:png|svg|pdf|gif|md)\b", script.read_text(encoding="utf-8")))
    assert {path.name for path in tmp_path.iterdir()} == named


def test_the_readme_names_every_example() -> None:
    assert set(re.findall(r"resources/examples/(\w+)\.py", README)) == {script.stem for script in SCRIPTS}


def test_both_libraries_find_the_same_machine(tmp_path: Path) -> None:
    script = ROOT / "resources" / "examples" / "with_scikit_learn.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert float(done.stdout.split()[-1]) < 1e-4
