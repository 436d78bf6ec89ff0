"""Reading tables: every way people write them, and one sentence for what is wrong with a file."""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path

import numpy as np
import pytest

from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import Steps
from kernelviz.session.tables.formats import parse, read, read_text, reading
from kernelviz.session.tables.table import BYTES, COLUMNS, ROWS
from tests.session.states import data_of

THE_POINTS = [[1.5, -2.0], [0.25, 4.0], [-3.0, 0.5]]
WRITTEN = {
    "comma": "1.5,-2,+\n0.25,4,-\n-3,0.5,+\n",
    "comma and blank": "1.5, -2, +\n0.25, 4, -\n-3, 0.5, +\n",
    "semicolon": "1.5;-2;+\n0.25;4;-\n-3;0.5;+\n",
    "tab": "1.5\t-2\t+\n0.25\t4\t-\n-3\t0.5\t+\n",
    "blanks": "  1.5   -2 +\n0.25 4  -\n-3 0.5 + \n",
    "decimal comma and semicolon": "1,5;-2;+\n0,25;4;-\n-3;0,5;+\n",
    "decimal comma and tab": "1,5\t-2\t+\n0,25\t4\t-\n-3\t0,5\t+\n",
    "decimal comma and blanks": "1,5 -2 +\n0,25 4 -\n-3 0,5 +\n",
    "header": "a,b,label\n1.5,-2,+\n0.25,4,-\n-3,0.5,+\n",
    "header in quotes": '"a, or not","b","label"\n1.5,-2,"+"\n0.25,4,"-"\n-3,0.5,"+"\n',
    "header of pandas": "0,1,label\n1.5,-2,+\n0.25,4,-\n-3,0.5,+\n",
    "label first": "class,a,b\n+,1.5,-2\n-,0.25,4\n+,-3,0.5\n",
    "CRLF": "1.5,-2,+\r\n0.25,4,-\r\n-3,0.5,+\r\n",
    "old Mac": "1.5,-2,+\r0.25,4,-\r-3,0.5,+\r",
    "no newline at the end": "1.5,-2,+\n0.25,4,-\n-3,0.5,+",
    "empty lines and comments": "# points\n\n1.5,-2,+\n\n0.25,4,-\n# and one more\n-3,0.5,+\n\n",
    "empty rows of a spreadsheet": "1.5,-2,+\n0.25,4,-\n-3,0.5,+\n,,\n,,\n",
    "separator at the end": "1.5,-2,+,\n0.25,4,-,\n-3,0.5,+,\n",
    "scientific": "15e-1,-2E0,+\n2.5e-1,+4,-\n-3,.5,+\n",
    "true minus sign": "1.5,\u22122,+\n0.25,4,\u2212\n\u22123,0.5,+\n",
    "svmlight": "+1 1:1.5 2:-2\n-1 1:0.25 2:4 # a comment\n+1 1:-3 2:0.5\n",
    "svmlight from zero": "+1 0:1.5 1:-2\n-1 0:0.25 1:4\n+1 0:-3 1:0.5\n",
    "svmlight with queries": "+1 qid:1 1:1.5 2:-2\n-1 qid:1 1:0.25 2:4\n+1 qid:2 1:-3 2:0.5\n",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN.keys())
def test_the_same_points_however_they_are_written(text: str) -> None:
    data = data_of(text)
    assert data.X.tolist() == THE_POINTS
    assert data.z.tolist() == [1, -1, 1]


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_same_points_in_every_unicode_coding(coding: str) -> None:
    data = data_of("größe,länge,label\n1.5,-2,+\n0.25,4,-\n-3,0.5,+\n".encode(coding))
    assert data.X.tolist() == THE_POINTS
    assert data.columns == ("größe", "länge")


def test_leaving_out_an_index_means_zero() -> None:
    assert data_of("1 2:5\n-1 1:1\n").X.tolist() == [[0, 5], [1, 0]]


