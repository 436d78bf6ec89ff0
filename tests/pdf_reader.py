"""What is written in a PDF of Qt's: every run of text with its size, as a reader of the file finds it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

OBJECT = re.compile(rb"(?<=\n)(\d+) 0 obj\s(.*?)(?=\sendobj\b)", re.S)
OPERATOR = re.compile(
    r"(?P<restore>\bQ\b)|(?P<save>\bq\b)|(?P<matrix>(?:[-\d.]+ ){6})cm|(?P<font>/F\d+) (?P<size>[\d.]+) Tf"
    r"|<(?P<glyphs>[\dA-F]+)> Tj|(?P<end>\bET\b)"
)


class Run(NamedTuple):
    """A piece of text, and its size in points."""

    text: str
    size: float


def boxes(pdf: bytes) -> list[tuple[str, float, float]]:
    """Return the name, width and height of every box of every page."""
    found = re.findall(rb"/(Media|Trim)Box \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(name.decode(), float(width), float(height)) for name, width, height in found]


def texts(pdf: bytes) -> list[Run]:
    """Return all runs of text of all pages, in the order in which they are drawn."""
    objects = {int(number): body for number, body in OBJECT.findall(pdf)}
    pages = [body for body in objects.values() if re.search(rb"/Type /Page\b", body)]
    return [run for page in pages for run in _runs(page, objects)]


def _runs(page: bytes, objects: dict[int, bytes]) -> Iterator[Run]:
    """Yield the runs of a page: the glyphs of each are translated by the font's own table."""

    def one(pattern: bytes, body: bytes) -> bytes:
        return objects[int(re.search(pattern + rb" (\d+) 0 R", body)[1])]

    fonts = {
        name: _letters(_stream(one(rb"/ToUnicode", objects[int(number)])))
        for name, number in re.findall(rb"(/F\d+) (\d+) 0 R", one(rb"/Resources", page))
    }
    stack, matrix, letters, size, text = [], np.eye(3), {}, 0.0, ""
    for found in OPERATOR.finditer(_stream(one(rb"/Contents", page)).decode("latin-1")):
        if found["save"]:
            stack.append(matrix)
        elif found["restore"]:
            matrix = stack.pop() if stack else matrix  # Qt restores once more than it saves
        elif found["matrix"]:
            a, b, c, d, e, f = map(float, found["matrix"].split())
            matrix = np.array([[a, b, 0], [c, d, 0], [e, f, 1]]) @ matrix
        elif found["font"]:
            letters, size = fonts[found["font"].encode()], float(found["size"])
        elif found["glyphs"]:
            codes = re.findall("....", found["glyphs"])
            text += "".join(letters.get(int(code, 16), "\N{REPLACEMENT CHARACTER}") for code in codes)
        elif found["end"]:
            yield Run(text, size * abs(np.linalg.det(matrix[:2, :2])) ** 0.5)
            text = ""


def _letters(table: bytes) -> dict[int, str]:
    """Return the text of each glyph, from the table of a font."""
    found = {}
    for first, last, text in re.findall(rb"<(\w+)> <(\w+)> <(\w+)>", table):
        begin = ord(bytes.fromhex(text.decode()).decode("utf-16-be"))
        found |= {code: chr(begin + k) for k, code in enumerate(range(int(first, 16), int(last, 16) + 1))}
    for first, _, several in re.findall(rb"<(\w+)> <(\w+)> \[([^\]]*)\]", table):
        for k, text in enumerate(re.findall(rb"<(\w+)>", several)):
            found[int(first, 16) + k] = bytes.fromhex(text.decode()).decode("utf-16-be")
    return found


def _stream(body: bytes) -> bytes:
    """Return the contents of a stream object."""
    head, _, rest = body.partition(b"stream")
    content = rest.lstrip(b"\r\n")
    return zlib.decompressobj().decompress(content) if b"/FlateDecode" in head else content
