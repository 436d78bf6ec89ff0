"""Rules about the package as a whole that no linter knows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import kernelviz

PACKAGE = Path(kernelviz.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
MAKES_THREADS = {
    "Pool",
    "Process",
    "ProcessPoolExecutor",
    "QProcess",
    "QRunnable",
    "QThread",
    "QThreadPool",
    "Thread",
    "ThreadPool",
    "ThreadPoolExecutor",
    "Timer",
    "fork",
    "start_new_thread",
}


def names(path: Path) -> Iterator[tuple[int, str]]:
    """(line, name) of everything a module imports, calls or inherits from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call | ast.ClassDef):
            for part in [node.func] if isinstance(node, ast.Call) else node.bases:
                if isinstance(part, ast.Name | ast.Attribute):
                    yield part.lineno, part.id if isinstance(part, ast.Name) else part.attr


def makers(path: Path) -> list[str]:
    where = path.relative_to(PACKAGE).as_posix()
    return [f"{where}:{line} {name}" for line, name in names(path) if name in MAKES_THREADS]


def test_threads_and_processes_are_made_in_the_runtime_alone():
    found = {path: makers(path) for path in SOURCES}
    inside = {path for path in SOURCES if path.is_relative_to(PACKAGE / "runtime")}
    assert any(found[path] for path in inside), "it looks for the wrong names"
    assert [line for path in SOURCES if path not in inside for line in found[path]] == []


LAYERS = ("engine", "runtime", "session", "scene", "ui")


def test_no_layer_names_a_module_of_an_outer_one():
    """Not in a text either: import-linter sees imports alone. `import_module` is where such a text ends."""
    found = [
        f"{path.relative_to(PACKAGE)}: {text}"
        for k, layer in enumerate(LAYERS)
        for path in sorted((PACKAGE / layer).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(text := node.value, str)
        if text.startswith(tuple(f"kernelviz.{outer}." for outer in LAYERS[k + 1 :]))
    ]
    assert found == []


ADOPTS = {"focusProxy", "nextInFocusChain", "previousInFocusChain"}
"""PySide takes what these return for a child of the widget asked: with that it is gone for Python."""


def test_no_widget_is_asked_for_another_that_pyside_would_take_for_its_child():
    found = [
        f"{path.relative_to(PACKAGE)}:{n}" for path in SOURCES for n, name in names(path) if name in ADOPTS
    ]
    assert found == []


def yields(node: ast.With) -> bool:
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for line in node.body for part in ast.walk(line))


def errstates_across_a_yield(path: Path) -> list[str]:
    blocks = (n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.With))
    quiet = (n for n in blocks if any("errstate" in ast.unparse(item) for item in n.items))
    return [f"{path.relative_to(PACKAGE)}:{n.lineno}" for n in quiet if yields(n)]


def test_no_generator_yields_while_it_has_numpys_warnings_switched_off():
    """They would be off for its caller too; and a thread that closes the generator of another cannot switch
    them on again: numpy raises."""
    assert [place for path in SOURCES for place in errstates_across_a_yield(path)] == []


OFTEN = {
    "PAINTER",  # The painter of a workspace, which is looked up by this name in its module.
    "REST",  # How long nothing may change before long work begins.
    "SUFFIX",  # How names of files end.
    "_LOG",  # The logger of a module.
}
"""The names of constants that may stand in three modules or more: they mean the same in all of them."""


def statements(path: Path) -> list[ast.stmt]:
    """The statements of a module that are not within others."""
    return ast.parse(path.read_text(encoding="utf-8")).body


def constants(statement: ast.stmt) -> list[str]:
    """The names in capitals that a statement gives values."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    named = (n for target in targets for n in (target.elts if isinstance(target, ast.Tuple) else [target]))
    return [n.id for n in named if isinstance(n, ast.Name) and n.id.isupper() and len(n.id) > 1]


def test_the_name_of_a_class_means_one_thing():
    places: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in statements(path):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert places, "it finds no classes"
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_the_name_of_a_constant_in_three_modules_means_one_thing():
    places: dict[str, set[str]] = {}
    for path in SOURCES:
        for name in (name for node in statements(path) for name in constants(node)):
            places.setdefault(name, set()).add(str(path.relative_to(PACKAGE)))
    assert len(places) > 100, "it finds no constants"
    often = {name: sorted(where) for name, where in places.items() if len(where) > 2}
    assert {name: where for name, where in often.items() if name not in OFTEN} == {}


def late(path: Path) -> list[str]:
    """The constants below the first definition of a module that are not made of what it defines."""
    found, defined = [], set()
    for node in statements(path):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            defined.add(node.name)
        elif defined and (names := constants(node)):
            if defined.isdisjoint(n.id for n in ast.walk(node) if isinstance(n, ast.Name)):
                found += names
            else:
                defined.update(names)
    return found


def test_constants_stand_above_the_first_definition():
    found = {str(path.relative_to(PACKAGE)): names for path in SOURCES if (names := late(path))}
    assert found == {}
