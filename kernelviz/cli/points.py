"""Arguments that several commands share: where the points come from, and what is fitted to them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, NamedTuple

from kernelviz.session.tables import FORMATS

if TYPE_CHECKING:
    from kernelviz.engine.core.data import Data
    from kernelviz.engine.fits.parsing import Fit


def add_points(parser: ArgumentParser, test: bool = True) -> None:
    """Add the arguments that name the points and say what is done to them before they are fitted."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help=f'a data set, as in "rings(n=200, seed=1)", a {FORMATS} file, a session, or - for '
        "standard input",
    )
    add_preparation(parser)
    if test:
        add_test(parser)


def add_preparation(parser: ArgumentParser) -> None:
    """Add --columns and --standardise."""
    parser.add_argument(
        "--columns",
        metavar="A,B,LABEL",
        help="columns of a file by name or number, the label or target last (- for none)",
    )
    parser.add_argument(
        "--standardise", action="store_true", help="scale each coordinate to mean 0 and variance 1 first"
    )


def add_test(parser: ArgumentParser) -> None:
    """Add --test."""
    parser.add_argument(
        "--test",
        metavar="SHARE|SOURCE",
        help="points to test on: a share such as 0.3 of the source, set aside, or other data",
    )


def add_fit(parser: ArgumentParser) -> None:
    """Add --kernel and --algorithm."""
    parser.add_argument(
        "--kernel",
        metavar="EXPR",
        help='as in "rbf(gamma=1) + 0.5*linear" (default: the session\'s, or one that suits the data)',
    )
    parser.add_argument(
        "--algorithm", metavar="EXPR", help="(default: the session's, or one that suits the data)"
    )


def add_fits(parser: ArgumentParser, help: str) -> None:
    """Add --fit, which may be repeated."""
    parser.add_argument("--fit", action="append", default=[], metavar="KERNEL ; ALGORITHM", help=help)


class Points(NamedTuple):
    """The points to fit and those to test on, as they came from the source, and the requested fits."""

    data: Data
    held_out: Data | None
    fits: tuple[Fit, ...]
    standardise: bool

    def prepared(self, *fits: Fit) -> tuple[Data, str]:
        """Return the points as some fits get them, and a sentence about what was changed, if anything."""
        from kernelviz.session.tables.row_limits import prepared

        return prepared(self.data, fits, self.standardise)


def open_points(arguments: Namespace, every: bool = False) -> Points:
    """Return what the arguments of this module stand for.

    every: whether all fits of a session are meant where none is named, instead of the active one."""
    from kernelviz.session.sources import RequestedFits, open_source
    from kernelviz.session.tables.row_limits import standardised

    whole = tuple(getattr(arguments, "fit", ()))
    requested = RequestedFits(
        getattr(arguments, "kernel", None), getattr(arguments, "algorithm", None), whole
    )
    source = open_source(arguments.source, arguments.columns, requested.algorithm_named(), requested.texts)
    fits, active = requested.fits_for(source.data, source.fits, source.active)
    source = source.tested(getattr(arguments, "test", None), columns=arguments.columns)
    held_out = None if source.held_out is None else source.held_out.data
    if held_out is not None and arguments.standardise:
        held_out = standardised(held_out, by=source.data)
    chosen = fits if whole or every else fits[active : active + 1]
    return Points(source.data, held_out, chosen, arguments.standardise)
