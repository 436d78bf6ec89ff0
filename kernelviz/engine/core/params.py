"""Parameters, declared once.

A kernel, an algorithm or a data set is a frozen dataclass whose fields are made by `real`, `integer`,
`choice` and `flag`. From that one declaration follow validation, the expression syntax
(`rbf(gamma=1)`), generated panel controls, the catalogue and the hypothesis strategies of the tests.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Literal, Self, TypedDict, Unpack

from kernelviz.engine.core.errors import BadInput


class Kind(ABC):
    """A kind of parameter: which values it accepts, and how it describes them.

    CONTRIBUTING.md says how to add one."""

    name: str
    values_are: Literal["number", "word", "truth"]  # As checks of lessons and the command line take them.
    several: bool = False  # Whether a value has several of them, so that an argument may be repeated.
    leads: bool = False  # Whether such a parameter comes before all others.

    @abstractmethod
    def check(self, value: Any, parameter: Parameter, where: str) -> Any:
        """Return the value in its declared type, or raise BadInput naming the parameter and its bounds."""

    @abstractmethod
    def values(self, parameter: Parameter) -> str:
        """Return the accepted values in a few words, for `kernelviz list`."""

    def bounds(self, parameter: Parameter) -> str:
        """Return the sentence about the accepted values that a tooltip shows; empty where none is needed."""
        return ""

    def record(self, parameter: Parameter) -> dict[str, Any]:
        """Return the facts about its values for the JSON of `kernelviz list`."""
        return {}


class NumberKind(Kind):
    """A number between two bounds, real or whole. One that was given by the name of a view stays as it was
    given."""

    values_are = "number"

    def __init__(self, name: str, whole: bool) -> None:
        self.name, self.whole = name, whole

    def check(self, value: Any, parameter: Parameter, where: str) -> float:
        plain = _python_scalar(value)
        if not _is_finite_number(plain):
            raise BadInput(f"{where} must be a finite number, not {value!r}.")
        if self.whole and plain != int(plain):
            raise BadInput(f"{where} must be a whole number, not {number(plain)}.")
        if not parameter.low <= plain <= parameter.high:
            raise BadInput(f"{where} must {within(parameter.low, parameter.high)}, not be {_short(plain)}.")
        if self.whole:
            return int(plain)
        return plain if isinstance(plain, Viewed) else float(plain)

    def values(self, parameter: Parameter) -> str:
        low, high = ("…" if math.isinf(end) else number(end) for end in (parameter.low, parameter.high))
        return f"{self.name} from {low} to {high}"

    def bounds(self, parameter: Parameter) -> str:
        return f"Must {within(parameter.low, parameter.high)}."

    def record(self, parameter: Parameter) -> dict[str, Any]:
        low, high = (None if math.isinf(end) else end for end in (parameter.low, parameter.high))
        return {"low": low, "high": high, "scale": parameter.scale}


class ChoiceKind(Kind):
    """One of a few named options, as declared or without blanks and signs: `three_widths`."""

    name = "choice"
    values_are = "word"

    def check(self, value: Any, parameter: Parameter, where: str) -> str:
        options = parameter.options
        if value in options:
            return str(value)
        spellings = {folded(option): option for option in options}
        if (found := spellings.get(folded(str(value)))) is not None:
            return found
        known = [unquoted(option) for option in options]
        hint = _closest(str(value), known)
        raise BadInput(f"{where} must be one of {', '.join(known)}, not {value!r}. {hint}".rstrip())

    def values(self, parameter: Parameter) -> str:
        return " | ".join(map(unquoted, parameter.options))

    def record(self, parameter: Parameter) -> dict[str, Any]:
        return {"options": list(parameter.options)}


class FlagKind(Kind):
    """Yes or no."""

    name = "flag"
    values_are = "truth"

    def check(self, value: Any, parameter: Parameter, where: str) -> bool:
        plain = _python_scalar(value)
        if isinstance(plain, int | float) and plain in (0, 1):
            return bool(plain)
        raise BadInput(f"{where} must be true or false, not {value!r}.")

    def values(self, parameter: Parameter) -> str:
        return "true | false"


REAL, INTEGER, CHOICE, FLAG = (
    NumberKind("real", whole=False),
    NumberKind("integer", whole=True),
    ChoiceKind(),
    FlagKind(),
)
Scale = Literal["linear", "log"]
Simpler = Literal["", "smaller", "larger"]


@dataclass(frozen=True)
class Unit:
    """Another name for the same parameter, in other units: sigma for gamma = 1/(2 sigma²).

    Values given by the name of a view are converted, and bounds in messages are those of the view. The object
    remembers how the value was given: `rbf(sigma=2)` prints as `rbf(sigma=2)`."""

    name: str
    label: str
    help: str
    to_canonical: Callable[[float], float]
    from_canonical: Callable[[float], float]
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names it may have in an expression."""
        return (self.name, *self.aliases)

    def of(self, parameter: Parameter) -> Parameter:
        """Return the parameter in this view's terms."""
        low, high = sorted(self.from_canonical(end) for end in (parameter.low, parameter.high))
        return Parameter(self.name, REAL, low, low=low, high=high, scale=parameter.scale)

    def check(self, value: Any, parameter: Parameter, owner: str) -> float:
        """Return the canonical value, or raise BadInput with the bounds in this view's terms."""
        canonical = self.to_canonical(self.of(parameter).check(value, owner))
        # Rounding must not push a value on the edge of the view's range out of the parameter's.
        return min(max(canonical, parameter.low), parameter.high)


