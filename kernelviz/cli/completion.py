"""Print what completes command lines in a shell, or the manual page.

eval "$(kernelviz completion bash)"            in ~/.bashrc
kernelviz completion zsh -o _kernelviz         in a folder of $fpath
kernelviz completion fish -o kernelviz.fish    in ~/.config/fish/completions
kernelviz completion man | man -l -            or -o kernelviz.1, in a folder of $MANPATH"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from kernelviz.cli.points import add_arguments, answer
from kernelviz.cli.terminal import DONE
from kernelviz.scene.qt_check import require_qt


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kernelviz completion`."""
    parser.formatter_class = RawDescriptionHelpFormatter
    about = "a shell, or man for the manual page"
    parser.add_argument("shell", choices=("bash", "zsh", "fish", "man"), help=about)
    add_arguments(parser, "--output")


def run(arguments: Namespace) -> int:
    """Print the script for a shell, or the source of the manual page."""
    require_qt()  # what can draw a view decides whether it is listed
    from kernelviz.cli import manual, shells
    from kernelviz.cli.completed import command_line

    writers = {"bash": shells.bash, "zsh": shells.zsh, "fish": shells.fish, "man": manual.man}
    answer(writers[arguments.shell](command_line()), arguments.output)
    return DONE
