"""Running long work to its end."""

from __future__ import annotations

import pytest

from kernelviz.engine.core.generators import Steps, finished


def counting(to):
    yield from range(to)
    return f"counted to {to}"


def test_a_finished_generator_gives_what_it_returns():
    assert finished(counting(3)) == "counted to 3"
    assert finished(counting(0)) == "counted to 0"


def test_steps_are_seen_one_by_one_and_the_result_is_kept():
    steps = Steps(counting(3))
    assert list(steps) == [0, 1, 2]
    assert steps.result == "counted to 3"


def test_what_goes_wrong_inside_is_raised_outside():
    def failing():
        yield 0.5
        raise KeyError("inside")

    with pytest.raises(KeyError, match="inside"):
        finished(failing())
