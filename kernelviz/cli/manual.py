"""The manual page, in the language of man."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kernelviz import __version__
from kernelviz.cli import terminal
from kernelviz.cli.completed import Argument, CommandLine, CommandSyntax


def man(line: CommandLine) -> str:
    """Return the source of the page: the commands with their options, then the lists of names."""
    program, named = line.program, ("kernels", "algorithms", "datasets", "views", "layers")
    titles = {"datasets": "DATA SETS"}
    every = [command for part in program.parts for command in part.walk() if not command.parts]
    lines = [
        f'.TH KERNELVIZ 1 "" "kernelviz {__version__}" "User Commands"',
        ".SH NAME",
        r"kernelviz \- see kernel methods",
        ".SH SYNOPSIS",
        ".B kernelviz",
        _roff("[FILE …]"),
        ".br",
        ".B kernelviz",
        _roff("COMMAND …"),
        ".SH DESCRIPTION",
        _roff(program.description),
        *_arguments((*program.positionals, *program.options)),
        ".SH COMMANDS",
        *(text for command in every for text in _command(command)),
        *(
            text
            for name in named
            for text in _names(titles.get(name, name.upper()), line.words[name].items())
        ),
        ".SH EXIT STATUS",
        *_paragraphs((terminal.__doc__ or "").partition("\n\n")[2]),
    ]
    return "\n".join(lines) + "\n"


def _command(command: CommandSyntax) -> Iterator[str]:
    """Yield the section of a command."""
    yield f".SS {_roff(' '.join(command.path))}"
    yield from _paragraphs(command.description or command.about)
    yield from _arguments((*command.positionals, *command.options))


def _arguments(arguments: Iterable[Argument]) -> Iterator[str]:
    """Yield a list of arguments, each with its help."""
    for argument in arguments:
        names = ", ".join(rf"\fB{_roff(name)}\fR" for name in argument.names)
        value = rf"\fI{_roff(argument.metavar)}\fR" if argument.takes_value else ""
        yield from (".TP", " ".join(filter(None, (names, value))), _roff(argument.help) or r"\&")


def _names(title: str, entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a section that lists names, each with its title."""
    yield f".SH {title}"
    for name, about in entries:
        yield from (".TP 24", rf"\fB{_roff(name)}\fR", _roff(about))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield a text in paragraphs; one with columns keeps its lines."""
    for paragraph in text.strip("\n").split("\n\n"):
        yield ".PP"
        if "  " in paragraph.lstrip():
            yield from (".nf", *map(_roff, paragraph.split("\n")), ".fi")
        else:
            yield _roff(" ".join(paragraph.split()))


def _roff(text: str) -> str:
    """Return a text as it is written in the language: signs that mean something in it are escaped."""
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", r"\e").replace("-", r"\-"))
