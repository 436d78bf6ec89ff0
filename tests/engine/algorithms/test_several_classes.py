from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.algorithms.neighbours import Prototype
from kernelviz.engine.algorithms.perceptron import Perceptron
from kernelviz.engine.algorithms.several_classes import OneVsOne
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.solve import algorithm_for
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem


def blobs(classes: int = 3, spread: float = 1.0, n: int = 90) -> Data:
    rng = np.random.default_rng(4)
    label = np.arange(n) % classes
    turn = 2 * np.pi * label / classes
    X = np.column_stack([np.cos(turn), np.sin(turn)]) * 2 + spread * rng.normal(size=(n, 2))
    return Data.labelled(X, [f"class {k}" for k in label])


@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("classes", [3, 5])
def test_it_agrees_with_scikit_learn(classes: int, C: float) -> None:
    data = blobs(classes)
    model = OneVsOne(SoftMarginSVM(C=C, tol=1e-6)).fit(Problem(data, Gaussian(gamma=0.5)))
    theirs = SVC(C=C, gamma=0.5, tol=1e-6, break_ties=True).fit(data.X, data.y)
    new = np.random.default_rng(0).normal(size=(500, 2)) * 2
    np.testing.assert_allclose(model.score(new), theirs.decision_function(new), atol=1e-3)
    assert (model.codes(new) == theirs.predict(new)).mean() > 0.995
    assert model.support.tolist() == sorted(theirs.support_.tolist())


def test_the_regions_on_a_grid_are_the_predictions() -> None:
    model = OneVsOne(Prototype()).fit(Problem(blobs(4), Linear()))
    x1, x2 = np.linspace(-3, 3, 7), np.linspace(-2, 2, 5)
    nodes = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    assert model.on_grid(x1, x2).shape == (4, 5, 7)
    assert model.on_grid(x1, x2).argmax(axis=0).ravel().tolist() == model.codes(nodes).astype(int).tolist()


def test_data_with_more_classes_get_it_without_asking() -> None:
    data = blobs()
    chosen = algorithm_for(data, "prototype")
    assert isinstance(chosen, OneVsOne)
    assert str(chosen) == "prototype"
    model = kernelviz.fit(data, algorithm="prototype", kernel="linear")
    assert model.summary()["training_error"] == np.mean(model.codes(data.X) != data.y)
    assert len(model.marks()) == 3, "one mean for each class, although each is in two pairs"


def test_a_mark_of_a_class_keeps_its_class_in_the_vote() -> None:
    marks = OneVsOne(Prototype()).fit(Problem(blobs(4), Linear())).marks()
    assert {mark.label: mark.of_class for mark in marks} == {f"mean of class {k}": k for k in range(4)}
    assert {mark.side for mark in marks} == {0}


def test_points_that_support_any_pair_are_counted() -> None:
    model = OneVsOne(SoftMarginSVM()).fit(Problem(blobs(), Gaussian()))
    assert model.summary()["support_vectors"] == len(model.support) > 0


def test_each_pair_starts_from_its_own_earlier_model() -> None:
    data = blobs()
    seen = []

    class Spy(SoftMarginSVM):
        def solve(self, problem: Problem, start: object = None) -> object:
            seen.append(start)
            return super().solve(problem, start)

    algorithm = OneVsOne(Spy(C=1.0))
    first = algorithm.fit(Problem(data, Gaussian()))
    seen.clear()
    algorithm.fit(Problem(data, Gaussian()), first)
    assert seen == [pair.model for pair in first.pairs]


def test_steps_name_the_pair_and_count_points_in_the_whole_data() -> None:
    data = blobs()
    for frame in OneVsOne(Perceptron(sweeps=3)).steps(Problem(data, Linear())):
        assert "against" in frame.change.text
        pair = frame.model.pairs[-1]
        for i in frame.change.points:
            assert str(i + 1) in frame.change.text
            assert data.y[i] in (pair.minus, pair.plus)


