"""Session files (.kviz): versioned JSON, read strictly and migrated from every earlier version.

    {"format": "kernelviz", "version": 2, "active": 0, "fits": [{"kernel": "rbf(gamma=1)", …}],
     "data": {"columns": ["x1", "x2"], "points": [[0.5, 1.2, -1], …], …}, "look": {…}, …}

`records` declares the fields. Fields that it does not know are kept and written back, so that a session which
a newer program has saved loses nothing."""

from __future__ import annotations

import codecs
import dataclasses
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import msgspec

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput, reason
from kernelviz.session.files.atomic import write_atomically
from kernelviz.session.files.png_metadata import extract, is_png
from kernelviz.session.files.records import SessionRecord, record_of, rows_of, state_of
from kernelviz.session.state import State
from kernelviz.session.tables.preparation import manageable
from kernelviz.session.tables.table import BYTES, ROWS

# The version written. Raise it only when older programs would misread the file; they keep unknown fields.
VERSION = 2
# The field of a session file that has the states of the other workspaces.
FIELD = "elsewhere"
FIGURE = "figure"  # The field of the session in a picture that has the options of the picture.
SUFFIX = ".kviz"
# Rows encoded together: between two chunks other threads, such as the GUI's, get the interpreter.
ROWS_PER_CHUNK = 2000
DEEPEST = 50
TYPES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "an object",
}


def _several_fits(content: dict[str, Any]) -> dict[str, Any]:
    """Migrate version 1, which has a single kernel and algorithm next to its points."""
    content["fits"] = [{name: content.pop(name) for name in ("kernel", "algorithm") if name in content}]
    return content


# From version v to v + 1: a function of the decoded file, which may change it in place.
MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _several_fits}


def migrated(content: dict[str, Any]) -> dict[str, Any]:
    """Return the content in the present version; BadInput for a newer version or no session at all."""
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


class PackedStates:
    """Puts the states of other workspaces into the extra fields of a file; each is encoded only once."""

    def __init__(self) -> None:
        self._packed: dict[str, tuple[State, Any]] = {}

    def packed(self, extra: Mapping[str, Any], elsewhere: Mapping[str, State]) -> dict[str, Any]:
        """Return the extra fields with these states among them."""
        for name, state in elsewhere.items():
            if self._packed.get(name, (None,))[0] is not state:
                self._packed[name] = state, msgspec.json.decode(dumps(state))
        kept = {key: value for key, value in extra.items() if key != FIELD}
        own = {name: self._packed[name][1] for name in elsewhere}
        return kept | ({FIELD: own} if own else {})


def unpacked(extra: Mapping[str, Any]) -> tuple[dict[str, State], dict[str, Any]]:
    """Return (states by the name of their workspace, the other extra fields).

    A state that cannot be read is left out, so that the rest can be opened."""
    found: dict[str, State] = {}
    packed = extra.get(FIELD)
    for content in packed.values() if isinstance(packed, Mapping) else ():
        try:
            state, _ = loads(msgspec.json.encode(content))
        except BadInput:
            continue
        state = dataclasses.replace(state, document=manageable(state.document)[0])
        found[state.document.workspace.name] = state
    return found, {key: value for key, value in extra.items() if key != FIELD}


# Fields of a file beyond the state: the panels' layout, and whatever a newer version added.
Extra = Mapping[str, Any]


def save(path: str | os.PathLike[str], state: State, extra: Extra | None = None) -> str:
    """Write a session and return the fingerprint of the file; BadInput if that is impossible.

    Whatever happens, the file has the old content or the new.

    >>> save("rings.kviz", session.state)
    >>> state, extra = load("rings.kviz")"""
    content = dumps(state, extra).encode()
    write_atomically(path, content)
    return fingerprint(content)


def load(path: str | os.PathLike[str]) -> tuple[State, dict[str, Any]]:
    """Return the state in a session file, or in a picture that contains one, and its extra fields.

    BadInput with one sentence when there is none."""
    return loads(content_of(path), Path(path).name)