def test_a_wide_svmlight_file_needs_no_choice_of_columns() -> None:
    assert data_of("1 1:1 2:2 3:3 4:4 5:5\n-1 1:0\n").X.shape == (2, 5)


def test_x_and_y_are_a_regression() -> None:
    data = data_of("x,y\n0,1.5\n1,2.5\n2,2.25\n")
    assert data.task is Task.REGRESSION
    assert data.y.tolist() == [1.5, 2.5, 2.25]


def test_words_are_classes_and_keep_their_names() -> None:
    data = data_of("1,2,cat\n3,4,dog\n5,6,eel\n")
    assert data.task is Task.CLASSES
    assert data.class_names == ("cat", "dog", "eel")


COMPLAINTS = {
    "a word among numbers": ("1,2,+\n3,four,-\n5,6,+\n", r"line 2, column 2 \(x2\): 'four' is not a number"),
    "a hole": ("x,y,label\n1,2,+\n3,,-\n", r"line 3, column 2 \(y\): the number is missing"),
    "not a number": ("1,2,+\nnan,4,-\n", r"line 2, column 1 \(x1\): the number is missing \(nan\)"),
    "infinity": ("1,2,+\n3,inf,-\n", r"line 2, column 2 .*inf is not a finite number"),
    "too large": ("1,2,+\n3,1e999,-\n", r"line 2, column 2 .*inf is not a finite number"),
    "too far away": ("1,2,+\n3,1e99,-\n", r"too large to compute with: row 2, column 2 is 1e\+99"),
    "too large a target": ("x,y\n1,2.5\n2,-1e13\n3,1.25\n", r"The targets are too large .* reach 1e\+12"),
    "a missing label": ("1,2,+\n3,4,\n", r"line 2, column 3 .*the label is missing"),
    "a short row": ("1,2,+\n\n3,4\n", r"line 3: 2 values, but line 1 has 3"),
    "a long row": ("1,2,+\n3,4,-,9\n", r"line 2: 4 values, but line 1 has 3"),
    "an open quotation mark": ('1,2,"+\n3,4,-\n', r"line 1 or later: the quotation marks do not match"),
    "nothing": ("", r"is empty"),
    "nothing but blanks": ("\n  \n\t\n", r"is empty"),
    "only a header": ("x,y,label\n", r"no rows of data"),
    "too many columns to guess": ("a,b,c,d\n1,2,3,4\n", r"4 columns \(a, b, c, d\): choose"),
    "a thousand or a decimal": ('1,"2,345",+\n3,4,-\n', r"line 1, column 2 .*'2,345' is not a number"),
    "a Python number": ("1_000,2,+\n3,4,-\n", r"'1_000' is not a number"),
    "a broken pair": ("+1 1:2 2:3\n-1 1:x\n", r"line 2: '1:x' is not an index:value pair"),
    "an index twice": ("+1 1:2 1:3\n", r"row 1: an index is given twice"),
    "an index too large": ("+1 1:2 99999999:3\n", r"line 1: index 99999999 is too large"),
    "no numbers at all": ("a,b,c\nd,e,f\n", r"'a' is not a number"),
    "a quantity for a label": ("\n".join(f"{i},{i},a{i}" for i in range(30)), "30 different values"),
}


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS.values(), ids=COMPLAINTS.keys())
def test_one_sentence_says_what_is_wrong_and_where(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint) as caught:
        data_of(text)
    assert "\n" not in str(caught.value)


