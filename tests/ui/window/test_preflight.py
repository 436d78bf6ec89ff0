"""Starting where Qt would abort gives a sentence instead."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from kernelviz.scene import qt_check


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"QT_QPA_PLATFORM": "offscreen"}, True),
        ({"QT_QPA_PLATFORM": "xcb"}, False),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":0"}, True),
        ({"QT_QPA_PLATFORM": "wayland;xcb", "DISPLAY": ":0"}, True),
        ({"QT_QPA_PLATFORM": "wayland", "DISPLAY": ":0"}, False),
    ],
)
def test_a_display_is_looked_for_where_it_would_be(environment, expected):
    assert qt_check.has_display(environment, "linux") is expected


def test_other_systems_always_have_a_display():
    assert qt_check.has_display({}, "darwin")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 displays are a matter of Linux")
def test_a_display_that_does_not_answer_is_said_so():
    assert "does not answer" in qt_check.display_problem({"DISPLAY": ":987"})


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Wayland is a matter of Linux")
def test_a_dead_wayland_display_is_said_so_unless_there_is_another(tmp_path):
    dead = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)}
    assert "Wayland display wayland-7 does not answer" in qt_check.display_problem(dead)
    assert ":987" in qt_check.display_problem(dead | {"DISPLAY": ":987"})
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "wayland-7"))
        compositor.listen()
        assert qt_check.display_problem(dead | {"DISPLAY": ":987"}) is None


def test_a_platform_qt_does_not_have_is_said_so():
    assert "no platform called 'nonsense'" in qt_check.plugin_problem({"QT_QPA_PLATFORM": "nonsense"})
    assert qt_check.plugin_problem({"QT_QPA_PLATFORM": "offscreen:size=1x1"}) is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 displays are a matter of Linux")
@pytest.mark.parametrize(
    "environment",
    [{"QT_QPA_PLATFORM": "nonsense"}, {"WAYLAND_DISPLAY": "nowhere", "XDG_RUNTIME_DIR": "/tmp"}],
)
def test_where_qt_would_abort_there_is_one_sentence(tmp_path, environment):
    done = run_without_display(tmp_path, **environment)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1


def run_without_display(directory, **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    return subprocess.run(
        [sys.executable, "-m", "kernelviz"],
        cwd=directory,
        env=environment | extra,
        capture_output=True,
        text=True,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_without_any_display_the_example_is_drawn_to_a_file(tmp_path):
    done = run_without_display(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "kernelviz.png" in done.stdout
    assert (tmp_path / "kernelviz.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 displays are a matter of Linux")
def test_a_dead_display_ends_with_one_sentence(tmp_path):
    done = run_without_display(tmp_path, DISPLAY=":987")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
