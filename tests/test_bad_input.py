"""Bad and extreme input through the library and the command line: a sentence or an honest result."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kernelviz
from kernelviz.api import fit
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.registry import algorithms, kernels
from kernelviz.engine.models.base import Model
from tests.command_lines import Run, refused

SQUARE = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
ALGORITHMS = list(algorithms())
KERNELS = [name for name, cls in kernels().items() if cls.domain == "vectors"]


def sentence(caught: pytest.ExceptionInfo[BadInput]) -> str:
    text = str(caught.value)
    assert text.endswith((".", "?", ")"))
    assert "\n" not in text
    assert "Traceback" not in text
    return text


def is_honest(model: Model) -> None:
    """Finite scores, weights that are what they should be, a status in words."""
    data = model.problem.data
    scores = model.score(data.X)
    assert np.isfinite(scores).all()
    assert model.message
    assert all(value is None or math.isfinite(value) for value in model.summary().values())
    if model.alpha is not None:
        assert (model.alpha >= 0).all()


WRONG: dict[str, tuple[Any, Any, str]] = {
    "NaN": ([[0, 0], [math.nan, 1]], [-1, 1], "row 2, column 1 is nan"),
    "infinity": ([[0, 0], [1, -math.inf]], [-1, 1], "row 2, column 2 is -inf"),
    "too far away": ([[0, 0], [1, 2e12]], [-1, 1], "row 2, column 2 is 2000000000000.0. They may reach 1e"),
    "far beyond all numbers": (1e200 * np.array(SQUARE), [-1, 1, 1, -1], "too large to compute with"),
    "empty": ([], [], "no points"),
    "no columns": (np.empty((2, 0)), [-1, 1], "no columns"),
    "ragged": ([[0, 0], [1]], [-1, 1], "rows of equal length"),
    "words": ([["a", "b"], ["c", "d"]], [-1, 1], "must be numbers"),
    "complex": ([[1j, 0], [1, 0]], [-1, 1], "must be numbers"),
    "three dimensions": (np.zeros((2, 2, 2)), [-1, 1], "not 3-dimensional"),
    "nothing": (None, [-1, 1], "table of rows and columns"),
    "masked": (np.ma.masked_greater(SQUARE, 0.5), [1, -1, -1, 1], "row 2, column 1 is nan"),
    "one class": (SQUARE, [1, 1, 1, 1], "one class"),
    "too few labels": (SQUARE, [1, -1], "4 points but 2 labels"),
    "too many labels": (SQUARE, [1, -1, 1, -1, 1], "4 points but 5 labels"),
    "a label that is no number": (SQUARE, [1, -1, math.nan, 1], "label of row 3 is missing"),
    "a missing label": (SQUARE, [1, None, -1, 1], "label of row 2 is missing"),
    "a label for all": (SQUARE, 1, "one value for each point"),
    "a set of labels": (SQUARE[:2], {1, -1}, "one value for each point"),
    "a table of labels by row": (SQUARE[:2], {0: "a", 1: "b"}, "one value for each point"),
    "labels in lists": (SQUARE, [[1], [2], [1], [2]], "numbers or words"),
    "a table of labels": (SQUARE, np.eye(4), "not 2-dimensional"),
    "as many classes as points": (np.arange(30.0), np.arange(30), "30 different values"),
    "no labels": (SQUARE, None, "needs data with two classes"),
}


@pytest.mark.parametrize(("X", "z", "complaint"), WRONG.values(), ids=WRONG.keys())
def test_wrong_points_and_labels_are_told_in_one_sentence(X: Any, z: Any, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint) as caught:
        fit(X, z)
    sentence(caught)


@pytest.mark.parametrize(
    ("kernel", "algorithm", "complaint"),
    [
        ("rfb", "perceptron", "Did you mean rbf"),
        ("rbf(gamma=0)", "perceptron", "must lie between"),
        ("rbf(gamma=1e400)", "perceptron", "gamma of rbf must"),
        ("rbf(", "perceptron", "rbf"),
        ("-1*rbf", "perceptron", "positive number"),
        ("", "perceptron", "empty"),
        (3, "perceptron", "expression"),
        (None, "perceptron", "expression"),
        ("rbf", "soft-margin-svm(C=-1)", "must lie between"),
        ("rbf", "soft-margin-svm(C=big)", "C of soft-margin-svm must be"),
        ("rbf", "svm", "Did you mean"),
        ("rbf", None, "expression"),
        ("linear", "random-features", "spectral density"),
    ],
)
def test_wrong_names_and_parameters_are_told_in_one_sentence(
    kernel: Any, algorithm: Any, complaint: str
) -> None:
    with pytest.raises(BadInput, match=complaint) as caught:
        fit(SQUARE, [1, -1, -1, 1], kernel, algorithm)
    sentence(caught)


@pytest.mark.parametrize("algorithm", ["gaussian-process", "nadaraya-watson", "kernel-sgd", "svr"])
@pytest.mark.parametrize("task", [None, "regression"])
def test_an_algorithm_for_regression_refuses_classes_in_one_sentence(
    algorithm: str, task: str | None
) -> None:
    with pytest.raises(BadInput) as caught:
        fit(SQUARE, ["cat", "dog", "cat", "dog"], algorithm=algorithm, task=task)
    assert str(caught.value) == (
        f"{algorithm} is for regression and needs a number for each point; these are classes, such as 'cat'."
    )


def test_words_are_no_targets_of_a_regression_but_written_numbers_are() -> None:
    with pytest.raises(
        BadInput, match="Regression needs a number for each point; these are classes"
    ) as caught:
        fit(SQUARE, ["cat", "dog", "cat", "dog"], algorithm="nearest-neighbours", task="regression")
    sentence(caught)
    written, numbers = (fit(SQUARE, y, algorithm="svr") for y in (["1.5", "2", "-3", "0"], [1.5, 2, -3, 0]))
    np.testing.assert_array_equal(written.beta, numbers.beta)


@pytest.mark.parametrize("start", [3, "perceptron", SQUARE])
def test_a_start_that_is_no_model_is_told_in_one_sentence(start: Any) -> None:
    with pytest.raises(BadInput, match="start must be an earlier model") as caught:
        fit(SQUARE, [1, -1, -1, 1], start=start)
    sentence(caught)


def test_scoring_wrong_points_is_told_in_one_sentence() -> None:
    model = fit(SQUARE, [1, -1, -1, 1])
    for X in ([[math.nan, 0.0]], "abc", [[1.0], [2.0, 3.0]], [[1.0, 2.0, 3.0]], [1.0, 2.0]):
        with pytest.raises(BadInput) as caught:
            model.score(X)
        sentence(caught)


EXTREME: dict[str, tuple[Any, Any]] = {
    "one point": ([[1.0, 2.0]], [1]),
    "two points": ([[0.0, 0.0], [1.0, 1.0]], [-1, 1]),
    "one point of a class": ([*SQUARE, [3.0, 3.0]], [1, 1, 1, 1, -1]),
    "duplicates with both labels": ([[0.0, 0.0]] * 2 + [[1.0, 1.0]] * 2, [-1, 1, 1, -1]),
    "all in one place": ([[1.0, 1.0]] * 6, [1, -1] * 3),
    "all at the origin": ([[0.0, 0.0]] * 6, [1, -1] * 3),
    "a constant column": ([[x, 7.0] for x in range(8)], [1, 1, -1, -1, 1, 1, -1, -1]),
    "scales a million apart": ([[x * 1e6, y] for x, y in SQUARE] * 2, [1, -1, -1, 1] * 2),
    "tiny": (np.array(SQUARE) * 1e-9, [1, -1, -1, 1]),
    "huge": (np.array(SQUARE) * 1e9, [1, -1, -1, 1]),
    "near the largest number": (np.array(SQUARE) * 1e300, [1, -1, -1, 1]),
    "far from the origin": (np.array(SQUARE) + 1e8, [1, -1, -1, 1]),
    "one column": ([0.0, 1.0, 2.0, 3.0], [1, -1, -1, 1]),
    "many columns": (np.eye(12), [1, -1] * 6),
    "three classes on one place": ([[0.0, 0.0]] * 6, ["a", "b", "c"] * 2),
    "a class of one": ([*SQUARE, [0.5, 0.5]], ["a", "b", "a", "b", "c"]),
}


def is_honest_or_a_sentence(case: str, kernel: str, algorithm: str) -> None:
    X, z = EXTREME[case]
    try:
        model = fit(X, z, kernel, algorithm)
    except BadInput as problem:
        assert str(problem).endswith((".", "?", ")"))  # noqa: PT017
    else:
        is_honest(model)


@pytest.mark.parametrize("case", EXTREME)
def test_extreme_points_give_every_algorithm_an_honest_result_or_a_sentence(case: str) -> None:
    for algorithm, kernel in product(ALGORITHMS, ("rbf(gamma=1)", "linear", "polynomial(degree=3)")):
        is_honest_or_a_sentence(case, kernel, algorithm)


@pytest.mark.parametrize("case", EXTREME)
def test_extreme_points_under_every_kernel(case: str) -> None:
    for kernel in KERNELS:
        is_honest_or_a_sentence(case, kernel, "soft-margin-svm(C=10)")


@pytest.mark.parametrize("C", ["1e-6", "1e8"])
@pytest.mark.parametrize("kernel", ["rbf(gamma=1)", "linear", "polynomial(degree=3)", "sigmoid"])
@pytest.mark.parametrize("source", ["gaussians(n=60)", "rings(n=60)", "just_not_separable"])
def test_extreme_prices_of_slack_end_with_an_honest_result(source: str, kernel: str, C: str) -> None:
    model = fit(kernelviz.dataset(source), kernel=kernel, algorithm=f"soft-margin-svm(C={C})")
    is_honest(model)
    assert model.alpha is not None
    assert (model.alpha <= float(C)).all()
    assert model.converged or kernel == "sigmoid"


@pytest.mark.parametrize(
    "z", [[0, 1, 1, 0], ["-", "+", "+", "-"], ["a", "b", "b", "a"], [False, True, True, False]]
)
def test_any_two_values_are_labels_and_the_larger_is_plus(z: list[Any]) -> None:
    plain, named = fit(SQUARE, [-1, 1, 1, -1]), fit(SQUARE, z)
    assert np.array_equal(plain.beta, named.beta)  # type: ignore[arg-type]


def test_more_points_than_a_gram_matrix_can_hold_are_refused_at_once() -> None:
    X = np.zeros((50_000, 2))
    with pytest.raises(BadInput, match="random-features"):
        fit(X, np.arange(50_000) % 2)


FILES = {
    "NaN": "1,2,+\nnan,4,-\n",
    "infinity": "1,2,+\n3,inf,-\n",
    "empty": "",
    "only a header": "x,y,label\n",
    "ragged": "1,2,+\n3,4\n",
    "text in numbers": "1,2,+\n3,four,-\n5,6,-\n",
    "open quotes": '1,2,"+\n3,4,-\n',
    "one class": "1,2,+\n3,4,+\n",
    "one point": "1,2,+\n",
    "binary": "\0\1\2\3",
    "too many classes": "".join(f"{i},{i},c{i}\n" for i in range(40)),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES.keys())
def test_a_bad_file_is_one_line_and_exit_code_2(content: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "points.csv"
    path.write_text(content)
    refused(run("fit", str(path)))


def test_a_quantity_is_no_label_for_a_classifier_and_a_regression_where_none_is_named(
    tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "points.csv"
    path.write_text("".join(f"{i},{i},{i / 7}\n" for i in range(40)))
    assert "measured quantity" in refused(run("fit", str(path), "--algorithm", "soft-margin-svm"))
    code, out, _ = run("fit", str(path))
    assert code == 0
    assert '"mean_squared_error": null' not in out


@pytest.mark.parametrize(
    "content",
    [
        "1,2,+\n1,2,-\n3,4,+\n",
        "1,7,+\n2,7,-\n3,7,+\n",
        "1e6,0.1,+\n2e6,0.2,-\n3e6,0.1,+\n",
        "0,0,a\n0,1,b\n1,0,c\n",
    ],
    ids=["duplicates with both labels", "constant column", "scales", "three classes"],
)
@pytest.mark.parametrize(
    "algorithm", ["soft-margin-svm(C=1e8)", "soft-margin-svm(C=1e-6)", "hard-margin-svm"]
)
def test_an_extreme_file_is_an_honest_result(content: str, algorithm: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "points.csv"
    path.write_text(content)
    code, out, err = run("fit", str(path), "--algorithm", algorithm)
    printed = json.loads(out)
    assert code == (0 if printed["converged"] else 3)
    assert err == ""
    assert printed["message"]
