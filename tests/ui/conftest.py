"""No display, and nothing left behind."""

from __future__ import annotations

from tests.qt_fixtures import (
    linear_model,
    nothing_is_left_behind,
    qapp_args,
    settings_of_their_own,
    usual_look,
)

__all__ = ["linear_model", "nothing_is_left_behind", "qapp_args", "settings_of_their_own", "usual_look"]
