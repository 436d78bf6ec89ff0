"""What the interpreter does behind the window's back, and how it is kept from showing."""

from __future__ import annotations

import gc
import sys

__all__ = ["begin", "share_the_interpreter", "spare_what_stays"]


def begin() -> None:
    """What is made until the first picture stays: nobody need look for garbage among it."""
    gc.disable()
    share_the_interpreter()


def share_the_interpreter() -> None:
    """The worker's small steps must not keep the window waiting for the interpreter."""
    sys.setswitchinterval(0.0005)


def spare_what_stays() -> None:
    """Modules, widgets and tables of the start are there for good: without them, looking for garbage takes
    a millisecond instead of fifty, in the middle of a drag."""
    gc.freeze()
    gc.enable()
