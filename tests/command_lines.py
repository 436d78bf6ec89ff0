"""Running a command line in this process or another: fixtures of all tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from kernelviz import cli

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line; returns (exit code, stdout, stderr)."""
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(variable, os.environ.get(variable, "1"))

    def call(*argv: str) -> tuple[int, str, str]:
        code = cli.main(list(argv))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def sigint_as_in_a_terminal() -> Iterator[None]:
    """Let Ctrl+C reach the program and its children, which tests that run in the background ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def refused(answer: tuple[int, str, str]) -> str:
    """Return the one line on stderr of a command that ended with exit code 2 and printed nothing."""
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.startswith("kernelviz: ")
    assert err.count("\n") == 1
    return err


def of_python(script: str, *arguments: str, **how: object) -> tuple[int, str, str]:
    """Run a script in a Python of its own; return (exit code, stdout, stderr)."""
    line = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(line, capture_output=True, text=True, check=False, **how)  # type: ignore[call-overload]
    return done.returncode, done.stdout, done.stderr
