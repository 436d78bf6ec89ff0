"""Data and kernel, and the Gram matrix they share."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.models.problem import Problem


def test_a_gram_matrix_is_adopted_from_the_same_points_and_kernel():
    first = Problem(dataset("moons(n=30)"), kernel("rbf(gamma=2)"))
    second = Problem(dataset("moons(n=30)"), kernel("rbf(gamma=2)"))
    assert second.adopt_gram(first)
    assert "gram" not in second.__dict__  # nobody has computed one yet
    assert first.gram.shape == (30, 30)
    assert second.adopt_gram(first)
    assert second.gram is first.gram


def test_no_gram_matrix_is_adopted_from_other_points_or_another_kernel():
    first = Problem(dataset("moons(n=30)"), kernel("rbf(gamma=2)"))
    assert first.gram.shape == (30, 30)
    for other in (
        Problem(dataset("moons(n=30, seed=9)"), kernel("rbf(gamma=2)")),
        Problem(dataset("moons(n=30)"), kernel("rbf(gamma=3)")),
    ):
        assert not other.adopt_gram(first)
        assert other.gram is not first.gram


def test_another_lambda_of_ridge_computes_no_gram_matrix_anew():
    data = dataset("moons(n=30)")
    first = kernelviz.fit(data, kernel="rbf(gamma=2)", algorithm="ridge(lam=0.1)")
    second = kernelviz.fit(data, kernel="rbf(gamma=2)", algorithm="ridge(lam=0.2)", start=first)
    assert second.problem.gram is first.problem.gram


PLACES = np.linspace(-3.0, 3.0, 400)[:, None]


def test_while_only_weights_change_the_kernel_is_not_evaluated_anew(monkeypatch):
    data, model = dataset("sine(n=60)"), None
    for lam in (0.1, 0.2, 0.3, 0.4, 0.5):
        model = kernelviz.fit(data, kernel="rbf(gamma=3)", algorithm=f"ridge(lam={lam})", start=model)
        model.score(PLACES)
    expected = kernelviz.fit(data, kernel="rbf(gamma=3)", algorithm="ridge(lam=0.6)").score(PLACES)
    monkeypatch.setattr(type(model.problem.kernel), "gram", None)
    model = kernelviz.fit(data, kernel="rbf(gamma=3)", algorithm="ridge(lam=0.6)", start=model)
    assert model.score(PLACES) == pytest.approx(expected, abs=1e-12)
