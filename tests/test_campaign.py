"""A short campaign; CONTRIBUTING.md says how to run a long one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kernelviz
from tests import campaign_far
from tests.campaign import campaign, claims


@pytest.mark.parametrize("seed", [11, 12])
def test_a_few_hundred_regressions_are_what_they_say_cold_and_along_sliders(seed: int) -> None:
    endings, found = campaign(150, seed)
    assert found == []
    assert sum(count for ending, count in endings.items() if ending.endswith(" converged")) > 200


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda model: replace(model, offset=model.offset + 0.02), "KKT violation"),
        (lambda model: replace(model, objectives=(1.0, 2.0)), "primal_objective"),
        (lambda model: replace(model, objectives=(model.objectives[0], 0.99999)), "dual_objective"),
        (lambda model: replace(model, objectives=(None, model.objectives[1])), "missing without a word"),
        (lambda model: replace(model, known_scores=model.training_scores + 1e-6), "training_scores"),
        (lambda model: replace(model, known_energy=1.001 * model.squared_norm), "norm"),
    ],
    ids=["b", "objectives", "dual", "missing", "scores", "norm"],
)
def test_a_false_claim_is_found(wrong, words: str) -> None:
    model = kernelviz.fit(kernelviz.dataset("sine"), None, "rbf(gamma=2)", "svr(C=10, epsilon=0.1)")
    assert [*claims(model)] == []
    assert any(words in claim for claim in claims(wrong(model)))


@pytest.mark.parametrize("seed", [5, 6])
def test_fits_with_points_far_away_are_what_they_say(seed: int) -> None:
    endings, found = campaign_far.campaign(500, seed)
    assert found == []
    for case in campaign_far.CASES:
        assert sum(endings[f"{state} {case.name} converged"] for state in ("cold", "warm")) > 40


@pytest.mark.parametrize("case", campaign_far.CASES, ids=lambda case: case.name)
@pytest.mark.parametrize(
    "wrong",
    [
        lambda model: replace(model, weights=1.01 * model.weights),
        lambda model: replace(model, weights=model.weights + 1e-6 * np.abs(model.weights).max()),
        lambda model: replace(model, known_scores=model.training_scores + 1e-6),
        lambda model: replace(model, known_energy=1.01 * model.squared_norm),
    ],
    ids=["weights", "sum", "scores", "norm"],
)
def test_a_false_claim_about_a_fit_with_points_far_away_is_found(case, wrong) -> None:
    if case.task == "regression" or "ridge" in case.name:
        data = kernelviz.dataset("sine" if case.task == "regression" else "moons")
    else:
        data = kernelviz.dataset("moons(noise=0.4)")
    model = kernelviz.fit(data, None, "rbf(gamma=1)", case.settings.format(lam=0.1))
    assert [*campaign_far.claims(case, model)] == []
    assert [*campaign_far.claims(case, wrong(model))] != []
