"""Formulas of a user, such as `sin(x)` or `x1**2 + x2**2 < 1`: parsed by `ast.parse` and interpreted here
with numpy; nothing is ever evaluated by Python.

The grammar is that of Python expressions, restricted to

    + - * / **    numbers    pi    e    the variables    < <= > >= (chained)    and or not
    sin cos tan tanh exp log sqrt abs sign floor (x)    min max (x, y, …)

with `^` for `**`. Length and depth are bounded, and numbers that are too large become infinite."""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Kind, Parameter, Verbatim, nearest, of_kind

LONGEST_FORMULA = 200  # Characters.
DEEPEST_FORMULA = 40  # Expressions inside each other.
Evaluated = Callable[[Mapping[str, Array]], NDArray[Any]]

FUNCTIONS: Mapping[str, Callable[[Array], Array]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
}
OF_SEVERAL: Mapping[str, Callable[[Array, Array], Array]] = {"min": np.minimum, "max": np.maximum}
CONSTANTS = {"pi": np.pi, "e": np.e}
_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: np.power,
}
_ORDER: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def expression_tree(text: str) -> ast.expr | None:
    """Return the syntax tree of an expression as Python reads it; None if it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's opinion on `1is 2` and on backslashes
            return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=64)
def compiled(text: str, variables: tuple[str, ...], truth: bool) -> Evaluated:
    """Return the function that a formula of some variables stands for, or raise BadInput: a number at every
    place, or with `truth` a condition. Where it has no value it is NaN or infinite."""
    if len(text) > LONGEST_FORMULA:
        raise BadInput(f"A formula has at most {LONGEST_FORMULA} characters; this one has {len(text)}.")
    tree = expression_tree(text.replace("^", "**"))
    if tree is None:
        example = "x1**2 + x2**2 < 1" if truth else f"sin({variables[0]})"
        raise BadInput(f"{text!r} is not a formula such as {example}.")
    is_truth, evaluate = _FormulaReader(text, variables).read(tree)
    if is_truth != truth:
        wanted = (
            "a condition: compare it with a number, as in … < 1" if truth else "a number, not a condition"
        )
        raise BadInput(f"The formula {text!r} must be {wanted}.")

    def evaluated(places: Mapping[str, Array]) -> NDArray[Any]:
        with np.errstate(all="ignore"):
            found = evaluate(places)
        return np.broadcast_to(found, np.shape(places[variables[0]]))

    return evaluated


class _FormulaReader:
    """Reads a formula node by node: whether it is a condition, and a function of ours that gives its
    values."""

    def __init__(self, text: str, variables: tuple[str, ...]) -> None:
        self.text, self.variables, self.depth = text, variables, 0

    def fail(self, problem: str) -> BadInput:
        return BadInput(f"The formula {self.text!r} {problem}.")

    def read(self, node: ast.expr) -> tuple[bool, Evaluated]:
        self.depth += 1
        if self.depth > DEEPEST_FORMULA:
            raise self.fail("has too many expressions inside each other")
        found = self._read(node)
        self.depth -= 1
        return found

    def _read(self, node: ast.expr) -> tuple[bool, Evaluated]:
        match node:
            case ast.Constant(value=bool() | complex() | str() | bytes() | None):
                raise self.fail("has a value that is no number")
            case ast.Constant(value=int() | float() as value) if abs(value) <= 1e12:
                number = np.float64(value)
                return False, lambda at: np.asarray(number)
            case ast.Constant():
                raise self.fail("has a number beyond 10¹²")
            case ast.Name(id=name):
                return False, self._named(name)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign):
                (inner,) = self._all(False, [node.operand], "a sign")
                return False, inner if isinstance(sign, ast.UAdd) else lambda at: -inner(at)
            case ast.UnaryOp(op=ast.Not()):
                (inner,) = self._all(True, [node.operand], "not")
                return True, lambda at: ~inner(at)
            case ast.BinOp() if type(node.op) in _ARITHMETIC:
                left, right = self._all(False, [node.left, node.right], "arithmetic")
                compute = _ARITHMETIC[type(node.op)]
                return False, lambda at: compute(left(at), right(at))
            case ast.BoolOp():
                parts = self._all(True, node.values, "and, or")
                joined = operator.or_ if isinstance(node.op, ast.Or) else operator.and_
                return True, lambda at: reduce(joined, (part(at) for part in parts))
            case ast.Compare() if all(type(kind) in _ORDER for kind in node.ops):
                sides = self._all(False, [node.left, *node.comparators], "a comparison")
                order = [_ORDER[type(kind)] for kind in node.ops]
                return True, lambda at: _in_order([side(at) for side in sides], order)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return False, self._call(name, args)
        source = ast.get_source_segment(self.text.replace("^", "**"), node) or "something"
        raise self.fail(f"uses {source!r}, which is not part of formulas")

    def _all(self, truth: bool, nodes: list[ast.expr], where: str) -> list[Evaluated]:
        """Return the values of expressions that must all be conditions, or all be numbers."""
        read = [self.read(node) for node in nodes]
        if any(found != truth for found, _ in read):
            raise self.fail(f"needs {'conditions' if truth else 'numbers'} for {where}")
        return [evaluate for _, evaluate in read]

    def _named(self, name: str) -> Evaluated:
        if name in self.variables:
            return lambda at: at[name]
        if name in CONSTANTS:
            return lambda at: np.asarray(CONSTANTS[name])
        raise self.fail(f"has an unknown name {name!r}; the variables are {', '.join(self.variables)}")

    def _call(self, name: str, args: list[ast.expr]) -> Evaluated:
        values = self._all(False, args, name)
        if name in FUNCTIONS and len(values) == 1:
            return lambda at: FUNCTIONS[name](values[0](at))
        if name in OF_SEVERAL and len(values) > 1:
            return lambda at: reduce(OF_SEVERAL[name], (value(at) for value in values))
        known = [*FUNCTIONS, *OF_SEVERAL]
        if name in known:
            raise self.fail(f"gives {name} another number of values than it takes")
        raise BadInput(f"Formulas have no function {name!r}. {nearest(name, known)}")


def _in_order(sides: list[NDArray[Any]], order: list[Callable[[Any, Any], Any]]) -> Any:
    """Return where each value compares with the next as it should."""
    pairs = zip(sides, order, sides[1:], strict=False)
    return reduce(operator.and_, (compare(left, right) for left, compare, right in pairs))


# Parameters -------------------------------------------------------------------------------------------------
class FormulaKind(Kind):
    """A formula of the variables that are the options of its parameter; with `truth` a condition on them."""

    values_are = "word"
    leads = True

    def __init__(self, name: str, truth: bool) -> None:
        self.name, self.truth = name, truth

    def check(self, value: Any, parameter: Parameter, where: str) -> str:
        text = " ".join(value.split()) if isinstance(value, str) else ""
        if not text:
            raise BadInput(f"{where} is a {self.name} such as {parameter.default}, not {value!r}.")
        compiled(text, parameter.options, self.truth)
        return Verbatim(text)

    def values(self, parameter: Parameter) -> str:
        return f"{self.name} of {', '.join(parameter.options)}"

    def bounds(self, parameter: Parameter) -> str:
        names = ", ".join((*parameter.options, *CONSTANTS, *FUNCTIONS, *OF_SEVERAL))
        signs = "+ - * / ** < <= > >= and or not" if self.truth else "+ - * / **"
        return f"May have {names} and {signs}."

    def record(self, parameter: Parameter) -> dict[str, Any]:
        return {"variables": list(parameter.options)}


FORMULA, CONDITION = FormulaKind("formula", truth=False), FormulaKind("condition", truth=True)


def formula(default: str, variables: tuple[str, ...], help: str) -> Any:
    """Declare a formula of some variables."""
    return of_kind(FORMULA, Verbatim(default), variables, label="formula", help=help)


def condition(default: str, variables: tuple[str, ...], help: str) -> Any:
    """Declare a condition on some variables."""
    return of_kind(CONDITION, Verbatim(default), variables, label="condition", help=help)
