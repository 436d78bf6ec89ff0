"""`kernelviz compare`."""

from __future__ import annotations

import json

import numpy as np
import pytest

import kernelviz
from tests.command_lines import Run, refused

FITS = ("--fit", "linear ; logistic", "--fit", "rbf(gamma=2) ; soft-margin-svm(C=10)")


def test_the_numbers_stand_side_by_side(run: Run) -> None:
    code, out, err = run("compare", "moons(n=60, noise=0.3)", *FITS)
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert [fit["name"] for fit in told["fits"]] == ["A", "B"]
    data = kernelviz.dataset("moons(n=60, noise=0.3)")
    models = [kernelviz.fit(data, kernel=fit["kernel"], algorithm=fit["algorithm"]) for fit in told["fits"]]
    assert told["numbers"]["training_error"] == [model.numbers["training_error"] for model in models]
    assert told["numbers"]["support_vectors"][0] is None
    first, second = (model.predict(data.X) for model in models)
    assert told["disagree"] == np.flatnonzero(first != second).tolist()


def test_only_what_was_held_out_makes_a_fit_better(run: Run) -> None:
    told = json.loads(run("compare", "rings(n=100)", *FITS, "--test", "0.3")[1])
    assert set(told["better"]) == {"test_error", "test_hinge_loss", "test_roc_area"}
    errors = told["numbers"]["test_error"]
    assert errors[1] < errors[0]
    assert told["better"]["test_error"] == ["B"]


def test_a_tie_is_nobodys_victory(run: Run) -> None:
    same = ("--fit", "linear ; ridge", "--fit", "linear ; ridge")
    told = json.loads(run("compare", "moons(n=60)", *same, "--test", "0.3")[1])
    assert told["better"]["test_error"] == ["A", "B"]
    assert told["disagree"] == []
    assert "*" not in run("compare", "moons(n=60)", *same, "--test", "0.3", "--table")[1]


def test_a_table_is_for_people(run: Run) -> None:
    out = run("compare", "rings(n=100)", *FITS, "--test", "0.3", "--table")[1]
    lines = out.splitlines()
    assert lines[0] == "A: linear ; logistic(lam=0.1)"
    assert any(line.startswith("test_error") and "*" in line for line in lines)
    assert "* better value, where the numbers can be compared" in lines
    assert lines[-1].startswith("They disagree on ")


def test_fits_that_put_no_point_into_a_class_have_no_part_in_disagreement(run: Run) -> None:
    silent = ("--fit", "linear ; hard-margin-svm", "--fit", "rbf(gamma=2) ; one-class-svm")
    command = ("compare", "moons(n=60, noise=0.3)", *FITS, *silent, "--test", "0.3")
    told, table = json.loads(run(*command)[1]), run(*command, "--table")[1]
    pair = json.loads(run("compare", "moons(n=60, noise=0.3)", *FITS, "--test", "0.3")[1])
    assert told["disagree"] == pair["disagree"]
    assert told["take_no_sides"] == ["C", "D"]
    for name in ("training_error", "hinge_loss", "test_error", "test_hinge_loss"):
        assert told["numbers"][name][2:] == [None, None]
    assert f"C and D put no point into a class.\nThe others disagree on {len(pair['disagree'])} of" in table
    alone = json.loads(run("compare", "moons(n=60, noise=0.3)", *FITS[2:], *silent)[1])
    assert alone["disagree"] is None


def test_a_training_error_that_is_missing_is_explained_below_the_table(run: Run) -> None:
    fits = ("--fit", "linear ; soft-margin-svm", "--fit", "rbf ; soft-margin-svm")
    out = run("compare", "xor(n=4, noise=0)", *fits, "--table")[1]
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line}
    assert rows["training_error"] == ["–", "0"]
    assert "A: " in out.partition("roc_area")[2]
    assert "The score is 0 everywhere" in out
    assert "B: Converged" not in out


def test_curves_have_no_training_error_that_could_be_missing(run: Run) -> None:
    fits = ("--fit", "rbf(gamma=1) ; ridge", "--fit", "rbf(gamma=9) ; ridge")
    assert "Converged" not in run("compare", "sine(n=30)", *fits, "--table")[1]


def test_what_rounding_leaves_of_nothing_is_0_in_the_table(run: Run) -> None:
    fits = ("--fit", "rbf(gamma=2) ; hard-margin-svm", "--fit", "rbf(gamma=2) ; soft-margin-svm(C=1000)")
    out = run("compare", "moons(n=60, noise=0.05)", *fits, "--table")[1]
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line}
    assert rows["loss"] == rows["hinge_loss"] == ["0", "0"]
    assert rows["duality_gap"][0] == rows["kkt_violation"][1] == "0"


def test_curves_are_compared_by_what_curves_have(run: Run) -> None:
    fits = ("--fit", "rbf(gamma=1) ; gaussian-process", "--fit", "rbf(gamma=9) ; gaussian-process(noise=0.1)")
    told = json.loads(run("compare", "sine(n=30)", *fits)[1])
    likelihoods = told["numbers"]["log_marginal_likelihood"]
    assert told["better"]["log_marginal_likelihood"] == ["AB"[int(np.argmax(likelihoods))]]
    assert told["disagree"] is None


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("moons",), "at least two fits"),
        (("moons", "--fit", "linear ; ridge"), "at least two fits"),
        (("moons", "--fit", "linear ; ridge", "--fit", "rbf"), "A fit is a kernel and an algorithm"),
        (("moons", *["--fit", "linear ; ridge"] * 5), "room for 4 fits"),
        (("moons", "--fit", "linear ; ridge", "--fit", "linear ; svr"), "svr needs data with"),
    ],
)
def test_what_is_wrong_is_one_sentence(run: Run, argv: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(run("compare", *argv))
