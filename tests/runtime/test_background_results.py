"""A sweep: the same numbers as fits made one by one, whatever they are started from."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.held_out import fresh
from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.runtime.background_results import SweepRun

MOONS = "moons(n=40, noise=0.3)"


def test_every_value_has_the_numbers_of_a_fit_of_its_own():
    data, test = dataset(MOONS), fresh(MOONS, 300).data
    values = [0.01, 1.0, 100.0]
    fits = [parse_fit(f"rbf(gamma={v}) ; soft-margin-svm(C=10, tol=1e-8)") for v in values]
    sweep = finished(SweepRun(data, test, values, fits).work(lambda: None))
    for k, fit in enumerate(fits):
        model = kernelviz.fit(data, kernel=str(fit.kernel), algorithm=str(fit.algorithm))
        assert sweep.training[k] == model.summary()["training_error"]
        assert sweep.support[k] == len(model.support) / 40
        assert sweep.held_out[k] == np.mean(model.predict(test.X) != test.z)
    assert sweep.training[2] == 0
    assert sweep.held_out[2] > sweep.held_out[1], "a narrow kernel learns the noise by heart"


def test_without_held_out_points_and_without_a_fit_there_is_a_gap():
    data = dataset("gaussians(n=20, distance=9)").subset(range(15))
    fits = [parse_fit(f"rbf ; nu-svm(nu={nu})") for nu in (0.2, 1.0)]
    sweep = finished(SweepRun(data, None, [0.2, 1.0], fits).work(lambda: None))
    assert np.isnan(sweep.held_out).all()
    assert np.isfinite(sweep.training[0])
    assert np.isnan(sweep.training[1]), "these classes are too unequal for nu = 1"


def test_what_is_known_can_be_asked_for_at_any_time():
    run = SweepRun(dataset(MOONS), None, [1.0, 2.0], [parse_fit("rbf ; prototype")] * 2)
    assert np.isnan(run.so_far.training).all()
    steps = run.work(lambda: None)
    assert next(steps) == pytest.approx(0.5)
    assert np.isfinite(run.so_far.training).tolist() == [True, False]