BYTES_COMPLAINTS = {
    "a program": (b"\x7fELF\x02\x01\x01\0\0\0\0\xff", "not a text file"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not a text file"),
    "zeros": (bytes(100), "not a text file"),
    "half a UTF-16 letter": ("1,2".encode("utf-16") + b"1", "text is not in UTF-16"),
    "an empty archive": (b"PK\x05\x06" + bytes(18), "holds no arrays"),
    "a cut archive": (b"PK\x03\x04" + bytes(30), "damaged"),
    "a cut array": (b"\x93NUMPY\x01\0", "damaged"),
}


@pytest.mark.parametrize(("content", "complaint"), BYTES_COMPLAINTS.values(), ids=BYTES_COMPLAINTS.keys())
def test_what_is_no_text_is_refused_in_words(content: bytes, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        parse(content, "points.csv")


def test_a_missing_file_a_directory_and_a_forbidden_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.csv cannot be read: no such file"):
        read(tmp_path / "nowhere.csv")
    with pytest.raises(BadInput, match="cannot be read: is a directory"):
        read(tmp_path)
    with pytest.raises(BadInput, match="cannot be read"):
        read("a\0b.csv")


def test_a_gigabyte_is_refused_without_being_read(tmp_path: Path) -> None:
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.truncate(10**9)
    with pytest.raises(BadInput, match=f"at most {BYTES // 10**6} MB are read"):
        read(huge)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="the device exists on Unix only")
def test_a_file_without_end_is_refused() -> None:
    with pytest.raises(BadInput, match="at most"):
        read("/dev/zero")


def test_a_million_rows_are_refused_before_they_are_parsed() -> None:
    with pytest.raises(BadInput, match=f"1,000,000 rows; at most {ROWS:,} are read"):
        read_text("1,2,+\n" * 1_000_000)


def test_too_many_columns_are_refused() -> None:
    with pytest.raises(BadInput, match=f"at most {COLUMNS:,} are read"):
        read_text(",".join(["1"] * (COLUMNS + 1)))


def test_a_large_file_is_read_in_parts_that_report_progress(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100_000, 2))
    path = tmp_path / "large.csv"
    np.savetxt(path, np.column_stack([X, np.sign(X[:, 0])]), delimiter=",", fmt="%.17g")
    steps = Steps(reading(path))
    fractions, table = list(steps), steps.result
    assert fractions == sorted(fractions)
    assert len(fractions) > 5
    assert fractions[0] >= 0
    assert fractions[-1] <= 1
    assert np.array_equal(data_of(table).X, X)


def test_reading_can_be_abandoned_at_any_yield(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("1,2,+\n3,4,-\n")
    reader = reading(path)
    assert next(reader) < 1
    reader.close()
    assert list(reader) == []
    assert len(read(path)) == 2


def test_columns_of_a_spreadsheet_come_through_the_clipboard() -> None:
    table = read_text("x\ty\tKlasse\r\n1,5\t2\tja\r\n2\t3,5\tnein\r\n")
    assert table.names == ("x", "y", "Klasse")
    assert data_of(table).X.tolist() == [[1.5, 2], [2, 3.5]]


def zip64_at(offset: int) -> bytes:
    """An archive of one array whose place, in 64 bits, is wrong."""
    stream = io.BytesIO()
    np.savez(stream, X=np.zeros((2, 2)))
    content = bytearray(stream.getvalue())
    entry, end = content.rfind(b"PK\x01\x02"), content.rfind(b"PK\x05\x06")
    extra = struct.pack("<HHQ", 1, 8, offset)
    content[entry + 42 : entry + 46] = b"\xff" * 4
    content[entry + 30 : entry + 32] = struct.pack("<H", len(extra))
    name = struct.unpack("<H", content[entry + 28 : entry + 30])[0]
    directory = bytes(content[entry : entry + 46 + name]) + extra
    tail = bytearray(content[end:])
    tail[12:16] = struct.pack("<I", len(directory))
    return bytes(content[:entry]) + directory + bytes(tail)


@pytest.mark.parametrize("offset", [2**63 - 1, 2**63, 2**64 - 1])
def test_an_archive_whose_offsets_are_beyond_everything_is_refused_in_words(offset: int) -> None:
    with pytest.raises(BadInput, match=r"far\.npz is damaged or not an archive of numpy arrays\."):
        parse(zip64_at(offset), "far.npz")
