"""Waiting for work that Ctrl-C can end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from kernelviz.runtime.jobs import interruptible


@pytest.fixture
def ctrl_c_is_heard() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_work_returns_what_it_returns_and_raises_what_it_raises() -> None:
    assert interruptible(lambda: 3) == 3
    with pytest.raises(KeyError, match="no"):
        interruptible(lambda: {}["no"])


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_does_not_wait_for_the_end_of_the_work() -> None:
    end = threading.Event()

    def work() -> None:
        signal.raise_signal(signal.SIGINT)
        end.wait()

    with pytest.raises(KeyboardInterrupt):
        interruptible(work)
    end.set()
