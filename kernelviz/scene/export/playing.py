"""A figure that plays: one HTML file with all frames of a sweep, a slider for each parameter, and numbers.

Shapes come from the one painter, by a `Recorder`. What two frames share is kept once: paths, layers, and the
pictures of fields, whose colours stand apart so that they serve light and dark. Nothing is loaded from
anywhere, and what comes from data is text."""

from __future__ import annotations

import html
import json
import os
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.models.base import Model
from kernelviz.resource import resource_path
from kernelviz.runtime.jobs import Beat, interruptible
from kernelviz.scene.export.composition import figure_of, film_frame, with_legend_of
from kernelviz.scene.export.files import ensure_application, laid_out
from kernelviz.scene.export.film_formats import pace_for, write_animation
from kernelviz.scene.export.films import run_frames, state_frames
from kernelviz.scene.export.indexed import IndexedField
from kernelviz.scene.export.options import Options
from kernelviz.scene.export.recorder import UNITS, Recorder, Shape
from kernelviz.scene.export.sheet import common_unit, in_unit
from kernelviz.scene.export.sweeps import FrameSweep, axes_of, states_along, sweep_of
from kernelviz.scene.figure.captions import Captions
from kernelviz.scene.figure.colours import coloured
from kernelviz.scene.figure.figure import Drawing, Figure, check_own_words, common_legend
from kernelviz.scene.figure.text import marked
from kernelviz.scene.figure.typeface import typeface
from kernelviz.scene.nodes import Node, Placed
from kernelviz.scene.painter import Layout
from kernelviz.scene.plane.layers import GlyphLayer
from kernelviz.scene.plots import PlacedPlane
from kernelviz.scene.wording import named, visible
from kernelviz.session.files.atomic import write_atomically
from kernelviz.session.state import State
from kernelviz.session.themes import THEMES, Theme
from kernelviz.session.workspaces.registry import workspace_of

PAGE = ".html"
MOVING = (PAGE, ".gif", ".apng")  # Files with frames, by their suffixes.
MOST_FRAMES = 400
ROWS = 110  # Pixels of the pictures of fields, from top to bottom of a page with one plot.
ALONG = 121  # Places along a curve where the page knows its value.


def playing(state: State, options: Options, texts: Sequence[str], most: int, beat: Beat) -> bytes:
    """Return the page of a sweep over one or two parameters, or without any of the run of the algorithms."""
    if options.words == "latex":
        raise BadInput("Words are left to LaTeX only in a PDF file, which gets a .pdf_tex beside it.")
    ensure_application()
    state, most = with_legend_of(options, state), MOST_FRAMES if texts else min(most, MOST_FRAMES)
    sweep = interruptible(lambda: sweep_of(state, texts, most, options, beat))
    with typeface(options.font):
        return _Page(options).of(sweep, beat)


def write_moving(
    state: State,
    path: str | os.PathLike[str],
    options: Options,
    sweep: Sequence[str] = (),
    most: int = 60,
    per_second: float | None = None,
) -> int:
    """Write a film, or a page that plays, by the suffix: the frames of a sweep over parameters, or at most so
    many of the run of the algorithms. Return the number of a film's frames, and 0 for a page."""
    if Path(path).suffix.lower() == PAGE:
        write_atomically(path, playing(state, options, sweep, most, lambda: None))
        return 0
    if sweep:
        most_frames = 2000
        states = states_along(state, axes_of(state, sweep, most_frames))
        count, frames = state_frames(states, options)
    else:
        count, frames = run_frames(state, options, most)
    finished(write_animation(path, frames, count, per_second or pace_for(count)))
    return count


