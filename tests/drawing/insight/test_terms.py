"""A score as a sum of bars."""

from __future__ import annotations

import pytest

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.terms import Summand, TermsPicture


@pytest.mark.parametrize("value", [0.0, 5e-324, 1e-310, 1e300])
def test_terms_of_any_size_are_bars_within_the_picture(painted, rect, value):
    picture = TermsPicture((Summand("point 1", value, 0), Summand("b", -value)))
    zero, lengths = picture._bars(rect, Style())
    assert all(rect.left() <= zero + length <= rect.right() for length in lengths)
    assert lengths[0] == -lengths[1]
    assert (lengths[0] > 0) == (value > 0)
    painted(picture)
