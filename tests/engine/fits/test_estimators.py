"""Estimators of scikit-learn seen as models of ours: their scores, classes and numbers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, OneClassSVM
from sklearn.tree import DecisionTreeClassifier

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.estimators import LabelModel, estimator_model, is_estimator
from kernelviz.engine.models.several_classes import MultiClassModel

TWO = kernelviz.dataset("moons(n=80, noise=0.3, seed=2)")
THREE = kernelviz.dataset("blobs(n=90, classes=3, seed=1)")
FRESH = np.random.default_rng(0).uniform(-3, 3, size=(200, 2))


@pytest.mark.parametrize(
    "estimator",
    [
        SVC(gamma=2, C=5),
        SVC(decision_function_shape="ovo"),
        LogisticRegression(),
        Perceptron(),
        GaussianNB(),
        RandomForestClassifier(n_estimators=9, random_state=0),
        DecisionTreeClassifier(max_depth=3),
        make_pipeline(StandardScaler(), SVC()),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
@pytest.mark.parametrize("data", [TWO, THREE], ids=["two classes", "three classes"])
@pytest.mark.parametrize("names", [(2, 1, 0), ("z", "b", "-"), ("-", "+", "a")], ids=str)
def test_the_model_predicts_what_the_estimator_predicts(estimator, data, names):
    y = np.array(names, dtype=object if isinstance(names[0], str) else int)[np.asarray(data.codes)]
    estimator.fit(data.X, y.tolist())
    model = estimator_model(estimator, data.X, y.tolist())
    theirs = estimator.predict(data.X)
    assert np.array_equal(model.predict(data.X), theirs)
    assert model.summary()["training_error"] == pytest.approx(np.mean(theirs != y.tolist()))
    # Elsewhere they may differ where votes of pairs are tied, which scores decide.
    assert np.mean(model.predict(FRESH) == estimator.predict(FRESH)) > 0.97


def test_scores_of_two_classes_are_those_of_the_estimator():
    machine = SVC(gamma=2).fit(TWO.X, TWO.z)
    model = estimator_model(machine, TWO.X, TWO.z)
    assert np.allclose(model.score(FRESH), machine.decision_function(FRESH))
    x = np.linspace(-1, 1, 5)
    assert np.allclose(model.on_grid(x, x)[4, 1], machine.decision_function([[x[1], x[4]]]))
    bayes = GaussianNB().fit(TWO.X, TWO.z)
    assert np.allclose(
        estimator_model(bayes, TWO.X, TWO.z).score(FRESH), bayes.predict_proba(FRESH)[:, 1] - 0.5
    )


def test_support_vectors_are_known_of_the_points_that_were_fitted_only():
    machine = SVC(gamma=2).fit(TWO.X, TWO.z)
    assert np.array_equal(estimator_model(machine, TWO.X, TWO.z).support, machine.support_)
    assert not len(estimator_model(machine, TWO.X[::-1], TWO.z[::-1]).support)


def test_scores_that_contradict_the_predictions_are_left_aside_for_the_labels():
    class Cautious(LogisticRegression):
        def predict(self, X):
            return np.where(self.predict_proba(X)[:, 1] > 0.9, *self.classes_[::-1])

    cautious = Cautious().fit(TWO.X, TWO.z)
    model = estimator_model(cautious, TWO.X, TWO.z)
    assert isinstance(model, LabelModel)
    assert np.array_equal(model.predict(FRESH), cautious.predict(FRESH))


def test_all_pairs_of_classes_share_one_evaluation():
    calls = []

    class Counted(GaussianNB):
        def predict_proba(self, X):
            calls.append(len(X))
            return super().predict_proba(X)

    model = estimator_model(Counted().fit(THREE.X, THREE.codes), THREE.X, THREE.codes)
    assert isinstance(model, MultiClassModel)
    calls.clear()
    model.score(FRESH)
    assert calls == [len(FRESH)]


def test_regressors_and_detectors_of_novelties_are_models_too():
    curve = kernelviz.dataset("sine(n=30)")
    neighbours = KNeighborsRegressor(3).fit(curve.X, curve.y)
    assert np.allclose(
        estimator_model(neighbours, curve.X, curve.y).residuals, curve.y - neighbours.predict(curve.X)
    )
    novelty = OneClassSVM(gamma=1.0).fit(TWO.X)
    assert np.allclose(estimator_model(novelty, TWO.X).score(FRESH), novelty.decision_function(FRESH))


class Table:
    """A data frame as far as anything here looks at one."""

    def __init__(self, values, columns):
        self.values, self.columns = np.asarray(values), list(columns)

    def __array__(self, dtype=None, copy=None):
        return self.values


class Reader:
    """An estimator that was fitted to columns with names, and reads them by these."""

    feature_names_in_ = ("width", "height")
    classes_ = (0, 1)

    def predict(self, X):
        return (X.values[:, X.columns.index("height")] > 0).astype(int)


def test_an_estimator_that_knows_names_of_columns_is_given_them():
    table = Table([[1.0, -1.0], [-1.0, 1.0]], ["width", "height"])
    model = estimator_model(Reader(), table, [0, 1])
    assert model.predict([[5.0, -1.0], [-1.0, 0.5]]).tolist() == [0, 1]
    assert model.columns == ("width", "height")


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        (TWO.X, None, "Give the labels of the points too"),
        (TWO.X, ["yes", "no"] * 40, r"The labels are no, yes; SVC was fitted to -1.0, 1.0"),
        (np.ones((80, 3)), TWO.z, "one or two inputs; these points have 3 inputs"),
        (TWO.X[:, :1], TWO.z, "SVC cannot score these points: .*features"),
    ],
)
def test_what_does_not_fit_together_is_said_in_a_sentence(X, y, sentence):
    with pytest.raises(BadInput, match=sentence):
        estimator_model(SVC().fit(TWO.X, TWO.z), X, y)


def test_an_estimator_without_finite_scores_gets_a_sentence():
    class Undecided:
        def predict(self, X):
            return np.full(len(X), np.nan)

    with pytest.raises(BadInput, match="Undecided has no finite score at some of these points"):
        estimator_model(Undecided(), TWO.X, TWO.X[:, 0])


def test_models_of_ours_and_classes_are_no_estimators():
    assert is_estimator(SVC())
    assert not is_estimator(SVC)
    assert not is_estimator(kernelviz.fit(TWO))
    assert not is_estimator(TWO)
