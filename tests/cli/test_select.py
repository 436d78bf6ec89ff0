"""`kernelviz select`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kernelviz
from tests.command_lines import Run, refused

OVER = ("--over", "gamma=0.1:10:3", "--over", "C=1:100:3")


def test_the_table_and_the_choices_are_printed(run: Run) -> None:
    code, out, err = run("select", "moons(n=60, noise=0.35)", *OVER)
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert [row["gamma"] for row in told["table"]] == [0.1] * 3 + [1] * 3 + [10] * 3
    assert set(told["table"][0]) == {"gamma", "C", "error", "spread", "training_error", "true_error"}
    errors = [row["error"] for row in told["table"]]
    assert told["best"]["error"] == min(errors)
    assert told["one_standard_error"]["error"] <= told["best"]["error"] + told["best"]["spread"]
    fit = {"kernel": told["best"]["kernel"], "algorithm": told["best"]["algorithm"]}
    assert kernelviz.fit(kernelviz.dataset("moons(n=60)"), **fit).converged
    assert told["message"].startswith("5 folds (seed 0).")


def test_the_help_says_that_the_training_error_is_a_mean_over_the_folds(run: Run) -> None:
    words = " ".join(run("select", "--help")[1].split())
    assert "training_error too, are means over the fits without one fold" in words


def test_it_prints_what_the_library_finds(run: Run) -> None:
    told = json.loads(run("select", "moons(n=60)", *OVER, "--folds", "3", "--seed", "7")[1])
    found = kernelviz.select(
        kernelviz.dataset("moons(n=60)"), over={"gamma": (0.1, 10, 3), "C": (1, 100, 3)}, folds=3, seed=7
    )
    assert [row["error"] for row in told["table"]] == [row["error"] for row in found.table]


def test_a_file_has_no_true_error(run: Run, tmp_path: Path) -> None:
    data = kernelviz.dataset("moons(n=40)")
    table = tmp_path / "points.csv"
    table.write_text("\n".join(f"{x},{y},{z}" for (x, y), z in zip(data.X, data.z, strict=True)))
    told = json.loads(
        run("select", str(table), "--algorithm", "ridge", "--over", "lam=0.01:1:3", "--by", "loo")[1]
    )
    assert "true_error" not in told["table"][0]
    assert len(told["table"]) == 3


def test_the_likelihood_of_a_gaussian_process_is_largest_at_the_best(run: Run) -> None:
    command = ("select", "sine(n=30)", "--algorithm", "gaussian-process", "--by", "likelihood")
    told = json.loads(run(*command, "--over", "gamma=0.1:10:3", "--over", "noise=0.01:1:3")[1])
    values = [row["log_marginal_likelihood"] for row in told["table"]]
    assert told["best"]["log_marginal_likelihood"] == max(values)
    assert told["one_standard_error"] is None


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("moons(n=8)", "--folds", "5"), "has 4 points; the 5 folds need one for each"),
        (("moons", "--over", "gamma=1:10:1"), "2 to 1000 values"),
        (("moons", "--over", "width=1:10:3"), "no number called 'width'"),
        (("moons", "--over", "gamma=1:10:1000", "--over", "C=1:10:1000"), "1,000,000 settings"),
        (("moons", "--by", "likelihood"), "Only a gaussian-process"),
        (("moons", "--seed", "-5"), "A seed cannot be negative: -5."),
        (("moons", "--folds", "x"), "invalid int value"),
        (("moons", "--kernel", "linear", "--algorithm", "prototype"), "no parameter to choose"),
    ],
)
def test_what_is_wrong_is_one_sentence(run: Run, argv: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(run("select", *argv))