@dataclass
class _Table:
    """Things that are kept once, by their numbers."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, thing: object) -> int:
        text = thing if isinstance(thing, str) else json.dumps(thing, separators=(",", ":"))
        return self.numbers.setdefault(text, len(self.numbers))

    def joined(self) -> list[Any]:
        return [json.loads(text) for text in self.numbers]


class _Page:
    """Collects the frames of a page."""

    def __init__(self, options: Options) -> None:
        # What is below the plot is text of the page.
        self.caption = options.caption_text if options.caption else ""
        self.options = options.replace(outlines=True, transparent=True, caption=False, caption_text="")
        self.themes = [coloured(THEMES[name], options.colours) for name in ("light", "dark")]
        self.paths, self.layers, self.images, self.places = _Table(), _Table(), _Table(), _Table()
        self.looks: dict[object, int] = {}
        self.planes: list[list[int]] = []
        self.indexed: IndexedField | None = None

    def of(self, sweep: FrameSweep, beat: Beat) -> bytes:
        """Return the page."""
        nodes = self._nodes(sweep)
        style = self.options.style()
        style = replace(style, pixels_per_point=ROWS / (0.75 * self.options.size[1]))
        frames = []
        for node, shots in zip(nodes, sweep.frames, strict=True):
            beat()
            layouts = [laid_out(node, self.options, replace(style, theme=theme)) for theme in self.themes]
            models = [shot.model for shot in shots]
            frame = self._frame(layouts, models)
            said = self.caption or " — ".join(filter(None, (shot.caption for shot in shots)))
            # As in a figure, no line ends within "n = 80" or "5 %".
            said = said.replace(" = ", "\u00a0=\u00a0").replace(" %", "\u00a0%")
            frames.append({**frame, "caption": said})
        return self._html(sweep, frames)

    def _nodes(self, sweep: FrameSweep) -> list[Node]:
        """Return the figure of each frame, with one legend and one unit of colour for all."""
        title = Captions(marked(self.options.heading))
        every = [
            [figure_of(shot.state, shot.model, self.options, shot.change, title) for shot in shots]
            for shots in sweep.frames
        ]
        check_own_words([figure for figures in every for figure in figures])
        legend = common_legend(figure for figures in every for figure in figures)
        coarse = (64, 48)
        unit = common_unit(figure.make(figure.view, *coarse) for figures in every for figure in figures)
        if unit is not None:
            every = [[replace(f, make=_made_in(f, unit)) for f in figures] for figures in every]
        return [
            film_frame(shots[0].state, figures, self.options, legend)
            for shots, figures in zip(sweep.frames, every, strict=True)
        ]

    # Frames -------------------------------------------------------------------------------------------------
    def _frame(self, layouts: Sequence[Layout], models: Sequence[Model]) -> dict[str, Any]:
        """Return the layers of a frame by their numbers, and the numbers that the pointer finds."""
        layers: list[int] = []
        planes = [leaf for leaf in layouts[0].leaves if isinstance(leaf, PlacedPlane)]
        self.planes = [_units(leaf.inner) for leaf in planes]
        for leaves in zip(*(layout.leaves for layout in layouts), strict=True):
            if not isinstance(leaves[0], PlacedPlane):
                layers += self._recorded([_whole(leaf) for leaf in leaves])
                continue
            clip = planes.index(leaves[0])
            for pair in zip(*(leaf.layers for leaf in leaves), strict=True):
                draws = [_layer(leaf, layer) for leaf, layer in zip(leaves, pair, strict=True)]
                layers += self._recorded(draws, clip, pair[0].colouring)
            layers += self._recorded([_axes(leaf) for leaf in leaves])
        own = models if len(planes) == len(models) else models[:1]
        places = [self._places(plane) for plane in planes]
        is_curve = workspace_of(own[0].problem.data).drawn_as == "curve"
        return {
            "layers": layers,
            "places": places,
            "scores": [_rounded(model.training_scores) for model in own],
            "curves": [_along(planes[0], model) for model in models] if is_curve else [],
        }

    def _recorded(
        self, draws: Sequence[Callable[[Recorder], None]], clip: int = -1, shades: Any = None
    ) -> list[int]:
        """Return the number of a layer that is drawn once in each theme, in a list; none if it is empty."""
        recorders = [Recorder() for _ in draws]
        for draw, recorder in zip(draws, recorders, strict=True):
            draw(recorder)
        shapes: list[list[Any]] = []
        for light, dark in zip(*(recorder.shapes for recorder in recorders), strict=True):
            if isinstance(light, Shape):
                assert isinstance(dark, Shape)
                look = self.looks.setdefault((light.look, light.ink, dark.ink), len(self.looks))
                places = [value for place in light.places for value in place]
                shapes.append([look, self.paths.number(light.path), *places])
            elif shades is not None:
                self.indexed = IndexedField.of(shades)
                parts = [b64encode(part).decode() for part in self.indexed.parts()]
                shapes.append([-1, self.images.number(parts), *light.rect, round(light.opacity, 3)])
        return [self.layers.number({"clip": clip, "shapes": shapes})] if shapes else []

    def _places(self, plane: PlacedPlane) -> int:
        """Return the number of the places of the training points."""
        glyphs = (layer for layer in plane.layers if isinstance(layer, GlyphLayer) and not layer.hollow)
        found = next((layer.places(plane) for layer in glyphs), np.empty((0, 2)))
        units = np.rint(UNITS * np.nan_to_num(found, nan=-1e4)).astype(int)
        return self.places.number(units.ravel().tolist())

    # The page -----------------------------------------------------------------------------------------------
    def _html(self, sweep: FrameSweep, frames: list[dict[str, Any]]) -> bytes:
        data = sweep.frames[0][0].model.problem.data
        width, height = self.options.size
        content = {
            "sliders": [{"name": name, "values": values} for name, values in sweep.sliders],
            "frames": frames,
            "paths": list(self.paths.numbers),
            "layers": self.layers.joined(),
            "images": self.images.joined(),
            "places": self.places.joined(),
            "planes": self.planes,
            "points": _points(data),
            "reach": 8 * UNITS,
            # The colours of a map are those of the part of the score that it shows.
            "score": "part of s" if workspace_of(data).drawn_as == "words" else "s",
            "pause": round(1000 / pace_for(len(frames))),
            **self._palettes(data),
        }
        script = resource_path("page", "play.js").read_text(encoding="utf-8")
        style = self._css() + resource_path("page", "play.css").read_text(encoding="utf-8")
        title = self.options.heading or "A figure that plays"
        values = {
            "title": html.escape(title),
            "policy": "; ".join(
                [
                    "default-src 'none'",
                    "img-src data:",
                    f"script-src {_hash(script)}",
                    f"style-src {_hash(style)}",
                ]
            ),
            "style": style,
            "script": script,
            "data": json.dumps(content, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"),
            "box": f"0 0 {round(UNITS * width)} {round(UNITS * height)}",
            "clips": "".join(
                f'<clipPath id="clip{k}"><rect x="{x}" y="{y}" width="{w}" height="{h}"/></clipPath>'
                for k, (x, y, w, h) in enumerate(self.planes)
            ),
            "sliders": "".join(
                f'<label for="slider{k}">{html.escape(name)}</label>'
                f'<input id="slider{k}" type="range" min="0" max="{len(values) - 1}" value="0">'
                f'<output id="value{k}"></output>'
                for k, (name, values) in enumerate(sweep.sliders)
            ),
        }
        page = resource_path("page", "play.html").read_text(encoding="utf-8")
        parts = page.split("%")  # the names between two of them stand for values
        return "".join(values[part] if k % 2 else part for k, part in enumerate(parts)).encode()

    def _palettes(self, data: Data) -> dict[str, Any]:
        """Return the colours of the levels of fields, and what each level means."""
        if self.indexed is None:
            return {"palettes": {}, "levels": []}
        named_themes = zip(("light", "dark", "levels"), (*self.themes, None), strict=True)
        palettes = {name: b64encode(self.indexed.palette(theme)).decode() for name, theme in named_themes}
        scores = self.indexed.scores
        if scores is not None:
            return {"palettes": palettes, "levels": _rounded(scores)}
        count = self.indexed.centres.values.shape[-1]
        names = [visible(data.class_names[k * len(data.class_names) // count]) for k in range(count)]
        return {"palettes": palettes, "levels": names}

    def _css(self) -> str:
        """Return the rules for the paper and for every look, in both themes."""
        light, dark = (_rules(theme, k, self.looks) for k, theme in enumerate(self.themes))
        width = f":root{{--width:{self.options.size[0] * 96 / 72:.0f}px}}"
        return f"{width}\n{light}\n@media (prefers-color-scheme: dark){{{dark}}}\n"


def _rules(theme: Theme, k: int, looks: dict[Any, int]) -> str:
    """Return the rules of one of the two themes; what both have in common is among those of the first."""
    rules = [
        f"body{{background:{theme.paper};color:{theme.ink}}}"
        f"#tip{{background:{theme.raised};color:{theme.ink};border:1px solid {theme.grid}}}"
    ]
    for (attributes, *inks), number in looks.items():
        fill, stroke = inks[k]
        common = "".join(f"{name}:{value};" for name, value in attributes) if k == 0 else ""
        lines = "stroke-linejoin:round;" if k == 0 and stroke != "none" else ""
        rules.append(f".look{number}{{{common}{lines}fill:{fill};stroke:{stroke}}}")
    return "".join(rules)


def _hash(text: str) -> str:
    """Return the source of a policy that allows exactly this text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _made_in(figure: Figure, unit: float) -> Callable[..., Drawing]:
    """Return what makes the drawing of a figure in a unit of colour."""
    return lambda view, columns, rows: in_unit(figure.make(view, columns, rows), unit)


