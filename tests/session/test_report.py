"""Models as plain values and JSON."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from kernelviz.api import fit
from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.report import as_json, report


@pytest.mark.parametrize("source", ["rings(n=20)", "blobs(n=20, classes=3)"])
@pytest.mark.parametrize(
    "algorithm", ["soft-margin-svm(C=1)", "nearest-neighbours", "random-features", "one-class-svm"]
)
def test_any_model_becomes_valid_json(source: str, algorithm: str) -> None:
    model = fit(dataset(source), algorithm=algorithm)
    read = json.loads(as_json(report(model)))
    assert read["n"] == 20
    assert read["task"] == str(model.problem.data.task)
    assert read["algorithm"] == str(model.algorithm)
    assert read["support"] == model.support.tolist()
    assert read["summary"] == model.summary()
    for name, weights in (("alpha", model.alpha), ("beta", model.beta)):  # to the last bit
        assert read[name] == (None if weights is None else weights.tolist())


def test_what_json_does_not_know_becomes_null() -> None:
    values = {"a": math.nan, "b": [1.0, math.inf], "c": {"d": np.float64("-inf")}, "e": np.arange(2), "f": {}}
    assert json.loads(as_json(values)) == {
        "a": None,
        "b": [1.0, None],
        "c": {"d": None},
        "e": [0, 1],
        "f": {},
    }


def test_no_zero_has_a_sign() -> None:
    for algorithm in ("hard-margin-svm", "soft-margin-svm", "prototype"):
        assert "-0.0," not in as_json(report(fit([[0.0], [2.0], [-9.0]], [-1, 1, -1], "0*linear", algorithm)))


def test_what_was_done_to_the_data_comes_before_how_it_ended() -> None:
    model = fit(dataset("rings(n=20)"))
    assert report(model, "Thinned out.")["message"] == f"Thinned out. {model.message}"


def test_converged_with_an_indefinite_kernel_is_said_to_be_no_proof_of_an_optimum() -> None:
    def message(kernel: str, algorithm: str) -> str:
        return report(fit(dataset("rings(n=30)"), kernel=kernel, algorithm=algorithm))["message"]

    assert message("sigmoid", "soft-margin-svm(C=1)").endswith("so that other weights may be better still.")
    for kernel, algorithm in [
        ("rbf", "soft-margin-svm(C=1)"),
        ("sigmoid", "prototype"),
        ("sigmoid", "feature-map(model=hinge)"),
    ]:
        assert "better still" not in message(kernel, algorithm)


def test_for_several_classes_the_weights_of_every_pair_are_told() -> None:
    model = fit(dataset("blobs(n=30, classes=3)"), kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=1)")
    told = json.loads(as_json(report(model)))
    X, names = model.problem.X, list(model.problem.data.class_names)
    assert [pair["classes"] for pair in told["pairs"]] == [names[:2], names[::2], names[1:]]
    for pair, own in zip(told["pairs"], model.pairs, strict=True):  # type: ignore[attr-defined]
        scores = model.problem.kernel(X, X[pair["rows"]]) @ pair["beta"] + pair["b"]
        np.testing.assert_allclose(scores, own.model.score(X), atol=1e-12)
        assert set(pair["support"]) <= set(pair["rows"])
    assert "pairs" not in report(fit(dataset("rings(n=20)")))
