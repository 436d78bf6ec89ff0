"""The language of checks: `training_error == 0 and test_error < before(test_error)`.

Texts are parsed by `ast.parse` and interpreted here; nothing is ever evaluated by Python. The grammar is
that of Python expressions, restricted to

    and or not   == != < <= > >= (chained)   + - * /   numbers   "words"   abs(number)   before(anything)
    a name        `training_error`, `kernel.gamma`, `view.gram`, `n`
    A.name        the same for one of several fits, A to D
    point("p").alpha    a number of a point, by the name the stage gives it or by its number, counted from 1
    K(1, 2)       an entry of the Gram matrix, again by name or number

Every expression has a type (number, word or truth) and every name is known when a lesson is loaded, so that
mistakes show then and not in class. A value that does not exist at the moment is *unknown*: an error rate
while nothing is fitted, the weight of a point that was removed. Unknown values spread as in Kleene's logic,
and a check with an unknown answer counts as "not yet".
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import nearest

LONGEST_CHECK = 300  # Characters.
DEEPEST_CHECK = 40  # Expressions inside each other.
# Two numbers are equal when they agree to six digits: students compare what they see.
SAME_SHARE, SAME_DIFFERENCE = 1e-6, 1e-9

Type = Literal["number", "word", "truth"]
Value = float | str | bool | None  # None is unknown.
Pointer = str | int  # A point by its name, or by its number counted from 1.
LETTERS = "ABCD"


class Facts(Protocol):
    """The state that a check is about. Every method returns None for what does not exist at the moment."""

    def value(self, name: str, fit: int | None) -> Value:
        """Return the value of a name, for the active fit or for a numbered one."""

    def of_point(self, which: Pointer, attribute: str, fit: int | None) -> float | None:
        """Return a number of a point."""

    def entry(self, first: Pointer, second: Pointer, fit: int | None) -> float | None:
        """Return K(x_i, x_j)."""


@dataclass(frozen=True)
class Vocabulary:
    """The names a check may use: their types, the numbers of a point, the points that have a name."""

    names: Mapping[str, Type]
    of_points: tuple[str, ...] = ("alpha", "beta", "margin", "slack", "s", "sd", "x", "y")
    points: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """A parsed expression that is true, false or unknown."""

    text: str
    _tree: ast.expr = field(repr=False, compare=False)

    def holds(self, now: Facts, before: Facts | None = None) -> bool | None:
        """Return the answer for a state; `before` is the state that before(…) refers to."""
        answer = _value(self._tree, now, before)
        return None if answer is None else bool(answer)


def parse_check(text: str, vocabulary: Vocabulary) -> Check:
    """Return the check a text stands for. Raises BadInput for everything that is not one."""
    if not isinstance(text, str) or not text.strip():
        raise BadInput("A check is a text such as 'training_error == 0'.")
    if len(text) > LONGEST_CHECK:
        raise BadInput(f"A check has at most {LONGEST_CHECK} characters; this one has {len(text)}.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's opinion on `1is 2` and on backslashes
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadInput(f"{_quoted(text)} is not an expression such as 'training_error == 0'.") from None
    found = _Reader(text, vocabulary).type_of(tree)
    if found != "truth":
        raise BadInput(f"{_quoted(text)} is a {found}, not a comparison: add '== …' or '< …'.")
    return Check(text.strip(), tree)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:77]}…")


# Reading -----------------------------------------------------------------------------------------------
_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_ORDER: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_EQUALITY = (ast.Eq, ast.NotEq)


@dataclass
class _Reader:
    """Checks an expression node by node and returns its type; BadInput for whatever the language has not."""

    text: str
    vocabulary: Vocabulary
    depth: int = 0
    in_before: bool = False

    def type_of(self, node: ast.expr) -> Type:
        self.depth += 1
        if self.depth > DEEPEST_CHECK:
            raise self.fail("has too many expressions inside each other")
        try:
            return self._type_of(node)
        finally:
            self.depth -= 1

    def _type_of(self, node: ast.expr) -> Type:
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name() | ast.Attribute():
                return self._name(node)
            case ast.BoolOp():
                self._all("truth", node.values, "and, or")
                return "truth"
            case ast.UnaryOp(op=ast.Not()):
                self._all("truth", [node.operand], "not")
                return "truth"
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                self._all("number", [node.operand], "a sign")
                return "number"
            case ast.BinOp() if type(node.op) in _ARITHMETIC:
                self._all("number", [node.left, node.right], "arithmetic")
                return "number"
            case ast.Compare():
                return self._comparison(node)
            case ast.Call():
                return self._call(node)
        uses = ast.get_source_segment(self.text.strip(), node) or "something"
        raise self.fail(f"uses {uses!r}, which is not part of checks")

    def fail(self, problem: str) -> BadInput:
        return BadInput(f"The check {_quoted(self.text)} {problem}.")

    def _all(self, wanted: Type, nodes: list[ast.expr], where: str) -> None:
        for node in nodes:
            if (found := self.type_of(node)) != wanted:
                raise self.fail(f"needs a {wanted} for {where}, not a {found}")

    def _constant(self, node: ast.Constant) -> Type:
        if isinstance(node.value, bool):
            raise self.fail("has True or False in it: write the name alone, or 'not' before it")
        if isinstance(node.value, str):
            return "word"
        if isinstance(node.value, int | float) and abs(node.value) < 1e300:
            return "number"
        raise self.fail("has a value that is neither a number nor a word")

    def _comparison(self, node: ast.Compare) -> Type:
        types = [self.type_of(side) for side in (node.left, *node.comparators)]
        for first, kind, second in zip(types, node.ops, types[1:], strict=False):
            if type(kind) not in (*_ORDER, *_EQUALITY):
                raise self.fail("compares in a way that checks do not know: use == != < <= > >=")
            if first != second or (first != "number" and type(kind) in _ORDER):
                raise self.fail(
                    f"compares a {first} with a {second}" if first != second else "puts words in order"
                )
        return "truth"

    def _name(self, node: ast.Name | ast.Attribute) -> Type:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):
            return self._of_point(node.value, node.attr)
        name, _ = _dotted(node) or ("", None)
        if not name:
            raise self.fail("has a name that is not a name")
        if (found := self.vocabulary.names.get(name)) is None:
            raise BadInput(f"There is nothing called {name!r}. {nearest(name, list(self.vocabulary.names))}")
        return found

    def _of_point(self, call: ast.Call, attribute: str) -> Type:
        called = _dotted(call.func)
        if called is None or called[0] != "point" or len(call.args) != 1 or call.keywords:
            raise self.fail('has a number of something that is no point: write point("p").alpha')
        self._pointer(call.args[0])
        if attribute not in self.vocabulary.of_points:
            raise BadInput(
                f"A point has no {attribute!r}. {nearest(attribute, list(self.vocabulary.of_points))}"
            )
        return "number"

    def _pointer(self, node: ast.expr) -> None:
        which = node.value if isinstance(node, ast.Constant) else None
        if isinstance(which, str):
            if which not in self.vocabulary.points:
                hint = nearest(which, self.vocabulary.points) if self.vocabulary.points else ""
                raise BadInput(f"The stage names no point {which!r}. {hint}".rstrip())
        elif isinstance(which, bool) or not isinstance(which, int) or which < 1:
            raise self.fail("names a point neither by a quoted name nor by a number from 1 on")

    def _call(self, node: ast.Call) -> Type:
        name, _ = _dotted(node.func) or ("", None)
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.fail("calls something with arguments that have names or stars")
        if name == "K" and len(node.args) == 2:
            for argument in node.args:
                self._pointer(argument)
            return "number"
        if name == "abs" and len(node.args) == 1:
            self._all("number", node.args, "abs")
            return "number"
        if name == "before" and len(node.args) == 1:
            if self.in_before:
                raise self.fail("has before(…) inside before(…)")
            self.in_before = True
            found = self.type_of(node.args[0])
            self.in_before = False
            return found
        if name == "point":
            raise self.fail('needs a number of the point, as in point("p").alpha')
        raise self.fail(
            f"calls {name or 'something'}; there are abs(x), before(x), K(i, j) and point(p).alpha"
        )


def _dotted(node: ast.expr) -> tuple[str, int | None] | None:
    """Return (name, number of the fit it is about) of `A.kernel.gamma`; None if the node is no such name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    parts.reverse()
    if len(parts) > 1 and len(parts[0]) == 1 and parts[0] in LETTERS:
        return ".".join(parts[1:]), LETTERS.index(parts[0])
    return ".".join(parts), None


