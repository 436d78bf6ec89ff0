"""Text inside a PNG: a figure contains the session that made it. Only chunks are read, never pixels."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from kernelviz.engine.core.errors import BadInput

SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEY = b"kernelviz"  # Of the text chunk.
# Bytes that all compressed texts may have together; more are a trap, not a session.
LARGEST_TEXTS = 32 * 1024 * 1024


def is_png(content: bytes) -> bool:
    """Return True if the bytes begin like a PNG."""
    return content.startswith(SIGNATURE)


def chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield (type, data) of every whole chunk, up to where the file is cut or its lengths make no sense."""
    at = len(SIGNATURE)
    while at + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind = content[at + 4 : at + 8]
        if at + 12 + length > len(content):
            return
        yield kind, content[at + 8 : at + 8 + length]
        if kind == b"IEND":
            return
        at += 12 + length


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk with its length and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def embed(png: bytes, text: str) -> bytes:
    """Return the picture with a text under our key (iTXt, compressed), in place of one it had."""
    if not is_png(png) or next(chunks(png), None) is None:
        raise BadInput("This is not a PNG picture.")
    reader = _ChunkReader()
    kept = [(kind, data) for kind, data in chunks(png) if reader.text(kind, data) is None]
    carried = chunk(b"iTXt", KEY + b"\0\1\0\0\0" + zlib.compress(text.encode(), 9))
    # After the header, before the pixels: found without reading the whole file.
    first, *rest = (chunk(kind, data) for kind, data in kept)
    return SIGNATURE + first + carried + b"".join(rest)


def extract(png: bytes) -> str | None:
    """Return the text of a picture under our key, in whatever kind of text chunk; None if there is none."""
    if not is_png(png):
        return None
    reader = _ChunkReader()
    found = (reader.text(kind, data) for kind, data in chunks(png))
    return next((text for text in found if text is not None), None)


class _ChunkReader:
    """Finds the texts under our key in the chunks of a picture; decompresses `LARGEST_TEXTS` at most."""

    def __init__(self) -> None:
        self._room = LARGEST_TEXTS

    def text(self, kind: bytes, data: bytes) -> str | None:
        """Return the text of a tEXt, zTXt or iTXt chunk with that key; None for any other or broken chunk."""
        if kind not in (b"tEXt", b"zTXt", b"iTXt"):
            return None
        name, separator, rest = data.partition(b"\0")
        if not separator or name != KEY:
            return None
        try:
            if kind == b"tEXt":
                return rest.decode("latin-1")
            if kind == b"zTXt":
                return self._inflated(rest[1:]).decode("latin-1")
            _language, _translated, body = rest[2:].split(b"\0", 2)
            return (self._inflated(body) if rest[:1] == b"\1" else body).decode("utf-8")
        except (zlib.error, UnicodeDecodeError, ValueError):
            return None

    def _inflated(self, data: bytes) -> bytes:
        """Return decompressed bytes, within the limit for all texts of a picture; ValueError beyond it."""
        if self._room <= 0:
            raise ValueError("nothing more is unfolded")
        unfold = zlib.decompressobj()
        text = unfold.decompress(data, self._room)
        self._room -= len(text)
        if unfold.unconsumed_tail or not unfold.eof:
            raise ValueError("cut short or too long")
        return text
