"""The command line: `kernelviz [FILE …]` opens the window, `kernelviz COMMAND …` does one thing and ends."""

import signal


def main(argv: list[str] | None = None) -> int:
    """Run a command line, by default the program's own, and return the exit code; see `program.main`.

    Ctrl+C ends the program without a traceback even while it is being loaded."""
    if argv is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # `program` puts its own handler in this place
    from kernelviz.cli.program import main as run

    return run(argv)
