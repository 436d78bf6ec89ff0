"""The catalogue lists what is declared."""

from __future__ import annotations

import json

import pytest

from kernelviz.cli.list import KINDS, catalogue
from kernelviz.engine.fits import registry


@pytest.mark.parametrize("kind", ["kernels", "algorithms", "datasets"])
def test_everything_registered_is_listed_with_its_parameters(kind: str) -> None:
    registered = getattr(registry, kind)()
    entries = {entry["name"]: entry for entry in catalogue(kind)}
    assert list(entries) == list(registered)
    for name, cls in registered.items():
        parameters = entries[name]["parameters"]
        assert [p["name"] for p in parameters] == [p.name for p in cls.parameters()]
        assert [p["default"] for p in parameters] == list(cls().values().values())


@pytest.mark.parametrize("kind", KINDS)
def test_every_list_is_plain_json(kind: str) -> None:
    assert json.loads(json.dumps(catalogue(kind), allow_nan=False)) == catalogue(kind)


def test_bounds_options_and_other_names_are_there() -> None:
    rbf = next(entry for entry in catalogue("kernels") if entry["name"] == "rbf")
    assert rbf["parameters"][0] == {
        "name": "gamma",
        "kind": "real",
        "default": 1.0,
        "low": 1e-30,
        "high": 1e30,
        "scale": "log",
        "also": ["sigma", "l", "length_scale", "variance"],
        "help": "Inverse squared width",
    }
    iris = next(entry for entry in catalogue("datasets") if entry["name"] == "iris")
    assert "all" in iris["parameters"][-1]["options"]
