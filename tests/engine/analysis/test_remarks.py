"""A wide gap of a converged fit is explained, and nothing else is."""

from __future__ import annotations

import dataclasses

import pytest

from kernelviz.api import fit
from kernelviz.engine.analysis.remarks import about_the_gap, share_of_the_dual
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.models.base import Model, Status
from kernelviz.session.report import report

DATA = dataset("gaussians(n=40)")


def with_objectives(primal: float, dual: float, how: str = "soft-margin-svm(C=1e5)") -> Model:
    """A machine that has converged, and says so of these objectives."""
    return dataclasses.replace(fit(DATA, algorithm=how), objectives=(primal, dual), status=Status.CONVERGED)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("primal", "dual", "share"),
    [
        (48.0, 2.0, "23 times the"),
        (2.1, 2.0, "5 % of the"),
        (-0.5, -1.0, "50 % of the"),
        (2.04, 2.0, "2 % of the"),
        (2.01, 2.0, ""),
        (1.9, 2.0, ""),
    ],
)
def test_a_gap_is_wide_or_not_in_relation_to_the_dual(primal: float, dual: float, share: str) -> None:
    model = with_objectives(primal, dual)
    assert share_of_the_dual(model) == share
    assert (f"gap is {share} dual objective" in about_the_gap(model)) == bool(share)


def test_the_report_adds_the_sentence_to_how_the_fit_ended() -> None:
    model = with_objectives(48.0, 2.0)
    assert report(model)["message"] == f"{model.message} {about_the_gap(model)}"
    assert report(with_objectives(2.0, 2.0))["message"] == model.message


def test_a_smaller_tolerance_narrows_the_gap_as_the_sentence_promises() -> None:
    assert about_the_gap(with_objectives(48.0, 2.0)).endswith("A smaller tolerance narrows it.")
    exact = fit(DATA, kernel="rbf(gamma=1000)", algorithm="soft-margin-svm(C=1e5, tol=1e-6)")
    assert exact.summary()["duality_gap"] < 1e-4 * exact.summary()["dual_objective"]


def test_an_algorithm_without_a_tolerance_gets_no_advice_to_lower_it() -> None:
    model = with_objectives(48.0, 2.0, "feature-map(model=hinge)")
    assert about_the_gap(model).endswith("that the tolerance leaves.")


@pytest.mark.parametrize("how", ["logistic", "prototype", "hinge-sgd(epochs=3)"])
def test_only_who_has_kkt_conditions_to_meet_is_explained(how: str) -> None:
    assert about_the_gap(fit(DATA, algorithm=how)) == ""


def test_who_has_not_converged_needs_no_excuse() -> None:
    assert about_the_gap(dataclasses.replace(with_objectives(48.0, 2.0), status=Status.LIMIT)) == ""
