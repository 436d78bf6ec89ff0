"""`kernelviz.render`: figures from a script, with the same options as the dialogue and the command line."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.analysis.kernel_pca import COMPONENTS_OFFERED
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.held_out import other
from kernelviz.engine.fits.parsing import Fit, parse_fit
from kernelviz.engine.fits.parsing import algorithm as as_algorithm
from kernelviz.engine.fits.parsing import kernel as as_kernel
from kernelviz.engine.fits.posing import posed
from kernelviz.engine.fits.solve import with_remark
from kernelviz.engine.fits.widths import SOME_POINTS
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.scene.export.artists import draw_into
from kernelviz.scene.export.composition import fitted
from kernelviz.scene.export.film_formats import check_film
from kernelviz.scene.export.options import Options, check_names
from kernelviz.scene.export.playing import MOVING, write_moving
from kernelviz.scene.export.sheets import render_states
from kernelviz.scene.panels import panel
from kernelviz.session.figure_options import FILM_DPI, FILM_SIZE, size_in_pixels
from kernelviz.session.grids import MOST_PANELS
from kernelviz.session.state import Document, State
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of


def render(
    path: str | os.PathLike[str] | BinaryIO | None = None,
    X: Any = None,
    z: Any = None,
    kernel: str | Kernel = "rbf(gamma=1)",
    algorithm: str | Algorithm = "soft-margin-svm(C=10)",
    *,
    view: Sequence[float] | None = None,
    limits: Sequence[float] | None = None,
    shown: Iterable[str] | None = None,
    step: int | None = None,
    components: tuple[int, int] = (1, 2),
    source: str = "",
    held_out: Data | None = None,
    task: str | None = None,
    missing: str | None = None,
    fits: Sequence[str] = (),
    views: Sequence[str] = (),
    canvas: bool = True,
    active: int = 1,
    size: str | None = None,
    title: str = "",
    sweep: str | Sequence[str] = (),
    frames: int = 60,
    fps: float | None = None,
    format: str = "png",
    ax: Any = None,
    formula: bool = True,
    caption: bool | str = True,
    **options: Any,
) -> Model:
    """Fit as `fit` does, write the figure, and return the model (of several fits the first). A warning
    names the parts that the figure had no room for: type keeps the requested size.

    path: its suffix decides between PNG, SVG and PDF; a PNG contains the session. A file that is open for
        bytes, such as io.BytesIO(), gets the `format`: "png", "svg" or "pdf".
    X, z, kernel, algorithm, task, missing: as in `fit`; a list of `Data` gives a figure with a row for each.
    view: the rectangle to show, (left, right, bottom, top); the axes may reach further, or end closer to the
        points, to fill the figure. In a map of strings it is in units of the distance of the farthest one.
    limits: exact limits of the axes, in the same units; with equal aspect the plot takes the shape for them.
    shown: the toggles that are on, by their names on the command line.
    step: the number of steps after which the algorithm is drawn.
    components: the two components of a map, counted from 1.
    source: the data set of the points, such as "sine(n=60)", whose true function can be drawn.
    held_out: points that are drawn and tested but not fitted.
    fits: several fits to draw together, such as "rbf(gamma=1) ; ridge(lam=0.1)", in place of `kernel` and
        `algorithm`.
    views: insight views to draw next to the canvas, such as "gram", or "loss(hinge=true)" with a switch set.
    canvas: whether the canvas is drawn.
    active: the fit that the views show, counted from 1.
    ax: axes of matplotlib to draw one fit into, in the place of a file: image, lines and points become
        artists of theirs, with labels for `ax.legend()`.
    size: width and height as on the command line, such as "85x60mm" or "1600x1200".
    title, formula, caption: the text around the figure; the caption may be your own. All texts may have LaTeX
        between two $.
    grid: a panel for each value of one or two parameters: ["gamma=0.1,1,10", "C=1,10,100"]. More than four
        fits, and several data, are columns and rows as well, up to 36 panels in all.
    sweep: for a file that ends in .html, .gif or .apng, the values of one or two parameters, as in
        "gamma=0.1:10:30". The HTML is a figure that plays, with a slider for each. Without a sweep the frames
        are those of the run.
    frames, fps: the maximum number of frames of a run, and how many a film shows in a second.
    options: dpi, theme, text, strokes, xlabel, ylabel, panel_titles, entries, legend, letters and others, and
        width and height in pixels in place of `size`: the fields of `FigureOptions`.

    >>> kernelviz.render("rings.pdf", data, kernel="rbf(gamma=1)", views=["loss", "gram"], size="178x100mm")
    >>> kernelviz.render("nine.pdf", data, grid=["gamma=0.1,1,10", "C=0.01,1,100"], size="178x150mm")
    >>> kernelviz.render("plays.html", data, sweep="gamma=0.01:100:60")
    >>> kernelviz.render("two.png", data, fits=["linear ; logistic", "rbf(gamma=2) ; soft-margin-svm"])"""
    if (path is None) == (ax is None):
        raise BadInput("Give either a file to write or the axes of matplotlib to draw into, ax=….")
    if len(fits) > MOST_PANELS:
        raise BadInput(f"A figure can show up to {MOST_PANELS} fits, not {len(fits)}.")
    panels = [panel(text) for text in ((views,) if isinstance(views, str) else views)]
    leading = parse_fit(fits[0], SOME_POINTS).algorithm if fits else as_algorithm(algorithm)
    several_data = isinstance(X, list | tuple) and len(X) > 0 and all(isinstance(each, Data) for each in X)
    data, remark = posed(X[0] if several_data else X, z, leading, task, missing)
    several = tuple(parse_fit(fit, data.X) for fit in fits)
    several = several or (Fit(as_kernel(kernel, data.X), as_algorithm(algorithm)),)
    changes = _changes(view, limits, shown, step, components)
    look = workspace_of(data).look(data).replace(**changes)
    document = Document(data, several, _active(active, len(several)), source=source)
    if held_out is not None:
        document = document.replace(held_out=other(held_out, data, "held_out"))
    if isinstance(caption, str):
        options["caption_text"], caption = caption, True
    check_names(options)
    film = path if isinstance(path, str | os.PathLike) and Path(path).suffix.lower() in MOVING else None
    if film is not None:
        size = size or (None if options.keys() & {"width", "height"} else FILM_SIZE)
        options.setdefault("dpi", FILM_DPI)
    how = Options(heading=title, formula=formula, caption=caption, canvas=canvas, **options)
    if size is not None:
        if options.keys() & {"width", "height"}:
            raise BadInput("Give either size, or width and height.")
        width, height = size_in_pixels(size, how.dpi)
        how = how.replace(width=width, height=height)
    if path is None:
        if len(several) > 1 or panels or several_data or how.grid:
            raise BadInput(
                "Axes of matplotlib have room for one fit; draw the others into axes of their own."
            )
        return with_remark(draw_into(ax, State(document, look), how), remark)
    states = [State(document, look)]
    for each in X[1:] if several_data else ():
        own = posed(each, None, leading, task, missing)[0]
        look = workspace_of(own).look(own).replace(**changes)
        states.append(State(Document(own, several), look))
    if film is not None:
        if panels or len(states) > 1 or how.grid:
            raise BadInput("A film shows the canvas alone: leave views, grid and further data out.")
        check_film(frames, fps)
        write_moving(states[0], film, how, (sweep,) if isinstance(sweep, str) else sweep, frames, fps)
        return with_remark(fitted(states[0])[0], remark)
    if sweep:
        raise BadInput("A sweep needs frames: name a file that ends in .html, .gif or .apng.")
    models, about_room = render_states(states, path, how, panels, format)
    if about_room:
        warnings.warn(about_room, stacklevel=2)
    return with_remark(models[0], remark)


def _changes(
    view: Sequence[float] | None,
    limits: Sequence[float] | None,
    shown: Iterable[str] | None,
    step: int | None,
    components: tuple[int, int],
) -> dict[str, Any]:
    """Return what these arguments change in the usual look of data."""
    changes: dict[str, Any] = {"components": _pair(components)}
    if view is not None:
        changes["view"] = ViewRange.of(view)
    if limits is not None:
        changes["limits"] = ViewRange.of(limits)
    if shown is not None:
        changes["shown"] = frozenset(shown)
    if step is not None:
        changes |= {"mode": "watch", "step": step}
    return changes


def _active(active: int, fits: int) -> int:
    """Return the index of the active fit, counted from 0; BadInput if there is no such fit."""
    if not isinstance(active, int) or not 1 <= active <= fits:
        raise BadInput(f"The views show one of the fits, 1 to {fits}, not {active!r}.")
    return active - 1


def _pair(components: tuple[int, int]) -> tuple[int, int]:
    """Return two components counted from 0; BadInput unless they are two different ones that a map has."""
    across, up = components
    if across == up or not all(1 <= c <= COMPONENTS_OFFERED for c in components):
        raise BadInput(
            f"A map shows two different components from 1 to {COMPONENTS_OFFERED}, not {components!r}."
        )
    return across - 1, up - 1
