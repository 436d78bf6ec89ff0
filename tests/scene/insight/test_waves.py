"""Random features."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from kernelviz.engine.algorithms.on_features import RandomFeatures
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.kernels.random_features import approximation_error
from kernelviz.scene.insight.waves import LAM, MEASURED, MOST_WAVES, WavesView
from kernelviz.scene.view import ViewMemory
from kernelviz.scene.wording import shown
from tests.scene.insight.helpers import laid_out, layer, made, part, press


def waves(scene) -> list:
    return [leaf.node.contents for leaf in laid_out(scene).leaves if leaf.part == "wave"]


def q_shown(scene) -> float:
    return layer(scene, "q").x


def test_the_fit_is_that_of_least_squares_on_the_drawn_cosines(frame_of):
    frame = frame_of()
    scene = made(WavesView(q=17, seed=4), frame)
    fitted = RandomFeatures(q=17, seed=4, model="ridge", lam=LAM).fit(frame.model.problem)
    largest = np.argsort(-np.abs(fitted.weights), kind="stable")[:MOST_WAVES]
    assert [wave.weight for wave in waves(scene)] == [shown(float(fitted.weights[j]), 2) for j in largest]
    assert [wave.phase for wave in waves(scene)] == pytest.approx(fitted.features.phases[largest])
    assert any(
        leaf.node.text.startswith("12 of 17 waves") for leaf in laid_out(scene).leaves if leaf.part == "text"
    )
    x, y = (getattr(layer(scene, "points of the fit"), axis) for axis in "xy")
    assert np.column_stack([x, y]) == pytest.approx(frame.data.X)


def test_the_points_of_the_plot_are_the_errors_of_the_gram_matrix(frame_of):
    frame = frame_of()
    scene = made(WavesView(seed=2), frame)
    measured, expected = layer(scene, "measured").y, layer(scene, "expected").y
    for q, error in zip(MEASURED, measured, strict=True):
        exact = approximation_error(frame.model.problem.kernel, frame.data.X, q, 2).root_mean_square
        assert error == pytest.approx(exact)
    assert measured / expected == pytest.approx(1.0, abs=0.8)


def test_another_q_leaves_the_errors_and_another_seed_does_not(frame_of):
    frame, memory = frame_of(), ViewMemory()
    first, other_q, other_seed = (
        layer(made(view, frame, memory), "measured").y
        for view in (WavesView(), WavesView(q=99), WavesView(seed=9))
    )
    assert other_q is first
    assert other_seed is not first


def test_with_many_waves_the_fit_lies_on_that_of_the_kernel(frame_of):
    frame = frame_of("sine(n=25, seed=1)", "rbf(gamma=2)", "ridge(lam=0.1)")

    def off(q) -> float:
        fit, exact = part(made(WavesView(q=q), frame), "fit").below
        inside = np.abs(fit.x) < 1.5
        return float(np.abs(fit.y - exact.y)[inside].max())

    assert off(1000) < 0.25
    assert off(1000) < 0.5 * off(5)


@pytest.mark.parametrize(
    "setting", [{"kernel_text": "polynomial(degree=2)"}, {"data": "blobs(n=30, classes=3, seed=1)"}], ids=str
)
def test_where_there_are_no_waves_it_is_said(frame_of, setting):
    assert made(WavesView(), frame_of(**setting)).reason


@pytest.mark.parametrize("loss", ["ridge", "logistic", "hinge"])
def test_of_a_fit_on_random_features_its_own_waves_are_shown(frame_of, painted, loss):
    frame = frame_of(how=f"random-features(q=40, seed=5, model={loss})")
    scene = made(WavesView(), frame)
    frequencies = frame.model.features.frequencies.tolist()
    assert all(wave.frequencies.tolist() in frequencies for wave in waves(scene))
    assert q_shown(scene) == 40
    assert layer(scene, "measured").y == pytest.approx(
        layer(made(WavesView(seed=5), frame_of()), "measured").y
    )
    assert scene.switches == ("face",)
    assert (len(part(scene, "fit").below) == 2) == (loss == "ridge"), "what least squares tends to"
    painted(scene)


def test_where_every_point_has_both_labels_there_is_no_boundary(frame_of):
    places = np.repeat(dataset("gaussians(n=20, seed=3)").X, 2, axis=0)
    scene = made(WavesView(), frame_of(Data.labelled(places, [1, -1] * 20)))
    contours, exact = part(scene, "fit").below
    assert not any(lines for _, lines in contours.lines)
    assert not np.isfinite(exact.x).any()
    assert {wave.weight for wave in waves(scene)} == {"0"}, "what rounding leaves is written 0"


# The other faces --------------------------------------------------------------------------------------------
def test_the_mean_of_many_cosines_is_the_kernel(frame_of):
    frame = frame_of()

    def off(q: int) -> float:
        scene = made(WavesView(face="cosines", q=q), frame)
        mean, exact = layer(scene, "mean"), layer(scene, "kernel")
        assert exact.y == pytest.approx(np.exp(-(exact.x**2)))
        return float(np.abs(mean.y - exact.y).max())

    assert off(1000) < 0.1 < off(3)


def test_the_frequencies_of_the_gaussian_are_drawn_from_a_normal_density(frame_of):
    scene = made(WavesView(face="cosines", q=1000), frame_of(kernel_text="rbf(gamma=2)"))
    density, drawn = layer(scene, "density"), layer(scene, "drawn")
    assert density.y == pytest.approx(np.exp(-(density.x**2) / 8) / np.sqrt(8 * np.pi), abs=1e-6)
    middle = np.interp(0.5 * (drawn.x[1:-1:2] + drawn.x[2::2]), density.x, density.y)
    deviation = np.sqrt(middle / (1000 * (drawn.x[2] - drawn.x[1])))
    assert (np.abs(drawn.y[1:-1:2] - middle) < 4 * deviation).all()


def test_the_discrete_frequencies_of_a_periodic_kernel_have_no_density(frame_of, painted):
    scene = made(WavesView(face="cosines"), frame_of(kernel_text="periodic(period=2)"))
    assert [line.part for line in part(scene, "frequencies").below] == ["drawn"]
    painted(scene)


def test_waves_are_added_in_order_of_weight_until_the_sum_is_the_fit(frame_of):
    frame = frame_of("sine(n=25, seed=1)", "rbf(gamma=2)", "ridge(lam=0.1)")

    def off(m: int) -> float:
        scene = made(WavesView(face="one by one", m=m, q=20), frame)
        assert len(waves(scene)) == min(m, MOST_WAVES)
        summed, whole = part(scene, "sum").below
        return float(np.abs(summed.y - whole.y).max())

    assert off(20) == pytest.approx(0.0, abs=1e-9)
    assert off(5) < off(1)
    sum_of_3 = part(made(WavesView(face="one by one", m=3, q=20), frame), "sum").below[0]
    fitted = RandomFeatures(q=20, model="ridge", lam=LAM).fit(frame.model.problem)
    chosen = np.argsort(-np.abs(fitted.weights))[:3]
    Phi = fitted.features(sum_of_3.x[:, None])
    assert sum_of_3.y == pytest.approx(fitted.b + Phi[:, chosen] @ fitted.weights[chosen])


def test_without_phases_the_fit_is_symmetric(frame_of):
    frame = frame_of("sine(n=25, seed=1)", "rbf(gamma=2)", "ridge(lam=0.1)")
    fit, exact = part(made(WavesView(phases=False, q=200), frame), "fit").below
    left, right = (np.interp(side * np.linspace(0.1, 1.5, 15), fit.x, fit.y) for side in (-1, 1))
    assert left == pytest.approx(right, abs=1e-2)
    assert np.abs(np.interp(0.5, fit.x, fit.y) - np.interp(0.5, exact.x, exact.y)) > 0.5, "and bad"


# By real events ---------------------------------------------------------------------------------------------
@pytest.fixture
def view(opened):
    return opened("waves")


def test_keys_on_the_slider_draw_more_waves(view, qtbot):
    slider = view.numbers["q"].slider
    press(slider, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: q_shown(view.scene) > 30)
    assert q_shown(view.scene) == view.view.q


def test_another_face_is_chosen_by_key_and_one_more_wave_added(view, qtbot):
    press(view.lists["face"], Qt.Key.Key_End)
    qtbot.waitUntil(lambda: len(waves(view.scene)) == 3)
    slider = view.numbers["m"].slider
    press(slider, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: len(waves(view.scene)) == view.view.m > 3)


def test_the_die_draws_others(view, qtbot):
    before = waves(view.scene)[0].frequencies
    qtbot.mouseClick(view.numbers["seed"].die, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: waves(view.scene)[0].frequencies is not before)
    assert view.view.seed != 0


def test_a_point_of_the_fit_is_lit_everywhere(view, qtbot, place_of):
    qtbot.mouseMove(view.sheet, place_of(view, 4))
    assert view.workbench.hovered_point == 4
