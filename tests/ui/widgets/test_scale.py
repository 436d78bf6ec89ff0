"""Where sliders stop."""

from __future__ import annotations

import itertools
import math

import pytest

from kernelviz.engine.core.params import Parameter
from kernelviz.engine.fits import registry
from kernelviz.ui.widgets.scale import Scale, digits, scale_of

NUMBERS = [
    pytest.param(parameter, id=f"{name}.{parameter.name}")
    for family in (registry.kernels(), registry.algorithms(), registry.datasets())
    for name, kind in family.items()
    for parameter in kind.parameters()
    if parameter.is_number
]


@pytest.mark.parametrize("parameter", NUMBERS)
def test_every_slider_runs_upwards_over_allowed_values_from_end_to_end(parameter: Parameter):
    for view in (None, *parameter.views):
        scale = scale_of(parameter, view)
        values = scale.values
        assert all(a < b for a, b in itertools.pairwise(values))
        assert (values[0], values[-1]) == (scale.low, scale.high)
        assert scale.least <= values[0]
        assert values[-1] <= scale.most
        assert [scale.position(v) for v in values] == list(range(len(values)))


@pytest.mark.parametrize("parameter", NUMBERS)
def test_every_stop_is_accepted_by_the_declaration(parameter: Parameter):
    for view in (None, *parameter.views):
        for value in scale_of(parameter, view).values:
            if view is None:
                assert parameter.check(value, "it") == value
            else:
                assert math.isclose(view.from_canonical(view.check(value, parameter, "it")), value)


def test_values_beyond_the_slider_sit_at_its_ends():
    scale = Scale(1, 10, 0, 100)
    assert scale.position(-5) == 0
    assert scale.position(50) == len(scale.values) - 1


def test_a_decade_is_as_long_everywhere_on_a_logarithmic_slider():
    for whole in (False, True):
        scale = Scale(1, 1000, 1, 1000, log=True, whole=whole)
        shares = [scale.share(scale.position(v)) for v in (1, 10, 100, 1000)]
        assert shares == pytest.approx([0, 1 / 3, 2 / 3, 1])
        assert scale.values[scale.position_at(1 / 3)] == pytest.approx(10, rel=0.02)


def test_arrows_step_on_beyond_the_slider_but_not_beyond_the_bounds():
    scale = Scale(1, 10, 1, 12, whole=True)
    assert scale.stepped(10, 1) == 11
    assert scale.stepped(12, 1) == 12
    log = Scale(1e-2, 1e2, 1e-8, 1e8, log=True)
    assert log.stepped(1e2, 1) > 1e2
    assert log.stepped(1e8, 1) == 1e8


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1"), (0.30000000000000004, "0.3"), (1e-5, "1e-5"), (123456, "123456"), (0.5, "0.5")],
)
def test_numbers_are_shown_as_people_write_them(value, text):
    assert digits(value) == text