class Viewed(float):
    """A value that was given by the name of a view, or by a word for what it will be, and is printed as it
    was given."""

    name: str
    given: float | str

    def __new__(cls, value: float, name: str = "", given: float | str = 0.0) -> Self:
        made = super().__new__(cls, value)
        made.name, made.given = name, given
        return made


class Verbatim(str):
    """A text that is printed in expressions as it is, such as a formula."""


@dataclass(frozen=True)
class Parameter:
    """The declaration of one parameter, from which checks, controls, expressions and catalogues are made.

    `low` and `high` bound the accepted values; `soft` is the range a slider covers. A `silent` parameter
    is left out of printed expressions while it has its default value. `simpler` names the end of the range
    that makes the smoother or coarser fit: among equally good values the one nearest to it is chosen."""

    name: str
    kind: Kind
    default: Any
    low: float = -math.inf
    high: float = math.inf
    soft: tuple[float, float] = (0.0, 1.0)
    scale: Scale = "linear"
    options: tuple[str, ...] = ()
    label: str = ""
    help: str = ""
    group: str = ""  # The heading under which a form shows it; empty for one that stands elsewhere.
    silent: bool = False
    views: tuple[Unit, ...] = ()
    simpler: Simpler = ""

    def check(self, value: Any, owner: str) -> Any:
        """Return the value in its declared type, or raise BadInput naming the parameter and its bounds."""
        return self.kind.check(value, self, f"{self.name} of {owner}")

    @property
    def names(self) -> tuple[str, ...]:
        """Its name, and those of its views."""
        return (self.name, *(name for view in self.views for name in view.names))

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, real or whole."""
        return isinstance(self.kind, NumberKind)

    @property
    def is_whole(self) -> bool:
        """Whether its values are whole numbers."""
        return isinstance(self.kind, NumberKind) and self.kind.whole


def within(low: float, high: float) -> str:
    """Return the words that follow "must" in a sentence about bounds, such as "lie between 0 and 1"."""
    if math.isinf(high):
        return f"be at least {_short(low)}" if math.isfinite(low) else "be a finite number"
    if math.isinf(low):
        return f"be at most {_short(high)}"
    return f"lie between {_short(low)} and {_short(high)}"


def _short(value: float) -> str:
    """Return a number for a sentence, exact if that is short."""
    exact = number(value)
    return exact if len(exact) <= 10 else f"{value:.4g}"


def _python_scalar(value: Any) -> Any:
    """Return a numpy scalar as a Python number, and anything else unchanged."""
    if isinstance(value, int | float):
        return value
    try:
        return value.item()
    except (AttributeError, ValueError):
        return value


def _is_finite_number(value: Any) -> bool:
    """Return True for a Python number, not a truth value, that is finite as a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def number(value: float) -> str:
    """Return the shortest text that reads back as the same number: 1, 0.5, 1e-06."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value) or value != int(value):
        return repr(float(value))
    short = f"{value:.0e}"
    return short if abs(value) >= 1e7 and float(short) == value else str(int(value))


def nearest(name: str, known: Sequence[str]) -> str:
    """Return "Did you mean X?" if a known name is close, else the list of known names.

    The sentence ends a message about an unknown name."""
    return _closest(name, known) or f"Known: {', '.join(known)}."


def _closest(name: str, known: Sequence[str]) -> str:
    """Return 'Did you mean X?' if a known name is close, else nothing."""
    folded = {k.lower().replace("-", "_"): k for k in known}
    close = difflib.get_close_matches(name.lower().replace("-", "_"), folded, n=1, cutoff=0.5)
    return f"Did you mean {folded[close[0]]}?" if close else ""


def unquoted(option: str) -> str:
    """Return an option as it is written in an expression, without blanks and signs: `Mercers_sum`."""
    if re.fullmatch(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*", option):
        return option
    letters = unicodedata.normalize("NFKD", option.replace("'", ""))
    return "_".join(re.findall(r"[A-Za-z0-9]+", letters))


def folded(option: str) -> str:
    """Return what all spellings of an option have in common, such as `three_widths` and `three widths`."""
    return (unquoted(option) or option).casefold().replace("-", "_")


def _spellings(name: str) -> tuple[str, ...]:
    """Return the name with dash and underscore treated alike."""
    return (name, name.replace("_", "-"), name.replace("-", "_"))


class Shown(TypedDict, total=False):
    """The facts that every kind of parameter may declare besides its values: the fields of `Parameter`, and
    whether it comes last, after the parameters that subclasses declare."""

    label: str
    help: str
    group: str
    silent: bool
    last: bool


def _declare(kind: Kind, default: Any, *, last: bool = False, **facts: Any) -> Any:
    """Return a field of a dataclass that declares a parameter. Its name is that of the field."""
    parameter = Parameter("", kind, default, **facts)
    return field(default=default, metadata={"parameter": parameter}, kw_only=last)


def real(
    default: float,
    *,
    low: float,
    high: float,
    soft: tuple[float, float] | None = None,
    scale: Scale = "linear",
    views: tuple[Unit, ...] = (),
    simpler: Simpler = "",
    **shown: Unpack[Shown],
) -> Any:
    """Declare a real parameter in [low, high].

        gamma: float = real(1.0, low=1e-3, high=1e3, soft=(0.1, 10.0), scale="log", label="γ", help="…")

    soft: the range of its slider, by default all of it. scale: "linear" or "log". views: other names for it.
    simpler: which end of the range makes the smoother fit, "smaller" or "larger"."""
    values = {"low": low, "high": high, "soft": soft or (low, high), "scale": scale}
    return _declare(REAL, float(default), **values, views=views, simpler=simpler, **shown)


def integer(
    default: int,
    *,
    low: int,
    high: int,
    soft: tuple[int, int] | None = None,
    scale: Scale = "linear",
    simpler: Simpler = "",
    **shown: Unpack[Shown],
) -> Any:
    """Declare a whole-number parameter in low..high; the arguments are those of `real`."""
    values = {"low": low, "high": high, "soft": soft or (low, high), "scale": scale}
    return _declare(INTEGER, default, **values, simpler=simpler, **shown)


def random_seed(help: str, *, silent: bool = False, last: bool = False) -> Any:
    """Declare the seed of random numbers."""
    return integer(0, low=0, high=2**31 - 1, soft=(0, 100), label="seed", help=help, silent=silent, last=last)


def choice(default: str, options: Sequence[str], **shown: Unpack[Shown]) -> Any:
    """Declare a parameter with a few named options, of which `default` is one."""
    return _declare(CHOICE, default, options=tuple(options), **shown)


def flag(default: bool, **shown: Unpack[Shown]) -> Any:
    """Declare a yes-or-no parameter."""
    return _declare(FLAG, default, **shown)


def of_kind(kind: Kind, default: Any, options: Sequence[str] = (), **shown: Unpack[Shown]) -> Any:
    """Declare a parameter of a given kind, which says what the options are."""
    return _declare(kind, default, options=tuple(options), **shown)


@dataclass(frozen=True)
class Declared:
    """The base of kernels, algorithms, data sets and views: declared parameters, checked on construction.

    A subclass is a frozen dataclass whose fields are made by `real`, `integer`, `choice` and `flag`:

        @dataclass(frozen=True)
        class Lamp(Declared):
            name = "lamp"
            power: float = real(40.0, low=1.0, high=100.0, label="P", help="Watts")

        Lamp(power=60)            # Lamp(power=200) raises BadInput with the bounds
        str(Lamp(60))             # "lamp(power=60)", which parses back to an equal object
        Lamp(60).replace(power=7)"""

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    summary_line: ClassVar[str] = ""
    other_names: ClassVar[tuple[str, ...]] = ()  # By which others know it, such as knn.
    family: ClassVar[str] = ""  # The heading it is listed under.
    made_by: ClassVar[str] = ""  # The function that makes it of its expression, for `repr`.
    # Simple ones have low numbers and come first in the family, whose own place is that of its simplest.
    place: ClassVar[int] = 99

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.made_by:  # where a class has none, its dataclass decorator writes one
            setattr(cls, "__repr__", lambda self: f"{cls.made_by}({str(self)!r})")  # noqa: B010

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = parameter.check(getattr(self, parameter.name), self.name or self.title.lower())
            object.__setattr__(self, parameter.name, value)

    @classmethod
    @cache  # asked for whenever something declared is made
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declared parameters in the order of their declaration, those that lead first and those
        that come last at the end."""
        fields = [f for f in dataclasses.fields(cls) if "parameter" in f.metadata]
        fields.sort(key=lambda f: (not f.metadata["parameter"].kind.leads, f.kw_only is True))
        declared = [(f.name, f.metadata["parameter"]) for f in fields]
        return tuple(dataclasses.replace(p, name=name, label=p.label or name) for name, p in declared)

    @classmethod
    def parameter(cls, name: str) -> Parameter:
        """Return the declared parameter of that name."""
        return next(p for p in cls.parameters() if p.name == name)

    @classmethod
    def resolve(cls, key: str, value: Any) -> tuple[str, Any]:
        """Return (parameter, checked value) for a name and value as the user wrote them, views included:
        ("sigma", 1) -> ("gamma", 0.5)."""
        parameters = {p.name: p for p in cls.parameters()}
        views = {name: (p, v) for p in parameters.values() for v in p.views for name in v.names}
        for spelling in _spellings(key):
            if spelling in parameters:
                return spelling, parameters[spelling].check(value, cls.name)
            if spelling in views:
                parameter, view = views[spelling]
                return parameter.name, Viewed(view.check(value, parameter, cls.name), spelling, float(value))
        known = [*parameters, *views]
        hint = nearest(key, known) if known else "It has no parameters."
        raise BadInput(f"{cls.name} has no parameter {key!r}. {hint}")

    def values(self) -> dict[str, Any]:
        """Return the parameter values by name."""
        return {p.name: getattr(self, p.name) for p in self.parameters()}

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed."""
        return dataclasses.replace(self, **changes)

    def expression(self) -> str:
        """Return the text that parses back to this object, e.g. `polynomial(degree=3, c=1)`."""
        shown = [
            assigned(p.name, value)
            for p, value in zip(self.parameters(), self.values().values(), strict=True)
            if not (p.silent and value == p.default)
        ]
        return f"{self.name}({', '.join(shown)})" if shown else self.name

    def __str__(self) -> str:
        return self.expression()


def assigned(name: str, value: Any) -> str:
    """Return `name=value` for an expression, with the name and the digits that were given."""
    if isinstance(value, Viewed):
        name, value = value.name, value.given
    if isinstance(value, Verbatim):
        return f"{name}={value}"
    return f"{name}={unquoted(value) if isinstance(value, str) else number(value)}"
