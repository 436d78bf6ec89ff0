"""Small laptops, old projectors, screens at 200 %."""

from __future__ import annotations

import gc
import sys

import pytest

from kernelviz.session.workspaces.registry import start_up
from kernelviz.ui import app
from kernelviz.ui.start import crash
from kernelviz.ui.window import main_window


@pytest.mark.parametrize("mode", ["live", "watch"])
def test_the_window_fits_a_full_hd_screen_at_200_percent(qtbot, window, mode):
    window.session.adjust(mode=mode, step=0 if mode == "live" else 12)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    window.resize(960, 540)
    assert (window.width(), window.height()) == (960, 540)
    assert window.playback.speed.isVisible()


def test_a_window_larger_than_the_screen_opens_maximised(qtbot, settings, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(main_window, "Settings", lambda: settings)
    for net in ("install_hook", "install_message_handler"):
        monkeypatch.setattr(crash, net, lambda *_: None)
    interval = sys.getswitchinterval()
    try:
        _, window = app.open_window(start_up())
    finally:
        sys.setswitchinterval(interval)
        gc.enable()
    qtbot.addWidget(window)
    assert window.screen().availableSize().width() < 1280
    assert window.isMaximized()
