"""Copy as Python: a short script that rebuilds the fit and the figure, here or with scikit-learn."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np

from kernelviz.engine.arrays import read_only
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput
from kernelviz.engine.expressions import parse_dataset
from kernelviz.engine.params import number
from kernelviz.session.script_recipes import Recipe, recipe_for
from kernelviz.session.state import Look, State

__all__ = ["kernelviz_script", "sklearn_script"]

WIDTH = 100
FIGURE_FILE = "figure.png"
CLASS_COLOURS = (
    "#a53f00",
    "#0a4f91",
    "#00704f",
    "#8f3a78",
    "#7a5a00",
    "#2a7fa8",
    "#4a4a4a",
    "#6b5ad0",
)
"""As on the canvas."""


def kernelviz_script(state: State) -> str:
    """A script with kernelviz itself: `model` is the fit, and the figure is drawn as the window draws it."""
    document, look = state.document, state.look
    imports = ["import kernelviz"]
    data_lines = _kernelviz_data(document.data, document.source, imports)
    lines = [
        *data_lines,
        f'kernel = "{document.kernel}"',
        f'algorithm = "{document.algorithm}"',
        "",
        "model = kernelviz.fit(data, kernel=kernel, algorithm=algorithm)",
        "print(model.message)",
        "print(model.summary())",
    ]
    if _is_plane(document.data):
        imports += [
            "from kernelviz.session.state import Document, Look, State, ViewRange",
            "from kernelviz.drawing.export.states import render_state",
        ]
        lines += [
            "",
            f"look = {_look(look)}",
            "document = Document.of(data, kernelviz.kernel(kernel), kernelviz.algorithm(algorithm))",
            f'render_state(State(document, look), "{FIGURE_FILE}")',
        ]
    return _script("Fit and figure by kernelviz.", imports, lines, document.standardised)


def sklearn_script(state: State) -> str:
    """A script with scikit-learn and matplotlib: `score(points)` is the fit.

    BadInput where scikit-learn has no such algorithm."""
    document = state.document
    data = document.data
    if not isinstance(data.X, np.ndarray):
        raise BadInput("The scikit-learn script needs points with numbers as coordinates.")
    if data.n == 0:
        raise BadInput("There are no points yet to write a script for.")
    voting = data.task is Task.CLASSES and document.algorithm.name != "one-class-svm"
    if voting and (data := _present(data)).task is not Task.CLASSES:
        raise BadInput("The scikit-learn script needs points of at least three of the classes.")
    recipe = recipe_for(document.algorithm, document.kernel, data)
    imports = ["import numpy as np", *recipe.imports]
    lines = [*_arrays(data, voting), "", *recipe.lines]
    if voting:
        lines += ['print("training error", np.mean(score(X).argmax(axis=1) != y))']
    elif data.task is Task.TWO_CLASSES and document.algorithm.name != "one-class-svm":
        lines += ['print("training error", np.mean(z * score(X) <= 0))']
    if _is_plane(data):
        colours = "ListedColormap" if voting else "LinearSegmentedColormap"
        imports += ["import matplotlib.pyplot as plt", f"from matplotlib.colors import {colours}"]
        lines += ["", *(_regions(data, state.look, recipe) if voting else _figure(data, state.look, recipe))]
    title = f"{document.algorithm} with {document.kernel}, by scikit-learn."
    return _script(title, imports, lines, document.standardised)


def _script(title: str, imports: Iterable[str], lines: Sequence[str], standardised: bool) -> str:
    """Title, imports in their usual order, and the body, with single blank lines."""
    plain = sorted({line for line in imports if line.startswith("import ")})
    named = sorted({line for line in imports if line.startswith("from ")})
    note = ["# The coordinates were standardised when they were loaded."] if standardised else []
    body: list[str] = []
    for line in lines:
        if line or (body and body[-1]):
            body.append(line)
    return "\n".join([f'"""{title}"""', "", *plain, *named, "", *note, *body]).rstrip() + "\n"


def _is_plane(data: Data) -> bool:
    return isinstance(data.X, np.ndarray) and data.X.shape[1] == 2 and data.task is not Task.REGRESSION


# Data -------------------------------------------------------------------------------------------------
def _kernelviz_data(data: Data, source: str, imports: list[str]) -> list[str]:
    """One line when the points are those of a data set still, else the points themselves."""
    expression = _reproducing(source, data)
    if expression:
        return [f'data = kernelviz.dataset("{expression}")']
    imports.append("from kernelviz.engine.data import Data")
    if not isinstance(data.X, np.ndarray):
        return [f"data = Data.labelled({list(data.X)!r}, {_labels(data)!r})"]
    imports.append("import numpy as np")
    columns = f", {list(data.columns)!r}" if data.columns != ("x1", "x2") else ""
    points = _array("X", data.X)
    if data.target is None:
        return [*points, f"data = Data.unlabelled(X{columns})"]
    if data.task is Task.REGRESSION:
        return [*points, *_array("y", data.y), f"data = Data.regression(X, y{columns})"]
    if data.class_names in (("-", "+"), ("-1", "1")):
        return [*points, *_array("z", data.z), f"data = Data.labelled(X, z{columns})"]
    return [
        *points,
        *_wrapped("labels = [", map(repr, _labels(data)), "]"),
        f"data = Data.labelled(X, labels{columns})",
    ]


def _reproducing(source: str, data: Data) -> str:
    """The data set expression that gives exactly these points, as it is printed; empty without one."""
    try:
        expression = parse_dataset(source)
    except BadInput:
        return ""
    drawn = expression.make()
    same = (
        drawn.task is data.task
        and np.array_equal(drawn.X, data.X)
        and np.array_equal(drawn.y, data.y)
        and drawn.class_names == data.class_names
    )
    return str(expression) if same else ""


def _labels(data: Data) -> list[str]:
    codes = (data.z > 0) if data.task is Task.TWO_CLASSES else data.y
    return [data.class_names[int(code)] for code in codes]


def _present(data: Data) -> Data:
    """The same points with the classes that have any."""
    codes, y = np.unique(data.y, return_inverse=True)
    names = tuple(data.class_names[int(code)] for code in codes)
    task = Task.CLASSES if len(names) > 2 else Task.TWO_CLASSES
    return dataclasses.replace(data, target=read_only(y), task=task, class_names=names, labels=())


def _arrays(data: Data, voting: bool = False) -> list[str]:
    lines = _array("X", data.X)
    if voting:
        return [*lines, *_array("y", data.y), *_wrapped("names = [", map(repr, data.class_names), "]")]
    if data.task is Task.TWO_CLASSES:
        lines += _array("z", data.z)
    elif data.task is Task.REGRESSION:
        lines += _array("y", data.y)
    return lines


def _array(name: str, values: np.ndarray) -> list[str]:
    if values.ndim == 1:
        return _wrapped(f"{name} = np.array([", map(number, values.tolist()), "])")
    rows = (f"[{', '.join(map(number, row))}]" for row in values.tolist())
    return _wrapped(f"{name} = np.array([", rows, "])")


def _wrapped(opening: str, items: Iterable[str], closing: str) -> list[str]:
    """As many items on a line as fit, all on the first if that is enough."""
    lines = [""]
    for item in items:
        longer = f"{lines[-1]} {item}," if lines[-1] else f"{item},"
        if lines[-1] and len(longer) > WIDTH - 4:
            lines.append(f"{item},")
        else:
            lines[-1] = longer
    if len(lines) == 1 and len(opening) + len(lines[0]) + len(closing) <= WIDTH:
        return [f"{opening}{lines[0].rstrip(',')}{closing}"]
    return [opening, *(f"    {line}" for line in lines), closing]


# Figures ----------------------------------------------------------------------------------------------
def _look(look: Look) -> str:
    v = look.view
    parts = [f"view=ViewRange({', '.join(_short(x) for x in (v.left, v.right, v.bottom, v.top))})"]
    if look.shown != Look().shown:
        parts.append(f"shown=frozenset({sorted(look.shown)!r})")
    if look.mode == "watch":
        parts.append(f'mode="watch", step={look.step}')
    return f"Look({', '.join(parts)})"


def _short(value: float) -> str:
    return number(float(f"{value:.6g}"))


def _grid(look: Look, columns: str = "") -> list[str]:
    """x1, x2 and the scores S on their grid."""
    v = look.view
    return [
        f"x1 = np.linspace({_short(v.left)}, {_short(v.right)}, 200)",
        f"x2 = np.linspace({_short(v.bottom)}, {_short(v.top)}, 200)",
        "grid = np.stack(np.meshgrid(x1, x2), axis=-1)",
        f"S = score(grid.reshape(-1, 2)).reshape(200, 200{columns})",
        "",
        "fig, ax = plt.subplots(figsize=(6.4, 5.4))",
    ]


def _finish(data: Data, look: Look, recipe: Recipe) -> list[str]:
    """Rings around support vectors, the names of the axes, the legend, the file."""
    x1, x2 = data.columns
    rings = [
        'ax.scatter(*X[support].T, s=90, facecolors="none", edgecolors="black", label="support vectors")'
    ]
    aspect = ', aspect="equal"' if "equal_aspect" in look.shown else ""
    return [
        *(rings if recipe.has_support else []),
        f"ax.set(xlabel={x1!r}, ylabel={x2!r}{aspect})",
        'ax.legend(loc="upper right")',
        f'fig.savefig("{FIGURE_FILE}", dpi=200)',
    ]


def _regions(data: Data, look: Look, recipe: Recipe) -> list[str]:
    """Where each of several classes wins."""
    count = len(data.class_names)
    colours = [CLASS_COLOURS[k % len(CLASS_COLOURS)] for k in range(count)]
    return [
        *_grid(look, f", {count}"),
        *_wrapped("colours = [", map(repr, colours), "]"),
        "regions = ListedColormap(colours)",
        "winner = S.argmax(axis=2)",
        f"ax.pcolormesh(x1, x2, winner, cmap=regions, alpha=0.35, vmin=-0.5, vmax={count - 0.5})",
        "for k, name in enumerate(names):",
        "    if (winner == k).any() and (winner != k).any():",
        '        ax.contour(x1, x2, winner == k, levels=[0.5], colors="black")',
        '    ax.plot(*X[y == k].T, "osD^v<>p"[k % 8], color=colours[k], mec="white", label=name)',
        *_finish(data, look, recipe),
    ]


def _figure(data: Data, look: Look, recipe: Recipe) -> list[str]:
    if data.task is Task.TWO_CLASSES:
        points = [
            'ax.plot(*X[z > 0].T, "+", color="#0a4f91", mew=2, label="+")',
            'ax.plot(*X[z < 0].T, "_", color="#a53f00", mew=2, label="-")',
        ]
    else:
        points = ['ax.plot(*X.T, ".", color="black", label="points")']
    return [
        *_grid(look),
        'colours = LinearSegmentedColormap.from_list("score", ["#f4b074", "#fbfaf7", "#86b9e6"])',
        'ax.pcolormesh(x1, x2, np.tanh(S / 1.6), cmap=colours, vmin=-1, vmax=1, shading="auto")',
        'for level, line in ((-1, "dashed"), (0, "solid"), (1, "dashed")):',
        "    if S.min() < level < S.max():",
        '        ax.contour(x1, x2, S, levels=[level], colors="black", linestyles=line)',
        *points,
        *_finish(data, look, recipe),
    ]
