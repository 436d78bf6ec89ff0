"""Text in a PNG survives, and no damaged picture can hurt."""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.files.png_metadata import SIGNATURE, chunk, chunks, embed, extract, is_png

HEADER = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
PICTURE = SIGNATURE + HEADER + chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b"")


@given(st.text())
def test_what_is_embedded_is_read_back(text):
    assert extract(embed(PICTURE, text)) == text


@given(st.text(), st.text())
def test_embedding_again_replaces_the_old_text_and_keeps_the_pixels(first, second):
    twice = embed(embed(PICTURE, first), second)
    assert extract(twice) == second
    assert [kind for kind, _ in chunks(twice)] == [b"IHDR", b"iTXt", b"IDAT", b"IEND"]
    assert dict(chunks(twice))[b"IDAT"] == dict(chunks(PICTURE))[b"IDAT"]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (b"tEXt", b"plain"),
        (b"zTXt", b"\0" + zlib.compress(b"plain")),
        (b"iTXt", b"\0\0en\0key\0plain"),
        (b"iTXt", b"\1\0en\0key\0" + zlib.compress(b"plain")),
    ],
)
def test_every_kind_of_text_chunk_is_understood(kind, body):
    picture = SIGNATURE + HEADER + chunk(kind, b"kernelviz\0" + body) + chunk(b"IEND", b"")
    assert extract(picture) == "plain"


@given(st.data())
def test_damaged_pictures_give_the_text_or_nothing(data):
    content = bytearray(embed(PICTURE, "session" * 20))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    found = extract(bytes(content[:cut]))
    assert found is None or isinstance(found, str)


@given(st.binary(max_size=300))
def test_arbitrary_bytes_carry_no_text(content):
    assert extract(content) is None
    assert extract(SIGNATURE + content) is None or is_png(SIGNATURE + content)


@pytest.mark.parametrize("content", [b"", b"GIF89a", SIGNATURE, SIGNATURE + b"\0\0\0\xffIHDR"])
def test_only_a_png_can_carry_text(content):
    with pytest.raises(BadInput, match="not a PNG"):
        embed(content, "text")
