"""The median heuristic."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels import vectors
from kernelviz.engine.kernels.vectors import typical_distance


@pytest.mark.parametrize("n", [2, 7, 8, 1000])
def test_the_typical_distance_is_the_median_over_all_pairs(n: int) -> None:
    X = np.random.default_rng(n).standard_normal((n, 3))
    assert typical_distance(X, 2) == pytest.approx(np.median(pdist(X, "sqeuclidean")))
    assert typical_distance(X, 1) == pytest.approx(np.median(pdist(X, "cityblock")))


def test_all_parts_of_a_composition_share_one_look_at_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    original = vectors._median
    monkeypatch.setattr(vectors, "_median", lambda values: looks.append(1) or original(values))
    X = np.random.default_rng(3).standard_normal((500, 2))
    kernel("+".join(["rbf", "matern32*ard", "rational_quadratic"] * 12)).scaled_to(X)
    assert len(looks) == 1
