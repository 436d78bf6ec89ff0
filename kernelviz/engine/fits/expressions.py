"""The expression language: `rbf(gamma=1) + 0.5*polynomial(degree=3, c=1)` <-> objects.

    kernel    = product { "+" product }
    product   = factor { "*" factor }
    factor    = number | "(" kernel ")" | call
    call      = name [ "(" [ argument { "," argument } ] ")" ]
    argument  = [ name "=" ] ( number | name | quoted | formula )

`rbf(gamma=median)` and `rbf(gamma=scale)` stand for numbers that are computed from the points (`widths.py`);
the kernel then has that number.

A formula, which only data sets have, is the text up to the next comma or closing parenthesis
(`core/formulas.py`). Algorithms and data sets are a single call. Only declared names and values within
declared bounds come through; printing is `str(object)`. Length and depth are bounded, so that no text can
exhaust the parser; `kernels/base.py` bounds what may be composed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from operator import mul
from typing import Any, Literal, NoReturn, TypeVar, cast

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.widths import LaterPoints, is_width, width_of, with_widths
from kernelviz.engine.kernels.base import DEEPEST, TOO_DEEP, Kernel

D = TypeVar("D", bound=Declared)
T = TypeVar("T")

TOKEN = re.compile(
    r"""(?P<blank>\s+)
      | (?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<name>[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*)
      | (?P<quoted>"[^"]*"|'[^']*')
      | (?P<sign>[-+*(),=×·])
      | (?P<formula>[/<>^])""",
    re.VERBOSE,
)


class BadExpression(BadInput):
    """A text that is not an expression; `position` is where, counted from 0."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def parse_kernel(text: str, X: Any = None) -> Kernel:
    """Parse a kernel, or raise BadExpression. X: the points that `gamma=median` and `gamma=scale` adapt
    to."""
    return _ExpressionParser(text, "kernel", X).whole_kernel()


def parse_open_kernel(text: str) -> Kernel:
    """Parse a kernel whose points come later: its `str` has the words by which its widths were given, and
    `parse_kernel` of that the numbers."""
    return parse_kernel(text, LaterPoints())


def parse_algorithm(text: str) -> Algorithm:
    """Parse an algorithm, or raise BadExpression."""
    return _ExpressionParser(text, "algorithm").whole_call(registry.algorithms())


def parse_dataset(text: str) -> DataSet:
    """Parse a data set, or raise BadExpression."""
    return _ExpressionParser(text, "data set").whole_call(registry.datasets())


def parse_call(text: str, kind: str, known: Mapping[str, type[D]]) -> D:
    """Parse a text such as `name(parameter=1)` to an object of a known class, or raise BadExpression."""
    return _ExpressionParser(text, kind).whole_call(known)


def calls(text: str) -> list[str]:
    """Return the parts of a text such as `loss(hinge=true), gram` between commas outside of parentheses."""
    parts, depth, begin = [], 0, 0
    for token in _tokens(text):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.kind == "end" or (token.text == "," and depth <= 0):
            parts.append(text[begin : token.position].strip())
            begin = token.position + 1
    return [part for part in parts if part]


Kind = Literal["number", "name", "quoted", "sign", "formula", "end"]  # All but the last are groups of TOKEN.


@dataclass(frozen=True)
class _Token:
    kind: Kind
    text: str
    position: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else repr(self.text)


def _tokens(text: str, formulas: bool = False) -> list[_Token]:
    """Return the tokens of a text, with one for its end, or raise BadExpression. formulas:
    whether signs are read that only formulas have."""
    found: list[_Token] = []
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None or (match.lastgroup == "formula" and not formulas):
            outside = " outside of quotation marks" if "=" in text[:position] else ""
            _fail(text, position, f"{text[position]!r} is not allowed here{outside}")
        if match.lastgroup != "blank":
            sign = {"×": "*", "·": "*"}.get(match.group(), match.group())
            found.append(_Token(cast(Kind, match.lastgroup), sign, position))
        position = match.end()
    return [*found, _Token("end", "", len(text))]


def _fail(text: str, position: int, problem: str) -> NoReturn:
    """Raise BadExpression with the sentence, the position and the text around it."""
    shown = text if len(text) <= 60 else f"{text[:position][-30:] or text[:30]}…"
    sentence = problem if problem.endswith((".", "?")) else f"{problem}."
    raise BadExpression(f"{sentence} (Character {position + 1} of {shown!r}.)", position)


def _one(kind: str) -> str:
    return f"An {kind}" if kind[0] in "aeiou" else f"A {kind}"


class _ExpressionParser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str, kind: str, X: Any = None) -> None:
        if not isinstance(text, str):
            raise BadInput(f"{_one(kind)} is written as text, not as {text!r}.")
        most_characters = 10_000  # Characters: room for the largest composition with all its digits.
        if len(text) > most_characters:
            sentence = f"The expression is {len(text)} characters long; at most {most_characters} are read."
            raise BadExpression(sentence, most_characters)
        if not text.strip():
            raise BadExpression(f"The {kind} is missing: the expression is empty.", 0)
        self.text = text
        self.kind = kind
        self.X = X
        self.tokens = _tokens(text, kind == "data set")
        self.next = 0
        self.depth = 0

    # Tokens ---------------------------------------------------------------------------------------------
    @property
    def token(self) -> _Token:
        return self.tokens[self.next]

    def take(self) -> _Token:
        taken = self.token
        self.next += 1
        return taken

    def met(self, sign: str) -> bool:
        """Step over the sign if it comes next, and return True if it did."""
        if self.token.kind == "sign" and self.token.text == sign:
            self.next += 1
            return True
        return False

    def fail(self, problem: str, token: _Token | None = None) -> NoReturn:
        _fail(self.text, (token or self.token).position, problem)

    def finish(self) -> None:
        """Raise BadExpression unless the text has come to its end; the message says what may be missing."""
        if self.token.kind == "end":
            return
        if self.kind == "kernel" and self.token.text == "-":
            self.fail("Kernels can be added and multiplied, not subtracted")
        if self.kind == "kernel" and (self.token.kind in ("name", "number") or self.token.text == "("):
            self.fail(f"Write + or * before {self.token}")
        self.fail(f"{self.token} is not expected here")

    # Kernels --------------------------------------------------------------------------------------------
    def whole_kernel(self) -> Kernel:
        kernel = self.sum()
        self.finish()
        return kernel

    def sum(self) -> Kernel:
        """Parse `product { "+" product }`."""
        start = self.token
        terms = [self.product()]
        while self.met("+"):
            terms.append(self.product())
        return terms[0] if len(terms) == 1 else self.built(lambda: sum(terms[1:], terms[0]), start)

    def product(self) -> Kernel:
        """Parse `factor { "*" factor }`; numbers among the factors go in front."""
        start = self.token
        factors = [self.factor()]
        while self.met("*"):
            factors.append(self.factor())
        kernels = [factor for factor in factors if not isinstance(factor, float)]
        if not kernels:
            self.fail(f"The number {start.text} must multiply a kernel, as in {start.text}*linear", start)
        numbers = [factor for factor in factors if isinstance(factor, float)]
        return self.built(lambda: reduce(mul, numbers, reduce(mul, kernels)), start)

    def factor(self) -> Kernel | float:
        if self.token.text == "-" and self.tokens[self.next + 1].kind != "end":
            following = self.tokens[self.next + 1]
            what = f"-{following.text}" if following.kind == "number" else "a negative number"
            self.fail(f"A kernel may be scaled by zero or a positive number only, not by {what}")
        if self.token.kind == "number":
            return float(self.take().text)
        if self.met("("):
            return self.parenthesised(self.tokens[self.next - 1])
        return self.call(registry.kernels())

    def parenthesised(self, opening: _Token) -> Kernel:
        """Parse a kernel up to the parenthesis that closes the opening one."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(TOO_DEEP, opening)
        inside = self.sum()
        if not self.met(")"):
            if self.token.kind == "end":
                self.fail("This parenthesis is never closed", opening)
            self.finish()
        self.depth -= 1
        return inside

    def built(self, build: Callable[[], T], start: _Token) -> T:
        """Return what `build` makes; a BadInput it raises gets the position."""
        try:
            return build()
        except BadExpression:
            raise
        except BadInput as problem:
            self.fail(str(problem), start)

    # Calls ----------------------------------------------------------------------------------------------
    def whole_call(self, known: Mapping[str, type[D]]) -> D:
        found = self.call(known)
        self.finish()
        return found

    def call(self, known: Mapping[str, type[D]]) -> D:
        """Parse `name(arguments)` and return the object of that class."""
        name = self.token
        if name.kind != "name":
            self.fail(f"{_one(self.kind)} is expected here, not {name}")
        self.next += 1
        cls = self.built(lambda: registry.look_up(name.text, known, self.kind), name)
        values: dict[str, Any] = {}
        if self.met("("):
            opening = self.tokens[self.next - 1]
            if not self.met(")"):
                self.arguments(cls, values, opening)
        found = self.built(lambda: cls(**{k: v for k, v in values.items() if not is_width(v)}), name)
        words = {key: value for key, value in values.items() if is_width(value)}
        if words and isinstance(found, Kernel):
            kernel = found
            return self.built(lambda: cast(D, with_widths(kernel, words, self.X)), name)
        return found

    def arguments(self, cls: type[Declared], values: dict[str, Any], opening: _Token) -> None:
        """Parse the arguments up to the closing parenthesis and put their checked values into `values`."""
        in_order = [p.name for p in cls.parameters()]
        named = False
        for place in range(len(self.tokens)):
            start = self.token
            if start.kind == "name" and self.tokens[self.next + 1].text == "=":
                named = True
                self.next += 2
                key = start.text
            elif named:
                self.fail("A value without a name must come before the named ones")
            elif place >= len(in_order):
                most = f"has only the parameters {', '.join(in_order)}" if in_order else "has no parameters"
                self.fail(f"{cls.name} {most}")
            else:
                key = in_order[place]
            formula = any(p.kind.leads and p.name == key for p in cls.parameters())
            value = self.formula() if formula else self.value(key)
            if self.kind == "kernel" and is_width(value):
                target, checked = self.built(partial(width_of, cls, key, value), start)
            else:
                target, checked = self.built(partial(cls.resolve, key, value), start)
            if target in values:
                self.fail(f"{cls.name} is given {target} twice", start)
            values[target] = checked
            if self.met(")"):
                return
            if not self.met(","):
                if self.token.kind == "end":
                    self.fail("This parenthesis is never closed", opening)
                self.fail(f"A comma or a closing parenthesis is expected here, not {self.token}")

    def formula(self) -> str:
        """Return the text up to the next comma or closing parenthesis outside of its own parentheses."""
        begin, depth = self.token, 0
        while self.token.kind != "end" and (depth or self.token.text not in (",", ")")):
            depth += {"(": 1, ")": -1}.get(self.token.text, 0)
            self.next += 1
        written = self.text[begin.position : self.token.position].strip()
        return written[1:-1] if begin.kind == "quoted" else written

    def value(self, key: str) -> Any:
        """Return a number, true, false, a bare word, or the words between quotes."""
        negative = self.met("-")
        if not negative:
            self.met("+")
        token = self.token
        if token.kind == "number":
            self.next += 1
            # Past float's exact integers a whole number is read as a float, which the bounds then refuse.
            whole = token.text.isdigit() and len(token.text) < 19
            size: float = int(token.text) if whole else float(token.text)
            return -size if negative else size
        if token.kind == "quoted" and not negative:
            self.next += 1
            return token.text[1:-1]
        if token.kind != "name" or negative:
            self.fail(f"A value for {key} is expected here, not {token}")
        self.next += 1
        return {"true": True, "false": False}.get(token.text.lower(), token.text)
