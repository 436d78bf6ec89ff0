"""Whatever the bytes: a table and data, or one sentence. Never another exception, never a warning."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset
from kernelviz.session.tables import arrays, delimited, svmlight
from kernelviz.session.tables.columns import choose, guess, suggest, to_data
from kernelviz.session.tables.formats import parse
from tests.session.states import data_of

VALID = [
    write(dataset(source))
    for write in (delimited.write, svmlight.write, arrays.write)
    for source in ("three_points", "blobs(n=8, classes=3)", "iris(classes=setosa_virginica)")
]
VALID += [
    b'"a b";"c";label\r\n1,5;2;"x;y"\r\n-0,5;1e3;z\r\n',
    b"\xef\xbb\xbfx\ty\n0\t1.5\n1\t2.5\n",
    b"# comment\n 1 2 +\n 3 4 -\n",
    "x,y,größe\n1,2,ä\n3,4,ö\n".encode("utf-16"),
]


def harmless(content: bytes) -> None:
    """Read and use the bytes in every way; all that may come out is data or BadInput."""
    try:
        table = parse(content, "fuzz")
        table.preview()
        suggest(table)
    except BadInput:
        return
    for chosen in (guess, suggest, lambda t: choose(t, "1,2"), lambda t: choose(t, "x1,x2,label")):
        try:
            data = to_data(table, chosen(table))
        except BadInput:
            continue
        assert isinstance(data, Data)
        assert data.n == len(table) > 0
        assert data.domain == "strings" or np.isfinite(data.X).all()
        assert data.target is None or np.isfinite(data.target).all()


many = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@many
@given(st.binary(max_size=300))
@example(b"PK\x03\x04")
@example(b"\x93NUMPY\x01\0\xff\xff")
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    harmless(content)


@many
@given(st.text(alphabet='0123456789.,;: \t\n\r"+-eExyabn_#%', max_size=120))
def test_any_text_that_looks_like_a_table_is_read_or_refused(text: str) -> None:
    harmless(text.encode())


@many
@given(st.text(max_size=100))
def test_any_text_at_all_is_read_or_refused(text: str) -> None:
    harmless(text.encode("utf-8", "replace"))


@many
@given(
    st.sampled_from(VALID),
    st.lists(
        st.tuples(
            st.floats(0, 1, exclude_max=True),
            st.sampled_from(["change", "insert", "delete", "cut", "double"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.binary(min_size=6, max_size=6),
)
def test_any_damage_to_a_valid_file_is_read_or_refused(
    valid: bytes, damages: list[tuple[float, str]], fresh: bytes
) -> None:
    content = bytearray(valid)
    for (place, kind), byte in zip(damages, fresh, strict=False):
        i = int(place * len(content))
        match kind:
            case "change" if content:
                content[i] = byte
            case "insert":
                content.insert(i, byte)
            case "delete":
                del content[i : i + 1 + byte % 8]
            case "cut":
                del content[i + 1 :]
            case "double":
                content[i:i] = content[i : i + 1 + byte % 64]
    harmless(bytes(content))


@many
@given(st.sampled_from(VALID[6:9]), st.integers(0, 200), st.integers(0, 255))
def test_a_changed_byte_in_the_header_of_an_array_is_read_or_refused(valid: bytes, i: int, byte: int) -> None:
    content = bytearray(valid)
    content[i % len(content)] = byte
    harmless(bytes(content))


def test_undamaged_files_are_read() -> None:
    assert all(data_of(content).n > 1 for content in VALID)
