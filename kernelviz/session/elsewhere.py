"""What is in the workspaces that are not shown goes with a session, in one file: switching loses nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import msgspec

from kernelviz.engine.errors import BadInput
from kernelviz.session.files import dumps, loads
from kernelviz.session.preparation import manageable
from kernelviz.session.state import State
from kernelviz.session.workspaces.registry import workspace_of

__all__ = ["Luggage", "unpacked"]

FIELD = "elsewhere"
"""The field of a session file: for each workspace that was left the session that is there."""


class Luggage:
    """Packs states into the extra fields of a file; one that has been packed before is not packed again."""

    def __init__(self) -> None:
        self._packed: dict[str, tuple[State, Any]] = {}

    def packed(self, extra: Mapping[str, Any], elsewhere: Mapping[str, State]) -> dict[str, Any]:
        """The extra fields with these states among them."""
        for name, state in elsewhere.items():
            if self._packed.get(name, (None,))[0] is not state:
                self._packed[name] = state, msgspec.json.decode(dumps(state))
        kept = {key: value for key, value in extra.items() if key != FIELD}
        own = {name: self._packed[name][1] for name in elsewhere}
        return kept | ({FIELD: own} if own else {})


def unpacked(extra: Mapping[str, Any]) -> tuple[dict[str, State], dict[str, Any]]:
    """(states by the name of their workspace, the other extra fields). What cannot be read is left out: it is
    no reason not to open the rest."""
    found: dict[str, State] = {}
    packed = extra.get(FIELD)
    for content in packed.values() if isinstance(packed, Mapping) else ():
        try:
            state, _ = loads(msgspec.json.encode(content))
        except BadInput:
            continue
        state = dataclasses.replace(state, document=manageable(state.document)[0])
        found[workspace_of(state.document.data).name] = state
    return found, {key: value for key, value in extra.items() if key != FIELD}
