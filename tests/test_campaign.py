"""A short campaign; CONTRIBUTING.md says how to run a long one."""

from __future__ import annotations

from dataclasses import replace

import pytest

import kernelviz
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
