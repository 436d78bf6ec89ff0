"""Writing lessons: the block of a stage for what is on screen."""

from __future__ import annotations

import json

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.held_out import HeldOut
from kernelviz.session.lessons.blocks import MOST_ROWS
from kernelviz.session.lessons.lesson import FRESH
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.state import Document


def stage_block(state: LessonState) -> str:
    """Return the fenced block that opens a state: a data set by its expression, other points in rows."""
    document, views = state.document, sorted(state.views)
    lines = ["```stage"]
    if document.source and _is_expression(document.source):
        lines.append(f"data = {_quoted(document.source)}")
    else:
        lines.append(f"rows = {_rows(document)}")
    if (held := document.held_out) is not None:
        lines.append(f"test = {_test(document, held)}")
    fits = [_quoted(str(fit)) for fit in document.fits]
    lines.append(f"fit  = {fits[0]}" if len(fits) == 1 else f"fit  = [{', '.join(fits)}]")
    if views:
        lines.append(f"open = [{', '.join(map(_quoted, views))}]")
    if state.step is not None:
        lines.append(f"watch = {state.step}")
    return "\n".join([*lines, "```", ""])


def _test(document: Document, held: HeldOut) -> str:
    if held.moved or held.seed:
        raise BadInput("A stage cannot hold out these points: they were moved or drawn by hand.")
    if held.share is not None:
        return f"{held.share:g}"
    if held.source == document.source:
        return _quoted(FRESH)
    if not _is_expression(held.source):
        raise BadInput("Held-out points that come from a file cannot be written into a stage.")
    return _quoted(held.source)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_expression(source: str) -> bool:
    try:
        parse_dataset(source)
    except BadInput:
        return False
    return True


def _rows(document: Document) -> str:
    data = document.together
    if data.n > MOST_ROWS:
        raise BadInput(f"A stage lists at most {MOST_ROWS} points; use a data set for more.")
    if data.target is None:
        raise BadInput("A stage needs points with classes or with targets.")
    rows, codes = [], data.codes
    for k in range(data.n):
        inputs = [data.X[k]] if data.domain == "strings" else [float(v) for v in data.X[k]]
        last = float(data.target[k]) if codes is None else data.class_names[codes[k]]
        values = [_quoted(v) if isinstance(v, str) else repr(v) for v in (*inputs, last)]
        rows.append(f"[{', '.join(values)}]")
    return "[\n  " + ",\n  ".join(rows) + ",\n]"
