"""Copy as Python: a short script that rebuilds the fit and the figure, here or with scikit-learn."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from kernelviz.engine.arrays import read_only
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput
from kernelviz.session.script_held_out import SIGNS, held_out_data, held_out_error, sklearn_held_out
from kernelviz.session.script_recipes import recipe_for
from kernelviz.session.script_text import OWN_FIGURE, inputs, short, vector, wrapped
from kernelviz.session.state import Document, Look, State
from kernelviz.session.workspaces.curve import origin
from kernelviz.session.workspaces.registry import workspace_of

__all__ = ["kernelviz_script", "sklearn_script"]


def kernelviz_script(state: State) -> str:
    """A script with kernelviz itself: `model` is the fit, and the figure is drawn as the window draws it."""
    document, look = state.document, state.look
    imports = ["import kernelviz"]
    held = None if document.held_out is None else document.held_out.data
    lines = [
        *_kernelviz_data(document.data, document.source, imports),
        *([] if held is None else held_out_data(held)),
        f'kernel = "{document.kernel}"',
        f'algorithm = "{document.algorithm}"',
        "",
        "model = kernelviz.fit(data, kernel=kernel, algorithm=algorithm)",
        "print(model.message)",
        "print(model.summary())",
        *([] if held is None else held_out_error(held, document.algorithm)),
    ]
    if held is not None:
        imports.append("import numpy as np")
    workspace = workspace_of(document.data)
    if not workspace.refusal(document.data):
        lines += ["", *wrapped("kernelviz.render(", _figure(document, look, workspace.shown), ")")]
    return _script("Fit and figure by kernelviz.", imports, lines, document.standardised)


def sklearn_script(state: State) -> str:
    """A script with scikit-learn and matplotlib: `score(points)` is the fit.

    BadInput where scikit-learn has no such algorithm."""
    document = state.document
    data = document.data
    if data.n == 0:
        raise BadInput("There are no points yet to write a script for.")
    voting = document.algorithm.votes_on(data.task)
    if voting and (data := _present(data)).task is not Task.CLASSES:
        raise BadInput("The scikit-learn script needs points of at least three of the classes.")
    recipe = dataclasses.replace(recipe_for(document.algorithm, document.kernel, data), votes=voting)
    imports = ["import numpy as np", *recipe.imports]
    lines = [*_arrays(data, voting), "", *recipe.lines]
    if voting:
        lines += ['print("training error", np.mean(score(X).argmax(axis=1) != y))']
    elif data.task is Task.TWO_CLASSES and not document.algorithm.ignores_labels:
        lines += ['print("training error", np.mean(z * score(X) <= 0))']
    if document.held_out is not None:
        lines += sklearn_held_out(document.held_out.data, document.algorithm, data.class_names, voting)
    needed, drawing = workspace_of(data).script_figure(data, state.look, recipe)
    imports += needed
    lines += ["", *drawing]
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


# Data -------------------------------------------------------------------------------------------------
def _kernelviz_data(data: Data, source: str, imports: list[str]) -> list[str]:
    """One line when the points are those of a data set still, else the points themselves."""
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
    """The data set expression that gives exactly these points, as it is printed; empty without one."""
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
    """The same points with the classes that have any."""
    codes, y = np.unique(data.y, return_inverse=True)
    names = tuple(data.class_names[int(code)] for code in codes)
    task = Task.CLASSES if len(names) > 2 else Task.TWO_CLASSES
    return dataclasses.replace(data, target=read_only(y), task=task, class_names=names, labels=())


def _arrays(data: Data, voting: bool = False) -> list[str]:
    lines = inputs("X", data)
    if voting:
        return [*lines, *vector("y", data.y), *wrapped("names = [", map(repr, data.class_names), "]")]
    if data.task is Task.TWO_CLASSES:
        lines += vector("z", data.z)
    elif data.task is Task.REGRESSION:
        lines += vector("y", data.y)
    return lines


# Figures ----------------------------------------------------------------------------------------------
def _figure(document: Document, look: Look, usually: frozenset[str]) -> Iterator[str]:
    """What `kernelviz.render` is told of the figure."""
    yield from (f'"{OWN_FIGURE}"', "data", "kernel=kernel", "algorithm=algorithm")
    name, v = ("view", look.view) if look.limits is None else ("limits", look.limits)
    yield f"{name}=({', '.join(short(x) for x in (v.left, v.right, v.bottom, v.top))})"
    if look.shown != usually:
        yield f"shown={sorted(look.shown)!r}"
    if "truth" in look.shown and (made := origin(document.source)) is not None:
        yield f'source="{made}"'
    if document.held_out is not None:
        yield "held_out=held_out"
    if look.mode == "watch":
        yield f"step={look.step}"
    if look.components != (0, 1):
        yield f"components={tuple(c + 1 for c in look.components)}"
