"""numpy's own files, .npz and .npy, read without pickle and without trusting their headers."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.tables.table import BYTES, ColumnChoice, Reading, Table, TableColumn, check_size

MATRICES = ("K", "gram")  # A Gram matrix; `names` may have the names of its objects.
NAMES = ("columns", "class_names")
HEADER = re.compile(
    rb"\{'descr': '([<>|=](?:[biu][1248]|f[248]|[US]\d{1,6}))', 'fortran_order': (True|False), "
    rb"'shape': \(([\d, ]{0,100})\), \}\s*"
)


def looks_like(content: bytes) -> bool:
    """Return True for the bytes of an .npz or .npy file."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY"))


def read(content: bytes, name: str) -> Reading:
    """Read an array X of rows with an array of targets, one array of columns, or one array per column."""
    yield 0.0
    arrays = {"X": _array(content, name)} if content.startswith(b"\x93NUMPY") else _members(content, name)
    yield 0.5
    known = (*NAMES, "names") if any(key in arrays for key in MATRICES) else NAMES
    names = {key: _words(_flat(arrays.pop(key), key, name)[:1000]) for key in known if key in arrays}
    if not arrays:
        raise BadInput(f"{name} holds no arrays.")
    return _table(arrays, names, name)


def _table(arrays: dict[str, NDArray[Any]], names: dict[str, list[str]], name: str) -> Table:
    """Return the table of some arrays. A matrix X (n, p) gives columns x1 … xp or those that `columns` names,
    and an array z, y or label the target; a Gram matrix K a column for each object and one with their names;
    without a matrix every array is a column."""
    inputs = ("X", "x", "data", "points")
    targets = ("z", "y", "t", "label", "labels", "target")
    key = next((k for k in (*MATRICES, *inputs) if k in arrays and arrays[k].ndim == 2), None)
    if key is None and len(arrays) == 1:
        key = next(iter(arrays))
    if key is None:
        return Table(_columns({k: a for k, a in arrays.items() if a.ndim == 1}, name), name)
    if not arrays[key].size:
        raise BadInput(f"{name} has no rows of data.")
    X = arrays[key].reshape(len(arrays[key]), -1)
    p = X.shape[1]
    check_size(name, *X.shape)
    if key in MATRICES and p != len(X):
        raise BadInput(f"{name}: a Gram matrix must be square; {key} has {len(X)} rows and {p} columns.")
    titles = names.get("names" if key in MATRICES else "columns", [])
    if len(set(titles)) != p:
        titles = [f"object {j + 1}" if key in MATRICES else f"x{j + 1}" for j in range(p)]
    found = {title: X[:, j] for j, title in enumerate(titles)}
    target = next((k for k in targets if k in arrays and k != key), None)
    if target is not None:
        title = next(t for t in (target, "label", "the label") if t not in found)
        found[title] = _named(_flat(arrays[target], target, name), names.get("class_names", []))
    if key in MATRICES:
        found["the name"] = np.array(titles)
    if target is None:
        return Table(_columns(found, name), name)
    return Table(_columns(found, name), name, given=ColumnChoice(tuple(range(p)), p))


def _flat(array: NDArray[Any], key: str, name: str) -> NDArray[Any]:
    """Return a list, or a single row or column of a matrix, as a list; BadInput for any other matrix."""
    if array.ndim == 2 and 1 not in array.shape and array.size:
        rows, columns = array.shape
        raise BadInput(f"{name}: {key} must be a list; it has {rows} rows and {columns} columns.")
    return array.reshape(-1)


def _columns(arrays: dict[str, NDArray[Any]], name: str) -> tuple[TableColumn, ...]:
    """Return the arrays as columns; BadInput unless all have the same length."""
    lengths = sorted({len(array) for array in arrays.values()})
    if len(lengths) != 1:
        raise BadInput(
            f"{name} must hold arrays of one length, not {', '.join(map(str, lengths)) or 'none'}."
        )
    check_size(name, lengths[0], len(arrays))
    return tuple(TableColumn(title, _values(array)) for title, array in arrays.items())


