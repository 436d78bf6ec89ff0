"""What every data set of the registry must do; nothing to write here when one is added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.core.data import Task
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.registry import datasets
from tests.strategies import declared

ALL = list(datasets().values())
every_dataset = pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.name)
seeded = pytest.mark.parametrize(
    "cls", [c for c in ALL if any(p.name == "seed" for p in c.parameters())], ids=lambda cls: cls.name
)


@every_dataset
def test_the_same_parameters_draw_the_same_points(cls: type[DataSet]) -> None:
    first, second = cls().make(), cls().make()
    assert np.array_equal(first.X, second.X)
    assert np.array_equal(first.y, second.y)


@seeded
def test_another_seed_draws_other_points(cls: type[DataSet]) -> None:
    assert not np.array_equal(cls(seed=1).make().X, cls(seed=2).make().X)


@every_dataset
def test_the_workspace_it_names_can_show_it(cls: type[DataSet]) -> None:
    data = cls().make()
    assert 3 <= data.n <= 200
    if cls.shown_in in ("curve", "surface"):
        assert data.task is Task.REGRESSION
    else:
        assert data.task in (Task.TWO_CLASSES, Task.CLASSES)
        assert len(np.unique(data.y)) == len(data.class_names)
    if cls.shown_in in ("words", "objects"):
        assert all(isinstance(x, str) for x in data.X)
    else:
        assert data.X.shape[1] == {"curve": 1, "categories": 3}.get(cls.shown_in, 2)
        assert np.abs(data.X).max() < 10
        assert data.X.std() > 0.3


@every_dataset
def test_its_points_are_read_only(cls: type[DataSet]) -> None:
    data = cls().make()
    assert isinstance(data.X, tuple) or not data.X.flags.writeable
    assert not data.y.flags.writeable


@every_dataset
def test_it_and_its_parameters_are_described(cls: type[DataSet]) -> None:
    assert cls.title
    assert cls.summary_line.endswith(".")
    assert all(p.help for p in cls.parameters())


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(ALL).flatmap(lambda cls: declared(cls)))
def test_all_declared_parameters_draw_n_finite_points_of_every_class(made: DataSet) -> None:
    data = made.make()
    assert data.n == made.values().get("n", data.n)
    assert not data.has_numbers or np.isfinite(data.X).all()
    assert np.isfinite(data.y).all()
    if made.shown_in not in ("curve", "surface"):
        assert len(np.unique(data.y)) == len(data.class_names)
    if isinstance(asked := made.values().get("classes"), int):
        assert len(data.class_names) == asked


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(ALL).flatmap(lambda cls: declared(cls)))
def test_its_expression_reads_back_as_itself(made: DataSet) -> None:
    assert parse_dataset(str(made)) == made
