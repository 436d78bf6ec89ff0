"""The command line: `kernelviz [FILE]` opens the window, `kernelviz COMMAND …` does one thing and ends."""

from kernelviz.cli.program import main

__all__ = ["main"]
