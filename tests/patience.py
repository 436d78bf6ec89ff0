"""Waiting for what must happen: only a test that fails ever waits so long, on any machine."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 60.0  # Seconds.


def wait_until(condition: Callable[[], object]) -> None:
    """Come back once the condition holds; fail if it never does."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)