def test_the_worst_pair_gives_the_verdict() -> None:
    X = np.vstack([blobs(spread=0.1, n=30).X, [[9.0, 9.0], [9.0, 9.0]]])
    data = Data.labelled(X, [*(np.arange(30) % 3), 0, 1])
    model = OneVsOne(Perceptron(sweeps=20)).fit(Problem(data, Linear()))
    assert model.status is Status.NOT_SEPARABLE
    assert model.message.startswith("0 against 1")


def test_a_class_without_points_is_left_out_and_one_class_alone_is_refused() -> None:
    data = blobs()
    two = data.subset(data.y != 1)
    assert two.task is Task.CLASSES
    model = OneVsOne(Prototype()).fit(Problem(two, Linear()))
    assert set(model.predict(two.X)) == {"class 0", "class 2"}
    with pytest.raises(BadInput, match="class 2"):
        OneVsOne(Prototype()).fit(Problem(data.subset(data.y == 2), Linear()))


def test_undecided_pairs_vote_for_their_first_class_as_two_classes_do() -> None:
    nothing_to_tell = kernelviz.fit([[0.0], [1.0], [2.0]], ["a", "b", "c"], "0*linear", "prototype")
    assert nothing_to_tell.score([[0.5]]).tolist() == [[2.0, 1.0, 0.0]]
    assert kernelviz.fit([[0.0], [1.0]], ["a", "b"], "0*linear", "prototype").predict([[0.5]]) == ["a"]


def test_a_class_that_has_met_no_other_wins_nowhere() -> None:
    first = next(iter(OneVsOne(Prototype()).steps(Problem(blobs(), Linear()))))
    winner = first.model.on_grid(np.linspace(-2, 2, 9), np.linspace(-2, 2, 9)).argmax(axis=0)
    assert set(winner.flat) == {0, 1}


@pytest.mark.parametrize("expression", ["soft-margin-svm", "perceptron", "hinge-sgd(epochs=7)", "logistic"])
def test_the_iterations_of_all_pairs_add_up(expression: str) -> None:
    model = kernelviz.fit(blobs(), algorithm=expression)
    assert model.iterations == sum(pair.model.iterations for pair in model.pairs) > 3


def test_points_that_a_verdict_names_are_counted_in_the_whole_data() -> None:
    data = kernelviz.dataset("iris(classes=all)")
    message = kernelviz.fit(data, algorithm="hard-margin-svm").message
    named = re.search(r"points (\d+) and (\d+) coincide", message)
    i, j = (int(number) - 1 for number in named.groups())
    assert data.X[i].tolist() == data.X[j].tolist()
    assert message.startswith(
        f"{data.class_names[int(data.y[i])]} against {data.class_names[int(data.y[j])]}"
    )


def test_the_steps_are_those_of_every_pair_counted_through() -> None:
    data, binary = blobs(), Perceptron(sweeps=3)
    frames = list(OneVsOne(binary).steps(Problem(data, Linear())))
    assert [frame.step for frame in frames] == list(range(len(frames)))
    of_pairs = [
        len(list(binary.steps(Problem(pair.model.problem.data, Linear())))) for pair in frames[-1].model.pairs
    ]
    assert len(frames) == sum(of_pairs) + 1
    assert [frame.done for frame in frames].count(True) == 1
    assert frames[-1].done


@pytest.mark.parametrize(("expression", "several"), [("perceptron(sweeps=3)", False), ("hinge-sgd", True)])
def test_steps_say_point_of_one_and_points_of_several(expression: str, several: bool) -> None:
    algorithm = algorithm_for(blobs(), expression)
    seen = set()
    for frame in algorithm.steps(Problem(blobs(), Linear())):
        if frame.change.points:
            numbers = ", ".join(str(i + 1) for i in frame.change.points)
            noun = "points" if len(frame.change.points) > 1 else "point"
            assert frame.change.text.endswith(f": {noun} {numbers}")
            seen.add(len(frame.change.points))
    assert (max(seen) > 1) is several
