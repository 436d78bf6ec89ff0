"""The program's entry: the environment it needs, its arguments, and the exit code it ends with.

`kernelviz [FILE …]` opens the window; `kernelviz COMMAND …` runs the module of that name. Nothing heavy is
imported before the command line has been understood."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import stat
import sys
import tempfile
import warnings
from argparse import ArgumentParser, Namespace
from typing import NoReturn, Protocol, cast

from kernelviz import __version__
from kernelviz.cli.terminal import BAD_INPUT, DONE, INTERRUPTED, exit_code, handle_signals, leave, quietly
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import nearest
from kernelviz.runtime import diagnosis
from kernelviz.runtime.streams import complain, prepare_streams, say, silence
from kernelviz.scene import qt_check

COMMANDS = {  # The line of each in the help. Its module is loaded only when the command is used.
    "compare": "Fit the same points in several ways and print the numbers side by side.",
    "completion": "Print completion scripts for bash, zsh or fish, or the manual page.",
    "fit": "Fit an algorithm with a kernel to points and print the model as JSON.",
    "lecture": "List, check, draw, print or begin lectures.",
    "lesson": "List, check, print or begin lessons, and count a class's answers.",
    "link": "Print a line of text that opens points and fits as they are.",
    "list": "List kernels, algorithms, data sets, views, layers or lessons with parameters and defaults.",
    "path": "Print the soft margin for every C, or ridge for many λ, as JSON.",
    "render": "Draw figures and films into files, without any display.",
    "select": "Choose one or two parameters of a fit by the error on points left out.",
}


class Subcommand(Protocol):
    """A subcommand: a module of this package."""

    __doc__: str | None

    def configure(self, parser: ArgumentParser) -> None:
        """Add the arguments."""

    def run(self, arguments: Namespace) -> int:
        """Do the work and return the exit code. What needs Qt is imported in here, after a check for it."""


class CommandLineParser(ArgumentParser):
    """An argparse parser that reports a usage error as one BadInput sentence."""

    def error(self, message: str) -> NoReturn:
        """Raise the message of argparse as BadInput, which names the help to read."""
        raise BadInput(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: object = None) -> None:
        say(message)  # argparse itself ignores a failed write

    def with_negative_values(self, argv: list[str]) -> list[str]:
        """Return the arguments with `--kernel -1*rbf` joined to `--kernel=-1*rbf`.

        argparse would take such a value for an option. If it is wrong, the command says why."""
        options = self._option_string_actions
        found: list[str] = []
        for argument in argv:
            option = options.get(found[-1]) if found and found[-1].startswith("--") else None
            single = argument.startswith("-") and not argument.startswith("--") and len(argument) > 1
            if option is not None and option.nargs is None and single and argument not in options:
                found[-1] = f"{found[-1]}={argument}"
            else:
                found.append(argument)
        return found


def main(argv: list[str] | None = None) -> int:
    """Run a command line, by default the program's own, and return the exit code (see `cli.terminal`).

    A user's mistake raises nothing: it is reported in one line on stderr.

    >>> main(["fit", "rings(n=40)", "--kernel", "rbf(gamma=2)"])
    0"""
    _prepare_environment()
    prepare_streams()
    if argv is not None:
        return _exit_code(argv, own_process=False)
    if not sys.warnoptions:  # warnings are for developers; stderr is for our own sentences
        warnings.simplefilter("ignore")
        os.environ.setdefault("PYTHONWARNINGS", "ignore")  # in child processes too
    handle_signals()
    code = _exit_code(sys.argv[1:], own_process=True)
    leave(code)
    return code


def _exit_code(argv: list[str], *, own_process: bool) -> int:
    """Run a command line and return its exit code, with errors on stderr; `--debug` may be anywhere."""
    try:
        if own_process:
            diagnosis.begin(argv, debug="--debug" in argv)
        return _run([argument for argument in argv if argument != "--debug"])
    except BadInput as problem:
        complain(str(problem))
        return exit_code(problem)
    except MemoryError:
        complain("There is not enough memory for this. Use fewer points.")
        return BAD_INPUT
    except BrokenPipeError:
        silence(sys.stdout)  # the reader has seen enough
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED


def _prepare_environment() -> None:
    """Set the environment variables that must be set before numpy and Qt are loaded."""
    # More BLAS threads only cause stalls on matrices this small.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    # Libraries ask for the home folder on import, and a user without an account has none.
    if os.name == "posix" and os.path.expanduser("~") == "~":
        os.environ["HOME"] = _substitute_home()


def _substitute_home() -> str:
    """Return a private folder, the same one on the next start if possible.

    The temporary folder is shared: another user may have made a folder of that name to read our files."""
    try:
        home = os.path.join(tempfile.gettempdir(), f"kernelviz-{os.getuid()}")
        with contextlib.suppress(FileExistsError):
            os.mkdir(home, mode=0o700)
        about = os.lstat(home)
        ours = stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o077
        return home if ours else tempfile.mkdtemp(prefix="kernelviz-")
    except OSError:  # no folder can be written to; saving will report it
        return os.sep


def _run(argv: list[str]) -> int:
    """Run a subcommand, or open the window. Help and version are printed and end well.

    The module of a subcommand has its arguments, so it is imported before they are parsed. `help` is another
    way to write --help."""
    if argv and argv[0] == "help" and not _is_there("help"):
        argv = [*(name for name in argv[1:2] if name != "help"), "--help"]
    name = argv[0] if argv and argv[0] in COMMANDS else None
    if name is None:
        if len(argv) > 1 and not argv[0].startswith("-"):
            _require_file(argv[0])  # before argparse complains of what follows
        parser = window_parser()
    else:
        command, parser = subcommand(name)
        argv = argv[1:]
    try:
        arguments = parser.parse_args(parser.with_negative_values(argv))
    except SystemExit:  # --help and --version have printed
        return DONE
    if name is None:
        return _open_window(arguments.files)
    with quietly(arguments.quiet):
        return command.run(arguments)


def subcommand(name: str) -> tuple[Subcommand, CommandLineParser]:
    """Return the module of a subcommand, and a parser with its arguments."""
    command = cast(Subcommand, importlib.import_module(f"kernelviz.cli.{name}"))
    parser = CommandLineParser(prog=f"kernelviz {name}", description=command.__doc__, allow_abbrev=False)
    quiet = "print errors only on stderr, without remarks and progress"
    parser.add_argument("-q", "--quiet", action="store_true", help=quiet)
    command.configure(parser)
    return command, parser


def window_parser() -> CommandLineParser:
    """Return the parser for a command line without a subcommand; its help lists the subcommands."""
    lines = [f"  {name:<10} {about}" for name, about in COMMANDS.items()]
    parser = CommandLineParser(
        prog="kernelviz",
        usage="kernelviz [FILE …] | kernelviz COMMAND …",
        description="See kernel methods. Without a command, open the window on FILE or on an example; "
        "several files are the stops of one lecture.",
        epilog="commands (each has its own --help):\n" + "\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"kernelviz {__version__}")
    parser.add_argument("--debug", action="store_true", help="print on stderr what the program does")
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="a session, a link, a lesson, a lecture or a file of points"
    )
    return parser


def _is_there(file: str) -> bool:
    """Return True if there is such a file, or if that cannot be found out: reading it will give the
    reason."""
    try:
        os.stat(file)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _require_file(file: str) -> None:
    """Raise BadInput for a name that is no file, link or command, with the command that is nearest."""
    if not (_is_there(file) or _is_link(file)):
        hint = "" if any(sign in file for sign in "./\\") else f" {nearest(file, list(COMMANDS))}"
        raise BadInput(f"There is no file {'or command ' if hint else ''}called {file!r}.{hint}")


def _is_link(text: str) -> bool:
    """Return True for a link. This is asked last, since answering it loads numpy."""
    from kernelviz.session.files.link import is_link

    return is_link(text)


def _open_window(files: list[str]) -> int:
    """Open the window; without a display draw its picture to a file."""
    for file in files:
        _require_file(file)
    if not qt_check.has_display():
        from kernelviz.cli.render import draw_instead_of_window

        if len(files) > 1:
            raise BadInput("Several files are opened in a window, and there is no display.")
        return draw_instead_of_window(files[0] if files else None)
    from kernelviz.ui.app import main as open_window

    return int(open_window(*files))
