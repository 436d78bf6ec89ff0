"""A file of N bytes costs a time in proportion to N, however it is made up."""

from __future__ import annotations

import contextlib
import gc
import struct
import time
import zlib
from collections.abc import Callable

import numpy as np
import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files import kviz
from kernelviz.session.files.png_metadata import KEY, LARGEST_TEXTS, SIGNATURE, chunk, embed, extract
from kernelviz.session.tables.formats import parse, read, save_data
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests.session.states import data_of

SMALL, GROWTH = 20_000, 4
ARFF = "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n"
TEXTS: dict[str, Callable[[int], str]] = {
    "digits that end in a letter": lambda n: "1," + "9" * n + "x",
    "digits on both sides of a comma": lambda n: "1;" + "9" * (n // 2) + "," + "9" * (n // 2) + "x",
    "digits": lambda n: "1," + "9" * n + ",a\n1,2,b",
    "decimals": lambda n: "1 0." + "9" * n + " a\n1 2 b",
    "an exponent": lambda n: "1 1e" + "9" * n + " a\n1 2 b",
    "an exponent that ends in a letter": lambda n: "1 1e" + "9" * n + "x a\n1 2 b",
    "quotes": lambda n: '"' * n,
    "quoted words": lambda n: '1 "a" ' * (n // 6),
    "quotes that never end": lambda n: '"a,' * (n // 3) + '"',
    "separators": lambda n: "," * n,
    "blanks": lambda n: "1" + " " * n + "x",
    "rows": lambda n: "1,2,a\n" * (n // 6),
    "rows that end in CR": lambda n: "1,2,a\r" * (n // 6),
    "empty lines": lambda n: "\n" * n + "1,2,a",
    "comments": lambda n: "#\n" * (n // 2) + "1,2,a",
    "blanks in ARFF": lambda n: f"{ARFF}a{' ' * n}b,x",
    "quotes in ARFF": lambda n: ARFF + "'" + "\\'" * (n // 2),
    "a row of ARFF in braces": lambda n: ARFF + "{" + "0 1," * (n // 4) + "}",
    "a sparse row": lambda n: "1 1:1 " + "2:1 " * (n // 4),
    "sparse rows": lambda n: "1 1:1\n" * (n // 6),
    "an index of many digits": lambda n: "1 " + "9" * n + ":1",
    "an index of many zeros": lambda n: "1 " + "0" * n + "1:1",
    "a value of many digits": lambda n: "1 1:" + "9" * n,
    "a session that is one long text": lambda n: '{"format": "' + "a" * n + '"}',
    "a session that complains in its own words": lambda n: '{"format": "' + " - at `$" * (n // 8) + '"}',
    "brackets": lambda n: "[" * n,
    "a session of empty lists": lambda n: '{"format": [' + "[]," * (n // 3) + "[]]}",
}


@pytest.fixture
def no_garbage_collection():
    """What all tests before this one have left behind is not searched while a time is measured."""
    by_itself = gc.isenabled()
    gc.disable()
    yield
    if by_itself:
        gc.enable()


def effort(content: bytes) -> float:
    """Seconds it takes to read the bytes as a table and as a session."""
    began = time.process_time()
    for way_in in (parse, kviz.loads):
        with contextlib.suppress(BadInput):
            way_in(content, "file")
    return time.process_time() - began


@pytest.mark.usefixtures("no_garbage_collection")
@pytest.mark.parametrize("kind", TEXTS)
def test_four_times_the_text_takes_about_four_times_as_long(kind):
    # What is quadratic takes sixteen times as long, and at these sizes minutes. The machine may become slower
    # between two measurements, so that both are repeated in turn.
    texts = [TEXTS[kind](n).encode() for n in (SMALL, GROWTH * SMALL)]
    rounds = [[effort(text) for text in texts] for _ in range(4)]
    small, large = map(min, zip(*rounds, strict=True))
    assert large < 2 * GROWTH * max(small, 1e-3)


@pytest.mark.parametrize("cells", ["12 ", "12,", "12\t"])
def test_a_line_without_end_is_refused_before_it_is_cut_into_cells(cells):
    with pytest.raises(BadInput, match="line 2: 1,200,000 letters; at most 1,000,000 are read in a line"):
        parse(b"1,2,a\n" + cells.encode() * 400_000, "wide.csv")


def test_a_cell_without_end_is_called_so():
    with pytest.raises(BadInput, match="line 2: a cell is longer than 131,072 letters"):
        parse(b"1,2,a\n1," + b"9" * 200_000 + b",b", "wide.csv")


def test_a_session_of_lists_without_end_is_refused_before_they_are_made():
    with pytest.raises(BadInput, match="it holds more than 500,000 points"):
        kviz.loads(b'{"data": [' + b"[]," * 1_000_000 + b"[]]}")


def picture(chunks: list[bytes]) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return SIGNATURE + header + b"".join(chunks) + chunk(b"IEND", b"")


def test_all_texts_of_a_picture_together_unfold_to_a_bounded_length(monkeypatch):
    asked = []
    real = zlib.decompressobj

    class Counting:
        def __init__(self) -> None:
            self._real = real()

        def decompress(self, data: bytes, most: int) -> bytes:
            found = self._real.decompress(data, most)
            asked.append(len(found))
            return found

        def __getattr__(self, name: str) -> object:
            return getattr(self._real, name)

    monkeypatch.setattr("zlib.decompressobj", Counting)
    bomb = chunk(b"zTXt", KEY + b"\0\0" + zlib.compress(bytes(LARGEST_TEXTS + 1)))
    for count in (1, 200):
        assert extract(picture([bomb] * count)) is None
        assert sum(asked) <= LARGEST_TEXTS
        asked.clear()
    assert extract(embed(picture([bomb] * 200), "session")) == "session"
    assert sum(asked) <= 2 * LARGEST_TEXTS


def test_lines_that_end_in_cr_count_as_lines():
    with pytest.raises(BadInput, match="2,000,000 rows; at most 500,000 are read"):
        parse(b"1,2,a\r" * 2_000_000, "old.csv")


def test_a_mistake_after_lines_that_end_in_cr_is_found_in_its_line():
    with pytest.raises(BadInput, match=r"not a text file \(line 3\)"):
        parse(b"1,2,a\r3,4,b\r5,6,\xff\x01", "old.csv")


def test_sparse_lines_that_end_in_cr_are_known_as_such():
    table = parse(b"-1 1:2 2:3\r+1 1:4 2:5\r", "old.svm")
    assert [column.values.tolist() for column in table.columns] == [[2, 4], [3, 5], [-1, 1]]


@pytest.mark.parametrize("shape", [(0, 2), (0,), (3, 0), (0, 10**60), (10**60, 0), (0, 10**9)])
def test_an_array_without_a_single_number_is_a_sentence(shape):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    content = b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header
    with pytest.raises(BadInput, match=r"empty\.npy has no rows of data"):
        parse(content, "empty.npy")


def test_the_points_of_an_empty_plane_are_told_as_such_when_they_are_opened_again(tmp_path):
    for suffix in (".npz", ".csv", ".svm"):
        save_data(PlaneWorkspace().empty(), tmp_path / f"none{suffix}")
        with pytest.raises(BadInput, match=rf"none\{suffix} (has no rows of data|is empty)"):
            data_of(read(tmp_path / f"none{suffix}"))


def test_an_empty_array_beside_the_points_does_no_harm(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.eye(2), z=[1, -1], remarks=np.empty((0, 3)))
    assert len(read(tmp_path / "a.npz")) == 2
