"""Figures in scikit-learn scripts, drawn with matplotlib from X, z or y, and `score`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kernelviz.engine.core.data import Data, Task
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.panels import Panels
from kernelviz.session.scripts.recipes import Recipe
from kernelviz.session.scripts.text import Sheet, short, wrapped
from kernelviz.session.view import Look, ViewRange


def plane(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> list[str]:
    """Return the lines that draw the plane: the score with its levels -1, 0 and 1, or the region of each of
    several classes; nothing for points that have not two coordinates."""
    if len(data.columns) != 2:
        return []
    across, up = data.columns
    aspect = ', aspect="equal"' if "equal_aspect" in look.shown else ""
    return [
        *_grid(look.limits or look.view),
        f"S = score(grid).reshape({_shape(data, recipe)})",
        "",
        *sheet.subplots(data, 5.4),
        *_colours(data, recipe, sheet),
        *_drawn(data, recipe, sheet, "X"),
        *_rings("*X[support].T", recipe, sheet),
        f"ax.set({_axes(sheet, across, up)}{aspect})",
        "ax.set(xlim=(x1[0], x1[-1]), ylim=(x2[0], x2[-1]))",
        *sheet.saved("upper right"),
    ]


def categories(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> list[str]:
    """Return the lines that draw a plane for each category, as `plane` draws one."""
    panels = Panels.of(data)
    across, up, _ = data.columns
    loop = [
        "inputs = np.column_stack([grid, np.full(len(grid), code)])",
        f"S = score(inputs).reshape({_shape(data, recipe)})",
        "here = X[:, 2] == code",
        *_drawn(data, recipe, sheet, "X[here, :2]", "[here]"),
        *(["inside = support[here[support]]"] if recipe.has_support else []),
        *_rings("*X[inside, :2].T", recipe, sheet),
        f"ax.set(title=category, {_axes(sheet, across, up)})",
    ]
    return [
        *wrapped("categories = [", map(sheet.plain, panels.names), "]"),
        *_grid(panels.box),
        "",
        *sheet.subplots(data, 5.4, (panels.rows, panels.columns)),
        *_colours(data, recipe, sheet),
        "for code, category in enumerate(categories):",
        "    ax = axes.flat[code]",
        *(f"    {line}" for line in loop),
        "for unused in axes.flat[len(categories) :]:",
        "    unused.set_visible(False)",
        *sheet.saved("upper right", "fig.suptitle"),
    ]


def _axes(sheet: Sheet, across: str, up: str) -> str:
    """Return the arguments that name the axes: as the author does, or by their columns."""
    o = sheet.options or FigureOptions()
    return f"xlabel={sheet.label(o.xlabel, across)}, ylabel={sheet.label(o.ylabel, up)}"


def _grid(v: ViewRange) -> list[str]:
    """Return the lines that define the nodes at which the score is drawn."""
    return [
        f"x1 = np.linspace({short(v.left)}, {short(v.right)}, 200)",
        f"x2 = np.linspace({short(v.bottom)}, {short(v.top)}, 200)",
        "grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)",
    ]


def _shape(data: Data, recipe: Recipe) -> str:
    return f"200, 200, {len(data.class_names)}" if recipe.votes else "200, 200"


def _colours(data: Data, recipe: Recipe, sheet: Sheet) -> list[str]:
    """Return the lines that define the colours of the score, or of several classes."""
    theme = sheet.theme
    if not recipe.votes:
        shades = [theme.negative_field, theme.zero, theme.positive_field]
        return [f'colours = LinearSegmentedColormap.from_list("score", {shades})']
    chosen = [theme.classes[k % len(theme.classes)] for k in range(len(data.class_names))]
    return [*wrapped("colours = [", map(repr, chosen), "]"), "regions = ListedColormap(colours)"]


def _drawn(data: Data, recipe: Recipe, sheet: Sheet, points: str, which: str = "") -> list[str]:
    """Return the lines that draw S and points into `ax`; which: the part of the targets that is theirs."""
    if recipe.votes:
        return [
            "winner = S.argmax(axis=2)",
            "ax.pcolormesh(x1, x2, winner, cmap=regions, alpha=0.35, "
            f"vmin=-0.5, vmax={len(data.class_names) - 0.5})",
            "for k, name in enumerate(names):",
            "    if (winner == k).any() and (winner != k).any():",
            '        ax.contour(x1, x2, winner == k, levels=[0.5], colors="black")',
            f"    places = {points}[y{which} == k].T",
            '    ax.plot(*places, "osD^v<>p"[k % 8], color=colours[k], mec="white", label=name)',
        ]
    alone = [f'ax.plot(*{points}.T, ".", color="black", label="points")']
    return [
        'ax.pcolormesh(x1, x2, np.tanh(S / 1.6), cmap=colours, vmin=-1, vmax=1, shading="auto")',
        'for level, line in ((-1, "dashed"), (0, "solid"), (1, "dashed")):',
        "    if S.min() < level < S.max():",
        '        ax.contour(x1, x2, S, levels=[level], colors="black", linestyles=line)',
        *(_signs(points, data.class_names, sheet, which) if data.task is Task.TWO_CLASSES else alone),
    ]


def curve(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> list[str]:
    """Return the lines that draw a curve, with its tube or band."""
    v, band, blue = look.view, recipe.band if "band" in look.shown else "", sheet.theme.positive
    return [
        'print("mean squared error", np.mean((y - score(X)) ** 2))',
        "",
        f"x = np.linspace({short(v.left)}, {short(v.right)}, 1000)",
        "s = score(x[:, None])",
        *sheet.subplots(data, 4.8),
        *([f'ax.fill_between(x, s - {band}, s + {band}, color="{blue}", alpha=0.16)'] if band else []),
        f'ax.plot(x, s, color="{blue}", label={sheet.entry("s(x)", "s(x)")})',
        'ax.plot(X[:, 0], y, ".", color="black", label="points")',
        *_rings("X[support, 0], y[support]", recipe, sheet),
        f"ax.set({_axes(sheet, data.columns[0], data.target_name or 'y')},",
        f"       xlim=({short(v.left)}, {short(v.right)}),",
        f"       ylim=({short(v.bottom)}, {short(v.top)}))",
        *sheet.saved("upper right"),
    ]


def words(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> list[str]:
    """Return the lines that draw a map of strings along two kernel principal components, by K and X."""
    across, up = look.components
    marks = [
        "for k, name in enumerate(names):",
        '    ax.plot(*at[y == k].T, "osD^v<>p"[k % 8], mec="white", label=name)',
    ]
    return [
        f'pca = KernelPCA({max(across, up) + 1}, kernel="precomputed")',
        f"at = pca.fit_transform(K(X, X))[:, [{across}, {up}]]",
        *sheet.subplots(data, 5.4),
        *(_signs("at", data.class_names, sheet) if data.task is Task.TWO_CLASSES else marks),
        *_rings("*at[support].T", recipe, sheet),
        "for text, (x, y_) in zip(X, at):",
        '    ax.annotate(text, (x, y_), (5, 0), textcoords="offset points", fontsize=7)',
        f"ax.set({_axes(sheet, f'component {across + 1}', f'component {up + 1}')})",
        *sheet.saved("best"),
    ]


def _signs(places: str, names: tuple[str, ...], sheet: Sheet, which: str = "") -> list[str]:
    """Return the lines that draw the points of two classes as - and +, under these names."""
    minus, plus = (sheet.entry({"+": "class +", "-": "class −"}.get(name, name), name) for name in names)
    theme = sheet.theme
    return [
        f'ax.plot(*{places}[z{which} > 0].T, "+", color="{theme.positive}", mew=2, label={plus})',
        f'ax.plot(*{places}[z{which} < 0].T, "_", color="{theme.negative}", mew=2, label={minus})',
    ]


def _rings(places: str, recipe: Recipe, sheet: Sheet) -> list[str]:
    """Return the line that draws rings around support vectors, if there are any."""
    label = sheet.entry("support vector", "support vectors")
    ring = f'ax.scatter({places}, s=90, facecolors="none", edgecolors="black", label={label})'
    return [ring] if recipe.has_support else []


# By the name of the workspace.
FIGURES: Mapping[str, Callable[[Data, Look, Recipe, Sheet], list[str]]] = {
    "plane": plane,
    "categories": categories,
    "curve": curve,
    "words": words,
    "objects": words,
}
