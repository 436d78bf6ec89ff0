"""Lines of text as changes of the document: other points, another fit, a parameter, a link.

>>> session.change(*typed("rbf(gamma=2) + linear", session.document))"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.parsing import algorithm, kernel, parse_fit
from kernelviz.engine.fits.widths import SOME_POINTS
from kernelviz.session.state import Document
from kernelviz.session.suiting import check_domain


class TypedChange(NamedTuple):
    """A change of the document: the name of its step of undo, and the parts that it replaces."""

    name: str
    parts: dict[str, Any]


def typed(text: str, document: Document) -> TypedChange:
    """Return the change that a text describes, or raise BadInput.

    It can be a data set, a kernel, an algorithm, both as "KERNEL ; ALGORITHM", or a parameter as in "C = 10"
    or "kernel.gamma = 2"."""
    if (found := re.fullmatch(r"\s*(?:(\w+)\.)?(\w+)\s*=\s*(\S+)\s*", text)) is not None:
        return _parameter(found[1], found[2], found[3], document)
    X = document.data.numbers if document.data.n else SOME_POINTS
    if ";" in text:
        fit = parse_fit(text, X)
        check_domain(fit.kernel, document.data)
        return TypedChange("choose fit", {"kernel": fit.kernel, "algorithm": fit.algorithm})
    name = re.split(r"[(\s]", text.strip(), maxsplit=1)[0]
    if registry.knows(name, registry.datasets()):
        dataset = parse_dataset(text)
        parts = {"data": dataset.make(), "source": dataset.expression(), "standardised": False}
        return TypedChange("choose data set", parts)
    if registry.knows(name, registry.algorithms()):
        return TypedChange("choose algorithm", {"algorithm": algorithm(text)})
    chosen = kernel(text, X)
    check_domain(chosen, document.data)
    return TypedChange("choose kernel", {"kernel": chosen})


def _parameter(whose: str | None, name: str, value: str, document: Document) -> TypedChange:
    """Return the change of a parameter of the algorithm or, if that has none of the name, of the kernel."""
    from kernelviz.session.lessons.actions import after, parse_actions
    from kernelviz.session.lessons.state import LessonState, find_parameter

    if whose is None:
        owners = {"algorithm": document.algorithm, "kernel": document.kernel}
        whose = next((owner for owner, part in owners.items() if find_parameter(part, name)), None)
        if whose is None:
            raise BadInput(f"Neither {document.algorithm.name} nor the kernel has a parameter {name!r}.")
    changed = after(parse_actions(f"{whose}.{name} = {value}"), LessonState(document)).document
    return TypedChange(f"change {name}", {"kernel": changed.kernel, "algorithm": changed.algorithm})
