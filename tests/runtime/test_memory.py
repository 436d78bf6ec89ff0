"""Memory that nobody uses goes back to the system."""

from __future__ import annotations

import os
import platform

import pytest

from kernelviz.runtime.runner import trim_memory

MB = 1_000_000


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has to be told")
def test_what_was_freed_between_things_that_stay_is_given_back():
    blocks = [bytes([1]) * 60_000 for _ in range(1000)]
    kept = blocks[::100]
    del blocks
    before = resident()
    trim_memory()
    assert resident() < before - 40 * MB
    assert len(kept) == 10
