"""How a model does on points it was not fitted to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.analysis.numbers import plain
from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput

if TYPE_CHECKING:
    from kernelviz.engine.model import Model

__all__ = ["TestNumbers", "on_held_out"]


@dataclass(frozen=True, eq=False)
class TestNumbers:
    """What held-out points say of a model; None for what does not apply."""

    __test__ = False  # no test case of pytest's

    n: int
    error: float | None = None
    hinge_loss: float | None = None
    mean_squared_error: float | None = None
    mistakes: NDArray[np.bool_] | None = None
    """Which of the points are on the wrong side; a score of 0 is."""
    places: Array | None = None
    """What the loss of every point depends on: z s(x) of two classes, y - s(x) of real targets."""

    def summary(self) -> dict[str, float | None]:
        """By the names of the JSON summary."""
        return {
            "test_error": self.error,
            "test_hinge_loss": self.hinge_loss,
            "test_mean_squared_error": self.mean_squared_error,
        }


def on_held_out(model: Model, data: Data) -> TestNumbers:
    """Share of mistakes and mean hinge loss max(0, 1 - z s(x)), or the mean of (y - s(x))², on these data."""
    fitted = model.problem.data
    if data.task is not fitted.task or data.class_names != fitted.class_names:
        raise BadInput("The held-out points do not have the classes of those the model is fitted to.")
    if data.n == 0 or data.target is None:
        return TestNumbers(data.n)
    if data.task is Task.REGRESSION:
        residual = read_only(data.y - model.score(data.X))
        return TestNumbers(data.n, mean_squared_error=plain(np.square(residual).mean()), places=residual)
    if not model.takes_sides:
        return TestNumbers(data.n)
    if data.task is Task.CLASSES:
        return _with_mistakes(data, model.codes(data.X))
    scores = model.score(data.X)
    products = read_only(data.z * scores)
    hinge = plain(np.maximum(0.0, 1.0 - products).mean())
    return replace(_with_mistakes(data, np.sign(scores)), hinge_loss=hinge, places=products)


def _with_mistakes(data: Data, codes: Array) -> TestNumbers:
    mistakes = np.asarray(codes != data.y)
    mistakes.flags.writeable = False
    return TestNumbers(data.n, float(mistakes.mean()), mistakes=mistakes)
