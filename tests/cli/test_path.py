"""`kernelviz path`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kernelviz
from tests.command_lines import Run, refused


def test_every_breakpoint_is_told_in_ascending_order(run: Run) -> None:
    code, out, err = run("path", "moons(n=20, noise=0.3)", "--kernel", "rbf(gamma=2)")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["kernel"], told["algorithm"], told["n"]) == ("rbf(gamma=2)", "soft-margin-svm", 20)
    points = told["breakpoints"]
    C = [point["C"] for point in points]
    assert sorted(C) == C
    assert (C[0], C[-1]) == (0.001, 1000)
    for point in points[1::5]:
        model = kernelviz.fit(
            kernelviz.dataset("moons(n=20, noise=0.3)"),
            kernel="rbf(gamma=2)",
            algorithm=f"soft-margin-svm(C={point['C']!r})",
        )
        assert point["beta"] == pytest.approx(model.beta, abs=1e-5 * point["C"])
        assert point["training_error"] == model.numbers["training_error"]


def test_the_range_can_be_chosen_and_points_held_out(run: Run) -> None:
    _, out, _ = run("path", "moons(n=40, noise=0.3)", "--range", "0.5:5", "--test", "0.25")
    points = json.loads(out)["breakpoints"]
    assert (points[0]["C"], points[-1]["C"]) == (0.5, 5)
    assert len(points[0]["beta"]) == 30
    assert {0 <= point["test_error"] <= 1 for point in points} == {True}


@pytest.mark.parametrize("count", [2, 5])
def test_so_many_values_of_C_are_told_in_place_of_the_breakpoints(run: Run, count: int) -> None:
    _, out, _ = run("path", "moons(n=40, noise=0.3)", "--range", f"1:10:{count}", "--test", "0.25")
    curve = json.loads(out)["curve"]
    assert [row["C"] for row in curve] == pytest.approx(np.geomspace(1, 10, count))
    assert all({"beta", "margin_width", "test_error"} <= set(row) for row in curve)


@pytest.mark.parametrize("algorithm", ["ridge", "gaussian-process"])
def test_points_held_out_have_an_error_along_the_curve_too(run: Run, algorithm: str) -> None:
    _, out, _ = run("path", "sine(n=40)", "--algorithm", algorithm, "--range", "0.01:1:3", "--test", "0.25")
    told = json.loads(out)
    assert told["n"] == 30
    assert all(0 < row["test_error"] < 1 for row in told["curve"])


def test_of_a_gaussian_process_it_is_a_curve_over_its_noise(run: Run) -> None:
    _, out, _ = run("path", "sine(n=12)", "--algorithm", "gaussian-process", "--range", "0.01:1:3")
    curve = json.loads(out)["curve"]
    assert [row["noise"] for row in curve] == [0.01, 0.1, 1]
    assert np.diff([row["degrees_of_freedom"] for row in curve]).max() < 0
    assert all(row["log_marginal_likelihood"] < 0 < row["leave_one_out_error"] for row in curve)


def test_a_path_that_ends_early_says_so_and_where(run: Run) -> None:
    code, out, err = run("path", "barely-separable", "--kernel", "sigmoid(gamma=1, c=0)")
    assert (code, err) == (3, "")
    assert json.loads(out)["message"].startswith("The path ends at C = ")


def test_a_path_for_which_the_digits_do_not_reach_ends_there_and_says_so(run: Run, tmp_path: Path) -> None:
    data, file = kernelviz.dataset("moons(n=40, noise=0.3)"), tmp_path / "large.csv"
    rows = (f"{x},{y},{label:g}" for (x, y), label in zip(1e5 * data.X, data.z, strict=True))
    file.write_text("\n".join(("x,y,label", *rows)))
    code, out, err = run("path", str(file), "--kernel", "linear")
    assert (code, err) == (3, "")
    told = json.loads(out)
    assert "no more digits" in told["message"]
    for point in told["breakpoints"]:
        assert abs(sum(point["beta"])) < 1e-9 * point["C"]


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("moons", "--algorithm", "perceptron"), "A path can be computed for soft-margin-svm"),
        (("moons", "--range", "1"), "LOW:HIGH"),
        (("moons", "--range", "1:1"), "two different ends"),
        (("moons", "--range", "1:2:1"), "2 to 1000 values"),
        (("moons", "--range", "0:1"), "must lie between"),
        (("sine", "--algorithm", "soft-margin-svm"), "two classes"),
        (("moons(n=1500)",), "up to 1,000 points"),
    ],
)
def test_what_is_wrong_is_one_sentence(run: Run, argv: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(run("path", *argv))
