"""Copy as Python: a short script that rebuilds the fit and the figure, here or with scikit-learn."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import number
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.scripts.kernels import SIGNS, held_out_data, held_out_error, sklearn_held_out
from kernelviz.session.scripts.recipes import recipe_for
from kernelviz.session.scripts.text import Sheet, inputs, vector, wrapped
from kernelviz.session.state import LETTERS, Document, State
from kernelviz.session.workspaces.curve import origin
from kernelviz.session.workspaces.registry import workspace_of

SHEET = Sheet()


def kernelviz_script(state: State, sheet: Sheet = SHEET) -> str:
    """Return a script with kernelviz itself: `model` is the fit, and the figure is the one of the window."""
    document = state.document
    several = len(document.fits) > 1
    imports = ["import kernelviz"]
    held = document.test_data
    one = [f'kernel = "{document.kernel}"', f'algorithm = "{document.algorithm}"', ""]
    fitting = [
        "model = kernelviz.fit(data, kernel=kernel, algorithm=algorithm)",
        "print(model.message)",
        "print(model.summary())",
        *([] if held is None else held_out_error(held, document.algorithm)),
    ]
    lines = [
        *_kernelviz_data(document.data, document.source, imports),
        *([] if held is None else held_out_data(held)),
        *(_fits(document) if several else one),
        *(f"    {line}" if several else line for line in fitting),
    ]
    if held is not None:
        imports.append("import numpy as np")
    workspace = document.workspace
    if not workspace.refusal(document.data):
        missing = [title for title, text in sheet.views.items() if not text]
        lines += [*_note_on_views(missing), *wrapped("kernelviz.render(", _figure(state, sheet), ")")]
    return _script("Fit and figure by kernelviz.", imports, lines, document.standardised)


def _fits(document: Document) -> list[str]:
    return [
        *wrapped("fits = [", (f'"{fit}"' for fit in document.fits), "]"),
        "for fit in fits:",
        '    kernel, algorithm = fit.split(" ; ")',
        "    print(fit)",
    ]


def _note_on_views(missing: Iterable[str]) -> list[str]:
    """Return a blank line, and a remark on the views that are missing in the figure, if any."""
    titles = ", ".join(missing)
    return ["", f"# Without the views beside the canvas: {titles}."] if titles else [""]


def sklearn_script(state: State, sheet: Sheet = SHEET) -> str:
    """Return a script with scikit-learn and matplotlib: `score(points)` is the fit. Each fit has a figure.

    BadInput where scikit-learn has no such algorithm."""
    document = state.document
    if document.data.n == 0:
        raise BadInput("There are no points yet to write a script for.")
    if len(document.fits) == 1:
        imports, lines, points = _by_sklearn(state, sheet)
        title = f"{document.algorithm} with {document.kernel}, by scikit-learn."
        return _script(title, imports, [*points, "", *lines], document.standardised)
    imports, lines = [], []
    written: list[str] = []
    for k, (letter, fit) in enumerate(zip(LETTERS, document.fits, strict=False)):
        own = dataclasses.replace(state, document=document.replace(active=k))
        needed, body, points = _by_sklearn(own, dataclasses.replace(sheet, letter=letter))
        imports += needed
        lines += ["", f"# Fit {letter}: {fit}", *(points if points != written else []), "", *body]
        written = points
    return _script(f"{len(document.fits)} fits by scikit-learn.", imports, lines, document.standardised)


def _by_sklearn(state: State, sheet: Sheet) -> tuple[list[str], list[str], list[str]]:
    """Return (imports, lines, points) of the active fit, with its figure among the lines."""
    document = state.document
    data = document.data
    voting = document.algorithm.votes_on(data.task)
    if voting and (data := _present(data)).task is not Task.CLASSES:
        raise BadInput("The scikit-learn script needs points of at least three of the classes.")
    recipe = dataclasses.replace(recipe_for(document.algorithm, document.kernel, data), votes=voting)
    imports = ["import numpy as np", *recipe.imports]
    lines = [*recipe.lines]
    if voting:
        lines += ['print("training error", np.mean(score(X).argmax(axis=1) != y))']
    elif data.task is Task.TWO_CLASSES and not document.algorithm.ignores_labels:
        lines += ['print("training error", np.mean(z * score(X) <= 0))']
    if document.held_out is not None:
        lines += sklearn_held_out(document.held_out.data, document.algorithm, data.class_names, voting)
    needed, drawing = workspace_of(data).script_figure(data, state.look, recipe, sheet)
    return [*imports, *needed], [*lines, *_note_on_views(sheet.views), *drawing], _arrays(data, voting)


def _script(title: str, imports: Iterable[str], lines: Sequence[str], standardised: bool) -> str:
    """Return the script: title, sorted imports, and the body with single blank lines."""
    plain = sorted({line for line in imports if line.startswith("import ")})
    named = sorted({line for line in imports if line.startswith("from ")})
    note = ["# The coordinates were standardised when they were loaded."] if standardised else []
    body: list[str] = []
    for line in lines:
        if line or (body and body[-1]):
            body.append(line)
    return "\n".join([f'"""{title}"""', "", *plain, *named, "", *note, *body]).rstrip() + "\n"


# Data -------------------------------------------------------------------------------------------------
def _kernelviz_data(data: Data, source: str, imports: list[str]) -> list[str]:
    """Return one line if the points are still those of a data set, else the points themselves."""
    expression = _reproducing(source, data)
    if expression:
        return [f'data = kernelviz.dataset("{expression}")']
    if data.domain == "strings":
        return [
            *inputs("X", data),
            *wrapped("labels = [", map(repr, data.class_of_each), "]"),
            f"data = kernelviz.Data.labelled(X, labels, {list(data.columns)!r})",
        ]
    imports.append("import numpy as np")
    columns = f", {list(data.columns)!r}" if data.columns != ("x1", "x2") else ""
    points = inputs("X", data)
    if data.target is None:
        return [*points, f"data = kernelviz.Data.unlabelled(X{columns})"]
    if data.task is Task.REGRESSION:
        named = f", target_name={data.target_name!r}" if data.target_name else ""
        return [*points, *vector("y", data.y), f"data = kernelviz.Data.regression(X, y{columns}{named})"]
    if data.class_names in SIGNS:
        return [*points, *vector("z", data.z), f"data = kernelviz.Data.labelled(X, z{columns})"]
    return [
        *points,
        *wrapped("labels = [", map(repr, data.class_of_each), "]"),
        f"data = kernelviz.Data.labelled(X, labels{columns})",
    ]


def _reproducing(source: str, data: Data) -> str:
    """Return the data set expression that gives exactly these points, or an empty text."""
    expression = origin(source)
    if expression is None:
        return ""
    drawn = expression.make()
    same = (
        drawn.task is data.task
        and np.array_equal(drawn.X, data.X)
        and np.array_equal(drawn.y, data.y)
        and drawn.class_names == data.class_names
    )
    return str(expression) if same else ""


def _present(data: Data) -> Data:
    """Return the same data without classes that have no points."""
    codes, y = np.unique(data.y, return_inverse=True)
    names = tuple(data.class_names[int(code)] for code in codes)
    task = Task.CLASSES if len(names) > 2 else Task.TWO_CLASSES
    return dataclasses.replace(data, target=read_only(y), task=task, class_names=names, labels=())


def _arrays(data: Data, voting: bool = False) -> list[str]:
    """Return the lines that define the arrays X and z or y, and the names of the classes if they vote."""
    lines = inputs("X", data)
    if voting:
        return [*lines, *vector("y", data.y), *wrapped("names = [", map(repr, data.class_names), "]")]
    if data.task is Task.TWO_CLASSES:
        lines += vector("z", data.z)
    elif data.task is Task.REGRESSION:
        lines += vector("y", data.y)
    return lines


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
        yield from (f"width={round(options.width)}", f"height={round(options.height)}")
        yield f"dpi={number(options.dpi)}"
        if options.heading:
            yield f"title={options.heading!r}"
        for parameter in FigureOptions.parameters():
            value = getattr(options, parameter.name)
            if parameter.name not in ("width", "height", "dpi", "canvas") and value != parameter.default:
                yield f"{parameter.name}={value!r}"
