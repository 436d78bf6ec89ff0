"""Exceptions in slots become sentences."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from types import TracebackType


def install_hook(show: Callable[[str], None]) -> None:
    """Show an exception nobody caught as one sentence, with its traceback on stderr for a bug report."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        traceback.print_exception(kind, error, trace)
        show(f"Something went wrong inside ({kind.__name__}: {error}). Your points are safe; you can go on.")

    sys.excepthook = hook
