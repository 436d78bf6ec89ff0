"""Several classes, each against the rest."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.fields.borders import borders
from kernelviz.engine.fits.parsing import algorithm
from kernelviz.engine.fits.registry import algorithms
from kernelviz.session.files import kviz
from kernelviz.session.report import report
from kernelviz.session.state import State, start_up
from kernelviz.sklearn import KernelClassifier
from tests.command_lines import Run, refused

RNG = np.random.default_rng(8)
X, ELSEWHERE = RNG.normal(size=(80, 2)), RNG.normal(size=(50, 2))
Y = np.array(["a", "b", "c", "d"])[2 * (X[:, 0] > 0) + (X[:, 1] > 0)]
KERNEL, SVM = "rbf(gamma=0.7)", "soft-margin-svm(C=3)"
REST = "one-vs-rest"


@pytest.mark.parametrize("weights", [None, RNG.uniform(0.1, 3, size=80)])
def test_scores_and_classes_are_those_of_scikit_learn(weights) -> None:
    ours = kernelviz.fit(X, Y, KERNEL, SVM, multiclass=REST, sample_weight=weights)
    for k, name in enumerate("abcd"):
        alone = SVC(C=3, gamma=0.7, tol=1e-9).fit(X, name == Y, weights)
        np.testing.assert_allclose(ours.score(ELSEWHERE)[:, k], alone.decision_function(ELSEWHERE), atol=1e-5)
    if weights is None:
        theirs = OneVsRestClassifier(SVC(C=3, gamma=0.7, tol=1e-9)).fit(X, Y)
        np.testing.assert_array_equal(ours.predict(ELSEWHERE), theirs.predict(ELSEWHERE))
    assert ours.converged
    assert ours.message == "4 classes, each against the rest, all solved."


def test_probabilities_are_those_of_scikit_learn() -> None:
    ours = kernelviz.fit(X, Y, "linear", "logistic(lam=0.5)", multiclass=REST)
    theirs = OneVsRestClassifier(LogisticRegression(C=2, tol=1e-10, max_iter=10_000)).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(ELSEWHERE), theirs.predict_proba(ELSEWHERE), atol=1e-6)


def test_the_estimator_offers_it() -> None:
    estimator = KernelClassifier(KERNEL, SVM, multiclass=REST).fit(X, Y)
    same = KernelClassifier(KERNEL, "soft-margin-svm(C=3, multiclass=one-vs-rest)").fit(X, Y)
    pairs = KernelClassifier(KERNEL, SVM).fit(X, Y)
    found = estimator.decision_function(ELSEWHERE)
    np.testing.assert_array_equal(found, same.decision_function(ELSEWHERE))
    assert np.abs(found - pairs.decision_function(ELSEWHERE)).max() > 0.5


def test_of_two_classes_it_changes_nothing() -> None:
    two = Y == "a"
    one, other = (kernelviz.fit(X, two, KERNEL, SVM, multiclass=how) for how in (REST, None))
    np.testing.assert_array_equal(one.score(ELSEWHERE), other.score(ELSEWHERE))


def test_a_class_without_points_never_wins() -> None:
    data = kernelviz.Data.labelled(X, Y)
    rows = data.y != 1
    found = kernelviz.fit(data.subset(rows), kernel=KERNEL, algorithm=SVM, multiclass=REST)
    same = kernelviz.fit(X[rows], Y[rows], KERNEL, SVM, multiclass=REST)
    np.testing.assert_array_equal(found.predict(ELSEWHERE), same.predict(ELSEWHERE))


def test_a_fit_starts_from_an_earlier_one_and_from_pairs_that_it_ignores() -> None:
    cold = kernelviz.fit(X, Y, KERNEL, SVM, multiclass=REST)
    for before in (
        kernelviz.fit(X, Y, KERNEL, "soft-margin-svm(C=1)", multiclass=REST),
        kernelviz.fit(X, Y, KERNEL, SVM),
    ):
        warm = kernelviz.fit(X, Y, KERNEL, SVM, before, multiclass=REST)
        np.testing.assert_allclose(warm.score(ELSEWHERE), cold.score(ELSEWHERE), atol=1e-8)


def test_borders_are_where_the_winner_changes() -> None:
    model = kernelviz.fit(X, Y, KERNEL, SVM, multiclass=REST)
    x = np.linspace(-2, 2, 81)
    scores = np.stack([pair.model.on_grid(x, x) for pair in model.pairs])
    lines = borders(x, x, scores, model.votes)
    assert lines
    top = np.sort(model.score(np.concatenate(lines)), axis=1)
    assert (top[:, -1] - top[:, -2]).max() < 0.05
    changes = np.argwhere(np.diff(scores.argmax(axis=0), axis=1))
    places = np.column_stack([x[changes[:, 1]], x[changes[:, 0]]])
    near = np.linalg.norm(places[:, None] - np.concatenate(lines), axis=2).min(axis=1)
    assert near.max() < 0.15


def test_sessions_and_the_command_line_have_it(run: Run, tmp_path) -> None:
    fit = f"{KERNEL} ; {SVM[:-1]}, multiclass=one-vs-rest)"
    data = kernelviz.Data.labelled(X, Y)
    document = start_up().document.replace(data=data, source="")
    document = document.replace(fits=(document.fit.replace(algorithm=algorithm(fit.split(" ; ")[1])),))
    after, _ = kviz.loads(kviz.dumps(State(document, start_up().look)))
    assert after.document.algorithm.multiclass == REST
    table = tmp_path / "four.csv"
    rows = [f"{a},{b},{y}" for (a, b), y in zip(X.tolist(), Y, strict=True)]
    table.write_text("x1,x2,label\n" + "\n".join(rows), encoding="utf-8")
    asked = ("--kernel", KERNEL, "--algorithm", SVM)
    code, out, _ = run("fit", str(table), *asked, "--multiclass", REST)
    assert code == 0
    assert '"classes": ["the rest", "a"]' in out
    assert "does not learn several" in refused(
        run("fit", str(table), "--algorithm", "density", "--multiclass", REST)
    )


def test_a_report_names_the_rest() -> None:
    model = kernelviz.fit(X, Y, KERNEL, SVM, multiclass=REST)
    assert [pair["classes"] for pair in report(model)["pairs"]] == [["the rest", name] for name in "abcd"]


def test_only_algorithms_for_two_classes_have_the_choice() -> None:
    have = {
        name for name, kind in algorithms().items() if "multiclass" in {p.name for p in kind.parameters()}
    }
    assert {"soft-margin-svm", "ridge", "perceptron"} <= have
    assert not have & {"svr", "density", "by-hand", "gaussian-process"}
    with pytest.raises(kernelviz.BadInput, match="density does not learn several classes"):
        kernelviz.fit(X, Y, KERNEL, "density", multiclass=REST)
    with pytest.raises(kernelviz.BadInput, match="must be one of one-vs-one, one-vs-rest"):
        kernelviz.fit(X, Y, multiclass="one-vs-two")
