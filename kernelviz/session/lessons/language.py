"""The language of checks: `training_error == 0 and test_error < before(test_error)`.

Texts are parsed by `ast.parse` and interpreted here; nothing is ever evaluated by Python. The grammar is
that of Python expressions, restricted to

    and or not   == != < <= > >= (chained)   + - * /   numbers   "words"   abs(number)   before(anything)
    a name        `training_error`, `kernel.gamma`, `n`, `view.gram` (it is open), `layer.slack` (it is shown)
    a switch of a view that is open: `view.gram.face == "Mercer's sum"`, `view.loss.hinge`
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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.formulas import expression_tree
from kernelviz.engine.core.params import folded, nearest, unquoted

LONGEST_CHECK = 300  # Characters.
# Two numbers are equal when they agree to six digits: students compare what they see.
SAME_SHARE, SAME_DIFFERENCE = 1e-6, 1e-9

Type = Literal["number", "word", "truth"]
Value = float | str | bool | None  # None is unknown.
Pointer = str | int  # A point by its name, or by its number counted from 1.
LETTERS = "ABCD"
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


class Facts(Protocol):
    """The state that a check examines. Every method returns None for what does not exist at the moment."""

    def value(self, name: str, fit: int | None) -> Value:
        """Return the value of a name, for the active fit or for a numbered one."""

    def of_point(self, which: Pointer, attribute: str, fit: int | None) -> float | None:
        """Return a number of a point."""

    def entry(self, first: Pointer, second: Pointer, fit: int | None) -> float | None:
        """Return K(x_i, x_j)."""


@dataclass(frozen=True)
class Vocabulary:
    """The names a check may use: their types, the numbers of a point, the points that have a name, and the
    words that some names have as values."""

    names: Mapping[str, Type]
    of_points: tuple[str, ...] = ("alpha", "beta", "margin", "slack", "s", "sd", "x", "y", "selected")
    points: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


Evaluate = Callable[[Facts, Facts | None], Value]  # The value in a state, and in the state before it.


@dataclass(frozen=True)
class Check:
    """A parsed expression that is true, false or unknown."""

    text: str
    _evaluate: Evaluate = field(repr=False, compare=False)
    # What it asks for: names, `K`, and numbers of points such as `point.alpha`.
    names: frozenset[str] = field(default=frozenset(), compare=False)

    def holds(self, now: Facts, before: Facts | None = None) -> bool | None:
        """Return the answer for a state; `before` is the state that before(…) refers to."""
        answer = self._evaluate(now, before)
        return None if answer is None else bool(answer)


def parse_check(text: str, vocabulary: Vocabulary) -> Check:
    """Parse a check, or raise BadInput."""
    if not isinstance(text, str) or not text.strip():
        raise BadInput("A check is a text such as 'training_error == 0'.")
    if len(text) > LONGEST_CHECK:
        raise BadInput(f"A check has at most {LONGEST_CHECK} characters; this one has {len(text)}.")
    if (tree := expression_tree(text.strip())) is None:
        raise BadInput(f"{_quoted(text)} is not an expression such as 'training_error == 0'.")
    reader = _ExpressionReader(text.strip(), vocabulary)
    type_, evaluate = reader.read(tree)
    if type_ != "truth":
        raise BadInput(f"{_quoted(text)} is a {type_}, not a comparison: add '== …' or '< …'.")
    return Check(text.strip(), evaluate, frozenset(reader.names))


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:77]}…")


@dataclass
class _ExpressionReader:
    """Reads an expression node by node: its type, and a function of ours that gives its value."""

    text: str
    vocabulary: Vocabulary
    depth: int = 0
    in_before: bool = False
    names: set[str] = field(default_factory=set)

    def fail(self, problem: str) -> BadInput:
        return BadInput(f"The check {_quoted(self.text)} {problem}.")

    def read(self, node: ast.expr) -> tuple[Type, Evaluate]:
        deepest_check = 40  # Expressions inside each other.
        self.depth += 1
        if self.depth > deepest_check:
            raise self.fail("has too many expressions inside each other")
        try:
            return self._read(node)
        finally:
            self.depth -= 1

    def _read(self, node: ast.expr) -> tuple[Type, Evaluate]:
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Attribute(value=ast.Call() as call):
                return self._of_point(call, node.attr)
            case ast.Name() | ast.Attribute():
                return self._name(node)
            case ast.BoolOp():
                parts, either = self._all("truth", node.values, "and, or"), isinstance(node.op, ast.Or)
                return "truth", lambda now, before: _connected(either, [part(now, before) for part in parts])
            case ast.UnaryOp(op=ast.Not()):
                (inner,) = self._all("truth", [node.operand], "not")
                return "truth", lambda now, before: None if (x := inner(now, before)) is None else not x
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                (inner,) = self._all("number", [node.operand], "a sign")
                sign = -1.0 if isinstance(node.op, ast.USub) else 1.0
                return "number", lambda now, before: _computed(operator.mul, sign, inner(now, before))
            case ast.BinOp() if type(node.op) in _ARITHMETIC:
                left, right = self._all("number", [node.left, node.right], "arithmetic")
                compute = _ARITHMETIC[type(node.op)]
                return "number", lambda now, before: _computed(compute, left(now, before), right(now, before))
            case ast.Compare():
                return self._comparison(node)
            case ast.Call():
                return self._call(node)
        uses = ast.get_source_segment(self.text, node) or "something"
        raise self.fail(f"uses {uses!r}, which is not part of checks")

    def _all(self, wanted: Type, nodes: list[ast.expr], where: str) -> list[Evaluate]:
        """Return the values of expressions that must all be of one type."""
        read = [self.read(node) for node in nodes]
        for found, _ in read:
            if found != wanted:
                raise self.fail(f"needs a {wanted} for {where}, not a {found}")
        return [evaluate for _, evaluate in read]

    def _constant(self, node: ast.Constant) -> tuple[Type, Evaluate]:
        value = node.value
        if isinstance(value, bool):
            raise self.fail("has True or False in it: write the name alone, or 'not' before it")
        if isinstance(value, str):
            return "word", lambda now, before: value
        if isinstance(value, int | float) and abs(value) < 1e300:
            return "number", lambda now, before: value
        raise self.fail("has a value that is neither a number nor a word")

    def _comparison(self, node: ast.Compare) -> tuple[Type, Evaluate]:
        sides, kinds = [self.read(side) for side in (node.left, *node.comparators)], list(map(type, node.ops))
        for (first, _), kind, (second, _) in zip(sides, kinds, sides[1:], strict=False):
            if kind not in (*_ORDER, ast.Eq, ast.NotEq):
                raise self.fail("compares in a way that checks do not know: use == != < <= > >=")
            if first != second:
                raise self.fail(f"compares a {first} with a {second}")
            if first != "number" and kind in _ORDER:
                raise self.fail("puts words in order")
        self._require_known_words([node.left, *node.comparators])

        def evaluate(now: Facts, before: Facts | None) -> Value:
            values = [side(now, before) for _, side in sides]
            pairs = zip(values, kinds, values[1:], strict=False)
            return _connected(False, [_compared(left, kind, right) for left, kind, right in pairs])

        return "truth", evaluate

    def _require_known_words(self, nodes: list[ast.expr]) -> None:
        """Refuse a word that a switch it is compared with cannot have as its value."""
        names = [_dotted(node)[0] for node in nodes]
        words = [node.value for node in nodes if isinstance(node, ast.Constant)]
        for name in names:
            options = self.vocabulary.words.get(name, ())
            for word in map(str, words if options else ()):
                if folded(word) not in map(folded, options):
                    hint = nearest(unquoted(word), list(map(unquoted, options)))
                    raise BadInput(f"{name} is never {word!r}. {hint}")

    def _name(self, node: ast.Name | ast.Attribute) -> tuple[Type, Evaluate]:
        name, fit = _dotted(node)
        if not name:
            raise self.fail("has a name that is not a name")
        if (found := self.vocabulary.names.get(name)) is None:
            raise BadInput(f"There is nothing called {name!r}. {nearest(name, list(self.vocabulary.names))}")
        self.names.add(name)
        return found, lambda now, before: now.value(name, fit)

    def _of_point(self, call: ast.Call, attribute: str) -> tuple[Type, Evaluate]:
        name, fit = _dotted(call.func)
        if name != "point" or len(call.args) != 1 or call.keywords:
            raise self.fail('has a number of something that is no point: write point("p").alpha')
        which, known = self._pointer(call.args[0]), self.vocabulary.of_points
        if attribute not in known:
            raise BadInput(f"A point has no {attribute!r}. {nearest(attribute, known)}")
        self.names.add(f"point.{attribute}")
        return "number", lambda now, before: now.of_point(which, attribute, fit)

    def _pointer(self, node: ast.expr) -> Pointer:
        which, known = node.value if isinstance(node, ast.Constant) else None, self.vocabulary.points
        if isinstance(which, str):
            if which not in known:
                hint = nearest(which, known) if known else ""
                raise BadInput(f"The stage names no point {which!r}. {hint}".rstrip())
            return which
        if isinstance(which, bool) or not isinstance(which, int) or which < 1:
            raise self.fail("must name a point by a quoted name or by a number, counted from 1")
        return which

    def _call(self, node: ast.Call) -> tuple[Type, Evaluate]:
        (name, fit), count = _dotted(node.func), len(node.args)
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.fail("calls something with arguments that have names or stars")
        if name == "K" and count == 2:
            first, second = map(self._pointer, node.args)
            self.names.add("K")
            return "number", lambda now, before: now.entry(first, second, fit)
        if name == "abs" and count == 1:
            (inner,) = self._all("number", node.args, "abs")
            return "number", lambda now, before: _size(inner(now, before))
        if name == "before" and count == 1:
            if self.in_before:
                raise self.fail("has before(…) inside before(…)")
            self.in_before = True
            found, then = self.read(node.args[0])
            self.in_before = False
            return found, lambda now, before: None if before is None else then(before, None)
        if name == "point":
            raise self.fail('needs a number of the point, as in point("p").alpha')
        known = "there are abs(x), before(x), K(i, j) and point(p).alpha"
        raise self.fail(f"calls {name or 'something'}; {known}")


def _dotted(node: ast.expr) -> tuple[str, int | None]:
    """Return (name, number of the fit it is about) of `A.kernel.gamma`; no name if the node is none."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return "", None
    if parts and len(node.id) == 1 and node.id in LETTERS:
        return ".".join(reversed(parts)), LETTERS.index(node.id)
    return ".".join([node.id, *reversed(parts)]), None


# Values, any of which may be unknown -------------------------------------------------------------------
def _connected(either: bool, values: list[Value]) -> bool | None:
    """Return the disjunction or the conjunction in three-valued logic."""
    if any(value is not None and bool(value) is either for value in values):
        return either
    return None if None in values else not either


def _size(value: Value) -> float | None:
    return None if value is None or isinstance(value, str) else abs(value)


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
        same = folded(str(left)) == folded(str(right))
    else:
        same = math.isclose(left, right, rel_tol=SAME_SHARE, abs_tol=SAME_DIFFERENCE)
        if kind in _ORDER:
            return kind in (ast.LtE, ast.GtE) if same else _ORDER[kind](left, right)
    return same is (kind is ast.Eq)
