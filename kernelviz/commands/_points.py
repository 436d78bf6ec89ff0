"""What commands that fit points share: how the points are named, and how they are opened."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kernelviz.engine.core.data import Data
    from kernelviz.engine.fits.parsing import Fit


def add_points(parser: ArgumentParser, test: bool = True) -> None:
    """Where the points come from, and what is done to them before they are fitted."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help='a data set, as in "rings(n=200, seed=1)", a CSV, svmlight or npz file, a session, or - for '
        "standard input",
    )
    parser.add_argument(
        "--columns",
        metavar="A,B,LABEL",
        help="columns of a file by name or number, the label or target last (- for none)",
    )
    parser.add_argument(
        "--standardise", action="store_true", help="scale each coordinate to mean 0 and variance 1 first"
    )
    if test:
        parser.add_argument(
            "--test",
            metavar="SHARE|SOURCE",
            help="points to test on: a share such as 0.3 of the source, set aside, or other data",
        )


def add_fit(parser: ArgumentParser) -> None:
    """What is fitted to them."""
    parser.add_argument(
        "--kernel", metavar="EXPR", help='as in "rbf(gamma=1) + 0.5*linear" (default: by the data)'
    )
    parser.add_argument("--algorithm", metavar="EXPR", help="(default: by the data)")


class Points(NamedTuple):
    """The points to fit and those to test on, as they came from the source, and the fits asked for."""

    data: Data
    held: Data | None
    fits: tuple[Fit, ...]
    standardise: bool

    def prepared(self, fit: Fit) -> tuple[Data, str]:
        """What a fit is given, and in words what was done to it, if anything."""
        from kernelviz.session.tables.row_limits import prepared

        return prepared(self.data, (fit,), self.standardise)


def opened(arguments: Namespace, every: bool = False) -> Points:
    """What the arguments of `add_points`, and --kernel, --algorithm and --fit, stand for. Of the fits of a
    session only the active one is asked for, unless every one is."""
    from kernelviz.session.sources import Asked, open_source
    from kernelviz.session.tables.row_limits import standardised

    whole = tuple(getattr(arguments, "fit", ()))
    asked = Asked(getattr(arguments, "kernel", None), getattr(arguments, "algorithm", None), whole)
    source = open_source(arguments.source, arguments.columns, asked.intended(), asked.texts)
    fits, active = asked.fits_of(source.data, source.fits, source.active)
    source = source.tested(getattr(arguments, "test", None), columns=arguments.columns)
    held = None if source.held_out is None else source.held_out.data
    if held is not None and arguments.standardise:
        held = standardised(held, by=source.data)
    return Points(
        source.data, held, fits if whole or every else fits[active : active + 1], arguments.standardise
    )
