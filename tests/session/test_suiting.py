"""Fits of one's own data in their own units: widths, and the level of a curve."""

from __future__ import annotations

import json

import numpy as np
import pytest

import kernelviz
from kernelviz.cli import main
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import parse_fit
from kernelviz.session.sources import Requested
from kernelviz.session.suiting import suited, unsuited_width
from kernelviz.session.workspaces.registry import usual_fit, workspaces

RNG = np.random.default_rng(3)


def people(n: int = 40) -> Data:
    """Heights in cm and weights in kg of two kinds of people."""
    kind = np.arange(n) % 2
    height = 168 + 12 * kind + RNG.normal(0, 7, n)
    weight = 0.9 * (height - 100) + RNG.normal(0, 8, n)
    return Data.labelled(np.column_stack([height, weight]), kind, ["height", "weight"])


def year(n: int = 40) -> Data:
    """A temperature in degrees over 50 weeks."""
    x = np.linspace(0, 50, n)
    return Data.regression(x[:, None], 15 + 6 * np.sin(x / 8) + RNG.normal(0, 1, n), ["week"])


def told(kernel: str, data: Data) -> str:
    return str(unsuited_width(kernelviz.kernel(kernel), data) or "")


def test_a_width_of_one_is_far_too_narrow_for_centimetres():
    assert told("rbf(gamma=1)", people()) == "γ = 1 is far too narrow for these distances."
    assert told("rbf(gamma=1)", year()) == "γ = 1 is far too narrow for these distances."


@pytest.mark.parametrize(
    ("kernel", "sentence"),
    [
        ("laplacian(gamma=1)", "γ = 1 is far too narrow for these distances."),
        ("matern32(l=1)", "ℓ = 1 is far too narrow for these distances."),
        ("matern32(l=1000)", "ℓ = 1000 is far too wide for these distances."),
        ("rbf(gamma=1e-06)", "γ = 1e-06 is far too wide for these distances."),
        ("linear + 2*rbf(gamma=1)", "γ = 1 is far too narrow for these distances."),
        ("rbf(gamma=median)", ""),
        ("polynomial(degree=3)", ""),
        ("linear", ""),
    ],
)
def test_every_width_is_judged(kernel, sentence):
    data = people()
    assert told(str(kernelviz.kernel(kernel, data.X)), data) == sentence


@pytest.mark.parametrize("name", sorted(registry.kernels()))
def test_the_median_heuristic_always_suits(name):
    kernel = registry.kernels()[name]()
    if kernel.domain == "vectors":
        assert unsuited_width(kernel.scaled_to(people().X), people()) is None


def test_no_data_set_is_far_from_the_usual_fit():
    for name, kind in registry.datasets().items():
        data = kind().make()
        assert unsuited_width(usual_fit(data).kernel, data) is None, name


def test_no_workspace_judges_what_it_starts_with():
    for workspace in workspaces():
        data, _ = workspace.example()
        assert suited(workspace.fit, data) == (workspace.fit, "")


def test_a_few_points_are_not_judged():
    assert told("rbf(gamma=1)", people().subset(range(4))) == ""


def test_a_fit_gets_the_width_of_the_median_heuristic():
    data = people()
    fit, sentence = suited(parse_fit("rbf(gamma=1) ; soft-margin-svm(C=10)"), data)
    assert str(fit.kernel) == str(kernelviz.kernel("rbf(gamma=median)", data.X))
    assert sentence.startswith("γ = 1 is far too narrow for these distances. It is set to 0.00")
    before = kernelviz.fit(data, kernel="rbf(gamma=1)").summary()["support_vectors"]
    after = kernelviz.fit(data, kernel=fit.kernel).summary()["support_vectors"]
    assert before > 0.9 * data.n
    assert after < 0.7 * data.n


