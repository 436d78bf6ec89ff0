"""An edit in a few words."""

from __future__ import annotations

import pytest

from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.scene.changes import change_in_words
from kernelviz.session.state import Document, State


def state(k: str = "rbf(gamma=1)", a: str = "soft-margin-svm(C=10)", source: str = "moons(n=20)") -> State:
    document = Document.of(dataset(source), kernel(k), algorithm(a))
    return State(document, document.workspace.look(document.data))


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ({"k": "rbf(gamma=2)"}, "γ 1 → 2"),
        ({"a": "soft-margin-svm(C=0.5)"}, "C 10 → 0.5"),
        ({"k": "linear"}, "Gaussian (RBF) → Linear"),
        ({"k": "rbf(gamma=3)", "a": "soft-margin-svm(C=1)"}, "γ 1 → 3, C 10 → 1"),
        ({"source": "moons(n=21)"}, "20 → 21 points"),
        ({}, ""),
    ],
)
def test_what_differs_is_named_with_both_values(now, words):
    assert change_in_words(state(), state(**now)) == words
