"""Points and models to files, in the format the name asks for, never leaving half a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Model
from kernelviz.session.files.atomic import write_atomically
from kernelviz.session.report import as_json, report
from kernelviz.session.tables import arrays, delimited, svmlight

# What points are written as: the name for the dialogues, the writer, and its suffixes.
NAMED_FORMATS: Mapping[str, tuple[Callable[[Data], bytes], tuple[str, ...]]] = {
    "CSV": (delimited.write, (".csv",)),
    "svmlight": (svmlight.write, (".svm", ".svmlight", ".libsvm")),
    "numpy": (arrays.write, (".npz",)),
}
DATA_FORMATS = {suffix: write for write, suffixes in NAMED_FORMATS.values() for suffix in suffixes}


def save_data(data: Data, path: str | os.PathLike[str]) -> None:
    """Save points as CSV, svmlight or npz, whichever the suffix says."""
    suffix = Path(path).suffix.lower()
    write = DATA_FORMATS.get(suffix)
    if write is None:
        raise BadInput(f"Points are saved as {', '.join(DATA_FORMATS)}; {Path(path).name!r} is none of them.")
    if data.domain == "strings" and write is not delimited.write:
        raise BadInput(f"Strings are saved as CSV; {Path(path).name!r} is another format.")
    write_atomically(path, write(data))


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Save a model as JSON: kernel, algorithm, weights and numbers, as `kernelviz fit` prints them."""
    write_atomically(path, as_json(report(model)).encode("ascii"))
