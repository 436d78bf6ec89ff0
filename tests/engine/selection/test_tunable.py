"""The numbers of a fit that can be tuned, and the values between two ends."""

from __future__ import annotations

import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.engine.selection.tunable import Knob, knobs


def knob(text: str, name: str) -> Knob:
    return next(k for k in knobs(parse_fit(text)) if k.parameter.name == name)


def test_every_number_can_be_turned_also_those_of_the_parts_of_a_kernel():
    every = knobs(parse_fit("linear + 2*rbf(gamma=3) ; soft-margin-svm(C=10)"))
    found = {k.parameter.name: k.value for k in every}
    assert {"scale": 2.0, "gamma": 3.0, "C": 10.0}.items() <= found.items()
    silent = [k.parameter.silent for k in every]
    assert silent == sorted(silent)


def test_an_algorithm_without_a_kernel_offers_none_of_its_parameters():
    assert not [k for k in knobs(parse_fit("rbf(gamma=1) ; feature-map")) if k.whose == "kernel"]


def test_a_sweep_runs_on_the_parameters_scale_both_ways():
    gamma = knob("rbf(gamma=1) ; ridge(lam=1)", "gamma")
    assert gamma.usual() == (0.01, 100.0)
    assert gamma.values(0.01, 100.0, 5) == pytest.approx([0.01, 0.1, 1.0, 10.0, 100.0])
    assert gamma.values(100.0, 0.01, 5) == pytest.approx([100.0, 10.0, 1.0, 0.1, 0.01])


def test_whole_numbers_are_swept_without_repeats():
    degree = knob("polynomial(degree=3, c=1) ; ridge(lam=1)", "degree")
    assert degree.values(1, 4, 20) == [1, 2, 3, 4]


def test_a_turned_fit_has_the_value():
    C, fit = knob("rbf(gamma=1) ; soft-margin-svm(C=10)", "C"), parse_fit("rbf ; soft-margin-svm(C=10)")
    assert [C.turned(fit, value).algorithm.C for value in (1.0, 3.0)] == [1.0, 3.0]


@pytest.mark.parametrize(("start", "end", "sentence"), [(1.0, 1.0, "different"), (-1.0, 1.0, "lie between")])
def test_impossible_ends_are_refused_in_words(start, end, sentence):
    gamma = knob("rbf(gamma=1) ; ridge(lam=1)", "gamma")
    with pytest.raises(BadInput, match=sentence):
        gamma.values(start, end, 5)
