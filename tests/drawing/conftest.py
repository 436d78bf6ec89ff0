"""No display, nothing left behind, and an application: without one Qt crashes when asked for a font."""

from __future__ import annotations

import pytest

from tests.qt_fixtures import linear_model, nothing_is_left_behind, qapp_args, settings_of_their_own

__all__ = ["application", "linear_model", "nothing_is_left_behind", "qapp_args", "settings_of_their_own"]


@pytest.fixture(autouse=True)
def application(qapp):
    return qapp
