"""Figures in scikit-learn scripts, drawn with matplotlib. Each function returns (imports, lines)."""

from __future__ import annotations

from kernelviz.engine.core.data import Data, Task
from kernelviz.session.scripts.recipes import Recipe
from kernelviz.session.scripts.text import Sheet, short, wrapped
from kernelviz.session.view import Look

# As on the canvas.
CLASS_COLOURS = (
    "#8f3600",
    "#0a4f91",
    "#00704f",
    "#8f3a78",
    "#7a5a00",
    "#1f6f96",
    "#4a4a4a",
    "#6b5ad0",
)


def script_of_plane(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> tuple[list[str], list[str]]:
    """Return a figure of the plane; nothing for points that have not two coordinates."""
    if len(data.columns) != 2:
        return [], []
    colours = "ListedColormap" if recipe.votes else "LinearSegmentedColormap"
    imports = ["import matplotlib.pyplot as plt", f"from matplotlib.colors import {colours}"]
    return imports, (_regions if recipe.votes else _figure)(data, look, recipe, sheet)


def _grid(data: Data, look: Look, sheet: Sheet, columns: str = "") -> list[str]:
    """Return the lines that define x1, x2 and the scores S on their grid."""
    v = look.limits or look.view
    return [
        f"x1 = np.linspace({short(v.left)}, {short(v.right)}, 200)",
        f"x2 = np.linspace({short(v.bottom)}, {short(v.top)}, 200)",
        "grid = np.stack(np.meshgrid(x1, x2), axis=-1)",
        f"S = score(grid.reshape(-1, 2)).reshape(200, 200{columns})",
        "",
        *sheet.subplots(data, 5.4),
    ]


def _finish(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> list[str]:
    """Return the lines that draw rings around support vectors, name the axes, and write the file."""
    x1, x2 = data.columns
    rings = [
        'ax.scatter(*X[support].T, s=90, facecolors="none", edgecolors="black", label="support vectors")'
    ]
    aspect = ', aspect="equal"' if "equal_aspect" in look.shown else ""
    return [
        *(rings if recipe.has_support else []),
        f"ax.set(xlabel={x1!r}, ylabel={x2!r}{aspect})",
        'ax.legend(loc="upper right")',
        *sheet.saved(),
    ]


def _regions(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> list[str]:
    """Return the lines that draw the region of each of several classes."""
    count = len(data.class_names)
    colours = [CLASS_COLOURS[k % len(CLASS_COLOURS)] for k in range(count)]
    return [
        *_grid(data, look, sheet, f", {count}"),
        *wrapped("colours = [", map(repr, colours), "]"),
        "regions = ListedColormap(colours)",
        "winner = S.argmax(axis=2)",
        f"ax.pcolormesh(x1, x2, winner, cmap=regions, alpha=0.35, vmin=-0.5, vmax={count - 0.5})",
        "for k, name in enumerate(names):",
        "    if (winner == k).any() and (winner != k).any():",
        '        ax.contour(x1, x2, winner == k, levels=[0.5], colors="black")',
        '    ax.plot(*X[y == k].T, "osD^v<>p"[k % 8], color=colours[k], mec="white", label=name)',
        *_finish(data, look, recipe, sheet),
    ]


def _figure(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> list[str]:
    """Return the lines that draw the score with its levels -1, 0 and 1."""
    if data.task is Task.TWO_CLASSES:
        points = [
            'ax.plot(*X[z > 0].T, "+", color="#0a4f91", mew=2, label="+")',
            'ax.plot(*X[z < 0].T, "_", color="#8f3600", mew=2, label="-")',
        ]
    else:
        points = ['ax.plot(*X.T, ".", color="black", label="points")']
    return [
        *_grid(data, look, sheet),
        'colours = LinearSegmentedColormap.from_list("score", ["#f7c08f", "#fbfaf7", "#a3cbee"])',
        'ax.pcolormesh(x1, x2, np.tanh(S / 1.6), cmap=colours, vmin=-1, vmax=1, shading="auto")',
        'for level, line in ((-1, "dashed"), (0, "solid"), (1, "dashed")):',
        "    if S.min() < level < S.max():",
        '        ax.contour(x1, x2, S, levels=[level], colors="black", linestyles=line)',
        *points,
        *_finish(data, look, recipe, sheet),
    ]


def script_of_curve(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> tuple[list[str], list[str]]:
    """Return a figure of a curve, with its tube or band."""
    v, band = look.view, recipe.band if "band" in look.shown else ""
    rings = [
        'ax.scatter(X[support, 0], y[support], s=90, facecolors="none", edgecolors="black",',
        '           label="support vectors")',
    ]
    return ["import matplotlib.pyplot as plt"], [
        'print("mean squared error", np.mean((y - score(X)) ** 2))',
        "",
        f"x = np.linspace({short(v.left)}, {short(v.right)}, 1000)",
        "s = score(x[:, None])",
        *sheet.subplots(data, 4.8),
        *([f'ax.fill_between(x, s - {band}, s + {band}, color="#0a4f91", alpha=0.16)'] if band else []),
        'ax.plot(x, s, color="#0a4f91", label="s(x)")',
        'ax.plot(X[:, 0], y, ".", color="black", label="points")',
        *(rings if recipe.has_support else []),
        f"ax.set(xlabel={data.columns[0]!r}, ylabel={data.target_name or 'y'!r},",
        f"       xlim=({short(v.left)}, {short(v.right)}),",
        f"       ylim=({short(v.bottom)}, {short(v.top)}))",
        'ax.legend(loc="upper right")',
        *sheet.saved(),
    ]


def script_of_words(data: Data, look: Look, recipe: Recipe, sheet: Sheet) -> tuple[list[str], list[str]]:
    """Return a map of strings along two kernel principal components, by K and X."""
    across, up = look.components
    if data.task is Task.TWO_CLASSES:
        minus, plus = data.class_names
        marks = [
            f'ax.plot(*at[z > 0].T, "+", color="#0a4f91", mew=2, label={plus!r})',
            f'ax.plot(*at[z < 0].T, "_", color="#8f3600", mew=2, label={minus!r})',
        ]
    else:
        marks = [
            "for k, name in enumerate(names):",
            '    ax.plot(*at[y == k].T, "osD^v<>p"[k % 8], mec="white", label=name)',
        ]
    rings = [
        'ax.scatter(*at[support].T, s=90, facecolors="none", edgecolors="black", label="support vectors")'
    ]
    return ["import matplotlib.pyplot as plt", "from sklearn.decomposition import KernelPCA"], [
        f'pca = KernelPCA({max(across, up) + 1}, kernel="precomputed")',
        f"at = pca.fit_transform(K(X, X))[:, [{across}, {up}]]",
        *sheet.subplots(data, 5.4),
        *marks,
        *(rings if recipe.has_support else []),
        "for text, (x, y_) in zip(X, at):",
        '    ax.annotate(text, (x, y_), (5, 0), textcoords="offset points", fontsize=7)',
        f"ax.set(xlabel='component {across + 1}', ylabel='component {up + 1}')",
        'ax.legend(loc="best")',
        *sheet.saved(),
    ]
