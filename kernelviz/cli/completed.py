"""The command line as data: commands, their options, and the words that may stand for each value.

Everything comes from the parsers of the commands and from the registries; `shells.py` writes scripts of it,
`manual.py` the manual page."""

from __future__ import annotations

import argparse
from argparse import Action, ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kernelviz.cli.list import catalogue
from kernelviz.cli.program import COMMANDS, subcommand, window_parser
from kernelviz.session.lessons.lecture_reader import lectures
from kernelviz.session.size_presets import PRESETS

# The list of words from which the value of an argument comes.
VALUES = {
    "source": "datasets",
    "sources": "datasets",
    "test": "datasets",
    "kernel": "kernels",
    "algorithm": "algorithms",
    "fit": "kernels",
    "views": "views",
    "show": "layers",
    "hide": "layers",
    "preset": "presets",
}
FILE_ARGUMENTS = ("source", "sources", "test", "output", "file", "files", "folder", "pictures")


@dataclass(frozen=True)
class Argument:
    """An option, or a positional argument.

    words: the list in `CommandLine.words` with what its value may be; an empty name if only the user knows.
    files: whether the value may be the name of a file."""

    names: tuple[str, ...]
    metavar: str
    help: str
    takes_value: bool
    words: str
    files: bool


@dataclass(frozen=True)
class CommandSyntax:
    """A command: the words that name it, such as ("lesson", "sheet"), and what may follow them."""

    path: tuple[str, ...]
    about: str
    description: str
    options: tuple[Argument, ...]
    positionals: tuple[Argument, ...]
    parts: tuple[CommandSyntax, ...]  # The commands below it.

    def walk(self) -> Iterator[CommandSyntax]:
        """Yield the command and all below it."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True)
class CommandLine:
    """The program with its commands, and lists of words, each with a line about it, by their names."""

    program: CommandSyntax
    words: Mapping[str, Mapping[str, str]]


def command_line() -> CommandLine:
    """Return the whole command line of the program."""
    words: dict[str, Mapping[str, str]] = {
        kind: {entry["name"]: entry["title"] for entry in catalogue(kind)}
        for kind in ("datasets", "kernels", "algorithms", "views", "layers")
    }
    words["presets"] = {name: preset.title for name, preset in PRESETS.items()}
    words["lesson"] = {entry["name"]: entry["title"] for entry in catalogue("lessons")}
    words["lecture"] = {path.stem: "a lecture" for path in lectures()}
    parts = tuple(_syntax((name,), about, subcommand(name)[1], words) for name, about in COMMANDS.items())
    window = _syntax((), "", window_parser(), words)
    return CommandLine(
        CommandSyntax((), "", window.description, window.options, window.positionals, parts), words
    )


def _syntax(
    path: tuple[str, ...], about: str, parser: ArgumentParser, words: dict[str, Mapping[str, str]]
) -> CommandSyntax:
    """Return the syntax that a parser reads; choices that arguments have are added to the lists of words."""
    options, positionals, parts = [], [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            parts = [_syntax((*path, k), helps[k], below, words) for k, below in action.choices.items()]
        elif action.option_strings:
            options.append(_argument(path, action, words))
        else:
            positionals.append(_argument(path, action, words))
    description = parser.description or ""
    return CommandSyntax(path, about, description, tuple(options), tuple(positionals), tuple(parts))


def _argument(path: tuple[str, ...], action: Action, words: dict[str, Mapping[str, str]]) -> Argument:
    """Return an argument of a parser."""
    name = VALUES.get(action.dest, "")
    if action.choices is not None:
        name = "_".join((*path, action.dest))
        words[name] = dict.fromkeys(map(str, action.choices), "")
    elif action.dest in ("file", "files") and path[:1] in (("lesson",), ("lecture",)):
        name = path[0]
    metavar = "|".join(words[name]) if action.choices is not None else action.dest.upper()
    return Argument(
        tuple(action.option_strings),
        action.metavar if isinstance(action.metavar, str) else metavar,
        (action.help or "") % vars(action),
        action.nargs != 0,
        name,
        action.dest in FILE_ARGUMENTS,
    )