@pytest.mark.parametrize("algorithm", ["ridge(lam=0.1)", "gaussian-process(noise=0.01)"])
def test_a_curve_levels_out_near_the_mean(algorithm):
    data = year()
    fit, sentence = suited(parse_fit(f"rbf(gamma=1) ; {algorithm}"), data)
    model = kernelviz.fit(data, kernel=fit.kernel, algorithm=fit.algorithm)
    assert abs(model.score([[-1000.0], [1000.0]]) - data.y.mean()).max() < 0.5 * data.y.std()
    assert "The constant" in sentence
    narrow = kernelviz.fit(data, kernel="rbf(gamma=1)", algorithm=algorithm)
    assert abs(narrow.score([[-1000.0]])).max() < 1e-9


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e4])
def test_the_constant_does_not_depend_on_the_unit_of_y(unit):
    data = Data.regression(year().X, year().y * unit)
    kernel = suited(parse_fit("rbf(gamma=1) ; ridge"), data)[0].kernel
    model = kernelviz.fit(data, kernel=kernel, algorithm="ridge")
    assert model.converged
    assert abs(model.score([[1000.0]])[0] - data.y.mean()) < 0.5 * data.y.std()


def test_years_and_prices_level_out_too():
    data = Data.regression(year().X, 1e6 + year().y)
    kernel = suited(parse_fit("rbf(gamma=1) ; ridge"), data)[0].kernel
    model = kernelviz.fit(data, kernel=kernel, algorithm="ridge")
    assert model.converged
    assert abs(model.score([[1000.0]])[0] - data.y.mean()) < 0.5 * data.y.std()


@pytest.mark.parametrize("algorithm", ["svr", "nu-svr", "kernel-sgd", "nadaraya-watson"])
def test_an_algorithm_with_an_offset_gets_no_constant(algorithm):
    fit, _ = suited(parse_fit(f"rbf(gamma=1) ; {algorithm}"), year())
    assert "weight" not in str(fit.kernel)


def test_a_constant_is_added_once_and_only_where_the_mean_is_far_from_zero():
    once, _ = suited(parse_fit("rbf(gamma=1) ; ridge"), year())
    assert suited(once, year()) == (once, "")
    centred = Data.regression(year().X, year().y - year().y.mean())
    assert "weight" not in str(suited(parse_fit("rbf(gamma=1) ; ridge"), centred)[0])


# The command line ---------------------------------------------------------------------------------------
@pytest.fixture
def table(tmp_path):
    path, data = tmp_path / "people.csv", people()
    rows = zip(data.X.tolist(), data.z.tolist(), strict=True)
    path.write_text("height,weight,class\n" + "".join(f"{a},{b},{int(z)}\n" for (a, b), z in rows))
    return str(path)


def test_a_file_is_fitted_in_its_own_units(table, capsys):
    assert main(["fit", table]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "γ = 1 is far too narrow for these distances. It is set to" in answer["message"]
    assert answer["summary"]["support_vectors"] < 30


def test_what_was_asked_for_stays(table, capsys):
    for asked in (["--kernel", "rbf(gamma=1)"], ["--fit", "rbf(gamma=1) ; logistic"], ["--standardise"]):
        main(["fit", table, *asked])
        answer = json.loads(capsys.readouterr().out)
        assert answer["kernel"] == "rbf(gamma=1)"
        told = "narrow for these distances. The median heuristic gives" in answer["message"]
        assert told == (asked != ["--standardise"])


def test_data_sets_keep_the_usual_fit():
    assert Requested("moons").open().note == ""


def test_a_width_that_was_chosen_is_kept_and_a_sentence_says_what_would_suit(tmp_path):
    path = tmp_path / "people.csv"
    rows = [f"{a:.1f},{b:.1f},{k}" for (a, b), k in zip(people().X, "mw" * 20, strict=True)]
    path.write_text("\n".join(["height,weight,sex", *rows]))
    source = Requested(str(path), kernel="rbf(gamma=1)").open()
    assert source.fits[0].kernel == kernelviz.kernel("rbf(gamma=1)")
    assert source.note.startswith(
        "γ = 1 is far too narrow for these distances. The median heuristic gives 0.0"
    )
    assert Requested(str(path), kernel="rbf(gamma=median)").open().note == ""
    assert Requested(str(path), kernel="rbf(gamma=1)", standardise=True).open().note == ""
