"""The log for a report of an error: what it holds, and where it goes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from kernelviz.runtime import diagnosis
from kernelviz.runtime.diagnosis import LOG
from kernelviz.runtime.jobs import Job, Jobs, Report

WINDOW = [sys.executable, "-m", "kernelviz"]


def run(*argv: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a process of its own."""
    return subprocess.run([*WINDOW, *argv], env={**os.environ, **environment}, capture_output=True, text=True)


def test_a_report_has_versions_the_error_and_the_last_500_lines():
    for k in range(700):
        LOG.debug("line number %d", k)
    versions, _, error, _, *lines = diagnosis.report("ValueError: boom\n").splitlines()
    assert "kernelviz" in versions
    assert f"Python {sys.version_info.major}.{sys.version_info.minor}" in versions
    assert error == "ValueError: boom"
    assert len(lines) == 500
    assert lines[-1].endswith("D kernelviz: line number 699")


def test_a_job_that_breaks_is_logged_with_its_traceback():
    done = threading.Event()

    def broken(beat):
        yield 0.5
        raise ZeroDivisionError("by nothing")

    def tell(report: Report) -> None:
        if report.job is None:
            done.set()

    Jobs("kernelviz-test", tell).start(Job(broken))
    assert done.wait(10)
    report = diagnosis.report("")
    assert "kernelviz.jobs: kernelviz-test: raised after" in report
    assert "ZeroDivisionError: by nothing" in report


def test_a_command_logs_nothing_unless_asked():
    assert run("fit", "moons(n=20)").stderr == ""


def test_debug_prints_the_log_on_stderr_and_leaves_the_answer_alone():
    plain, debugged = run("fit", "moons(n=20)"), run("fit", "moons(n=20)", "--debug")
    assert debugged.stdout == plain.stdout
    assert "numpy" in debugged.stderr
    assert "arguments: ['fit', 'moons(n=20)', '--debug']" in debugged.stderr


def test_the_log_is_appended_to_the_file_that_is_named(tmp_path):
    log = tmp_path / "kernelviz.log"
    log.write_text("before\n", encoding="utf-8")
    assert run("list", "kernels", KERNELVIZ_LOG=str(log)).stderr == ""
    before, _, arguments, *_ = log.read_text(encoding="utf-8").splitlines()
    assert before == "before"
    assert "arguments: ['list', 'kernels']" in arguments


def test_a_log_that_cannot_be_written_is_a_sentence(tmp_path):
    done = run("list", "kernels", KERNELVIZ_LOG=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"kernelviz: The log '{tmp_path}', named by KERNELVIZ_LOG, cannot be written: "
    )


@pytest.mark.skipif(os.name == "nt", reason="the window is closed by a signal")
def test_debug_prints_requests_and_frames_of_the_window(tmp_path):
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
    }
    with subprocess.Popen([*WINDOW, "--debug"], env=environment, stderr=subprocess.PIPE, text=True) as window:
        seen = []
        for line in window.stderr:
            seen.append(line)
            if "kernelviz.worker: request 1: fit 0, step" in line:
                break
        window.terminate()
        window.stderr.read()
    assert any("request 1: fit 0, n = 120, rbf(gamma=1) ; soft-margin-svm(C=10)" in line for line in seen)
    assert " ms" in seen[-1]
