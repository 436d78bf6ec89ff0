"""The script that both commands of the README begin with, on pretended machines whose programs are stubs.

The real thing, on a Debian that has nothing, is `tests/bare_machine.sh`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the script is for Unix")

SCRIPT = Path(__file__).parent.parent / "resources" / "setup.sh"


@dataclass
class Machine:
    """A folder with a clone in it and a path of stubs; `log` has the calls of the stubs that tell."""

    folder: Path

    def program(self, name: str, body: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def tells(self, name: str, body: str = "") -> None:
        self.program(name, f'echo "{Path(name).name} $*" >>"{self.folder}/log"\n{body}')

    def set_up(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", self.folder / "clone" / "resources" / "setup.sh", *arguments],
            env={"PATH": str(self.folder / "bin")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """An ordinary user's, who may not install anything, with Python and all libraries."""
    made = Machine(tmp_path)
    (tmp_path / "clone" / "resources").mkdir(parents=True)
    shutil.copy(SCRIPT, tmp_path / "clone" / "resources")
    for name in ("cat", "cp", "dirname", "mkdir", "sh"):
        made.program(f"bin/{name}", f'exec {shutil.which(name)} "$@"')
    made.program("bin/id", "echo 1000")
    made.tells("venv-python", f'case "$*" in *qt_check*) cat "{tmp_path}/missing" 2>&- || :;; esac')
    make = f"mkdir -p .venv/bin; cp {tmp_path}/venv-python .venv/bin/python"
    made.tells("bin/python3", f'case "$*" in "-m venv .venv") {make};; esac')
    return made


def lacks(machine: Machine, command: str) -> None:
    (machine.folder / "missing").write_text(command + "\n")


def test_where_nothing_is_missing_only_the_environment_is_made(machine: Machine) -> None:
    machine.tells("bin/apt-get")
    machine.tells("bin/sudo")
    done = machine.set_up()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "python3 -m venv .venv" in machine.log
    assert any(re.fullmatch(r"venv-python -m pip install .* \.", line) for line in machine.log)
    assert not any(line.startswith(("apt-get", "sudo")) for line in machine.log)


def test_an_environment_that_works_is_kept(machine: Machine) -> None:
    machine.set_up()
    machine.set_up("test")
    assert machine.log.count("python3 -m venv .venv") == 1
    assert any(line.endswith("-e .[test]") for line in machine.log)
    assert any(line.endswith("qt_check --tests") for line in machine.log)


def test_root_gets_what_is_missing(machine: Machine) -> None:
    machine.program("bin/id", "echo 0")
    machine.tells("bin/apt-get")
    lacks(machine, "apt-get install -y libgl1 'lib (odd)'")
    assert machine.set_up().returncode == 0
    assert machine.log[-2:] == ["apt-get update -qq", "apt-get install -y libgl1 lib (odd)"]


def test_sudo_is_used_where_it_needs_no_answer_or_can_ask(machine: Machine) -> None:
    machine.tells("bin/sudo", 'if [ "$1" = -n ]; then exit 0; fi; "$@"')
    machine.tells("bin/dnf")
    lacks(machine, "dnf install -y libgl1")
    assert machine.set_up().returncode == 0
    assert machine.log[-1] == "dnf install -y libgl1"
    assert machine.log[-2].startswith("sudo sh -c")


@pytest.mark.parametrize("sudo", [None, "exit 1"], ids=["no sudo", "sudo that cannot ask"])
def test_who_may_not_install_is_told_the_exact_command(machine: Machine, sudo: str | None) -> None:
    if sudo:
        machine.program("bin/sudo", sudo)
    machine.tells("bin/apt-get")
    lacks(machine, "apt-get install -y libgl1 libegl1")
    done = machine.set_up()
    assert done.returncode == 1
    assert "\n  sudo apt-get install -y libgl1 libegl1\n" in done.stderr
    assert not any(line.startswith("apt-get") for line in machine.log)


def test_debians_separate_package_for_environments_is_fetched(machine: Machine) -> None:
    machine.program("bin/id", "echo 0")
    python = (machine.folder / "bin" / "python3").read_text()
    there = machine.folder / "ensurepip"
    machine.program("bin/python3", f'case "$*" in *ensurepip*) [ -e {there} ]; exit;; esac\n{python}')
    machine.tells("bin/apt-get", f'case "$1" in install) : >{there};; esac')
    assert machine.set_up().returncode == 0
    assert "apt-get install -y --no-install-recommends python3-venv" in machine.log


def test_a_python_too_old_is_passed_by_and_said_so_if_there_is_no_other(machine: Machine) -> None:
    (machine.folder / "bin" / "python3").rename(machine.folder / "bin" / "python3.12")
    machine.program("bin/python3", "exit 1")
    assert machine.set_up().returncode == 0
    (machine.folder / "bin" / "python3.12").unlink()
    shutil.rmtree(machine.folder / "clone" / ".venv")
    done = machine.set_up()
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr


def test_the_script_asks_a_module_that_exists() -> None:
    (module,) = re.findall(r"-m (kernelviz\.[\w.]+)", SCRIPT.read_text(encoding="utf-8"))
    assert find_spec(module) is not None


def test_the_wheel_has_what_the_program_reads_and_not_what_the_readme_shows():
    project = tomllib.loads((SCRIPT.parents[1] / "pyproject.toml").read_text("utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert all(target == f"kernelviz/{source}" for source, target in included.items())
    left_out = {path.name for path in SCRIPT.parent.iterdir()} - {Path(source).name for source in included}
    assert left_out == {"setup.sh", "screenshot.png", "curve.png", "claims.md", "examples"}
