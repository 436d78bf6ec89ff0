"""The one exception users meet: a sentence in their words, never a traceback."""

from __future__ import annotations

__all__ = ["BadInput"]


class BadInput(ValueError):
    """What was given cannot be used; the message says why and, where possible, what to do instead."""
