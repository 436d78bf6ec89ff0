"""The solvers' README lists every threshold of the quadratic programme's modules, with the value it has."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import kernelviz.engine.solvers as solvers
from tests.benchmarks.thresholds import PLACES, SWITCHES, switched_off

MODULES = ["program", "solve", "dual_svm", "objectives", "rows", "newton", "working_set", "smo"]
README = (Path(solvers.__file__).parent / "README.md").read_text(encoding="utf-8")
LISTED = dict(re.findall(r"^\| `(\w+\.[A-Z_]+)` \| (\S+) \|", README, re.MULTILINE))


def there_are() -> dict[str, float]:
    found = {}
    for name in MODULES:
        module = import_module(PLACES.get(name, f"kernelviz.engine.solvers.qp.{name}"))
        own = re.findall(
            r"^([A-Z][A-Z_, ]*) = ", Path(module.__file__).read_text(encoding="utf-8"), re.MULTILINE
        )
        for constant in ", ".join(own).split(", "):
            found[f"{name}.{constant}"] = getattr(module, constant)
    return {name: value for name, value in found.items() if isinstance(value, int | float) and value < 1e300}


def test_every_threshold_is_listed_with_its_value():
    assert {name: float(value) for name, value in LISTED.items()} == there_are()


@pytest.mark.parametrize("name", SWITCHES)
def test_what_the_table_switches_off_exists_and_comes_back(name):
    before = there_are()
    with switched_off(SWITCHES[name]):
        assert {**before, **SWITCHES[name]} == there_are() or SWITCHES[name] == {}
    assert there_are() == before


def test_the_modules_to_read_are_there():
    order = README.split("Reading order: ")[1].split("\n\n")[0]
    modules = re.findall(r"`(\w+)`", order)
    assert modules
    assert [
        name for name in modules if find_spec(PLACES.get(name, f"kernelviz.engine.solvers.qp.{name}")) is None
    ] == []
