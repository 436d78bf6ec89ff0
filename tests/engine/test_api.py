"""What a script sees: `kernelviz.fit` and what it gives."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits import registry

RNG = np.random.default_rng(3)
Z = np.where(np.arange(40) % 2, 1, -1)
X = RNG.normal(size=(40, 2)) + 0.8 * Z[:, None]


def test_fit_gives_what_the_manual_promises() -> None:
    model = kernelviz.fit(X, Z, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=10)")
    assert model.alpha.shape == (40,)
    assert (model.alpha >= 0).all()
    np.testing.assert_array_equal(model.beta, model.alpha * Z)
    np.testing.assert_array_equal(model.support, np.flatnonzero(model.alpha))
    np.testing.assert_array_equal(model.predict(X), np.sign(model.score(X)))
    assert model.converged
    assert {"training_error", "hinge_loss", "margin", "dual_objective"} <= model.summary().keys()
    K = kernelviz.kernel("rbf(gamma=1)")(X)
    np.testing.assert_allclose(model.score(X), K @ model.beta + model.b)


def test_the_defaults_are_the_documented_ones() -> None:
    model = kernelviz.fit(X, Z)
    assert (str(model.problem.kernel), str(model.algorithm)) == ("rbf(gamma=1)", "soft-margin-svm(C=10)")


@pytest.mark.parametrize(
    "labels",
    [
        np.where(Z > 0, 1, 0),
        np.where(Z > 0, 7.5, 2.0),
        np.where(Z > 0, "yes", "no"),
        [bool(z > 0) for z in Z],
        ["+" if z > 0 else "-" for z in Z],
        Z.tolist(),
    ],
    ids=["0/1", "real", "words", "booleans", "signs", "list"],
)
def test_any_two_values_are_labels_the_larger_is_plus_and_predictions_are_labels_too(labels: Any) -> None:
    model = kernelviz.fit(X, labels, algorithm="ridge(lam=1)")
    np.testing.assert_array_equal(model.beta, kernelviz.fit(X, Z, algorithm="ridge(lam=1)").beta)
    minus, plus = labels[0], labels[1]
    assert model.predict(X).tolist() == [plus if s > 0 else minus for s in model.score(X)]


@pytest.mark.parametrize("names", [(0, 1, 2), (3, 5, 7), ("ant", "bee", "cat")], ids=str)
def test_three_values_make_a_model_of_three_classes_that_predicts_them(names: tuple[Any, ...]) -> None:
    labels = np.array(names)[np.arange(40) % 3]
    model = kernelviz.fit(X, labels, algorithm="prototype")
    assert set(model.predict(X).tolist()) <= set(names)
    assert model.summary()["training_error"] == np.mean(model.predict(X) != labels)
    assert model.score(X).shape == (40, 3)


def test_on_the_boundary_the_prediction_is_the_smaller_label_of_whatever_type() -> None:
    tie = [[0.0], [2.0]]
    for labels, middle in (
        ([-1, 1], -1),
        ([1.0, -1.0], -1.0),
        (["cat", "dog"], "cat"),
        ([0, 1], 0),
        ([2.5, 7.5], 2.5),
        (["+", "-"], "-"),
    ):
        model = kernelviz.fit(tie, labels, kernel="linear", algorithm="prototype")
        assert model.predict([[1.0]]).tolist() == [middle]


def test_where_labels_play_no_part_predictions_are_signs() -> None:
    words = np.where(Z > 0, "yes", "no")
    for labels in (None, words):
        model = kernelviz.fit(X, labels, algorithm="one-class-svm(nu=0.5)")
        np.testing.assert_array_equal(model.predict(X), np.sign(model.score(X)))


def test_predictions_of_real_targets_are_the_scores() -> None:
    from kernelviz.engine.core.data import Data

    model = kernelviz.fit(Data.regression(X[:, :1], X[:, 1]), algorithm="ridge(lam=0.1)")
    np.testing.assert_array_equal(model.predict(X[:, :1]), model.score(X[:, :1]))


def test_the_data_sets_of_plus_and_minus_predict_their_z() -> None:
    for name in ("barely_separable(n=20)", "three_points"):
        data = kernelviz.dataset(name)
        model = kernelviz.fit(data, kernel="linear", algorithm="hard-margin-svm")
        assert model.predict(data.X).tolist() == data.z.tolist()


@pytest.mark.parametrize(
    "algorithm", ["soft-margin-svm(C=10, tol=1e-6)", "logistic(lam=0.1)", "ridge(lam=0.1)"]
)
def test_a_start_gives_the_same_model(algorithm: str) -> None:
    before = kernelviz.fit(X + 0.01, Z, algorithm=algorithm)
    warm, cold = (kernelviz.fit(X, Z, algorithm=algorithm, start=s) for s in (before, None))
    np.testing.assert_allclose(warm.score(X), cold.score(X), atol=1e-4)


def test_a_start_of_another_algorithm_and_size_is_no_obstacle() -> None:
    other = kernelviz.fit(X[:7], Z[:7], algorithm="perceptron")
    for algorithm in ("soft-margin-svm", "logistic", "ridge", "random-features", "nearest-neighbours"):
        assert kernelviz.fit(X, Z, algorithm=algorithm, start=other).problem.n == 40


def test_objects_serve_where_expressions_do() -> None:
    kernel, algorithm = kernelviz.kernel("rbf(gamma=2) + linear"), kernelviz.algorithm("logistic(lam=1)")
    by_object = kernelviz.fit(X, Z, kernel=kernel, algorithm=algorithm)
    by_text = kernelviz.fit(X, Z, kernel="rbf(gamma=2) + linear", algorithm="logistic(lam=1)")
    np.testing.assert_array_equal(by_object.score(X), by_text.score(X))


def test_a_data_set_can_be_fitted_as_it_is() -> None:
    data = kernelviz.dataset("rings(n=60, seed=1)")
    assert kernelviz.fit(data, algorithm="prototype").problem.data is data


def test_a_kernel_is_a_kernel_of_scikit_learn() -> None:
    kernel = kernelviz.kernel("rbf(gamma=1) * polynomial(degree=2, c=1)")
    theirs = SVC(C=10, kernel=kernel, tol=1e-8).fit(X, Z)
    ours = kernelviz.fit(X, Z, kernel=kernel, algorithm="soft-margin-svm(C=10, tol=1e-8)")
    np.testing.assert_allclose(ours.score(X), theirs.decision_function(X), atol=1e-4)


def test_two_single_points_give_a_number_as_scikit_learns_pairwise_kernels_ask() -> None:
    kernel = kernelviz.kernel("rbf(gamma=1) + 0.5*linear")
    assert float(kernel(X[0], X[1])) == kernel(X)[0, 1]
    theirs = KernelRidge(alpha=0.1, kernel=kernel).fit(X, Z)
    ours = kernelviz.fit(X, Z, kernel=kernel, algorithm="ridge(lam=0.1)")
    np.testing.assert_allclose(ours.score(X), theirs.predict(X), atol=1e-9)
    with pytest.raises(BadInput, match="of 2 and of 3 columns"):
        kernel([0.0, 1.0], [0.0, 1.0, 2.0])


@pytest.mark.parametrize(
    "algorithm", ["soft-margin-svm", "ridge", "nearest-neighbours", "feature-map", "random-features"]
)
def test_new_points_need_the_columns_of_the_old_ones(algorithm: str) -> None:
    model = kernelviz.fit(X, Z, algorithm=algorithm)
    for columns in (1, 3):
        with pytest.raises(BadInput, match=f"of {columns} and of 2 columns"):
            model.score(np.zeros((4, columns)))
    assert model.score([]).shape == (0,)


def test_features_too_large_to_compute_with_are_refused() -> None:
    with pytest.raises(BadInput, match="features of these points are too large"):
        kernelviz.fit(X, Z, algorithm="feature-map").score([[1e60, 0.0]])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"X": [[np.nan, 0.0]], "z": [1]}, "finite"),
        ({"X": [[np.inf, 0.0], [1, 1]], "z": [1, 0]}, "row 1"),
        ({"X": [], "z": []}, "no points"),
        ({"X": X, "z": Z[:5]}, "40 points but 5 labels"),
        ({"X": X, "z": [1] * 40}, "one class"),
        ({"X": X, "z": [1.0] * 39 + [np.nan]}, "row 40"),
        ({"X": X, "z": np.arange(40)}, "at most 20 classes"),
        ({"X": X}, "two classes"),
        ({"X": [[1, 2], [3]], "z": [0, 1]}, "equal length"),
        ({"X": X, "z": Z, "kernel": "rfb"}, "rbf"),
        ({"X": X, "z": Z, "kernel": "rbf(gamma=-1)"}, "gamma"),
        ({"X": X, "z": Z, "kernel": lambda a, b: a @ b.T}, "kernel object"),
        ({"X": X, "z": Z, "algorithm": "soft-margin"}, "soft-margin-svm"),
        ({"X": X, "z": Z, "algorithm": 7}, "algorithm object"),
        ({"X": kernelviz.dataset("rings"), "z": Z}, "their own labels"),
        ({"X": ["a", "b"], "z": [0, 1]}, "numbers"),
        ({"X": X * 1e200, "z": Z, "kernel": "linear"}, "too large"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words) as error:
        kernelviz.fit(**arguments)
    assert "\n" not in str(error.value)


def _loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_kernelviz_loads_neither_qt_nor_scipy() -> None:
    loaded = _loaded_by("import kernelviz")
    assert not {m for m in loaded if m.split(".")[0] in ("PySide6", "pyqtgraph", "scipy", "sklearn")}


def test_a_fit_loads_no_qt() -> None:
    loaded = _loaded_by("import kernelviz; kernelviz.fit([[0, 0], [1, 1]], [0, 1])")
    assert not {m for m in loaded if m.split(".")[0] in ("PySide6", "pyqtgraph")}


def test_importing_kernelviz_costs_less_than_one_and_a_half_imports_of_numpy() -> None:
    timing = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"

    def seconds(module: str) -> float:
        command = [sys.executable, "-c", timing.format(module)]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    ours, theirs = [], []
    for _ in range(5):  # in turns, so that a busy moment meets both
        ours.append(seconds("kernelviz"))
        theirs.append(seconds("numpy"))
    assert min(ours) < 1.5 * min(theirs)


def test_dir_shows_the_public_names_alone() -> None:
    assert [name for name in dir(kernelviz) if not name.startswith("_")] == sorted(
        name for name in kernelviz.__all__ if not name.startswith("_")
    )


@pytest.mark.parametrize("text", ["rbf(gamma=1)", "rbf(sigma=2) + 0.5*polynomial(degree=2, c=1)", "words"])
def test_the_repr_of_a_kernel_can_be_typed_back(text: str) -> None:
    kernel = kernelviz.kernel(text)
    assert eval(repr(kernel), {"kernelviz": kernelviz}) == kernel


def test_the_repr_of_an_algorithm_can_be_typed_back() -> None:
    for name, algorithm in registry.algorithms().items():
        assert eval(repr(algorithm()), {"kernelviz": kernelviz}) == algorithm(), name


def test_data_and_selections_print_in_one_line() -> None:
    data = kernelviz.dataset("moons(n=2000)")
    assert repr(data) == "<Data: 2000 points, 2 inputs (x1, x2), two classes -, +>"
    selection = kernelviz.select(kernelviz.dataset("moons(n=60)"), over="gamma=0.1:10:3")
    assert repr(selection) == "<Selection of gamma: 3 settings, best rbf(gamma=1) ; soft-margin-svm(C=10)>"


@pytest.mark.parametrize("name", sorted(registry.algorithms()))
def test_a_pickled_model_is_no_larger_than_what_it_is_made_of(name: str) -> None:
    """Its points, a few numbers for each, and one matrix for a Gaussian process: no Gram matrix."""
    labels = kernelviz.dataset("moons(n=300, noise=0.2)")
    targets = kernelviz.dataset("sine(n=300)")
    for data in (labels, targets):
        try:
            model = kernelviz.fit(data, kernel="rbf(gamma=1)", algorithm=name)
        except BadInput:  # the other kind of target
            continue
        summary = model.summary()
        pickled = pickle.dumps(model)
        matrices = 300 * 300 * 8 if name == "gaussian-process" else 0
        assert len(pickled) < matrices + 300 * 80
        again = pickle.loads(pickled)
        assert again.summary() == summary
        np.testing.assert_array_equal(again.score(data.X[:5]), model.score(data.X[:5]))
