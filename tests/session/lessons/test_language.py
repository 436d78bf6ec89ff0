"""The language of checks: what it says, what it refuses, and that nothing in it is ever evaluated."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.language import LONGEST_CHECK, Check, Pointer, Value, Vocabulary, parse_check

VOCABULARY = Vocabulary(
    {"n": "number", "error": "number", "kernel": "word", "kernel.gamma": "number", "view.gram": "truth"},
    points=("p",),
)


@dataclass
class Known:
    """Facts from a table; what is not there is unknown."""

    values: dict[str, Value] = field(default_factory=dict)

    def value(self, name: str, fit: int | None) -> Value:
        return self.values.get(f"{'' if fit is None else 'ABCD'[fit] + '.'}{name}")

    def of_point(self, which: Pointer, attribute: str, fit: int | None) -> float | None:
        return self.values.get(f"{which}.{attribute}")  # type: ignore[return-value]

    def entry(self, first: Pointer, second: Pointer, fit: int | None) -> float | None:
        return self.values.get(f"K({first}, {second})")  # type: ignore[return-value]


def check(text: str) -> Check:
    return parse_check(text, VOCABULARY)


FACTS = Known(
    {
        "n": 20.0,
        "kernel": "random-features",
        "kernel.gamma": 2.0,
        "view.gram": True,
        "A.n": 20.0,
        "B.n": 10.0,
        "p.alpha": 0.5,
        "3.alpha": 0.25,
        "K(1, 2)": 0.75,
        "K(p, 2)": 0.5,
    }
)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("n == 20", True),
        ("n != 20", False),
        ("1 < kernel.gamma <= 2", True),
        ("1 < kernel.gamma < 2", False),
        ("n / 4 - 1 == kernel.gamma * 2", True),
        ("-n < +n", True),
        ("abs(kernel.gamma - 5) == 3", True),
        ("kernel == 'random_features'", True),
        ('kernel != "rbf"', True),
        ("view.gram and not n == 3", True),
        ("A.n > B.n", True),
        ('point("p").alpha == 2 * point(3).alpha', True),
        ('K(1, 2) > K("p", 2)', True),
        ("n > 3 or error > 3", True),
        ("n < 3 and error > 3", False),
        ("n > 3 and error > 3", None),
        ("n < 3 or error > 3", None),
        ("not error > 3", None),
        ("error == 0", None),
        ("n / 0 == 1", None),
        ("D.n == 1", None),
        ("point(7).alpha == 1", None),
        ("0.1 + 0.2 == 0.3", True),
        ("n * (1 + 1e-12) > n", False),
        ("before(n) == 20", None),
    ],
)
def test_a_check_is_true_false_or_unknown(text: str, answer: bool | None) -> None:
    assert check(text).holds(FACTS) is answer


def test_before_is_about_the_state_before() -> None:
    assert check("n > before(n)").holds(FACTS, Known({"n": 3.0})) is True
    assert check("n > before(n + 30)").holds(FACTS, Known({"n": 3.0})) is False


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("traning_error == 0", "nothing called 'traning_error'"),
        ("kernel.gama > 1", "Did you mean kernel.gamma?"),
        ('point("q").alpha > 0', "names no point 'q'. Known: p."),
        ('point("p").alfa > 0', "Did you mean alpha?"),
        ('point("p") > 0', "needs a number of the point"),
        ("point(0).alpha > 0", "counted from 1"),
        ("K(1) > 0", "there are abs(x)"),
        ("n", "is a number, not a comparison"),
        ("kernel", "is a word, not a comparison"),
        ("kernel < 'rbf'", "puts words in order"),
        ("kernel == 3", "compares a word with a number"),
        ("kernel + 'x' == 'y'", "needs a number for arithmetic"),
        ("n and view.gram", "needs a truth for and, or"),
        ("before(before(n)) > 1", "inside before"),
        ("n is 3", "use =="),
        ("n in 3", "use =="),
        ("n ** 2 == 4", "not part of checks"),
        ("n if view.gram else n", "not part of checks"),
        ("[n for n in n] == 3", "not part of checks"),
        ("(lambda: n)() == 3", "there are abs(x)"),
        ("__import__('os') == 3", "there are abs(x)"),
        ("n.__class__ == 3", "nothing called 'n.__class__'"),
        ("().__class__ == 3", "not a name"),
        ("f'{n}' == 'x'", "not part of checks"),
        ("(n := 3) == 3", "not part of checks"),
        ("abs(*n) == 3", "names or stars"),
        ("abs(x=n) == 3", "names or stars"),
        ("view.gram == True", "True or False"),
        ("n == 1e999", "neither a number nor a word"),
        ("n == 3j", "neither a number nor a word"),
        ("n = 3", "is not an expression"),
        ("n == ", "is not an expression"),
        ("", "A check is a text"),
        ("n == 1" + " or n == 1" * 40, f"at most {LONGEST_CHECK}"),
        ("-" * 250 + "1 == 1", "inside each other"),
        ("\0", "is not an expression"),
    ],
)
def test_everything_else_is_refused_with_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(BadInput) as refusal:
        check(text)
    assert problem in str(refusal.value)


PIECES = st.sampled_from(
    [
        *("n", "kernel", "kernel.gamma", "view.gram", "A.", "B.", "point", "K", "abs", "before", "alpha"),
        *("(", ")", "[", "]", "{", "}", ",", ".", ":", ":=", "==", "!=", "<", "<=", ">", "=", "+", "-", "*"),
        *("**", "/", "//", "%", "@", "and", "or", "not", "in", "is", "if", "else", "for", "lambda", "await"),
        *("1", "0", "1e5", "'p'", '"x"', "f'{n}'", "__import__", "os", "exec", "open", "\\", "\n", " ", "…"),
        *("True", "None", "...", "_", "__class__", "1is", "0x", "b'x'"),
    ]
)


@given(st.lists(PIECES, max_size=40).map(" ".join) | st.text(max_size=350))
def test_no_text_does_anything_but_parse_or_be_refused(text: str) -> None:
    try:
        found = check(text)
    except BadInput:
        return
    assert found.holds(FACTS, FACTS) in (True, False, None)
    assert found.holds(Known(), Known()) in (True, False, None)


def test_nothing_is_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[object] = []
    for name in ("eval", "exec", "__import__", "open", "compile"):
        if name not in ("__import__", "compile"):  # which ast.parse and Python itself use
            monkeypatch.setattr(f"builtins.{name}", lambda *a, **k: called.append(a))
    for text in ("eval('1') == 1", "open('x') == 1", "exec('1') == 1"):
        with pytest.raises(BadInput):
            check(text)
    assert check("n == 20").holds(FACTS)
    assert not called
