"""What notebooks show: models, data, kernels and selections as a picture with their numbers in a table.

>>> kernelviz.show(data, "rbf(gamma=1) ; soft-margin-svm(C=10)", "linear ; logistic", theme="dark")

The paper of a picture is opaque and the table has the colours of the page, so that both can be read in light
and in dark notebooks."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, singledispatch
from typing import Any
from urllib.parse import quote

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.estimators import estimator_model, is_estimator
from kernelviz.engine.fits.parsing import Fit, dataset, parse_fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.numbers.declared import NUMBERS
from kernelviz.engine.selection.choice import Selection
from kernelviz.runtime.jobs import interruptible
from kernelviz.scene.axes import Axis, Curve, axis_name
from kernelviz.scene.export.composition import Composition, captions_of
from kernelviz.scene.export.files import as_svg
from kernelviz.scene.export.options import Options, check_names
from kernelviz.scene.figure.captions import Captioned, Captions
from kernelviz.scene.figure.text import marked
from kernelviz.scene.insight.parts.selection_chart import SettingsChart
from kernelviz.scene.nodes import Node
from kernelviz.scene.panels import panel
from kernelviz.scene.plot_layers import Lines
from kernelviz.scene.plots import Plot
from kernelviz.scene.qt_check import library_problem
from kernelviz.scene.wording import class_labels, fit_names, number_shown, readable, shown
from kernelviz.scene.workspace_painter import Subject, painter_of
from kernelviz.session.state import LETTERS, MOST_FITS, Document, State
from kernelviz.session.workspaces.registry import workspace_of

MOST_MAPPED = 500  # Strings of which a map is drawn unasked.
STYLES = {
    "div": "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start",
    "img": "max-width:100%;border-radius:4px",
    "table": "border-collapse:collapse;color:inherit;background:none;font-variant-numeric:tabular-nums",
    "td": "padding:1px 10px 1px 0;text-align:left;color:inherit;background:none",
    "p": "flex-basis:100%;margin:0;color:inherit",
}
PLAIN = " !$'()*+,-./:;=?@_~"  # Characters that a picture may have in the address of an image.
Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Exhibit:
    """What `kernelviz.show` returns: a notebook displays it as a picture and a table of numbers.

    Elsewhere nothing opens: its text says what it is, and `save` writes the picture to a file."""

    title: str
    figure: Node | None  # None for what has no picture.
    options: Options
    rows: Rows = ()  # Of the table: a name, and a number for each fit.
    note: str = ""

    def __repr__(self) -> str:
        """Return one line that says how to see it."""
        return f"<{self.title}: a notebook shows it when it is the last line of a cell>"

    @cached_property
    def svg(self) -> bytes:
        """The picture as SVG, with text as outlines: the typeface need not be installed. Places have a
        tenth of a point, so that a notebook stays small."""
        if self.figure is None or library_problem():
            return b""
        places = re.compile(rb' (?:points|d)="[^"]*"')
        drawn = as_svg(self.figure, self.options)
        return places.sub(lambda found: re.sub(rb"(\.\d)\d+", rb"\1", found[0]), drawn)

    def _repr_svg_(self) -> str | None:
        return self.svg.decode() or None

    def _repr_html_(self) -> str:
        parts = []
        if self.svg:
            # Quoted, as base64 would be longer.
            source = "data:image/svg+xml," + quote(self.svg.replace(b'"', b"'"), safe=PLAIN)
            parts.append(_tag("img", f'src="{source}" alt="{html.escape(self.title)}"'))
        rows = ("".join(_tag("td") + html.escape(cell) + "</td>" for cell in row) for row in self.rows)
        if self.rows:
            parts.append(_tag("table") + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
        if self.note:
            parts.append(_tag("p") + html.escape(self.note) + "</p>")
        return _tag("div") + "".join(parts) + "</div>"


def _tag(name: str, more: str = "") -> str:
    return f'<{name} style="{STYLES[name]}"{" " * bool(more)}{more}>'


def show(what: Any, *more: Any, views: Sequence[str] = (), title: str = "", **options: Any) -> Exhibit:
    """Return what a notebook displays as a picture, with the numbers in a table.

    what: a `Data`, or the expression of a data set such as "rings(n=200)", followed by up to four fits such
        as "rbf(gamma=1) ; soft-margin-svm"; a model, a kernel or a selection; or a fitted estimator of
        scikit-learn with one or two inputs, followed by points and their labels or targets.
    views: insight views next to the canvas of data and fits, such as "gram".
    title: what is written above the picture.
    options: the fields of `FigureOptions`, such as theme="dark", width, height, dpi and text.

    >>> kernelviz.show("moons(n=100)", "rbf(gamma=1) ; soft-margin-svm", "linear ; logistic")
    >>> kernelviz.show(sklearn.svm.SVC(gamma=2).fit(X, y), X, y)"""
    fits = more if isinstance(what, Data | str) else ()
    wide = max(len(fits), len(views) + bool(fits), 1)
    check_names(options)
    size = {"width": 500.0 * min(wide, 2) + 100.0, "height": 450.0, "dpi": 100.0, "outlines": True}
    how = Options(heading=title, **(size | options))
    if isinstance(what, str):
        what = dataset(what)
    if is_estimator(what):
        if not 1 <= len(more) <= 2:
            raise BadInput("Show an estimator with the points that it is drawn with: show(estimator, X, y).")
        return exhibit(estimator_model(what, *more), how)
    if isinstance(what, Data) and (fits or views):
        return _of_fits(what, fits, views, how)
    if more or views:
        raise BadInput("Fits and views are shown of data: show(data, fit, views=[…]).")
    return exhibit(what, how)


@singledispatch
def exhibit(what: Any, how: Options) -> Exhibit:
    """Return an object with its picture and its numbers."""
    raise BadInput(
        "What can be shown is a data set, such as kernelviz.dataset(…), a model, a kernel, a selection or a "
        f"fitted estimator with its points, not {type(what).__name__}."
    )


@exhibit.register
def _(model: Model, how: Options) -> Exhibit:
    data = model.problem.data
    words = captions_of(model, how)
    fitted = None if model.status is Status.NOT_SEPARABLE else model
    names = _names([model]) if model.algorithm.uses_kernel else (("algorithm", model.algorithm.title),)
    rows = (*names, ("points", str(data.n)), *_numbers([model]))
    return Exhibit(repr(model)[1:-1], _canvas(data, words, how, fitted), how, rows, model.message)


@exhibit.register
def _(data: Data, how: Options) -> Exhibit:
    rows = [("points", str(data.n)), ("target", data.task.words)]
    if (codes := data.codes) is not None:
        names = class_labels(data.class_names)
        rows += [(names[k], str(int((codes == k).sum()))) for k in data.class_order]
    if data.has_numbers and data.n:
        ends = [(name, column) for name, column in zip(data.columns, data.numbers.T, strict=False)]
        if data.task is Task.REGRESSION:
            ends.append((data.target_name or "y", data.y))
        rows += [(name, f"{shown(x.min(), 3)} to {shown(x.max(), 3)}") for name, x in ends[:12]]
    figure = None
    if data.n and (data.has_numbers or data.n <= MOST_MAPPED):
        figure = _canvas(data, Captions(marked(how.heading)), how)
    return Exhibit(repr(data)[1:-1], figure, how, rows)


@exhibit.register
def _(kernel: Kernel, how: Options) -> Exhibit:
    rows = [("kernel", readable(kernel))]
    rows.append(("positive semi-definite", "yes" if kernel.positive_definite else "not on all points"))
    formula = f"{kernel.latex_name} = {kernel.latex}" if kernel.latex else ""
    curves = _curves(kernel)
    figure = None if curves is None else Captioned(curves, Captions(marked(how.heading), formula))
    return Exhibit(f"Kernel: {kernel}", figure, how, rows)


@exhibit.register
def _(selection: Selection, how: Options) -> Exhibit:
    grid, judged = selection.grid, {}
    for name, cell in (("best", selection.best), ("one standard error", selection.one_standard_error)):
        if cell is not None:
            judged[name] = (grid.values_of(cell), selection.chosen(cell))
    keys = [axis.key for axis in grid.axes]
    outcomes = [key for key in next(iter(judged.values()), ({}, {}))[1] or () if key not in keys]
    rows = [("", *judged)] if judged else []
    rows += [(key, *(shown(values[key]) for values, _ in judged.values())) for key in keys if judged]
    for key in outcomes:
        found = [chosen[key] for _, chosen in judged.values() if chosen is not None]
        rows.append((key.replace("_", " "), *(x if isinstance(x, str) else shown(x) for x in found)))
    face = "likelihood" if selection.by == "likelihood" else "validation"
    squares = any(outcome.error > 1.0 for outcome in selection.outcomes)
    node = SettingsChart(selection, face, (), squares, None).node if selection.done else None
    return Exhibit(repr(selection)[1:-1], node, how, rows, selection.message)


def _of_fits(data: Data, fits: Iterable[Any], views: Sequence[str], how: Options) -> Exhibit:
    """Return data with their fits and views; without a fit that of the workspace."""
    wanted = list(fits) or [workspace_of(data).fit]
    if len(wanted) > MOST_FITS:
        raise BadInput(f"A picture can show up to {MOST_FITS} fits, not {len(wanted)}.")
    parts = tuple(fit if isinstance(fit, Fit) else parse_fit(str(fit), data.X) for fit in wanted)
    state = State(Document(data, parts), workspace_of(data).look(data))
    made = Composition.computed(state) if views else Composition.of_state(state)
    models = [interruptible(partial(getattr, own, "model")) for own in made.together or (made,)]
    figure = made.figure(how, [panel(text) for text in ((views,) if isinstance(views, str) else views)])
    rows = (*_names(models), ("points", *(str(data.n) for _ in models)), *_numbers(models))
    note = " ".join(dict.fromkeys(model.message for model in models if not model.converged))
    return Exhibit(" and ".join(fit_names(parts)), figure, how, rows, note)


def _canvas(data: Data, words: Captions, how: Options, model: Model | None = None) -> Node | None:
    """Return the canvas of points with a model or without one; None for data that no workspace shows."""
    workspace = workspace_of(data)
    if workspace.refusal(data):
        return None
    return painter_of(workspace).figure(Subject(data, workspace.look(data), model), words)


def _names(models: Sequence[Model]) -> Rows:
    """Return the rows with the names of the fits."""
    head = [("", *LETTERS[: len(models)])] if len(models) > 1 else []
    kernels = [readable(m.problem.kernel) if m.algorithm.uses_kernel else "–" for m in models]
    return [*head, ("kernel", *kernels), ("algorithm", *(readable(model.algorithm) for model in models))]


def _numbers(models: Sequence[Model]) -> Rows:
    """Return a row for each number that one of the models has."""
    found, rows = [model.summary() for model in models], []
    for key, declared in NUMBERS.items():
        values = [own.get(key) for own in found]
        if any(value is not None for value in values):
            duals = [own.get("dual_objective") for own in found]
            cells = (
                "–" if v is None else number_shown(key, v, d) for v, d in zip(values, duals, strict=True)
            )
            rows.append((declared.label, *cells))
    return rows


def _curves(kernel: Kernel) -> Node | None:
    """Return K(x, x′) over x for two places x′; None for a kernel that does not compare single numbers."""
    x, places = np.linspace(-3.0, 3.0, 401), (0.0, 1.0)
    try:
        K: Array = kernel(x[:, None], np.array(places)[:, None])
    except BadInput:
        return None
    if kernel.domain != "vectors" or not np.isfinite(K).all():
        return None
    low, high = min(0.0, float(K.min())), max(0.0, float(K.max()))
    air = 0.05 * (high - low or 1.0)
    drawn = tuple(
        Lines(part=f"at {place:g}", x=x, y=K[:, k], number="",
              curve=Curve(f"x′ = {place:g}", ("class 1", "class 0")[k], 1.8))
        for k, place in enumerate(places)
    )  # fmt: skip
    y = Axis(low - air * (low < 0.0), high + air, "K(x, x′)")
    return Plot(part="kernel", x=Axis(-3.0, 3.0, axis_name("x")), y=y, ground=drawn)
