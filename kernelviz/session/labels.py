r"""Labels: texts that an author types for a figure, with mathematics between two $.

>>> pieces(r"speed $v_1$ (in \$)")
['speed ', 'v_1', ' (in $)']"""

from __future__ import annotations

import re
from typing import Any

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Kind, Parameter

LONGEST_LABEL = 500  # Characters: no figure has room for more.


class LabelKind(Kind):
    r"""A line of text with LaTeX between two $; \$ is a dollar, and so is a single $."""

    name = "label"
    values_are = "word"

    def check(self, value: Any, parameter: Parameter, where: str) -> str:
        if not isinstance(value, str):
            raise BadInput(f"{where} must be a text, not {value!r}.")
        thin_and_fixed = "\u00a0\u2009\u202f"  # Spaces that are kept.
        text = "".join(s if s.isprintable() or s in thin_and_fixed else " " for s in value).strip()
        if len(text) > LONGEST_LABEL:
            raise BadInput(
                f"{parameter.label}: {len(text)} characters are too many for a figure; "
                f"the most are {LONGEST_LABEL}."
            )
        return text

    def values(self, parameter: Parameter) -> str:
        return "a text, with LaTeX between two $"


class LabelsKind(Kind):
    """Several labels: a list of them, or a text with semicolons between them."""

    name = "labels"
    values_are = "word"
    several = True

    def check(self, value: Any, parameter: Parameter, where: str) -> tuple[str, ...]:
        parts = value.split(";") if isinstance(value, str) else value
        if not isinstance(parts, list | tuple):
            raise BadInput(f"{where} must be a list of texts, not {value!r}.")
        found = [LABEL.check(part, parameter, where) for part in parts]
        while found and not found[-1]:
            found.pop()
        return tuple(found)

    def values(self, parameter: Parameter) -> str:
        return "texts, with LaTeX between two $"


class EntriesKind(LabelsKind):
    """Entries of a legend in other words: `class +=healthy`; with no words at all an entry is left out."""

    name = "entries"

    def check(self, value: Any, parameter: Parameter, where: str) -> tuple[str, ...]:
        found = tuple(filter(None, super().check(value, parameter, where)))
        for each in found:
            if not re.search(r"\S\s*=", each):
                raise BadInput(
                    f"{parameter.label} are written as NAME=WORDS, as in “class +=healthy”, not as {each!r}."
                )
        return found


LABEL, LABELS, ENTRIES = LabelKind(), LabelsKind(), EntriesKind()


def pieces(typed: str) -> list[str]:
    """Return the text and the formulas of a label in turn, beginning with text."""
    parts = re.split(r"(?<!\\)\$", typed)
    if len(parts) % 2 == 0:
        parts[-2:] = ["$".join(parts[-2:])]
    return [part if k % 2 else part.replace(r"\$", "$") for k, part in enumerate(parts)]


def renaming(entry: str, names: list[str]) -> tuple[str, str] | None:
    """Return which of the names an entry such as "s = 0=the boundary" is about, and its words; None if it is
    about none of them. A minus sign may be typed as a hyphen, ± as +-."""
    known = {_folded(name): name for name in names}
    for sign in re.finditer("=", entry):
        if (name := known.get(_folded(entry[: sign.start()]))) is not None:
            return name, entry[sign.end() :].strip()
    return None


def _folded(name: str) -> str:
    return re.sub(r"\s", "", name).replace("−", "-").replace("±", "+-").casefold()
