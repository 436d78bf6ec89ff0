"""Parameters: one declaration, checked on construction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, Unit, choice, flag, integer, nearest, number, real, within


@dataclass(frozen=True)
class Lamp(Declared):
    name = "lamp"
    power: float = real(
        10.0,
        low=1.0,
        high=100.0,
        soft=(5.0, 50.0),
        label="P",
        views=(Unit("resistance", "R", "At one volt", lambda r: 1 / r, lambda p: 1 / p),),
    )
    count: int = integer(1, low=1, high=9, silent=True)
    colour: str = choice("warm-white", ("warm-white", "cold_white"))
    dimmed: bool = flag(False, silent=True)


def test_values_come_out_in_their_declared_type() -> None:
    lamp = Lamp(power=np.float32(20), count=np.int64(3), dimmed=1)
    assert (type(lamp.power), type(lamp.count), lamp.dimmed) == (float, int, True)
    assert Lamp(dimmed=np.True_).dimmed is True
    assert Lamp(dimmed=0.0).dimmed is False
    assert Lamp(count=2.0).count == 2
    assert isinstance(Lamp(count=2.0).count, int)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"power": 0.5}, "power of lamp must lie between 1 and 100, not be 0.5"),
        ({"power": float("nan")}, "finite"),
        ({"power": float("inf")}, "finite"),
        ({"power": "much"}, "finite number, not 'much'"),
        ({"power": None}, "finite number"),
        ({"power": True}, "finite number"),
        ({"power": 10**400}, "finite number"),
        ({"power": np.ones(3)}, "finite number"),
        ({"count": 1.5}, "whole number, not 1.5"),
        ({"count": 10}, "between 1 and 9"),
        ({"colour": "red"}, "one of warm-white, cold_white"),
        ({"colour": "warm"}, "Did you mean warm-white?"),
        ({"dimmed": 2}, "true or false"),
        ({"dimmed": None}, "true or false"),
        ({"dimmed": np.ones(3)}, "true or false"),
        ({"power": 1 / 3}, "not be 0.3333."),
        ({"power": 1234567890}, "not be 1234567890."),
        ({"power": 12345678901}, "not be 1.235e+10."),
        ({"dimmed": "yes"}, "true or false"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name_and_bounds(values: dict[str, object], words: str) -> None:
    with pytest.raises(BadInput) as caught:
        Lamp(**values)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_bounds_are_described_in_words() -> None:
    assert within(1, 100) == "lie between 1 and 100"
    assert within(1, np.inf) == "be at least 1"
    assert within(-np.inf, 100) == "be at most 100"
    assert within(-np.inf, np.inf) == "be a finite number"


def test_a_slider_covers_all_that_is_allowed_unless_a_soft_range_is_declared() -> None:
    assert Lamp.parameter("power").soft == (5.0, 50.0)
    assert Lamp.parameter("count").soft == (1, 9)


def test_a_view_is_another_name_with_its_own_bounds() -> None:
    assert Lamp.resolve("resistance", 0.05) == ("power", 20.0)
    with pytest.raises(BadInput, match=r"resistance of lamp must lie between 0.01 and 1, not be 2"):
        Lamp.resolve("resistance", 2)


def test_the_edge_of_a_views_range_is_inside() -> None:
    for edge in (0.01, 1.0):
        assert Lamp.resolve("resistance", edge)[1] in (1.0, 100.0)


def test_dash_and_underscore_are_the_same() -> None:
    assert Lamp(colour="warm_white") == Lamp(colour="warm-white")
    assert Lamp(colour="cold-white").colour == "cold_white"


def test_silent_parameters_are_printed_only_when_they_differ() -> None:
    assert str(Lamp()) == "lamp(power=10, colour=warm-white)"
    assert str(Lamp(count=2, dimmed=True)) == "lamp(power=10, count=2, colour=warm-white, dimmed=true)"


def test_a_copy_with_a_change_is_checked_too() -> None:
    assert Lamp().replace(power=20).power == 20.0
    with pytest.raises(BadInput):
        Lamp().replace(power=0)


def test_a_parameter_is_labelled_by_its_symbol_or_else_its_name() -> None:
    assert Lamp.parameter("power").label == "P"
    assert Lamp.parameter("count").label == "count"


def test_the_message_for_a_parameter_of_a_class_without_any_mentions_it() -> None:
    with pytest.raises(BadInput, match=r"bare has no parameter 'C'. It has no parameters."):
        type("Bare", (Declared,), {"name": "bare"}).resolve("C", 1)


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(BadInput, match="Did you mean power"):
        Lamp.resolve("pwer", 3)
    assert nearest("c", ["C", "tol"]) == "Did you mean C?"
    assert nearest("zzz", ["C", "tol"]) == "Known: C, tol."


@pytest.mark.parametrize("value", [0, 1, -3, 0.5, 1e-6, 1e7, 1e22, -0.1, 123456.789, 2**53 + 2.0, 1e-300])
def test_a_number_reads_back_as_itself(value: float) -> None:
    assert float(number(value)) == value


def test_a_number_is_written_as_short_as_it_can_be() -> None:
    for value in (True, False):
        assert number(value) == str(value).lower()
    assert number(2**60 + 1) == str(2**60 + 1)
    assert (number(1e6), number(1e7), number(-1e22), number(12345678.0)) == (
        "1000000",
        "1e+07",
        "-1e+22",
        "12345678",
    )
