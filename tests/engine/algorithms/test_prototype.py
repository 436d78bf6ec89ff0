from __future__ import annotations

import numpy as np

from kernelviz.engine.algorithms.neighbours import Prototype
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.problem import Problem

X = np.array([[0.0, 0.0], [2.0, 0.0], [4.0, 2.0]])
DATA = Data.labelled(X, ["cat", "cat", "dog"])


def test_the_boundary_is_halfway_between_the_means() -> None:
    model = Prototype().fit(Problem(DATA, Linear()))
    middle = 0.5 * (np.array([1.0, 0.0]) + np.array([4.0, 2.0]))
    assert abs(model.score([middle])[0]) < 1e-12
    assert model.predict([[1.0, 0.0], [4.0, 2.0]]).tolist() == ["cat", "dog"]


def test_the_means_are_marked_with_their_class() -> None:
    marks = Prototype().fit(Problem(DATA, Gaussian())).marks()
    assert [(m.kind, m.side, m.xy.tolist()) for m in marks] == [
        ("point", -1, [[1.0, 0.0]]),
        ("point", 1, [[4.0, 2.0]]),
    ]
    assert ["cat" in marks[0].label, "dog" in marks[1].label] == [True, True]


def test_inputs_off_the_plane_have_no_marks() -> None:
    data = Data.labelled(np.arange(6.0).reshape(2, 3), [0, 1])
    assert Prototype().fit(Problem(data, Linear())).marks() == ()


def test_means_that_rounding_cannot_tell_apart_are_said_to_coincide() -> None:
    assert Prototype().fit(Problem(DATA, Linear())).converged
    far = Prototype().fit(Problem(Data.labelled(X + 1e9, ["cat", "cat", "dog"]), Linear()))
    assert not far.converged
    assert "rounding" in far.message
