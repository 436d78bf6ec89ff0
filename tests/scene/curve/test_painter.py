"""What a picture of the curve shows."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.generators import finished
from kernelviz.engine.models.sampling import CurveStrip
from kernelviz.scene.curve.layers import WeightLayer
from kernelviz.scene.curve.painter import CurvePicture
from kernelviz.session.view import ViewRange


def picture(algorithm: str, kernel: str = "matern32(l=0.5)") -> CurvePicture:
    model = kernelviz.fit(kernelviz.dataset("sine(n=20)"), kernel=kernel, algorithm=algorithm)
    sample = finished(CurveStrip(-3, 3, -9, 9).sample(model))
    return CurvePicture.of_model(model, sample, ViewRange(-3, 3, -9, 9))


def test_the_fit_with_an_orthogonal_bump_meets_the_curve_at_every_point_and_leaves_it_elsewhere():
    shown = picture("ridge(lam=0.1)")
    (line,) = shown.raised
    model = shown.model
    apart = np.abs(line[:, 1] - model.score(line[:, :1]))
    at_points = np.isin(line[:, 0], model.problem.X[:, 0])
    assert at_points.sum() == 20
    assert apart[at_points].max() < 1e-6
    assert apart.max() > 0.3


@pytest.mark.parametrize("how", ["ridge(lam=0.1)", "nadaraya-watson"])
def test_a_pointed_point_gives_every_target_its_weight_in_the_value_there(how):
    shown = picture(how)
    weights = shown.target_weights(4)
    assert weights @ shown.model.problem.y == pytest.approx(shown.model.training_scores[4])
    layer = shown.pointed((4,), frozenset({"weights"}))
    assert isinstance(layer, WeightLayer)
    assert shown.pointed((4,), frozenset()) is None
    assert picture("svr").pointed((4,), frozenset({"weights"})) is None


@pytest.mark.parametrize("how", [("nadaraya-watson",), ("ridge", "polynomial(degree=3)")], ids=str)
def test_where_there_is_no_such_bump_none_is_drawn(how):
    assert picture(*how).raised == []


def test_the_curve_has_gaps_where_no_training_point_has_a_weight():
    shown = picture("nadaraya-watson", "box(l=0.05)")
    x = np.sort(shown.model.problem.X[:, 0])
    ends = np.array([(piece[0, 0], piece[-1, 0]) for piece in shown.curve])
    reach = np.array([(a - 0.05, a + 0.05) for a in x])
    joined = np.flatnonzero(reach[1:, 0] > reach[:-1, 1])
    assert ends[:, 0] == pytest.approx(np.maximum(-3, reach[[0, *(joined + 1)], 0]), abs=1e-3)
    assert ends[:, 1] == pytest.approx(np.minimum(3, reach[[*joined, len(x) - 1], 1]), abs=1e-3)
    assert np.isfinite(np.concatenate(shown.curve)).all()
