"""Copy as command: the line for a shell that draws the figure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import number
from kernelviz.session.figure_options import MM_PER_INCH, FigureOptions
from kernelviz.session.files.kviz import dumps
from kernelviz.session.scripts.script import reproducing
from kernelviz.session.scripts.text import Sheet
from kernelviz.session.state import State

# Options of figures with another name on the command line.
COMMAND_NAMES = {
    "strokes": "lines", "heading": "title", "panel_titles": "panel-title", "entries": "entry",
    "caption_text": "caption", "line_styles": "line",
}  # fmt: skip


def command_line(state: State, sheet: Sheet) -> str:
    """Return the command that draws the figure: of a data set as it is seen at first, or of the session,
    which then follows the command as its standard input."""
    if missing := [title for title, text in sheet.views.items() if not text]:
        raise BadInput(f"The command line cannot draw {', '.join(missing)} as it is now.")
    source = list(_plain(state))
    words = ["kernelviz", "render", *(source or ["-"]), "-o", f"figure{sheet.suffix}", *_options(sheet)]
    if views := ", ".join(sheet.views.values()):
        words += ["--views", views]
    line = " ".join(map(shlex.quote, words))
    return f"{line}\n" if source else f"{line} <<'SESSION'\n{dumps(state).strip()}\nSESSION\n"


def _plain(state: State) -> Iterator[str]:
    """Yield the source and the fits, toggles and limits of a figure that needs no session; nothing of one
    that does."""
    document, look = state.document, state.look
    made, usual = reproducing(document.source, document.data), document.workspace.look(document.data)
    same = look.replace(shown=usual.shown, selection=(), legend=None)
    same = same.replace(limits=None) if look.limits is not None else same
    if not made or same != usual or document.held_out is not None or document.active:
        return
    yield made
    for fit in document.fits:
        yield from ("--fit", str(fit))
    for option, toggles in (("--show", look.shown - usual.shown), ("--hide", usual.shown - look.shown)):
        if toggles:
            yield from (option, ",".join(sorted(toggles)))
    if (v := look.limits) is not None:
        yield f"--limits={','.join(number(side) for side in (v.left, v.right, v.bottom, v.top))}"


def _options(sheet: Sheet) -> Iterator[str]:
    """Yield the options of the figure that differ from the usual ones."""
    if (options := sheet.options) is None:
        return
    factor, unit = (MM_PER_INCH / options.dpi, "mm") if sheet.unit == "mm" else (1.0, "")
    sides = (f"{side * factor:.8g}" for side in (options.width, options.height))
    yield from ("--size", f"{'x'.join(sides)}{unit}", "--dpi", number(options.dpi))
    for parameter in FigureOptions.parameters():
        value, name = getattr(options, parameter.name), parameter.name
        if name in ("width", "height", "dpi") or value == parameter.default:
            continue
        name = COMMAND_NAMES.get(name, name)
        if isinstance(value, bool):
            yield f"--{name}" if value else f"--no-{name}"
        else:
            for each in value if parameter.kind.several else (value,):
                yield f"--{name}={number(each) if parameter.is_number else each}"
