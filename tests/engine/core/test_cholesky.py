"""Cholesky factors by LAPACK, and by numpy in its place."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from kernelviz.engine.core import cholesky
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.cholesky import factorise, half_solve, inverse

rng = np.random.default_rng(0)
R = rng.normal(size=(7, 7))
A: Array = R @ R.T + np.eye(7)


@pytest.fixture(params=["scipy", "numpy"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    import scipy.linalg.lapack  # noqa: F401 (loaded, as it is after the first large fit)

    if request.param == "numpy":
        monkeypatch.setattr(cholesky, "LOADED", "no such module")
    return str(request.param)


def test_the_factor_times_its_transpose_is_the_matrix(library: str) -> None:
    L = factorise(A.copy())
    assert L is not None
    np.testing.assert_allclose(np.tril(L) @ np.tril(L).T, A, rtol=1e-12)


@pytest.mark.parametrize("shape", [(7,), (7, 3)])
def test_two_halves_solve_the_whole(library: str, shape: tuple[int, ...]) -> None:
    L, B = factorise(A.copy()), rng.normal(size=shape)
    assert L is not None
    half = half_solve(np.tril(L), B.copy())
    np.testing.assert_allclose(np.tril(L) @ half, B, rtol=1e-10)
    whole = half_solve(np.tril(L), half, transposed=True)
    np.testing.assert_allclose(whole, np.linalg.solve(A, B), rtol=1e-10)


def test_an_indefinite_matrix_has_none(library: str) -> None:
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


def test_the_other_half_of_an_inverse_holds_numbers_whatever_was_in_memory(monkeypatch):
    monkeypatch.setattr(np, "empty_like", lambda A: np.full_like(A, np.nan))
    A = np.eye(100) + 0.1
    L = factorise(A.copy())
    assert L is not None
    lower = inverse(L)
    assert np.isfinite(lower).all()
    assert np.tril(lower) == pytest.approx(np.tril(np.linalg.inv(A)))
