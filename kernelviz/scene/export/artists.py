"""A fit in the axes of matplotlib, which is imported only then: everything drawn is an artist of theirs, with
the colours of our figures, to be restyled and combined."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Model, Status
from kernelviz.scene.axes import axis_name
from kernelviz.scene.curve.painter import CurvePicture
from kernelviz.scene.export.composition import fitted
from kernelviz.scene.export.files import ensure_application
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.colours import diverging_colours, field_unit, region_colours
from kernelviz.scene.figure.glyphs import UNLABELLED
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.wording import class_labels
from kernelviz.scene.workspace_painter import Subject, painter_of
from kernelviz.session.state import State
from kernelviz.session.themes import Theme

NODES = 300  # Of the field, along each axis.
MARKERS = "o^sD*vXh"  # Of several classes, as in our figures.


def draw_into(ax: Any, state: State, options: Options) -> Model:
    """Draw the active fit of a state into axes of matplotlib, and return its model."""
    ensure_application()
    model, _ = fitted(state)
    workspace, theme = state.document.require_workspace(), options.painted_theme
    shown = state.look.shown
    if getattr(ax, "name", "") != "rectilinear":
        raise BadInput("ax takes axes of matplotlib with two straight axes, as plt.subplots() makes them.")
    if (ax.get_xscale(), ax.get_yscale()) != ("linear", "linear"):
        raise BadInput("Axes of matplotlib with another than a linear scale would bend the picture.")
    if workspace.drawn_as not in ("plane", "curve") or workspace.panels(model.problem.data):
        raise BadInput(f"{workspace.title} cannot be drawn into axes of matplotlib; give a file to write.")
    view = state.look.limits or state.look.view
    if model.status is Status.NOT_SEPARABLE:
        raise BadInput(f"There is no fit to draw. {model.message}")
    subject = Subject(model.problem.data, state.look, model, held_out=state.document.test_data)
    picture = painter_of(workspace).picture(subject, view, (NODES, NODES))
    if isinstance(picture, CurvePicture):
        _draw_curve(ax, picture, shown, theme)
    else:
        _draw_field(ax, picture, shown, theme)
        _draw_lines(ax, picture, shown, theme)
    _draw_points(ax, picture, shown, theme)
    if "equal_aspect" in shown:
        twins = [each for each in ax.figure.axes if each.bbox.bounds == ax.bbox.bounds]
        ax.set_aspect("equal", adjustable="box" if twins == [ax] else "datalim")
    across, up = map(axis_name, workspace.axes(model.problem.data))
    ax.set(xlim=(view.left, view.right), ylim=(view.bottom, view.top), xlabel=across, ylabel=up)
    if options.heading:
        ax.set_title(options.heading)
    return model


def _draw_field(ax: Any, picture: Picture, shown: Set[str], theme: Theme) -> None:
    """Draw the score as an image: of two classes with a map of colours, which a colour bar can explain."""
    from matplotlib.colors import FuncNorm, ListedColormap

    if picture.F is None or "field" not in shown:
        return
    view = picture.view
    where = {
        "extent": (view.left, view.right, view.bottom, view.top),
        "origin": "lower",
        "interpolation": "bilinear",
        "aspect": "auto",
        "zorder": 0.0,
    }
    if picture.several:
        ax.imshow(region_colours(picture.F, theme), **where)
        return
    reach = 1.6 * field_unit(picture.F)  # as in our figures
    norm = FuncNorm((lambda s: np.tanh(s / reach), lambda t: reach * np.arctanh(t)), -3 * reach, 3 * reach)
    colours = ListedColormap(diverging_colours(theme), "kernelviz")
    ax.imshow(np.clip(picture.F, -3 * reach, 3 * reach), cmap=colours, norm=norm, **where)


def _draw_lines(ax: Any, picture: Picture, shown: Set[str], theme: Theme) -> None:
    """Draw the level lines as one collection for each kind: thin levels, dashed margins, the boundary."""
    from matplotlib.collections import LineCollection

    boundary = "boundary" if picture.several else "s = 0"
    kinds: dict[str, tuple[str, dict[str, Any]]] = {
        "levels": ("_levels", {"colors": theme.level, "linewidths": 0.5, "alpha": 0.55}),
        "margins": ("s = ±1", {"colors": theme.margin, "linewidths": 1.1, "linestyles": "dashed"}),
        "boundary": (boundary, {"colors": theme.boundary, "linewidths": 1.9}),
    }
    for name, (label, how) in kinds.items():
        found: list[Array] = [
            line
            for level, lines in picture.lines
            for line in lines
            if name == {0.0: "boundary", 1.0: "margins", -1.0: "margins"}.get(level, "levels")
        ]
        if found and name in shown:
            ax.add_collection(LineCollection(found, label=label, zorder=1.5, **how), autolim=False)


def _draw_curve(ax: Any, picture: CurvePicture, shown: Set[str], theme: Theme) -> None:
    """Draw the curve, and its band."""
    x, s, model = picture.sample.x, picture.sample.s, picture.model
    if "band" in shown:
        epsilon = model.tube
        half = model.deviation(x[:, None]) if epsilon is None else np.full(len(x), 0.5 * epsilon)
        if half is not None:
            label = "s(x) ± 2 sd" if epsilon is None else "s(x) ± ε"
            band = {"color": theme.positive_field, "alpha": 0.5, "linewidth": 0, "zorder": 1.0}
            ax.fill_between(x, s - 2 * half, s + 2 * half, label=label, **band)
    if "curve" in shown:
        ax.plot(x, s, color=theme.positive, linewidth=1.9, label="s(x)", zorder=1.5)


def _draw_points(ax: Any, picture: Picture, shown: Set[str], theme: Theme) -> None:
    """Draw points by class, those held out hollow, and rings around support vectors and mistakes."""
    count, names = picture.class_count, class_labels(picture.class_names)
    for xy, classes, held_out in (
        (picture.held_out, picture.held_out_classes, True),
        (picture.points, picture.classes, False),
    ):
        if ("held_out" if held_out else "points") not in shown:
            continue
        for k in np.unique(classes)[:: -1 if count == 2 else 1].tolist():
            colour = theme.ink if k == UNLABELLED else theme.of_class(k, count)
            marker = ("o" if k == UNLABELLED else "_+"[k]) if count <= 2 else MARKERS[k % len(MARKERS)]
            label = "points" if k == UNLABELLED else names[k]
            label += ", held out" if held_out else ""
            signs = marker in "_+"
            face = "none" if held_out and not signs else colour
            how: dict[str, Any] = {"color": colour} if signs else {"facecolor": face, "edgecolor": theme.halo}
            if held_out:
                how = {"color": colour, "alpha": 0.5} if signs else {"facecolor": "none", "edgecolor": colour}
            size = 45 if signs else 30
            ax.scatter(*xy[classes == k].T, s=size, marker=marker, label=label, zorder=2.5, **how)
    rings = picture.rings
    if "rings" in shown and len(rings.points):
        around = {"s": 110, "facecolor": "none", "edgecolor": theme.bounded, "linewidth": 1.0, "zorder": 2.4}
        ax.scatter(*picture.points[rings.points].T, label="support vector", **around)
    if "rings" in shown and len(rings.mistakes):
        crossed = {"s": 120, "marker": "x", "color": theme.misclassified, "linewidth": 1.0, "zorder": 2.4}
        ax.scatter(*picture.points[rings.mistakes].T, label="misclassified", **crossed)
