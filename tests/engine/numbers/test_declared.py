"""The one table of numbers."""

from __future__ import annotations

import pytest

from kernelviz import dataset, fit
from kernelviz.engine.numbers.declared import NUMBERS
from kernelviz.engine.numbers.of_fit import on_held_out
from kernelviz.session.lessons.facts import SLOW, vocabulary


@pytest.mark.parametrize("source", ["rings(n=20)", "sine(n=20)", "blobs(n=20, classes=3)"])
def test_whatever_a_fit_reports_is_declared(source):
    model = fit(dataset(source), algorithm="ridge")
    reported = model.summary() | on_held_out(model, model.problem.data).summary()
    assert reported.keys() <= NUMBERS.keys()


def test_every_declared_number_has_a_name_of_its_own_and_a_formula():
    assert len({number.label for number in NUMBERS.values()}) == len(NUMBERS)
    assert all(number.formula for number in NUMBERS.values())


def test_every_number_that_takes_long_has_its_function():
    assert [number.key for number in NUMBERS.values() if number.group == "slow"] == list(SLOW)


def test_a_lesson_may_ask_for_every_number():
    assert vocabulary().names.keys() >= NUMBERS.keys()