# Values ------------------------------------------------------------------------------------------------
def _value(node: ast.expr, now: Facts, before: Facts | None) -> Value:
    """Return the value of a node that `_Reader` has accepted."""
    match node:
        case ast.Constant(value=str() | int() | float() as value):
            return value
        case ast.Attribute(value=ast.Call() as call):
            return now.of_point(_pointer(call.args[0]), node.attr, (_dotted(call.func) or ("", None))[1])
        case ast.Name() | ast.Attribute():
            name, fit = _dotted(node) or ("", None)
            return now.value(name, fit)
        case ast.BoolOp():
            return _connected(
                isinstance(node.op, ast.Or), [_value(part, now, before) for part in node.values]
            )
        case ast.UnaryOp():
            return _signed(node.op, _value(node.operand, now, before))
        case ast.BinOp():
            left, right = (_value(side, now, before) for side in (node.left, node.right))
            return _computed(_ARITHMETIC[type(node.op)], left, right)
        case ast.Compare():
            sides = [_value(side, now, before) for side in (node.left, *node.comparators)]
            pairs = zip(sides, node.ops, sides[1:], strict=False)
            return _connected(False, [_compared(a, type(kind), b) for a, kind, b in pairs])
        case ast.Call(func=func, args=arguments):
            name, fit = _dotted(func) or ("", None)
            if name == "K":
                return now.entry(_pointer(arguments[0]), _pointer(arguments[1]), fit)
            if name == "before":
                return None if before is None else _value(arguments[0], before, None)
            size = _value(arguments[0], now, before)
            return None if size is None or isinstance(size, str) else abs(size)
    return None


