"""Lines of a script: short numbers, long lists broken into lines, and the figure it draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import number
from kernelviz.session.colour_sets import COLOUR_SETS, own_colours
from kernelviz.session.figure_options import NOWHERE, OUTSIDE, FigureOptions
from kernelviz.session.labels import pieces, renaming
from kernelviz.session.state import LETTERS
from kernelviz.session.themes import LIGHT, Theme


@dataclass(frozen=True)
class Sheet:
    """The figure that a script draws.

    options: size in pixels, look and captions; None for the defaults of the library."""

    options: FigureOptions | None = None
    suffix: str = ".png"
    # Insight views next to the canvas: their titles, and what `kernelviz.render` calls each; an empty text
    # for one that it cannot draw.
    views: Mapping[str, str] = field(default_factory=dict)
    unit: str = "px"  # The unit in which the size was typed: px or mm.
    letter: str = ""  # The letter of the fit, where several fits have a figure each.

    def name(self, by: str) -> str:
        """Return the name of the file, which has the library's name in it: both figures can be compared."""
        return f"figure-{by}{'-' if self.letter else ''}{self.letter}{self.suffix}"

    @property
    def _typed(self) -> tuple[str, ...]:
        """The labels that the author has typed."""
        o = self.options or FigureOptions()
        return (o.heading, o.xlabel, o.ylabel, *o.panel_titles, *(e.partition("=")[2] for e in o.entries))

    @property
    def _has_formulas(self) -> bool:
        """Whether a label has mathematics in it, so that matplotlib has to read the dollars of all texts."""
        return any(len(pieces(label)) > 1 for label in self._typed)

    def plain(self, name: str) -> str:
        """Return a name from data as it is written in the script."""
        return repr(self._escaped(name))

    def _escaped(self, text: str) -> str:
        return text.replace("$", r"\$") if self._has_formulas else text

    def label(self, typed: str, otherwise: str = "") -> str:
        """Return a label that was typed, or a name from data, as it is written in the script."""
        if not typed:
            return self.plain(otherwise)
        return repr("".join(f"${p}$" if k % 2 else self._escaped(p) for k, p in enumerate(pieces(typed))))

    def entry(self, name: str, words: str) -> str:
        """Return what the legend calls something: words of the author for the entry of that name, or ours."""
        for each in (self.options or FigureOptions()).entries:
            if found := renaming(each, [name]):
                return self.label(found[1], otherwise="_")  # matplotlib leaves such names out
        return self.plain(words)

    @property
    def theme(self) -> Theme:
        """The light theme in the colours of the figure; two custom ones are those of the points."""
        colours = "default" if self.options is None else self.options.colours
        own = own_colours(colours)
        if own is None:
            return COLOUR_SETS[colours].on(LIGHT)
        return replace(LIGHT, positive=own[0], negative=own[1], classes=(own[1], own[0], *LIGHT.classes[2:]))

    def subplots(self, data: Data, height: float, grid: tuple[int, int] | None = None) -> list[str]:
        """Return the lines that make a matplotlib figure with one plot, or a grid of (rows, columns) of them,
        `height` inches high by default.

        matplotlib takes text between two $ for a formula, unless that is switched off."""
        texts = () if data.has_numbers else data.X
        kinds = () if data.categories is None else data.categories.names
        names = (*data.columns, data.target_name, *data.class_names, *kinds, *texts, *self._typed)
        dollars = not self._has_formulas and any("$" in name for name in names)
        lines = ['plt.rcParams["text.parse_math"] = False'] if dollars else []
        size = (6.4, height)
        if (options := self.options) is not None:
            size = (round(options.width / options.dpi, 3), round(options.height / options.dpi, 3))
            lines.append(f'plt.rcParams["font.size"] = {short(options.text)}')
            if options.theme != "light":
                lines.append(f"# In the colours of the light theme, not in those of the {options.theme} one.")
        figure = f'figsize={size}, layout="constrained"'
        if grid is None:
            return [*lines, f"fig, ax = plt.subplots({figure})"]
        arguments = (*map(str, grid), figure, "sharex=True", "sharey=True", "squeeze=False")
        return [*lines, *wrapped("fig, axes = plt.subplots(", arguments, ")")]

    def saved(self, legend: str, title: str = "ax.set_title") -> list[str]:
        """Return the lines that add legend and title to a matplotlib figure and write its file."""
        options = self.options or FigureOptions()
        heading = [f"{title}({self.label(options.heading)})"] if options.heading else []
        k = LETTERS.find(self.letter) if self.letter else 0
        letter, own = options.panel_words(max(k + 1, len(options.panel_titles)))[k]
        if letter or own:
            heading.append(f'ax.set_title({self.label(f"{letter} {own}".strip())}, loc="left")')
        clear = ", transparent=True" if options.transparent else ""
        place = legend if options.legend == OUTSIDE else options.legend.replace("-", " ")
        return [
            *([] if options.legend == NOWHERE else [f'ax.legend(loc="{place}")']),
            *heading,
            f'fig.savefig("{self.name("sklearn")}", dpi={short(options.dpi)}{clear})',
        ]


def short(value: float) -> str:
    """Return a number with six digits, which is enough for the limit of an axis."""
    return number(float(f"{value:.6g}"))


def wrapped(opening: str, items: Iterable[str], closing: str) -> list[str]:
    """Return a list in as few lines as possible, all of it on the first if it fits."""
    width = 100
    lines = [""]
    for item in items:
        longer = f"{lines[-1]} {item}," if lines[-1] else f"{item},"
        if lines[-1] and len(longer) > width - 4:
            lines.append(f"{item},")
        else:
            lines[-1] = longer
    if len(lines) == 1 and len(opening) + len(lines[0]) + len(closing) <= width:
        return [f"{opening}{lines[0].rstrip(',')}{closing}"]
    return [opening, *(f"    {line}" for line in lines), closing]


def inputs(name: str, data: Data) -> list[str]:
    """Return the lines that define the inputs of all points: an array, or a list of strings or objects.

    Those called X bring the Gram matrix along, which others share."""
    if data.domain == "strings":
        return wrapped(f"{name} = [", map(repr, data.X), "]")
    if data.domain == "objects":
        chosen = (f"every[{item.place}]" for item in data.X)
        return [*(_objects(data) if name == "X" else []), *wrapped(f"{name} = [", chosen, "]")]
    rows = (f"[{', '.join(map(number, row))}]" for row in data.X.tolist())
    return wrapped(f"{name} = np.array([", rows, "])")


def _objects(data: Data) -> list[str]:
    """Return the lines that define all objects of a Gram matrix; those that are not used have no name."""
    names = {item.place: str(item) for item in data.X}
    matrix = data.X[0].matrix if data.n else ()
    rows = (f"[{', '.join(map(number, row.tolist()))}]" for row in matrix)
    return [
        *wrapped("matrix = np.array([", rows, "])"),
        *wrapped("names_of_objects = [", (repr(names.get(i, "")) for i in range(len(matrix))), "]"),
        "every = kernelviz.objects(matrix, names_of_objects)",
    ]


def vector(name: str, values: Array) -> list[str]:
    """Return the lines that define an array with one number for each point."""
    return wrapped(f"{name} = np.array([", map(number, values.tolist()), "])")
