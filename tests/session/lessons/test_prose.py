"""Numbers that the prose of lessons mentions are those that kernelviz computes."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.kernels.mercer import mercer
from kernelviz.session.lessons.facts import StateFacts, vocabulary
from kernelviz.session.lessons.language import parse_check
from kernelviz.session.lessons.reader import read_lesson
from kernelviz.session.lessons.shipped import shipped

BY_NUMBER = {path.name[:2]: path for path in shipped()}

# Lesson, step, the text with the number, and its check when the step begins or when it is done.
AT_THE_START = [
    ("03", 3, "10 mistakes, at most 126", "mistakes == 10 and 125.5 < mistake_bound < 126.5"),
    ("03", 4, "here it passes 0.02 from a point", "0.015 < margin < 0.025"),
    ("08", 1, "passes 0.02 from a point", "0.015 < margin < 0.025"),
    ("08", 2, "Here there are two", "support_vectors == 2"),
    ("09", 3, "Eighteen of the twenty points have weight 0", "n - support_vectors == 18"),
    ("11", 1, "one point of 80 is wrong, and the mean hinge loss is 0.083", "0.0825 < hinge_loss < 0.0835"),
    ("11", 1, "one point of 80 is wrong, and the mean hinge loss is 0.083", "training_error == 1 / 80"),
    ("13", 1, "21 support vectors and no mistake", "support_vectors == 21 and training_error == 0"),
    (
        "14",
        1,
        "5 % of the training points and 7.5 % of the fresh",
        "training_error == 0.05 and test_error == 0.075",
    ),
    ("15", 1, "on fresh points is 0.82", "0.815 < test_mean_squared_error < 0.825"),
    ("21", 1, "70 of the 80 points are support vectors", "support_vectors == 70 and n == 80"),
    ("22", 4, "It is −26.4 now", "-26.45 < log_marginal_likelihood < -26.35"),
    ("24", 5, "26 % of the fresh strings are wrong", "0.255 < test_error < 0.265"),
    ("33", 5, "the smallest eigenvalue of its Gram matrix is −22.4", "-22.45 < smallest_eigenvalue < -22.35"),
    ("34", 1, "20.7 % of the fresh points are wrong", "0.2065 < test_error < 0.2075"),
]
AT_THE_END = [
    ("03", 4, "With the seed 3 it is 0.71", "0.705 < margin < 0.715"),
    ("01", 2, "gets 43.5 % wrong", "training_error == 0.435"),
    ("12", 2, "to 316 thousand", "315500 < bound_separation_needs < 316500"),
    ("16", 2, "", "test_error < 0.081"),
]


@pytest.mark.parametrize(("lesson", "step", "text", "true"), AT_THE_START)
def test_a_number_in_the_prose_is_true_when_its_step_begins(
    lesson: str, step: int, text: str, true: str
) -> None:
    read = read_lesson(BY_NUMBER[lesson])
    assert text in BY_NUMBER[lesson].read_text(encoding="utf-8")
    assert parse_check(true, vocabulary()).holds(StateFacts(read.start(step - 1)))


@pytest.mark.parametrize(("lesson", "step", "text", "true"), AT_THE_END)
def test_a_number_in_the_prose_is_true_when_its_step_is_done(
    lesson: str, step: int, text: str, true: str
) -> None:
    read = read_lesson(BY_NUMBER[lesson])
    assert text in BY_NUMBER[lesson].read_text(encoding="utf-8")
    end = read.steps[step - 1].plan(read.start(step - 1)).end
    assert parse_check(true, vocabulary()).holds(StateFacts(end))


def test_the_weight_and_the_slack_of_p_in_lesson_10():
    assert "*p* has the weight 4.8 and the slack 0.48" in BY_NUMBER["10"].read_text("utf-8")
    data = kernelviz.dataset("moons(n=80, noise=0.25)")
    model = kernelviz.fit(data, None, "rbf(gamma=1)", "squared-slack-svm(lam=0.1)")
    assert model.alpha[2] == pytest.approx(4.8, abs=0.05)
    assert 1 - data.z[2] * model.training_scores[2] == pytest.approx(0.48, abs=0.005)


def test_the_weights_on_the_targets_in_lesson_19():
    text = BY_NUMBER["19"].read_text("utf-8")
    assert "at $x = 1.5$ ridge gives 0.05, −0.18 and 0.77, Nadaraya-Watson 0.00, 0.12 and 0.88" in text
    X, x = np.array([-1.0, 0.0, 1.0]), 1.5
    K, k = np.exp(-((X[:, None] - X) ** 2)), np.exp(-((X - x) ** 2))
    ridge = np.linalg.solve(K + 0.1 * np.eye(3), k)
    assert ridge == pytest.approx([0.05, -0.18, 0.77], abs=0.005)
    assert k / k.sum() == pytest.approx([0.00, 0.12, 0.88], abs=0.005)
    for name, weights in (("ridge(lam=0.1)", ridge), ("nadaraya-watson", k / k.sum())):
        model = kernelviz.fit(X[:, None], [1.0, 2.0, 4.0], "rbf(gamma=1)", name)
        assert model.score([[x]])[0] == pytest.approx(weights @ [1, 2, 4])


def test_the_characters_that_a_misspelt_word_spans_in_lesson_24():
    assert "they span 13 characters at least" in BY_NUMBER["24"].read_text("utf-8")
    text = "keep rain well"
    spans = [
        places[-1] - places[0] + 1
        for places in itertools.combinations(range(len(text)), 5)
        if "".join(text[i] for i in places) == "kernl"
    ]
    assert min(spans) == 13


def test_features_go_on_as_functions_and_twelve_of_them_are_enough_in_lesson_27():
    text = BY_NUMBER["27"].read_text("utf-8")
    assert "Twelve of the forty eigenfunctions are enough: the curves are less than 0.005 apart" in text
    assert "the eigenvalues that are left are below 0.01" in text
    data = kernelviz.dataset("sine(n=40, seed=2)")
    K = kernelviz.kernel("rbf(gamma=3)")(data.X)
    values, vectors = (part[..., ::-1] for part in np.linalg.eigh(K))
    first, leading = values[:12], vectors[:, :12]
    assert np.abs(K @ leading / np.sqrt(first) - np.sqrt(first) * leading).max() < 1e-9
    short = (leading * (first / (first + 0.1))) @ (leading.T @ data.y)
    ridge = kernelviz.fit(data, None, "rbf(gamma=3)", "ridge(lam=0.1)").training_scores
    assert np.abs(short - ridge).max() < 0.005
    assert values[12] < 0.01


def test_some_fitted_values_of_lesson_31_are_below_0_and_some_above_1():
    data = kernelviz.dataset("returning(seed=1)")
    model = kernelviz.fit(data, None, "rbf(gamma=0.01)", "ridge(lam=0.1, targets=zero-one)")
    values = model.training_scores + 0.5  # a score of 0 is the threshold ½
    assert values.min() < 0
    assert values.max() > 1


def test_a_gaussian_of_any_width_passes_through_the_points_of_lesson_33():
    read = read_lesson(BY_NUMBER["33"])
    assert "Choose any γ from 0.5 to 50 that you like" in BY_NUMBER["33"].read_text("utf-8")
    data = read.start(1).document.data
    for gamma in np.geomspace(0.5, 50, 41):
        model = kernelviz.fit(data, None, f"rbf(gamma={gamma})", "ridge(lam=0)")
        assert (model.converged, model.summary()["mean_squared_error"]) == (True, 0)


def test_the_sum_at_the_end_of_lesson_33_is_called_positive_semi_definite():
    read = read_lesson(BY_NUMBER["33"])
    end = read.steps[4].plan(read.start(4)).end
    kernel = end.document.fits[0].kernel
    assert "23*rbf(gamma=1000)" in str(kernel)
    assert mercer(kernel(end.document.data.X)).holds


def test_the_range_of_support_vectors_in_lesson_13_is_that_of_its_seeds():
    assert "seeds 0 to 59 have between 60 and 76 support vectors" in BY_NUMBER["13"].read_text("utf-8")
    counts = [
        kernelviz.fit(
            kernelviz.dataset(f"rings(n=200, seed={seed})"), None, "rbf(gamma=6.94)", "soft-margin-svm(C=1)"
        ).numbers["support_vectors"]
        for seed in range(60)
    ]
    assert (min(counts), max(counts)) == (60, 76)


def test_the_price_of_a_low_threshold_in_lesson_31():
    text = BY_NUMBER["31"].read_text("utf-8")
    assert "*Threshold* to −2.1" in text
    assert "96 of the 99 others" in text
    data = kernelviz.dataset("returning(seed=1)")
    scores = kernelviz.fit(data, None, "linear", "logistic(lam=0.1)").training_scores
    assert min(scores[data.z > 0]) > -2.1
    assert ((scores[data.z < 0] > -2.1).sum(), (data.z < 0).sum()) == (96, 99)


def test_the_graphs_that_lesson_34_calls_wrong_are_the_cycles_without_a_triangle():
    assert "marks the five graphs that are wrong" in BY_NUMBER["34"].read_text("utf-8")
    data = kernelviz.dataset("graphs(steps=3)")
    model = kernelviz.fit(data, None, "gram", "soft-margin-svm(C=10)")
    assert (model.training_scores * data.z <= 0).sum() == 5


def test_so_many_customers_of_lesson_31_share_their_place():
    assert "200 of them lie at 138 places" in BY_NUMBER["31"].read_text("utf-8")
    X = kernelviz.dataset("returning(seed=1)").X
    assert (len(X), len({tuple(row) for row in X.tolist()})) == (200, 138)


def test_nearest_neighbours_answer_alike_with_the_linear_kernel_and_the_gaussian_in_lesson_5():
    data = kernelviz.dataset("rings(n=200)")
    fits = [
        kernelviz.fit(data, kernel=kernel, algorithm="nearest-neighbours(k=5)")
        for kernel in ("linear", "rbf")
    ]
    fresh = kernelviz.dataset("rings(n=500, seed=9)").X
    first, second = (fit.predict(fresh) for fit in fits)
    assert (first == second).all()


@pytest.mark.parametrize(
    ("chosen", "between_0_and_1"),
    [("nearest-neighbours(k=5)", True), ("logistic(lam=0.1)", True), ("soft-margin-svm", False)],
)
def test_every_algorithm_whose_values_are_shares_solves_the_task_of_lesson_31(chosen, between_0_and_1):
    read = read_lesson(BY_NUMBER["31"])
    step = next(k for k, step in enumerate(read.steps) if step.title == "Values outside")
    start = read.start(step)
    document = start.document.replace(algorithm=kernelviz.algorithm(chosen))
    task = read.steps[step].task
    assert task is not None
    assert task.check.holds(StateFacts(replace(start, document=document))) == between_0_and_1