def _pointer(node: ast.expr) -> Pointer:
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, str | int)
    return node.value


def _connected(either: bool, values: list[Value]) -> bool | None:
    """Return the disjunction or the conjunction in three-valued logic."""
    if any(value is not None and bool(value) is either for value in values):
        return either
    return None if None in values else not either


def _signed(sign: ast.unaryop, value: Value) -> Value:
    if value is None or isinstance(value, str):
        return None
    if isinstance(sign, ast.Not):
        return not value
    return -value if isinstance(sign, ast.USub) else value


def _computed(compute: Callable[[float, float], float], left: Value, right: Value) -> float | None:
    """Return a finite result, or unknown."""
    if left is None or right is None or isinstance(left, str) or isinstance(right, str):
        return None
    try:
        found = float(compute(left, right))
    except (ZeroDivisionError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def _compared(left: Value, kind: type[ast.cmpop], right: Value) -> bool | None:
    if left is None or right is None:
        return None
    if isinstance(left, str) or isinstance(right, str):
        same = _folded(left) == _folded(right)
    else:
        same = math.isclose(left, right, rel_tol=SAME_SHARE, abs_tol=SAME_DIFFERENCE)
        if kind in _ORDER:
            return kind in (ast.LtE, ast.GtE) if same else _ORDER[kind](left, right)
    return same is (kind is ast.Eq)


def _folded(word: Value) -> str:
    """Dash and underscore, capital and small letters are the same, as in expressions."""
    return str(word).casefold().replace("-", "_")
