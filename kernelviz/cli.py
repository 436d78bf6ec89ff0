"""The command line: `kernelviz [FILE]` opens the window, `kernelviz COMMAND …` does one thing and ends."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

from kernelviz import __version__, commands
from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.terminal import (
    BAD_INPUT,
    DONE,
    INTERRUPTED,
    abandon,
    complain,
    exit_code,
    leave,
    prepare_streams,
    say,
)


class _Parser(argparse.ArgumentParser):
    """argparse with one line for a complaint."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: object = None) -> None:
        say(message)  # argparse itself would let a failed write pass for a success

    def joined(self, argv: list[str]) -> list[str]:
        """The arguments with `--kernel -1*rbf` as `--kernel=-1*rbf`, which argparse takes for a value.

        A value that begins with a minus is wrong anyway, but whoever reads it can say why."""
        options = self._option_string_actions
        found: list[str] = []
        for argument in argv:
            asked = options.get(found[-1]) if found and found[-1].startswith("--") else None
            single = argument.startswith("-") and not argument.startswith("--") and len(argument) > 1
            if asked is not None and asked.nargs is None and single and argument not in options:
                found[-1] = f"{found[-1]}={argument}"
            else:
                found.append(argument)
        return found


class _CtrlC:
    """Remembers Ctrl-C: a library that is just being imported makes an ImportError of it."""

    def __init__(self) -> None:
        self.pressed = False
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._press)

    def _press(self, number: int, frame: FrameType | None) -> None:
        self.pressed = True
        abandon(sys.stderr)  # what Qt has to say of a painter that was at work is no news
        signal.default_int_handler(number, frame)


def main(argv: list[str] | None = None) -> int:
    """Run a command; the exit codes are those of `kernelviz.runtime.terminal`."""
    _prepare_environment()
    prepare_streams()
    if argv is not None:
        return _exit_code(argv)
    if not sys.warnoptions:  # of no use to a user: stderr is for our own sentences
        warnings.simplefilter("ignore")
        os.environ.setdefault("PYTHONWARNINGS", "ignore")  # in other processes too
    ctrl_c = _CtrlC()
    try:
        code = _exit_code(sys.argv[1:])
    except Exception:
        if not ctrl_c.pressed:
            raise
        code = INTERRUPTED
    leave(code)
    return code


def _exit_code(argv: list[str]) -> int:
    try:
        return _run(argv)
    except BadInput as problem:
        complain(str(problem))
        return exit_code(problem)
    except MemoryError:
        complain("There is not enough memory for this. Use fewer points.")
        return BAD_INPUT
    except BrokenPipeError:
        abandon(sys.stdout)  # the reader has seen enough
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED


def _prepare_environment() -> None:
    # More BLAS threads only cause stalls on matrices this small; it counts before numpy is loaded.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    # Libraries ask for it when they are imported, and a user whom the system does not know has none.
    if os.name == "posix" and os.path.expanduser("~") == "~":
        os.environ["HOME"] = _home_of_nobody()


def _home_of_nobody() -> str:
    """Return a private folder, the same one next time if possible.

    The temporary folder is shared: another user may have made a folder of that name to read what we write."""
    try:
        home = os.path.join(tempfile.gettempdir(), f"kernelviz-{os.getuid()}")
        with contextlib.suppress(FileExistsError):
            os.mkdir(home, mode=0o700)
        about = os.lstat(home)
        ours = stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o077
        return home if ours else tempfile.mkdtemp(prefix="kernelviz-")
    except OSError:  # no folder can be written to; saving says so
        return os.sep


def _run(argv: list[str]) -> int:
    if argv and argv[0] in commands.names():
        command = commands.load(argv[0])
        parser = _Parser(prog=f"kernelviz {argv[0]}", description=command.__doc__, allow_abbrev=False)
        command.configure(parser)
        return _parsed(parser, argv[1:], command.run)
    return _parsed(_window_parser(), argv, lambda arguments: _open_window(arguments.file))


def _parsed(parser: _Parser, argv: list[str], then: Callable[[argparse.Namespace], int]) -> int:
    try:
        arguments = parser.parse_args(parser.joined(argv))
    except SystemExit:  # --help and --version have printed
        return DONE
    return then(arguments)


def _window_parser() -> _Parser:
    lines = [
        f"  {name:<10} {(commands.load(name).__doc__ or '').splitlines()[0]}" for name in commands.names()
    ]
    parser = _Parser(
        prog="kernelviz",
        usage="kernelviz [FILE] | kernelviz COMMAND …",
        description="See kernel methods. Without a command, open the window on FILE or on an example.",
        epilog="commands (each has its own --help):\n" + "\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"kernelviz {__version__}")
    parser.add_argument("file", nargs="?", metavar="FILE", help="a session or a file of points")
    return parser


def _open_window(file: str | None) -> int:
    if file is not None and not os.path.exists(file):
        raise _no_such_file(file)
    from kernelviz.ui.app import main as open_window

    return int(open_window(file))


def _no_such_file(name: str) -> BadInput:
    """What to say about a word that is neither a file nor a command."""
    from kernelviz.engine.core.params import nearest

    if any(sign in name for sign in "./\\"):
        return BadInput(f"There is no file called {name!r}.")
    return BadInput(f"There is no file or command called {name!r}. {nearest(name, commands.names())}")


if __name__ == "__main__":
    sys.exit(main())
