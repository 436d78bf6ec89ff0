"""Memory that nobody uses goes back to the system."""

from __future__ import annotations

import ctypes
import sys

__all__ = ["give_back"]


def give_back() -> None:
    """Return what was freed, within about a millisecond.

    glibc keeps it, in as many heaps as threads have asked for some: a lively hour leaves a hundred megabytes
    of crumbs. Other systems do this by themselves."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
