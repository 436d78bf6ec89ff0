"""What holds for every algorithm of the registry; nothing to write here when one is added."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.algorithms.several_classes import OneVsOne
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.parsing import kernel as parsed
from kernelviz.engine.fits.solve import algorithm_for
from kernelviz.engine.kernels.dot_products import Linear, Polynomial, Sigmoid
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.problem import Problem
from tests.strategies import base_kernels, points, values

REAL = " on real targets"
NAMES = sorted(registry.algorithms()) + [
    name + REAL
    for name, kind in sorted(registry.algorithms().items())
    if {Task.TWO_CLASSES, Task.REGRESSION} <= kind.tasks
]
few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def kind_of(name: str) -> type[Algorithm]:
    return registry.algorithms()[name.removesuffix(REAL)]


def usual(name: str) -> Algorithm:
    return kind_of(name).suited_to(Task.REGRESSION if name.endswith(REAL) else Task.TWO_CLASSES)


def algorithms(name: str, soft: bool = False) -> st.SearchStrategy[Algorithm]:
    """Any parameters within the declared bounds; counts (sweeps, epochs, …) as far as their sliders go."""
    cls = kind_of(name)
    drawn = {p.name: values(p, soft or p.is_whole) for p in cls.parameters()}
    if name.endswith(REAL) and "model" in drawn:
        drawn["model"] = st.just("ridge")
    return st.fixed_dictionaries(drawn).map(lambda values: cls(**values))


def data_for(algorithm: Algorithm, X: np.ndarray, classes: np.ndarray, name: str = "") -> Data:
    """The points with a target of the kind the algorithm asks for."""
    if Task.TWO_CLASSES in algorithm.tasks and not name.endswith(REAL):
        return Data.labelled(X, classes)
    if Task.REGRESSION in algorithm.tasks:
        return Data.regression(X, classes + 0.3 * np.sin(X[:, 0]))
    return Data.unlabelled(X)


def clouds(seed: int, n: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """Two overlapping clouds: nothing special about any point."""
    rng = np.random.default_rng(seed)
    z = np.where(np.arange(n) % 2, 1, -1)
    return rng.normal(size=(n, 2)) + 0.8 * z[:, None], z


def sharp(algorithm: Algorithm) -> Algorithm:
    """The same with the tightest tolerance, where it has one."""
    return algorithm.replace(tol=1e-8) if "tol" in algorithm.values() else algorithm


def assert_sentence(error: BadInput) -> None:
    text = str(error)
    assert text[:1].isalnum(), text
    assert text.endswith((".", "?", "!")), text
    assert "\n" not in text, text


def assert_sound(model: Model) -> None:
    """Finite, read-only, consistent and honest."""
    n = model.problem.n
    assert model.message.strip()
    assert model.status is not Status.RUNNING
    assert np.isfinite(model.training_scores).all()
    assert len(model.training_scores) == n
    assert not model.training_scores.flags.writeable
    if model.alpha is not None:
        assert model.alpha.shape == (n,)
        assert (model.alpha >= 0).all()
        assert np.isfinite(model.alpha).all()
        assert not model.alpha.flags.writeable
        assert set(model.support) == set(np.flatnonzero(model.alpha))
    if model.beta is not None:
        assert np.array_equal(np.abs(model.beta), model.alpha)
        assert not model.beta.flags.writeable
    assert model.b is None or np.isfinite(model.b)
    assert model.converged == (model.status is Status.CONVERGED)
    assert all(v is None or np.isfinite(v) for v in model.summary().values())


def run(iterates: Any) -> Iterate:
    """The last iterate, after checking that only the last says it is."""
    last = None
    for iterate in iterates:
        assert last is None or not last.done
        assert last is None or iterate.step >= last.step
        last = iterate
    assert last.done
    return last


@pytest.mark.parametrize("name", NAMES)
class TestEveryAlgorithm:
    def test_is_described(self, name: str) -> None:
        cls = kind_of(name)
        assert cls.title
        assert cls.latex
        assert cls.summary_line.endswith(".")
        assert cls.__doc__
        assert all(p.label and p.help for p in cls.parameters())

    @few
    @given(data=st.data())
    def test_ends_with_a_sound_model_or_a_sentence(self, name: str, data: st.DataObject) -> None:
        algorithm = data.draw(algorithms(name))
        X = data.draw(points(rows=(1, 10)))
        classes = np.array(data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X))))
        problem = Problem(data_for(algorithm, X, classes, name), data.draw(base_kernels(soft=True)))
        try:
            model = algorithm.fit(problem)
        except BadInput as error:
            assert_sentence(error)
            return
        assert_sound(model)
        again = algorithm.fit(Problem(problem.data, problem.kernel))
        assert np.array_equal(again.training_scores, model.training_scores), "not deterministic"

    @few
    @given(data=st.data())
    def test_scores_agree_on_points_grid_and_training(self, name: str, data: st.DataObject) -> None:
        algorithm = data.draw(algorithms(name, soft=True))
        X, z = clouds(data.draw(st.integers(0, 99)))
        try:
            model = algorithm.fit(Problem(data_for(algorithm, X, z, name), Gaussian(gamma=0.7)))
        except BadInput as error:
            assert_sentence(error)
            return
        size = 1e-7 * (1 + np.abs(model.training_scores).max())
        np.testing.assert_allclose(model.score(X), model.training_scores, rtol=0, atol=size)
        x1, x2 = np.linspace(-2, 2, 5), np.linspace(-1, 3, 4)
        nodes = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
        field = model.on_grid(x1, x2)
        assert field.shape == (4, 5)
        np.testing.assert_allclose(field.ravel(), model.score(nodes), rtol=0, atol=size)

    @few
    @given(data=st.data())
    def test_watching_it_leads_where_solving_leads(self, name: str, data: st.DataObject) -> None:
        algorithm = sharp(data.draw(algorithms(name, soft=True)))
        X, z = clouds(data.draw(st.integers(0, 99)))
        problem = Problem(data_for(algorithm, X, z, name), Gaussian(gamma=0.7))
        try:
            algorithm.check(problem)
            watched, solved = run(algorithm.steps(problem)), run(algorithm.solve(problem))
        except BadInput as error:
            assert_sentence(error)
            return
        assert watched.model.status is solved.model.status
        if watched.model.converged or algorithm.order_matters:
            size = 1e-4 * (1 + np.abs(solved.model.training_scores).max())
            np.testing.assert_allclose(
                watched.model.training_scores, solved.model.training_scores, rtol=0, atol=size
            )

    @pytest.mark.parametrize("classes", [2, 3])
    def test_every_step_says_what_it_did_and_the_last_how_it_ended(self, name: str, classes: int) -> None:
        X, _ = clouds(1)
        data = Data.labelled(X, np.arange(len(X)) % classes)
        if name.endswith(REAL) or not kind_of(name).learns(data.task):
            data = data_for(usual(name), X, np.where(np.arange(len(X)) % 2, 1.0, -1.0), name)
        algorithm = algorithm_for(data, usual(name))
        frames = list(algorithm.steps(Problem(data, Gaussian(gamma=0.7))))
        for frame in frames:
            assert frame.change.text
            assert frame.change.kind
            assert all(0 <= i < data.n for i in frame.change.points)
            assert set(frame.objectives) <= {"primal", "dual"}
            assert all(np.isfinite(value) for value in frame.objectives.values())
            assert (frame.model.status is Status.RUNNING) != frame.done
        assert (len(frames) > 2) == (algorithm.watchable or isinstance(algorithm, OneVsOne))
        assert frames[-1].model.message.endswith(".")

    @few
    @given(data=st.data())
    def test_no_step_has_its_dual_above_its_primal(self, name: str, data: st.DataObject) -> None:
        algorithm = data.draw(algorithms(name, soft=True))
        X, z = clouds(data.draw(st.integers(0, 99)))
        problem = Problem(
            data_for(algorithm, X, z, name), Gaussian(gamma=data.draw(st.sampled_from([0.3, 30.0])))
        )
        try:
            algorithm.check(problem)
        except BadInput as error:
            assert_sentence(error)
            return
        for frame in algorithm.steps(problem):
            if {"primal", "dual"} <= set(frame.objectives):
                primal, dual = frame.objectives["primal"], frame.objectives["dual"]
                assert dual <= primal + 1e-9 * abs(primal) + 1e-12

    @few
    @given(data=st.data())
    def test_a_start_changes_nothing_but_the_time(self, name: str, data: st.DataObject) -> None:
        algorithm, before = (
            sharp(data.draw(algorithms(name, soft=True))),
            data.draw(algorithms(name, soft=True)),
        )
        X, z = clouds(data.draw(st.integers(0, 99)))
        moved = X.copy()
        moved[data.draw(st.integers(0, len(X) - 1))] += 0.3
        rows = data.draw(st.sampled_from([slice(None), slice(2, None), slice(0, -2)]))
        kernel = Gaussian(gamma=0.7)
        try:
            start = before.fit(Problem(data_for(before, moved[rows], z[rows], name), kernel))
            cold = algorithm.fit(Problem(data_for(algorithm, X, z, name), kernel))
            warm = algorithm.fit(Problem(data_for(algorithm, X, z, name), kernel), start)
        except BadInput as error:
            assert_sentence(error)
            return
        assert warm.status is cold.status
        if cold.converged or algorithm.order_matters:
            size = 1e-4 * (1 + np.abs(cold.training_scores).max())
            np.testing.assert_allclose(warm.training_scores, cold.training_scores, rtol=0, atol=size)

    @few
    @given(data=st.data())
    def test_the_order_of_the_points_does_not_matter(self, name: str, data: st.DataObject) -> None:
        algorithm = sharp(data.draw(algorithms(name, soft=True)))
        X, z = clouds(data.draw(st.integers(0, 99)))
        order = np.array(data.draw(st.permutations(range(len(X)))))
        kernel = Gaussian(gamma=0.7)
        try:
            one = algorithm.fit(Problem(data_for(algorithm, X, z, name), kernel))
            other = algorithm.fit(Problem(data_for(algorithm, X[order], z[order], name), kernel))
        except BadInput as error:
            assert_sentence(error)
            return
        if algorithm.order_matters or not (one.converged and other.converged):
            return
        size = 1e-4 * (1 + np.abs(one.training_scores).max())
        np.testing.assert_allclose(other.training_scores, one.training_scores[order], rtol=0, atol=size)

    @pytest.mark.parametrize("scale", [(1e6, 1e6), (1e-6, 1e-6), (1.0, 1e6), (0.0, 1.0)], ids=str)
    def test_no_scale_of_the_inputs_breaks_it(self, name: str, scale: tuple[float, float]) -> None:
        X, z = clouds(3)
        for kernel in (Linear(), Polynomial(degree=3), Gaussian(), Sigmoid(10, -3)):
            self._fit_or_sentence(name, X * scale, z, kernel)

    @pytest.mark.parametrize(
        ("X", "z"),
        [
            ([[0.0, 0.0]], [1]),
            ([[0.0, 0.0], [1.0, 2.0]], [1, -1]),
            ([[1.0, 2.0], [1.0, 2.0]], [1, -1]),
            ([[1.0, 2.0]] * 5, [1, -1, 1, -1, 1]),
            ([[1.0, 0.0], [2.0, 0.0], [3.0, 1.0]], [1, 1, 1]),
            ([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]], [1, -1, -1]),
            ([[0.1], [0.4], [0.9]], [1, -1, 1]),
            ([[0.1, 1, 2, 3], [0.4, 0, 1, 0], [0.9, 5, 5, 5]], [1, -1, 1]),
        ],
        ids=[
            "one point",
            "two",
            "contradiction",
            "all equal",
            "one class",
            "duplicates",
            "line",
            "four columns",
        ],
    )
    def test_small_and_degenerate_data_are_taken_or_refused_in_words(
        self, name: str, X: list[list[float]], z: list[int]
    ) -> None:
        for kernel in (Linear(), Gaussian(gamma=1.0)):
            self._fit_or_sentence(name, np.array(X, dtype=float), np.array(z), kernel)

    @pytest.mark.parametrize("task", list(Task))
    def test_it_takes_the_targets_it_claims_and_refuses_the_others_in_words(
        self, name: str, task: Task
    ) -> None:
        X, z = clouds(5)
        data = {
            Task.TWO_CLASSES: Data.labelled(X, z),
            Task.CLASSES: Data.labelled(X, np.arange(len(X)) % 3),
            Task.REGRESSION: Data.regression(X, X[:, 0]),
            Task.NONE: Data.unlabelled(X),
        }[task]
        algorithm = algorithm_for(data, kind_of(name).suited_to(task))
        if task in algorithm.tasks:
            model = algorithm.fit(Problem(data, Gaussian()))
            assert np.isfinite(model.score(X)).all()
            assert (model.summary()["iterations"] is None) == (name == "by-hand")
        else:
            with pytest.raises(BadInput) as error:
                algorithm.fit(Problem(data, Gaussian()))
            assert_sentence(error.value)

    def _fit_or_sentence(self, name: str, X: np.ndarray, z: np.ndarray, kernel: Any) -> None:
        algorithm = usual(name)
        try:
            model = algorithm.fit(Problem(data_for(algorithm, X, z, name), kernel))
        except BadInput as error:
            assert_sentence(error)
        else:
            assert_sound(model)


@pytest.mark.parametrize("text", ["linear", "1e-160*linear", "polynomial(degree=2, c=0)"])
@pytest.mark.parametrize("name", NAMES)
def test_inputs_so_small_that_products_underflow_are_solved_or_refused_in_a_sentence(name, text):
    for size in (1e-60, 1e-75, 1e-155, 1e-161, 1e-300):
        is_solved_or_refused(usual(name), name, size, text)


def is_solved_or_refused(algorithm: Algorithm, name: str, size: float, text: str) -> None:
    X = size * np.array([[1.0, 0.0], [2.0, 0.0], [-1.0, 0.0], [-2.0, 0.5]])
    problem = Problem(data_for(algorithm, X, np.array([1, 1, -1, -1]), name), parsed(text))
    try:
        model = algorithm.fit(problem)
        *_, last = algorithm.steps(problem)
    except BadInput as problem_found:
        assert_sentence(problem_found)
        return
    assert_sound(model)
    assert np.isfinite(last.model.training_scores).all()
