"""Cholesky factors by LAPACK."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.cholesky import factorise, half_solve, inverse

rng = np.random.default_rng(0)
R = rng.normal(size=(7, 7))
A: Array = R @ R.T + np.eye(7)


def test_the_factor_times_its_transpose_is_the_matrix() -> None:
    L = factorise(A.copy())
    assert L is not None
    np.testing.assert_allclose(np.tril(L) @ np.tril(L).T, A, rtol=1e-12)


@pytest.mark.parametrize("shape", [(7,), (7, 3)])
def test_two_halves_solve_the_whole(shape: tuple[int, ...]) -> None:
    L, B = factorise(A.copy()), rng.normal(size=shape)
    assert L is not None
    half = half_solve(np.tril(L), B.copy())
    np.testing.assert_allclose(np.tril(L) @ half, B, rtol=1e-10)
    whole = half_solve(np.tril(L), half, transposed=True)
    np.testing.assert_allclose(whole, np.linalg.solve(A, B), rtol=1e-10)


def test_an_indefinite_matrix_has_none() -> None:
    assert factorise(np.diag([1.0, -1.0])) is None


def test_a_first_small_fit_does_not_load_scipy() -> None:
    code = (
        "import sys, kernelviz\n"
        "d = kernelviz.dataset('rings(n=120, seed=1)')\n"
        "m = kernelviz.fit(d)\n"
        "assert m.converged\n"
        "assert 'scipy.linalg' not in sys.modules, 'scipy was loaded'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_was_computed_or_imported_before_changes_no_digit_of_a_fit() -> None:
    code = (
        "import kernelviz\n"
        "def bits():\n"
        "    d = kernelviz.dataset('sine(n=40, seed=3)')\n"
        "    m = kernelviz.fit(d, kernel='polynomial(degree=5)', algorithm='nu-svr(C=4e3, nu=0.257)')\n"
        "    return m.beta.tobytes(), m.b, m.objectives\n"
        "alone = bits()\n"
        "kernelviz.fit(kernelviz.dataset('moons(n=700, noise=0.4)'))\n"
        "assert bits() == alone, 'after a large fit'\n"
        "import scipy.linalg\n"
        "assert bits() == alone, 'after scipy was imported'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_scipy_s_own_functions_are_those_in_use() -> None:
    from scipy.linalg import lapack

    L = lapack.dpotrf(A, lower=1, clean=1)[0]
    assert np.tril(factorise(A.copy())).tobytes() == np.tril(L).tobytes()


def test_the_other_half_of_an_inverse_holds_numbers_whatever_was_in_memory(monkeypatch):
    monkeypatch.setattr(np, "empty_like", lambda A: np.full_like(A, np.nan))
    A = np.eye(100) + 0.1
    L = factorise(A.copy())
    assert L is not None
    lower = inverse(L)
    assert np.isfinite(lower).all()
    assert np.tril(lower) == pytest.approx(np.tril(np.linalg.inv(A)))
