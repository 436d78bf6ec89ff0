"""Print a line of text that opens points, fits and view as they are: paste it into the window, or give it
to any command as SOURCE."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from kernelviz.cli.points import READING, add_arguments, answer
from kernelviz.cli.terminal import DONE, remark
from kernelviz.engine.fits.expressions import calls
from kernelviz.scene.qt_check import require_qt
from kernelviz.session.files.link import link_to
from kernelviz.session.sources import Requested


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kernelviz link`."""
    add_arguments(parser, "source", *READING, "--test", "--kernel", "--algorithm", "--multiclass", "--output")
    add_arguments(parser, "--fit", fit="kernel and algorithm together; repeat for several fits")
    about = 'insight views that open with it, as in "loss(hinge=true), gram"'
    parser.add_argument("--views", default="", metavar="A,B", help=about)


def run(arguments: Namespace) -> int:
    """Print the link, and on stderr any change to the points."""
    from kernelviz.scene.panels import panel

    require_qt()
    state, note = Requested.by(vars(arguments)).state()
    remark(note)
    views = list(calls(arguments.views))
    for view in views:
        panel(view)  # says what is wrong with it
    answer(link_to(state, {"views": views} if views else None) + "\n", arguments.output)
    return DONE
