"""The exceptions users meet: a sentence in their words, never a traceback.

Whatever a user can get wrong raises BadInput. The window shows its message, the command line prints it and
exits with the code 2, and scripts can catch it as a ValueError."""

from __future__ import annotations

import re


def clipped(text: str) -> str:
    """Return the text, cut if it or one of its words is too long: a name from a table may have any length."""
    # Characters: of the longest name a file can have, and of more than anybody reads.
    longest_word, longest_text = 255, 2000
    text = re.sub(rf"(\S{{{longest_word}}})\S+", r"\1…", text)
    return text if len(text) <= longest_text else f"{text[:longest_text]}…"


class BadInput(ValueError):
    """The input cannot be used; the message says why and, where possible, what to do instead."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(clipped(sentence))


class NotWritten(BadInput):
    """The result exists but cannot be written, because the disk is full or the folder is missing."""


def reason(problem: OSError | ValueError) -> str:
    """Return why a file cannot be read or written, as the end of a sentence: "permission denied"."""
    return (getattr(problem, "strerror", None) or str(problem)).lower()
