"""What README and CONTRIBUTING show is run here, so that it stays true."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


COMMANDS = [
    line
    for block in blocks("sh")
    for line in block.splitlines()
    if re.match(r"(printf .*\| )?kernelviz ", line)
]


def run(command: list[str] | str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return subprocess.run(
        command,
        shell=isinstance(command, str),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path},
    )


@pytest.mark.parametrize("code", blocks("python"))
def test_the_python_examples_run(code: str) -> None:
    done = run([sys.executable, "-W", "error", "-c", code])
    assert done.stderr == ""
    assert done.returncode == 0


def test_the_first_python_example_prints_what_its_comment_says() -> None:
    code = blocks("python")[0]
    promised = re.search(r"# (.*)", code)
    assert promised is not None
    assert run([sys.executable, "-c", code]).stdout.splitlines()[0] == promised[1]


def test_the_lesson_in_contributing_holds(tmp_path: Path) -> None:
    lesson = re.search(r"````markdown\n(.*?)````", CONTRIBUTING, re.DOTALL)
    assert lesson is not None
    path = tmp_path / "example.md"
    path.write_text(lesson[1], encoding="utf-8")
    done = run(["kernelviz", "lesson", "check", str(path)])
    assert (done.returncode, done.stdout.strip()) == (0, f"{path}: everything holds.")


def test_there_are_examples() -> None:
    assert len(blocks("python")) >= 2
    assert sum(" fit " in line for line in COMMANDS) >= 3


@pytest.mark.skipif(os.name == "nt", reason="the examples are for a Unix shell")
@pytest.mark.parametrize("line", COMMANDS)
def test_the_command_line_examples_run(line: str, tmp_path: Path) -> None:
    done = run(line, tmp_path)
    assert done.stderr == ""
    assert done.returncode == 0
    if " fit " in line or "--json" in line:
        json.loads(done.stdout)
    if written := re.search(r"-o (\S+)", line):
        assert (tmp_path / written[1]).stat().st_size > 0


def test_the_pictures_exist() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert len(pictures) >= 2
    assert [name for name in pictures if not (ROOT / name).is_file()] == []


@pytest.mark.skipif(os.name == "nt", reason="the examples are for a Unix shell")
def test_the_picture_of_a_curve_is_what_its_command_draws(tmp_path: Path) -> None:
    (line,) = (line for line in COMMANDS if "-o curve.png" in line)
    run(line, tmp_path)
    drawn, shown = (
        np.asarray(Image.open(folder / "curve.png").convert("RGB"), dtype=float)
        for folder in (tmp_path, ROOT / "resources")
    )
    assert drawn.shape == shown.shape
    # Another rasteriser may smooth edges in its own way; blank paper would be 11 off.
    assert np.abs(drawn - shown).mean() < 1, "run the command in resources/ to draw it anew"


def test_set_up_and_tests_are_one_line_each() -> None:
    start, test = [line for block in blocks("sh") for line in block.splitlines() if "setup.sh" in line]
    assert start == "sh resources/setup.sh && .venv/bin/kernelviz"
    assert test.startswith("sh resources/setup.sh test && .venv/bin/python -m pytest")
    assert README.index("<!-- test-command -->") < README.index(test)


def test_the_kernel_of_the_contributing_guide_works() -> None:
    (code,) = blocks("python", CONTRIBUTING)
    imports = (
        "from dataclasses import dataclass\n"
        "from kernelviz.engine.core.arrays import Array\n"
        "from kernelviz.engine.kernels.vectors import RadialKernel\n"
        "from kernelviz.engine.core.params import real\n"
        "from kernelviz.engine.kernels.derivatives import Pairs\n"
    )
    check = "k = Cauchy(gamma=2)\nassert k([[0, 0]], [[1, 1]]) == 1 / 5\nassert str(k) == 'cauchy(gamma=2)'\n"
    done = run([sys.executable, "-W", "error", "-c", imports + code + check])
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize(
    "path",
    sorted(set(re.findall(r"`(kernelviz/[\w/]+\.py|kernelviz/[\w/]+/|session/\w+\.py)`", CONTRIBUTING))),
)
def test_the_files_the_guide_names_exist(path: str) -> None:
    assert (ROOT / (path if path.startswith("kernelviz") else f"kernelviz/{path}")).exists()


def test_every_dependency_has_its_reason() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.match(r"[\w-]+", line)[0] for line in project["dependencies"]}  # type: ignore[index]
    assert {name for name in names if f"**{name}**" not in CONTRIBUTING} == set()