def _named(target: NDArray[Any], class_names: list[str]) -> NDArray[Any]:
    """Return the names of the classes for targets that are coded as -1, +1 or 0, 1, 2 …"""
    codes = np.unique(target) if target.dtype.kind in "biuf" else np.empty(0)
    if len(class_names) < 2 or len(codes) == 0 or not np.isin(codes, [-1, *range(len(class_names))]).all():
        return target
    signed = len(class_names) == 2 and not (codes == 0).any()
    places = ((target + 1) // 2 if signed else np.maximum(target, 0)).astype(int)
    return np.asarray(np.array(class_names)[places])


def _values(array: NDArray[Any]) -> Any:
    """Return an array of numbers as it is, and any other as texts."""
    if array.dtype.kind in "biuf":
        with np.errstate(all="ignore"):  # what does not fit becomes inf or nan, which the table refuses
            return read_only(array)
    return tuple(_words(array))


def _words(array: NDArray[Any]) -> list[str]:
    """Return the cells as text, whatever their bytes, which numpy's own conversion trusts."""
    width = array.dtype.itemsize
    coding = {"S": "utf-8", "U": "utf-32-le" if array.dtype.str[0] != ">" else "utf-32-be"}.get(
        array.dtype.kind
    )
    if coding is None:
        return [f"{value:g}" for value in array.tolist()]
    packed = np.ascontiguousarray(array).tobytes()
    cells = (packed[i : i + width] for i in range(0, len(packed), width))
    return [cell.decode(coding, "replace").rstrip("\0").strip() for cell in cells]


def _members(content: bytes, name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays in an archive by their names. BadInput if it is damaged, or would unpack to more than
    a file may have."""
    arrays: dict[str, NDArray[Any]] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [m for m in archive.infolist() if m.filename.endswith(".npy")][:100]
            if sum(m.file_size for m in members) > BYTES:
                raise BadInput(f"{name} unpacks to more than {BYTES // 10**6} MB; that is too much to read.")
            for member in members:
                with archive.open(member) as packed:
                    arrays[member.filename[:-4]] = _array(packed.read(BYTES), name)
    except BadInput:
        raise
    # zipfile raises any of these on damaged bytes; RuntimeError is its word for encryption.
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        EOFError,
        OSError,
        OverflowError,
        LookupError,
        RuntimeError,
        ValueError,
    ):
        raise BadInput(f"{name} is damaged or not an archive of numpy arrays.") from None
    return arrays


def _array(content: bytes, name: str) -> NDArray[Any]:
    """Return the array of one .npy file; shape and type must account for exactly the bytes in it."""
    wide = 4 if content[6:7] >= b"\x02" else 2
    start = 8 + wide
    length = int.from_bytes(content[8:start], "little")
    header = HEADER.fullmatch(content[start : start + min(length, 10_000)])
    if not content.startswith(b"\x93NUMPY") or header is None:
        raise BadInput(f"{name} is damaged, or holds something else than arrays of numbers or text.")
    kind, order, sizes = (group.decode("ascii") for group in header.groups())
    try:
        dtype, shape = np.dtype(kind), tuple(int(size) for size in sizes.split(",") if size.strip())
    except (TypeError, ValueError):
        raise BadInput(f"{name} holds an array of an unknown type, {kind}.") from None
    body = content[start + length :]
    if not dtype.itemsize or prod(shape) * dtype.itemsize != len(body):
        raise BadInput(f"{name} is cut short or damaged.")
    if len(shape) not in (1, 2):
        raise BadInput(f"{name} holds an array of {len(shape)} dimensions; rows and columns make two.")
    if 0 in shape:  # the other sizes may be anything then, and too large for numpy
        return np.empty((0,) * len(shape), dtype)
    array: NDArray[Any] = np.frombuffer(body, dtype)
    return array.reshape(shape, order="F" if order == "True" else "C")


def write(data: Data) -> bytes:
    """Return an .npz file with X, z (classes) or y (regression), and the names of columns and classes."""
    arrays: dict[str, Any] = {"X": data.X, "columns": np.array(data.columns)}
    if data.target is not None:
        arrays["y" if data.task is Task.REGRESSION else "z"] = data.target
    if data.class_names:
        arrays["class_names"] = np.array(data.class_names)
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()
