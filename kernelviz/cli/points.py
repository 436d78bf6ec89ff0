"""Arguments that several commands share: the source of the points, and the fits."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Any, NamedTuple

from kernelviz.cli.terminal import progress_if_long
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.fits.solve import fit_data
from kernelviz.engine.models.base import Model
from kernelviz.runtime.jobs import interruptible
from kernelviz.runtime.streams import say
from kernelviz.session.files.atomic import write_atomically
from kernelviz.session.sources import Requested
from kernelviz.session.tables.preparation import prepared

STANDARD_OUTPUT = "-"
# The arguments that commands share, each with the keywords of `add_argument`.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "source": {
        "metavar": "SOURCE",
        "help": 'a data set, as in "rings(n=200, seed=1)", a CSV, svmlight, ARFF or npz file, a session, a '
        "link, or - for standard input",
    },
    "--columns": {
        "metavar": "A,B,LABEL",
        "help": "columns of a file by name or number, the label or target last (- for none), as in 1-30,31",
    },
    "--weights": {
        "metavar": "COLUMN",
        "help": "the column of a file that says how much the loss of a point counts (default: all count 1)",
    },
    "--missing": {
        "choices": ["drop"],
        "help": "leave out the rows of a file that lack a value (default: stop and name them)",
    },
    "--task": {
        "choices": ["classification", "regression"],
        "help": "whether the target of a file is a class or a number (default: by its values, with a remark)",
    },
    "--positive": {
        "metavar": "LABEL",
        "help": "the class that is + (default: of two labels the larger one)",
    },
    "--standardise": {
        "action": "store_true",
        "help": "scale each coordinate to mean 0 and variance 1 first",
    },
    "--test": {
        "metavar": "SHARE|SOURCE",
        "help": "points to test on: a share such as 0.3 of the source, set aside, or other data",
    },
    "--kernel": {
        "metavar": "EXPR",
        "help": 'as in "rbf(gamma=1) + 0.5*linear" (default: the session\'s, or one that suits the data)',
    },
    "--algorithm": {"metavar": "EXPR", "help": "(default: the session's, or one that suits the data)"},
    "--multiclass": {
        "choices": ["one-vs-one", "one-vs-rest"],
        "help": "of more than two classes: a classifier for each pair, or for each against the rest",
    },
    "--fit": {"metavar": "KERNEL ; ALGORITHM", "action": "append", "default": []},
    "--output": {
        "metavar": "FILE",
        "default": STANDARD_OUTPUT,
        "help": "write the answer into this file (default: -, standard output)",
    },
}


# How a file of points is read.
READING = ("--columns", "--weights", "--missing", "--task", "--positive", "--standardise")


def add_arguments(parser: ArgumentParser, *names: str, **helps: str) -> None:
    """Add shared arguments by their names: `add_arguments(parser, "source", "--fit", fit="one or several")`.

    helps: help texts in place of the usual ones, by the name of the argument without its dashes."""
    for name in names:
        other = helps.get(name.removeprefix("--"))
        short = {"--output": ["-o"]}.get(name, [])
        parser.add_argument(*short, name, **ARGUMENTS[name] | ({"help": other} if other else {}))


def answer(text: str, output: str) -> None:
    """Print the answer of a command, or write it into the file that --output names."""
    if output == STANDARD_OUTPUT:
        say(text)
    else:
        write_atomically(output, text.encode())


class SourcePoints(NamedTuple):
    """The points to fit and those to test on, as they came from the source, and the requested fits.

    They are scaled, and thinned out for an algorithm that cannot take all of them, by `prepared`."""

    data: Data
    held_out: Data | None
    fits: tuple[Fit, ...]
    standardise: bool
    note: str = ""  # A remark on how the points were read.

    def prepared(self, *fits: Fit) -> tuple[Data, str]:
        """Return the points prepared for some fits, and a sentence on what was changed, if anything."""
        data, sentence = prepared(self.data, fits, self.standardise)
        return data, " ".join(filter(None, (self.note, sentence)))


def open_points(arguments: Namespace, every: bool = False) -> SourcePoints:
    """Open the points and fits of parsed arguments.

    every: True takes all fits of a session where none is named, instead of the active one."""
    requested = Requested.by(vars(arguments))
    source = requested.open()
    one = not requested.fit and not every
    fits = source.fits[source.active : source.active + 1] if one else source.fits
    return SourcePoints(source.data, source.test_data, fits, arguments.standardise, source.note)


def fitted(data: Data, fit: Fit) -> Model:
    """Return the model of a fit; a terminal shows progress if it takes long, and Ctrl+C ends it."""
    return interruptible(partial(fit_data, data, fit.kernel, fit.algorithm, progress=progress_if_long()))
