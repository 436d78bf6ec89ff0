"""The exceptions users meet: a sentence in their words, never a traceback."""

from __future__ import annotations

__all__ = ["BadInput", "NotWritten"]


class BadInput(ValueError):
    """What was given cannot be used; the message says why and, where possible, what to do instead."""


class NotWritten(BadInput):
    """The answer is there but cannot be put where it was wanted: a full disk, a folder that is not there."""
