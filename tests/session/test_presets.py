"""Pairs of fits worth comparing."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.session.comparison_presets import PRESETS
from kernelviz.session.state import start_up
from kernelviz.session.workspaces.registry import workspaces

BY_TITLE = {preset.title: preset for preset in PRESETS}
STARTS = {workspace.name: start_up(workspace).document for workspace in workspaces()}


def offered(name: str) -> set[str]:
    return {preset.title for preset in PRESETS if preset.suits(STARTS[name])}


def test_each_workspace_offers_what_suits_it():
    everywhere = {"Perceptron against maximum margin", "Soft margin against logistic"}
    everywhere |= {"Linear against squared slack"}
    assert offered("plane") == everywhere | {"Exact Gaussian against 100 random waves"}
    assert offered("words") == everywhere | {"Words against subsequences"}
    assert offered("curve") == {"Kernel ridge against Nadaraya-Watson"}


@pytest.mark.parametrize(
    ("name", "title"), [(name, title) for name in STARTS for title in sorted(offered(name))]
)
def test_both_fits_of_an_offered_pair_can_be_found_and_differ(name, title):
    document = BY_TITLE[title].applied(STARTS[name])
    assert (len(document.fits), document.active) == (2, 0)
    models = [kernelviz.fit(document.data, kernel=f.kernel, algorithm=f.algorithm) for f in document.fits]
    scores = [model.score(document.data.X) for model in models]
    assert np.abs(scores[0] - scores[1]).max() > 1e-3


def test_kernels_of_the_kind_asked_for_keep_their_parameters():
    start = STARTS["plane"]
    waves = BY_TITLE["Exact Gaussian against 100 random waves"]
    narrow = start.replace(kernel=kernelviz.kernel("rbf(gamma=7)"))
    assert {fit.kernel.gamma for fit in waves.fits(narrow)} == {7.0}
    assert {str(fit.kernel) for fit in waves.fits(start.replace(kernel=kernelviz.kernel("linear")))} == {
        "rbf(gamma=1)"
    }


@pytest.mark.parametrize(
    ("present", "compared"),
    [
        ("linear", "rbf(gamma=1)"),
        ("polynomial(degree=3)", "rbf(gamma=1)"),
        ("laplacian", "laplacian(gamma=1)"),
    ],
)
def test_a_local_mean_is_taken_with_a_kernel_that_is_never_negative(present, compared):
    means = BY_TITLE["Kernel ridge against Nadaraya-Watson"]
    document = means.applied(STARTS["curve"].replace(kernel=kernelviz.kernel(present)))
    assert {str(fit.kernel) for fit in document.fits} == {compared}
    for fit in document.fits:
        kernelviz.fit(document.data, kernel=fit.kernel, algorithm=fit.algorithm)


def test_random_waves_pay_for_slack_what_the_exact_fit_pays():
    """With more and more waves the scores become those of the exact fit, which they would not if the two
    weighed loss and norm differently."""
    document = STARTS["plane"]
    exact, waves = BY_TITLE["Exact Gaussian against 100 random waves"].fits(document)
    at = document.data.X

    def apart(q: int) -> float:
        many = [waves.algorithm.replace(q=q, seed=seed) for seed in range(3)]
        scores = [kernelviz.fit(document.data, kernel=waves.kernel, algorithm=a).score(at) for a in many]
        known = kernelviz.fit(document.data, kernel=exact.kernel, algorithm=exact.algorithm).score(at)
        return float(np.mean([np.abs(found - known).max() for found in scores]))

    assert apart(1000) < 0.5 * apart(60)