def _whole(leaf: Placed) -> Callable[[Recorder], None]:
    def draw(recorder: Recorder) -> None:
        leaf.draw_ground(recorder.painter)
        leaf.draw_data(recorder.painter, None)

    return draw


def _layer(leaf: PlacedPlane, layer: Any) -> Callable[[Recorder], None]:
    return lambda recorder: layer.draw(leaf, recorder.painter, recorder)


def _axes(leaf: PlacedPlane) -> Callable[[Recorder], None]:
    def draw(recorder: Recorder) -> None:
        if leaf.node.axes is not None:
            leaf.node.axes.paint(recorder.painter, leaf.inner, leaf.style)

    return draw


def _units(rect: QRectF) -> list[int]:
    return [round(UNITS * side) for side in (rect.x(), rect.y(), rect.width(), rect.height())]


def _rounded(values: Array) -> list[float | None]:
    """Return values in three digits, and nothing for those that are not numbers; none of several classes."""
    if np.ndim(values) != 1:
        return []
    return [float(f"{value:.3g}") if np.isfinite(value) else None for value in values.tolist()]


def _along(plane: PlacedPlane, model: Model) -> list[float | None]:
    """Return the values of a curve at even places from left to right."""
    return _rounded(model.score(np.linspace(plane.view.left, plane.view.right, ALONG)[:, None]))


def _points(data: Data) -> list[str]:
    """Return what the page calls each point."""
    classes = data.class_of_each if data.class_names else [""] * data.n
    return [
        ", ".join(filter(None, (named(data, i), visible(str(kind)) if kind else "")))
        for i, kind in enumerate(classes)
    ]
