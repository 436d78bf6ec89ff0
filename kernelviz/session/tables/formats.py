"""Points from and to files, in all formats.

`reading` is a generator of the fraction done, so that a window can show progress and stop it at any yield;
`read` runs it to the end. Writing never leaves half a file."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
import zlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from pathlib import Path

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput, reason
from kernelviz.engine.core.generators import Steps, finished
from kernelviz.engine.models.base import Model
from kernelviz.session.files.atomic import write_atomically
from kernelviz.session.tables import FORMATS, arff, arrays, delimited, svmlight
from kernelviz.session.tables.delimited import unified
from kernelviz.session.tables.table import BYTES, Reading, Table

GZIP = b"\x1f\x8b"
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # No text has these.
ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:/+[^/]")  # A single letter is a drive of Windows.
SAVE, UNPACK = "save it as CSV first", "unpack it first"
# Files of other programs by how they begin, in small letters.
OTHERS = {
    b"par1": ("a Parquet file", SAVE),
    b"\xd0\xcf\x11\xe0": ("an Excel workbook", SAVE),
    b"\x89hdf": ("an HDF5 file", SAVE),
    b"arrow1": ("a Feather file", SAVE),
    b"bzh": ("packed by bzip2", UNPACK),
    b"\xfd7zxz": ("packed by xz", UNPACK),
    b"\x28\xb5\x2f\xfd": ("packed by Zstandard", UNPACK),
    b"<!doctype html": ("a web page", "download the table itself"),
    b"<html": ("a web page", "download the table itself"),
}
# The formats points are written in: the name for the dialogues, the writer, and its suffixes.
NAMED_FORMATS: Mapping[str, tuple[Callable[[Data], bytes], tuple[str, ...]]] = {
    "CSV": (delimited.write, (".csv",)),
    "svmlight": (svmlight.write, (".svm", ".svmlight", ".libsvm")),
    "numpy": (arrays.write, (".npz",)),
}
DATA_FORMATS = {suffix: write for write, suffixes in NAMED_FORMATS.values() for suffix in suffixes}


def read(path: str | os.PathLike[str]) -> Table:
    """Return the table in a file."""
    return finished(reading(path))


def read_text(text: str, name: str = "The clipboard") -> Table:
    """Return the table in a text, such as cells copied from a spreadsheet."""
    return finished(reading_text(text, name))


def parse(content: bytes, name: str) -> Table:
    """Return the table in the bytes of a file."""
    return finished(_parse(content, name))


def reading(path: str | os.PathLike[str]) -> Reading:
    """Read a file step by step: yield the fraction done and return the table."""
    if ADDRESS.match(os.fspath(path)):
        raise BadInput(f"{os.fspath(path)} is an address: download the file first, and open that.")
    name = Path(path).name or str(path)
    content = yield from _content(Path(path), name)
    parsing = Steps(_parse(content, name))
    for fraction in parsing:
        yield 0.2 + 0.8 * fraction
    return parsing.result


def _content(path: Path, name: str) -> Generator[float, None, bytes]:
    """Read a file in pieces and return its bytes; yield the fraction done. BadInput when it cannot be read or
    is too large; the size of a pipe is known only while it is being read."""
    bytes_per_read = 4_000_000
    parts: list[bytes] = []
    done = 0
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            if stat.S_ISREG(about.st_mode) and about.st_size > BYTES:
                raise _too_large(name, about.st_size)
            while part := file.read(bytes_per_read):
                parts.append(part)
                done += len(part)
                if done > BYTES:
                    raise _too_large(name, done)
                yield 0.2 * done / max(done, about.st_size)
    except (OSError, ValueError) as problem:
        if isinstance(problem, BadInput):
            raise
        raise BadInput(f"{name} cannot be read: {reason(problem)}.") from None
    return b"".join(parts)


def _too_large(name: str, size: int) -> BadInput:
    """Return the error about a file of that size, in bytes."""
    return BadInput(f"{name} has {size / 1e6:,.0f} MB or more; at most {BYTES // 10**6} MB are read.")


def _parse(content: bytes, name: str) -> Reading:
    """Read the bytes of a file step by step, with the reader for the format they look like."""
    if content.startswith(GZIP):
        content = _unpacked(content, name)
    what, remedy = _of_other_programs(content)
    if what:
        raise BadInput(f"{name} is {what}, which kernelviz does not read: {remedy}.")
    if arrays.looks_like(content):
        return (yield from arrays.read(content, name))
    text, remark = _decoded(content, name)
    table = yield from reading_text(text, name)
    return replace(table, remarks=(*filter(None, (remark,)), *table.remarks))


def _unpacked(content: bytes, name: str) -> bytes:
    """Return the content of a gzip file; BadInput if it is damaged or unpacks to more than a file may
    have."""
    import gzip  # Few files are packed.

    try:
        with gzip.open(io.BytesIO(content)) as packed:
            unpacked = packed.read(BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise BadInput(f"{name} is damaged or cut short: it cannot be unpacked.") from None
    if len(unpacked) > BYTES:
        raise BadInput(f"{name} unpacks to more than {BYTES // 10**6} MB; that is too much to read.")
    return unpacked


def _of_other_programs(content: bytes) -> tuple[str, str]:
    """Name the format of a file of another program, and what to do with it; empty texts for any other
    file."""
    if content.startswith(b"PK\x03\x04"):
        # A name in the directory of the archive, which is its end, or its first member.
        if b"xl/workbook" in content[-100_000:]:
            return "an Excel workbook", SAVE
        if b"opendocument.spreadsheet" in content[:200]:
            return "a LibreOffice spreadsheet", SAVE
        whole = b"PK\x05\x06" in content[-100_000:]
        return ("a ZIP archive", UNPACK) if whole and b".npy" not in content else ("", "")
    start = content[:100].lstrip().lower()
    return next((about for begin, about in OTHERS.items() if start.startswith(begin)), ("", ""))


def reading_text(text: str, name: str) -> Reading:
    """Read a text step by step, as `reading` reads a file."""
    if "\0" in text:
        raise BadInput(f"{name} is not a text file (line {_line(text[: text.index(chr(0))])}).")
    text = text.removeprefix("\ufeff")
    reader = (
        arff.read if arff.looks_like(text) else svmlight.read if svmlight.looks_like(text) else delimited.read
    )
    return (yield from reader(text, name))


def _line(before: str) -> int:
    """Return the number of the line that follows this text."""
    return unified(before).count("\n") + 1


def _decoded(content: bytes, name: str) -> tuple[str, str]:
    """Return (text, remark): the text of UTF-8, of UTF-16 with its mark, which spreadsheets call "Unicode
    text", or of Windows-1252 or Latin-1, which the remark then says."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig"), ""
    except UnicodeDecodeError as problem:
        line = _line(content[: problem.start].decode("latin-1"))
        control = CONTROL.search(content)
        if wide:
            raise BadInput(
                f"{name}, line {line}: the text is not in UTF-16, as its first bytes declare."
            ) from None
        if control is not None:
            line = min(line, _line(content[: control.start()].decode("latin-1")))
            raise BadInput(f"{name} is not a text file (line {line}).") from None
    remark = f"{name} is not in UTF-8 (line {line}); it is read as "
    try:
        return content.decode("cp1252"), remark + "Windows-1252."
    except UnicodeDecodeError:
        return content.decode("latin-1"), remark + "Latin-1."


def save_data(data: Data, path: str | os.PathLike[str]) -> None:
    """Save points in the format of the suffix."""
    suffix = Path(path).suffix.lower()
    write = DATA_FORMATS.get(suffix)
    if write is None:
        suffixes = ", ".join(DATA_FORMATS)
        raise BadInput(f"Points are saved as {FORMATS} ({suffixes}); {Path(path).name!r} is none of them.")
    if data.domain != "vectors" and write is not delimited.write:
        what = "Categories" if data.has_numbers else f"{data.noun.capitalize()}s"
        raise BadInput(f"{what} are saved as CSV; {Path(path).name!r} is another format.")
    if data.weights is not None:
        raise BadInput("A file of points has no place for their weights; save the session to keep them.")
    write_atomically(path, write(data))


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Save a model as the JSON that `kernelviz fit` prints: kernel, algorithm, weights and numbers."""
    from kernelviz.session.report import as_json, report  # not needed before the first picture

    write_atomically(path, as_json(report(model)).encode("ascii"))
