"""How errors are drawn in every view: two curves and an axis."""

from __future__ import annotations

from kernelviz.engine.numbers.declared import label
from kernelviz.scene.axes import Axis, Curve, round_above

TRAINING = Curve(label("training_error"), "misclassified", 1.3, (4.0, 2.0))
HELD_OUT = Curve(label("test_error"), "highlight", 1.8)


def error_axis(highest: float, squares: bool) -> Axis:
    """Return an axis for errors up to the highest: means of squares, or shares of mistakes.

    The latter reaches at least to a tenth, so that a tenth of a per cent does not look like a mountain, and
    then to a quarter, a half and one, so that it seldom changes."""
    if squares:
        return Axis(0.0, round_above(highest), label("mean_squared_error"))
    return Axis(0.0, next((top for top in (0.1, 0.25, 0.5, 1.0) if highest <= top), round_above(highest)))