def content_of(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file that may be a session; BadInput when it cannot be one."""
    name = Path(path).name
    try:
        about = Path(path).stat()
        if not stat.S_ISREG(about.st_mode):  # opening a pipe waits until something is written to it
            raise BadInput(f"{name} cannot be opened: it is not a file.")
        if about.st_size > BYTES:
            raise BadInput(f"{name} cannot be opened: it is larger than {BYTES // 10**6} MB.")
        with Path(path).open("rb") as file:
            return file.read(BYTES + 1)
    except OSError as problem:
        raise BadInput(f"{name} cannot be opened: {reason(problem)}.") from None


def fingerprint(content: bytes) -> str:
    """Return a text that differs for different contents of a file."""
    return sha256(content).hexdigest()


def loads(content: bytes | str, name: str = "The session") -> tuple[State, dict[str, Any]]:
    """Return the same as `load` from the content of a file, or from the text in a picture."""
    try:
        if isinstance(content, bytes) and is_png(content):
            content = extract(content) or ""
            if not content:
                raise BadInput("this picture contains no session.")
        tree = _decoded(content)
        tree = migrated(tree)
        record = msgspec.convert(tree, SessionRecord)
        return state_of(record), _unknown(tree, msgspec.to_builtins(record))
    except msgspec.ValidationError as problem:
        raise BadInput(f"{name} cannot be opened: {_in_words(str(problem))}") from None
    except BadInput as problem:
        raise BadInput(f"{name} cannot be opened: {problem}") from None


def _decoded(content: bytes | str) -> dict[str, Any]:
    """Return the JSON object in the content of a file. BadInput says why not: it is empty, cut
    off, damaged (with the line), not a session, or nested too deeply or too large to be read safely."""
    most_lists = 2 * ROWS  # One list or object for each point, and some for what is around them.
    raw = (content.encode() if isinstance(content, str) else content).removeprefix(codecs.BOM_UTF8)
    if raw.count(b"[") + raw.count(b"{") > most_lists:
        raise BadInput(f"it holds more than {ROWS:,} points.")
    try:
        tree = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        if not raw.strip():
            raise BadInput("it is empty.") from None
        if "truncated" in str(problem):
            raise BadInput("it is cut off in the middle.") from None
        where = re.search(r"\(byte (\d+)\)", str(problem))
        line = " (line {})".format(raw.count(b"\n", 0, int(where[1])) + 1) if where else ""
        raise BadInput(f"it is not a session, or it is damaged{line}.") from None
    except RecursionError:
        raise BadInput("it is nested too deeply.") from None
    if not isinstance(tree, dict):
        raise BadInput("it is not a kernelviz session.")
    if _depth(tree) > DEEPEST:
        raise BadInput("it is nested too deeply.")
    return cast(dict[str, Any], tree)


def _depth(tree: Any) -> int:
    """Return how deep lists and objects are nested, without recursion."""
    deepest, waiting = 0, [(tree, 1)]
    while waiting:
        value, depth = waiting.pop()
        deepest = max(deepest, depth)
        if depth > DEEPEST:
            break
        inner = value.values() if isinstance(value, dict) else value
        waiting += [(item, depth + 1) for item in inner if isinstance(item, dict | list)]
    return deepest


def _in_words(problem: str) -> str:
    """Return a message of msgspec, such as "Expected `int`, got `str` - at `$.look.step`", as a sentence:
    "look.step must be a whole number, not a text."."""
    longest_quote = 100  # Characters of a file that an error message may quote.
    found = re.fullmatch(r"(.*?)(?: - at `\$\.?(.*)`)?", problem, re.DOTALL)
    assert found is not None
    complaint, where = found[1], found[2] or "it"
    if missing := re.fullmatch("Object missing required field `(.*)`", complaint):
        return f"{where} has no {missing[1]}."
    if value := re.fullmatch("Invalid enum value (.*)", complaint, re.DOTALL):
        complaint = f"cannot be {value[1]}"
    else:
        complaint = f"must be {expected(complaint)}"
    return f"{where} {complaint if len(complaint) <= longest_quote else f'{complaint[:longest_quote]}…'}."


def expected(complaint: str, types: Mapping[str, str] = TYPES) -> str:
    """Return what msgspec expects, in words: "a list, not a text" for "Expected `array`, got `str`"."""
    for theirs, ours in (
        ("Expected ", ""),
        (", got ", ", not "),
        ("length <= ", "length at most "),
        ("length >= ", "length at least "),
        (" <= ", " of at most "),
        (" >= ", " of at least "),
    ):
        complaint = complaint.replace(theirs, ours)
    return re.sub(
        r"`([^`]*)`", lambda found: " or ".join(types.get(w, w) for w in found[1].split(" | ")), complaint
    )


# Unknown fields ---------------------------------------------------------------------------------------
def _unknown(tree: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the file that the record does not have, nested as they were."""
    found: dict[str, Any] = {}
    for key, value in tree.items():
        if key not in known:
            found[key] = value
        elif isinstance(value, dict) and isinstance(known[key], dict):
            inner = _unknown(value, known[key])
            if inner:
                found[key] = inner
    return found


def _merged(known: dict[str, Any], extra: Extra) -> dict[str, Any]:
    """Return the known fields and the extra ones; where both have a field the known one wins."""
    merged = dict(extra) | known
    for key, value in extra.items():
        if key in known and isinstance(known[key], dict) and isinstance(value, Mapping):
            merged[key] = _merged(known[key], value)
        elif isinstance(known.get(key), dict):
            merged[key] = known[key]
    return merged


# Writing ----------------------------------------------------------------------------------------------
def dumps(state: State, extra: Extra | None = None) -> str:
    """Return the text of a session file."""
    known = cast(dict[str, Any], msgspec.to_builtins(record_of(state, VERSION)))
    known["data"]["points"] = state.document.data
    held = state.document.held_out
    if held is not None and "count" not in known["held_out"]:
        known["held_out"]["points"] = held.data
    mine = SessionRecord.__struct_fields__  # unknown fields of held-out points go with them
    extra = {key: value for key, value in (extra or {}).items() if key in known or key not in mine}
    return "".join(_lines(_merged(known, extra), "")) + "\n"


def _lines(value: Any, indent: str) -> Iterator[str]:
    """Yield the text in pieces, so that two versions of a file differ in few lines.

    Objects have one sorted key on each line, lists of lists one inner list on each line; the rest is
    compact."""
    inner = indent + "  "
    if isinstance(value, Mapping) and value:
        yield "{"
        for k, key in enumerate(sorted(value)):
            yield f"{',' if k else ''}\n{inner}{_compact(key)}: "
            yield from _lines(value[key], inner)
        yield f"\n{indent}}}"
    elif isinstance(value, Data) and value.n:
        chunks = (_rows(chunk, f",\n{inner}") for chunk in rows_of(value, ROWS_PER_CHUNK))
        yield f"[\n{inner}{next(chunks)}"
        for text in chunks:
            yield f",\n{inner}{text}"
        yield f"\n{indent}]"
    elif isinstance(value, Data):
        yield "[]"
    elif isinstance(value, list) and value and all(isinstance(item, list) for item in value):
        rows = f",\n{inner}".join(map(_compact, value))
        yield f"[\n{inner}{rows}\n{indent}]"
    else:
        yield _compact(value)


def _rows(rows: list[Any], between: str) -> str:
    """Return the rows as `_compact` writes each; rows of numbers are encoded together."""
    text = msgspec.json.encode(rows).decode()
    if '"' in text:
        return between.join(map(_compact, rows))
    return text[1:-1].replace(",", ", ").replace("], [", f"]{between}[")


def _compact(value: Any) -> str:
    """Return a value as JSON on one line, with a blank after each comma of a list of numbers."""
    text = msgspec.json.encode(value).decode()
    return text.replace(",", ", ") if isinstance(value, list) and '"' not in text else text
