"""numpy in the place of LAPACK's dposv."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from scipy.linalg.lapack import dposv

from kernelviz.engine.algorithms.cholesky import _by_numpy, positive_solver


def test_the_stand_in_solves_as_lapack_does():
    rng = np.random.default_rng(0)
    R = rng.normal(size=(7, 7))
    A, B = R @ R.T + np.eye(7), rng.normal(size=(7, 2))
    _, theirs, _ = dposv(A.copy(), B.copy(), lower=1)
    _, ours, failed = _by_numpy(A, B, lower=1)
    assert not failed
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_an_indefinite_matrix_is_reported():
    assert _by_numpy(np.diag([1.0, -1.0]), np.ones((2, 1)))[2] != 0


def test_once_scipy_is_loaded_it_is_used():
    assert positive_solver(5) is dposv


def test_a_first_small_fit_does_not_load_scipy():
    code = (
        "import sys, kernelviz\n"
        "d = kernelviz.dataset('rings(n=120, seed=1)')\n"
        "m = kernelviz.fit(d)\n"
        "assert m.converged\n"
        "assert 'scipy.linalg' not in sys.modules, 'scipy was loaded'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
