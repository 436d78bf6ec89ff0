"""The map of settings."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.drawing.insight.selection import _strength


def test_a_map_with_three_quarters_of_its_cells_at_the_best_shows_which_are_worse() -> None:
    errors = np.r_[np.full(9, 0.1), 0.2, 0.5]
    assert _strength(errors, rising=False) == pytest.approx([*np.ones(9), 0.75, 0.0])


def test_a_map_of_equal_cells_has_one_shade() -> None:
    assert len(set(_strength(np.full(4, 0.1), rising=False))) == 1
