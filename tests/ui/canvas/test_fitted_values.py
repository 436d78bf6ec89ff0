"""Points coloured by their fitted value, and rugs along the axes."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.fits.parsing import dataset


@pytest.mark.parametrize("name", ["values", "rugs"])
def test_a_toggle_draws_them_and_takes_them_away(hand, name):
    made = hand(dataset("returning(n=40)"), "linear", "logistic")
    made.session.toggle("legend")  # which may stay where it has gone to
    made.settle()
    plain = made.picture()
    made.session.toggle(name)
    made.settle()
    assert not np.array_equal(made.picture(), plain)
    made.session.toggle(name)
    made.settle()
    assert np.array_equal(made.picture(), plain)


def test_the_legend_explains_the_colours_if_the_fit_has_such_values(hand):
    made = hand(dataset("returning(n=40)"), "linear", "logistic")
    made.session.toggle("values")
    made.settle()
    assert "fitted value 0 to 1" in made.legend
    assert {"class 0", "class 1"} <= set(made.legend)


def test_a_machine_without_such_values_colours_nothing(hand):
    made = hand(dataset("returning(n=40)"), "linear", "soft-margin-svm")
    made.session.toggle("legend")
    made.settle()
    plain = made.picture()
    made.session.toggle("values")
    made.settle()
    assert np.array_equal(made.picture(), plain)
