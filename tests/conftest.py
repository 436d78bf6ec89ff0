"""How hypothesis searches, for every test; and that Qt is needed only by the tests of the window."""

from __future__ import annotations

import gc
import os
from importlib.util import find_spec

import pytest
from hypothesis import settings

from tests.command_lines import run, sigint_as_in_a_terminal

__all__ = ["run", "sigint_as_in_a_terminal"]

# Read once, when matplotlib is first imported by whatever test: its figures are no windows.
os.environ["MPLBACKEND"] = "agg"
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # nor do ours need a display

# The same examples every time, so that a red run can be repeated and says something about the change. The
# search for new ones is a command of its own, to be run often: `pytest tests --hypothesis-profile=explore`.
# A busy machine is no reason for a test to fail, so there is no deadline.
settings.register_profile("kernelviz", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=50, print_blob=True)
settings.load_profile("kernelviz")

gc.disable()  # while thousands of tests are collected, none of which is garbage

QT_OPTIONS = ("qt_api", "qt_log_level_fail", "qt_log_ignore", "qt_default_raising")
"""What pyproject.toml tells pytest-qt; strict as the configuration is, somebody has to know it."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Without Qt or pytest-qt all other tests run as usual."""
    if not pluginmanager.hasplugin("pytest-qt"):
        for name in QT_OPTIONS:
            parser.addini(name, "of pytest-qt, which is not here")
    elif find_spec("PySide6") is None:
        pluginmanager.set_blocked("pytest-qt")


def pytest_collection_finish() -> None:
    """Leave modules and tests, which stay to the end, out of every search for garbage: half a second each."""
    gc.freeze()
    gc.enable()
