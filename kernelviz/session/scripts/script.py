"""Copy as Python: a short script that rebuilds the fit and the figure, here or with scikit-learn."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.data import Data, Task, same_inputs
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import number
from kernelviz.session.figure_options import MM_PER_INCH, FigureOptions
from kernelviz.session.scripts.figures import FIGURES
from kernelviz.session.scripts.recipes import recipe_for
from kernelviz.session.scripts.text import Sheet, inputs, vector, wrapped
from kernelviz.session.state import LETTERS, State
from kernelviz.session.workspaces.base import origin
from kernelviz.session.workspaces.registry import workspace_of

SHEET = Sheet()
SIGNS = (("-", "+"), ("-1", "1"))  # Names of classes that are written as z = ±1.
# The import that each name needs which a script may use.
IMPORTS = {
    "kernelviz": "import kernelviz",
    "plt": "import matplotlib.pyplot as plt",
    "np": "import numpy as np",
    "LinearSegmentedColormap": "from matplotlib.colors import LinearSegmentedColormap",
    "ListedColormap": "from matplotlib.colors import ListedColormap",
    "cdist": "from scipy.spatial.distance import cdist",
    "KernelPCA": "from sklearn.decomposition import KernelPCA",
    "KernelRidge": "from sklearn.kernel_ridge import KernelRidge",
    "LogisticRegression": "from sklearn.linear_model import LogisticRegression",
    "Ridge": "from sklearn.linear_model import Ridge",
    "OneVsOneClassifier": "from sklearn.multiclass import OneVsOneClassifier",
    "NearestNeighbors": "from sklearn.neighbors import NearestNeighbors",
    "PolynomialFeatures": "from sklearn.preprocessing import PolynomialFeatures",
    **{name: f"from sklearn.svm import {name}" for name in ("NuSVC", "NuSVR", "OneClassSVM", "SVC", "SVR")},
}
NOTE = "# Held out: not fitted, to measure the error on unseen data."


def kernelviz_script(state: State, sheet: Sheet = SHEET) -> str:
    """Return a script with kernelviz itself: `model` is the fit, and the figure is the one of the window."""
    document, held = state.document, state.document.test_data
    several = len(document.fits) > 1
    fitting = [
        "model = kernelviz.fit(data, kernel=kernel, algorithm=algorithm)",
        "print(model.message)",
        "print(model.summary())",
    ]
    if held is not None:
        found = "found = [data.class_names[int(code)] for code in model.codes(X_held)]"
        error = 'print("held-out error", np.mean(np.array(found) != labels_held))'
        fitting += _held_out_error(held, document.algorithm, "model.score", [found, error])
    if several:
        lines = [
            *wrapped("fits = [", (f'"{fit}"' for fit in document.fits), "]"),
            "for fit in fits:",
            '    kernel, algorithm = fit.split(" ; ")',
            "    print(fit)",
            *(f"    {line}" for line in fitting),
        ]
    else:
        lines = [f'kernel = "{document.kernel}"', f'algorithm = "{document.algorithm}"', "", *fitting]
    if not document.workspace.refusal(document.data):
        missing = [title for title, text in sheet.views.items() if not text]
        lines += [*_note_on_views(missing), *wrapped("kernelviz.render(", _figure(state, sheet), ")")]
    made = reproducing(document.source, document.data)
    points = [f'data = kernelviz.dataset("{made}")'] if made else _as_data("data", document.data)
    if held is not None:
        points += [NOTE, *_as_data("held_out", held, "_held")]
    return _script("Fit and figure by kernelviz.", [*points, *lines], document.standardised)


def _note_on_views(missing: Iterable[str]) -> list[str]:
    """Return a blank line, and a remark on the views that are missing in the figure, if any."""
    titles = ", ".join(missing)
    return ["", f"# Without the views next to the canvas: {titles}."] if titles else [""]


def sklearn_script(state: State, sheet: Sheet = SHEET) -> str:
    """Return a script with scikit-learn and matplotlib: `score(points)` is the fit. Each fit has a figure.

    BadInput for an algorithm that scikit-learn does not have."""
    document = state.document
    if document.data.n == 0:
        raise BadInput("There are no points yet to write a script for.")
    if len(document.fits) == 1:
        points, lines = _by_sklearn(state, sheet)
        title = f"{document.algorithm} with {document.kernel}, by scikit-learn."
        return _script(title, [*points, "", *lines], document.standardised)
    every: list[str] = []
    before: list[str] = []  # The points of the fit before, which most often are those of the next.
    for letter, own in zip(LETTERS, state.each_fit(), strict=False):
        points, lines = _by_sklearn(own, dataclasses.replace(sheet, letter=letter))
        new = points if points != before else []
        every += ["", f"# Fit {letter}: {own.document.fit}", *new, "", *lines]
        before = points
    return _script(f"{len(document.fits)} fits by scikit-learn.", every, document.standardised)


def _by_sklearn(state: State, sheet: Sheet) -> tuple[list[str], list[str]]:
    """Return (points, lines) of the active fit, with its figure among the lines."""
    document, data = state.document, state.document.data
    if data.weights is not None:
        raise BadInput("Points with weights are not written for scikit-learn; Copy as Python has them.")
    voting = document.algorithm.votes_on(data.task)
    if voting and (data := _present(data)).task is not Task.CLASSES:
        raise BadInput("The scikit-learn script needs points of at least three of the classes.")
    recipe = recipe_for(document.algorithm, document.kernel, data)
    points, lines = inputs("X", data), [*recipe.lines]
    if voting:
        names = (sheet.entry(name, name) for name in data.class_names)
        points += [*vector("y", data.y), *wrapped("names = [", names, "]")]
        lines += ['print("training error", np.mean(score(X).argmax(axis=1) != y))']
    elif data.task is Task.TWO_CLASSES:
        points += vector("z", data.z)
        if not document.algorithm.ignores_labels:
            lines += ['print("training error", np.mean(z * score(X) <= 0))']
    elif data.task is Task.REGRESSION:
        points += vector("y", data.y)
    if (held := document.test_data) is not None:
        lines += _sklearn_held_out(held, document.algorithm, data.class_names)
    draw = FIGURES.get(workspace_of(data).name)
    drawing = draw(data, state.look, recipe, sheet) if draw is not None else []
    return points, [*lines, *_note_on_views(sheet.views), *drawing]


def _script(title: str, lines: Sequence[str], standardised: bool) -> str:
    """Return the script: title, the imports that its lines need, and these with single blank lines."""
    code = "\n".join(lines)
    needed = [line for name, line in IMPORTS.items() if re.search(rf"\b{name}[.(]", code)]
    needed.sort(key=lambda line: (line.startswith("from"), line))
    note = ["# The coordinates were standardised when they were loaded."] if standardised else []
    code = re.sub(r"\n{3,}", "\n\n", code).strip("\n")
    return "\n".join([f'"""{title}"""', "", *needed, "", *note, code]) + "\n"


# Data -------------------------------------------------------------------------------------------------


def _as_data(name: str, data: Data, end: str = "") -> list[str]:
    """Return the lines that define `name` as data for kernelviz, from arrays whose names have this end."""
    columns = f", {list(data.columns)!r}" if data.columns != ("x1", "x2") else ""
    lines, target = inputs(f"X{end}", data), ""
    if data.target is None:
        kind = "unlabelled"
    elif data.task is Task.REGRESSION:
        kind, target = "regression", f", y{end}"
        lines += vector(f"y{end}", data.y)
        columns += f", target_name={data.target_name!r}" if data.target_name else ""
    elif data.class_names in SIGNS and data.has_numbers:
        kind, target = "labelled", f", z{end}"
        lines += vector(f"z{end}", data.z)
        if end:  # classes are the same if they have the same names
            target = f", labels{end}"
            lines.append(f"labels{end} = [data.class_names[int(z > 0)] for z in z{end}]")
    else:
        kind, target = "labelled", f", labels{end}"
        lines += wrapped(f"labels{end} = [", map(repr, data.class_of_each), "]")
    made = f"{name} = kernelviz.Data.{kind}(X{end}{target}{columns})"
    if data.categories is not None:
        made += f".with_categories({list(data.categories.names)!r})"
    if data.weights is not None:
        lines += vector(f"weights{end}", data.weights)
        made += f".weighted(weights{end})"
    return [*lines, made]


def reproducing(source: str, data: Data) -> str:
    """Return the data set expression that gives exactly these points, or an empty text."""
    expression = origin(source)
    if expression is None:
        return ""
    drawn = expression.make()
    same = (
        drawn.task is data.task
        and same_inputs(drawn.X, data.X)
        and np.array_equal(drawn.y, data.y)
        and drawn.class_names == data.class_names
        and data.weights is None
    )
    return str(expression) if same else ""


def _present(data: Data) -> Data:
    """Return the same data without classes that have no points: scikit-learn numbers only classes it has
    seen."""
    codes, y = np.unique(data.y, return_inverse=True)
    names = tuple(data.class_names[int(code)] for code in codes)
    task = Task.CLASSES if len(names) > 2 else Task.TWO_CLASSES
    return dataclasses.replace(data, target=read_only(y), task=task, class_names=names, labels=())


def _sklearn_held_out(held: Data, algorithm: Algorithm, names: tuple[str, ...]) -> list[str]:
    """Return lines with the held-out points and their error. names: the classes that are fitted."""
    several = ['print("held-out error", np.mean(score(X_held).argmax(axis=1) != y_held))']
    error = _held_out_error(held, algorithm, "score", several)
    if not error:
        return []
    if held.task is Task.REGRESSION:
        target = vector("y_held", held.y)
    elif algorithm.votes_on(held.task):
        # A class that is not among those fitted is never found.
        codes = [str(names.index(name)) if name in names else "-1" for name in held.class_of_each]
        target = wrapped("y_held = np.array([", codes, "])")
    else:
        target = vector("z_held", held.z)
        error = error[-1:]
    return [NOTE, *inputs("X_held", held), *target, *error]


def _held_out_error(held: Data, algorithm: Algorithm, score: str, several: list[str]) -> list[str]:
    """Return the lines that print the error on X_held by the function `score`, or `several` for more than two
    classes; none where there is no error."""
    if held.target is None or algorithm.ignores_labels:
        return []
    if held.task is Task.REGRESSION:
        return [f'print("held-out mean squared error", np.mean((y_held - {score}(X_held)) ** 2))']
    if held.task is Task.CLASSES:
        return several
    signs = ["z_held = np.where(np.array(labels_held) == data.class_names[1], 1, -1)"]
    error = f'print("held-out error", np.mean(z_held * {score}(X_held) <= 0))'
    return [error] if held.class_names in SIGNS else [*signs, error]


# Figures ----------------------------------------------------------------------------------------------
def _figure(state: State, sheet: Sheet) -> Iterator[str]:
    """Yield the arguments of `kernelviz.render`."""
    document, look = state.document, state.look
    yield from (f'"{sheet.name("kernelviz")}"', "data")
    yield from ("fits=fits",) if len(document.fits) > 1 else ("kernel=kernel", "algorithm=algorithm")
    name, v = ("view", look.view) if look.limits is None else ("limits", look.limits)
    yield f"{name}=({', '.join(number(x) for x in (v.left, v.right, v.bottom, v.top))})"
    if look.shown != document.workspace.shown:
        yield f"shown={sorted(look.shown)!r}"
    if "truth" in look.shown and (made := origin(document.source)) is not None:
        yield f'source="{made}"'
    if document.held_out is not None:
        yield "held_out=held_out"
    if look.mode == "watch":
        yield f"step={look.step}"
    if look.components != (0, 1):
        yield f"components={tuple(c + 1 for c in look.components)}"
    if views := [text for text in sheet.views.values() if text]:
        yield f"views={views!r}"
        if sheet.options is not None and not sheet.options.canvas:
            yield "canvas=False"
        if document.active:
            yield f"active={document.active + 1}"
    if (options := sheet.options) is not None:
        if sheet.unit == "mm":
            sides = (f"{side / options.dpi * MM_PER_INCH:.8g}" for side in (options.width, options.height))
            yield f'size="{"x".join(sides)}mm"'
        else:
            yield from (f"width={number(options.width)}", f"height={number(options.height)}")
        yield f"dpi={number(options.dpi)}"
        if options.heading:
            yield f"title={options.heading!r}"
        for parameter in FigureOptions.parameters():
            value = getattr(options, parameter.name)
            if (
                parameter.name not in ("width", "height", "dpi", "canvas", "heading")
                and value != parameter.default
            ):
                yield f"{parameter.name}={value!r}"
