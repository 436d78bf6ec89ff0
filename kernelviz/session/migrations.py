"""Older session files brought up to date, one version at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernelviz.engine.errors import BadInput

__all__ = ["MIGRATIONS", "VERSION", "migrated"]

VERSION = 2
"""The version written. Raise it only when older programs would misread the file; they keep unknown fields."""


def _several_fits(content: dict[str, Any]) -> dict[str, Any]:
    """A file of version 1 has a single kernel and algorithm beside its points."""
    content["fits"] = [{name: content.pop(name) for name in ("kernel", "algorithm") if name in content}]
    return content


MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _several_fits}
"""From version v to v + 1: a function of the decoded file, which may change it in place."""


def migrated(content: dict[str, Any]) -> dict[str, Any]:
    """The content as this version writes it; BadInput for what is newer or no session at all."""
    if content.get("format") != "kernelviz":
        raise BadInput("it is not a kernelviz session.")
    version = content.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version < 1_000_000:
        raise BadInput("it does not say which version of the format it has.")
    if version > VERSION:
        raise BadInput(
            f"it was saved by a newer kernelviz (format {version}; this one reads up to {VERSION}). "
            "Update kernelviz to open it."
        )
    while version < VERSION:
        content = MIGRATIONS[version](content)
        version += 1
        content["version"] = version
    return content
