"""The typefaces that a figure can be set in: two that come with the program, and all that are installed."""

from __future__ import annotations

from typing import Any

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Kind, Parameter

BUNDLED = ("Inter", "STIX Two Text")  # The first is that of the window.


class TypefaceKind(Kind):
    """The name of a family; one of ours may be shortened to its first word."""

    name = "typeface"
    values_are = "word"

    def check(self, value: Any, parameter: Parameter, where: str) -> str:
        text, longest = str(value).strip(), 100
        if not text or len(text) > longest or not text.isprintable():
            raise BadInput(
                f"{where} must be the name of a typeface, such as {BUNDLED[1]}, not {text[:40]!r}."
            )
        short = text.casefold()
        names = {
            spelling: name for name in BUNDLED for spelling in (name.casefold(), name.split()[0].casefold())
        }
        return names.get(short, text)

    def values(self, parameter: Parameter) -> str:
        return f"{' | '.join(BUNDLED)} | any installed typeface"


TYPEFACE = TypefaceKind()
