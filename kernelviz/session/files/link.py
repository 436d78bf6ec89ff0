"""A state in one line of text, to be sent in a message or written into a page.

    kernelviz:1:AbwYk6…

After the version comes base64 of a checksum, the JSON of a session file, deflated, and the coordinates of
the points. A data set that its expression draws again has no coordinates; others lie on a grid of decimal
numbers, 4096 steps from the smallest to the largest, so that a link shifts a point by at most half a step,
and a link of what a link has opened is the same link. Reading one opens, runs and fetches nothing."""

from __future__ import annotations

import base64
import binascii
import itertools
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from kernelviz.engine.core.data import Data, same_inputs
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.held_out import HeldOut, set_aside
from kernelviz.session.files import kviz
from kernelviz.session.files.records import HeldOutRecord, rows_of
from kernelviz.session.state import Document, State

SCHEME = "kernelviz:"
VERSION = "1"
LONGEST = 200_000  # Characters of a link; a message with more is better a file.
LARGEST = 4_000_000  # Bytes of the JSON in a link.
FINEST_STEPS = 4095  # Steps of a grid: 12 bits for each coordinate.
MOST_LISTED = 16  # Different numbers of a column that are listed, such as those of classes.
Bits: TypeAlias = NDArray[np.uint8]
Places: TypeAlias = NDArray[np.intp]

# What the JSON of most sessions contains. Deflating refers to it, so it must never change: links that were
# sent are read with the same words. Another list needs another version.
WORDS = (
    b'"categories":{"names":["a","b","c"],"spans":[[-"columns":["x1","x2","category"]"columns":["object"],'
    b'"objects":{"gram":[["columns":["text"],"task":"more than two classes","task":"no target","classes":['
    b'"healthy","ill"],"classes":["no","yes"],"sampled_from":,"components":[0,2],"limits":{"bottom":"legen'
    b'd":"lower right","legend":"lower left","legend":"upper right","mode":"watch","selection":[0],"shown"'
    b':["bayes","bumps","distances","draws","grid","held_out","labels","legend","marks","panels","prior","'
    b'raised","residuals","rugs","slack","spread","terms","truth","values","weights"]ard(l1=1, l2=box(l=ca'
    b"tegory(share=exponential(gamma=gram(homogeneous(degree=2, gamma=laplacian(gamma=linearmatern32(l=mat"
    b"ern52(l=periodic(period=1, l=polynomial(degree=3, gamma=1, c=1)power_series(degree=rational_quadrati"
    b"c(l=1, alpha=sigmoid(gamma=1, c=spectrum(length=3)subsequence(length=3, decay=0.5, fold_case=true, n"
    b"ormalised=true)weight(f=words(counted=trueby-hand(angle=densityfeature-map(features=squaresgaussian-"
    b"process(noise=0.01)hard-margin-svmhinge-sgd(lam=0.01, epochs=100, batch=10)kernel-sgd(rate=0.5, batc"
    b"h=logistic(lam=nadaraya-watsonnearest-neighbours(k=nu-svm(nu=nu-svr(C=10, nu=0.3)one-class-svm(nu=0."
    b"1)online-perceptron(passes=perceptron(sweeps=100)prototyperandom-features(q=100, model=ridge(lam=0.1"
    b")squared-slack-svm(lam=svr(C=10, epsilon=0.1, tol=0.001)barely_separableblobs(n=checkerboard(circle_"
    b"in_squarecolours(cubic(gap(n=gaussians(distance=graphs(steps=iris(first=petal_lengthjust_not_separab"
    b"lelanguagesmixture(motif(n=outliers(returningrings(n=sinc(sine(n=spelling(n=spirals(n=step(n=three_p"
    b'ointstopicsxor(n=xor_linemoons(n=80, noise=0.2, seed=1){"active":1,"data":{"classes":[],"columns":["'
    b'x"],"edited_from":"sine(n=30)","points":{"columns":[["grid","target_name":"y","task":"regression"},"'
    b'fits":[{"kernel":"rbf(gamma=3)","algorithm":"ridge(lam=0.1)"},{"kernel":"rbf(gamma=2) ; "held_out":{'
    b'"source":"","count":1000},"held_out":{"share":0.3,"seed":1},"shown":["band","curve","legend","marks"'
    b',"points","rings"],"step":0,{"active":0,"data":{"classes":["-1","1"],"columns":["x1","x2"],"edited_f'
    b'rom":"moons(n=80)","points":{"n":20,"columns":[["grid",5,-3,-["grid",2,-3,-1,2],["grid",1,-3,-1,2],['
    b'"of",[0,1,2,3]],["of",[-1,1]]]},{"active":0,"data":{"classes":["-","+"],"columns":["x1","x2"],"sourc'
    b'e":"","standardised":false,"target_name":"","task":"two classes"},"fits":[{"kernel":"rbf(gamma=1)","'
    b'algorithm":"soft-margin-svm(C=10)"}],"format":"kernelviz","look":{"mode":"live","selection":[],"show'
    b'n":["boundary","equal_aspect","field","legend","levels","margins","marks","points","rings"],"step":0'
    b',"view":{"bottom":-1.,"left":-2.,"right":2.,"top":1.}},"version":2}'
)


class DecimalGrid(msgspec.Struct, frozen=True, array_like=True, tag="grid"):
    """Numbers (low + k) · factor · 10^exponent for k from 0 to `steps`."""

    factor: Annotated[int, Meta(ge=1, le=5)]
    exponent: Annotated[int, Meta(ge=-300, le=300)]
    low: int
    steps: Annotated[int, Meta(ge=1, le=FINEST_STEPS)]

    def value(self, k: int) -> float:
        """Return a number of the grid, as the decimal number would be read."""
        return float(f"{(self.low + k) * self.factor}e{self.exponent}")


class Few(msgspec.Struct, frozen=True, array_like=True, tag="of"):
    """Numbers given as a list, such as those of classes."""

    of: Annotated[list[float | int], Meta(min_length=1, max_length=MOST_LISTED)]

    @property
    def steps(self) -> int:
        """Return the largest place in the list."""
        return len(self.of) - 1

    def value(self, k: int) -> float:
        """Return a number of the list."""
        return self.of[min(k, self.steps)]


class PackedPoints(msgspec.Struct, frozen=True):
    """The part of the JSON that replaces the points: their number, and the values a column can have."""

    n: Annotated[int, Meta(ge=1, le=500_000)]
    columns: Annotated[list[DecimalGrid | Few], Meta(min_length=1, max_length=1001)]

    @property
    def widths(self) -> list[int]:
        """Return the bits of a number in each column."""
        return [max(1, column.steps.bit_length()) for column in self.columns]


def is_link(text: str) -> bool:
    """Return True for a text that is meant as a link."""
    return text.lstrip().startswith(SCHEME)


def link_to(state: State, extra: Mapping[str, Any] | None = None) -> str:
    """Return the link that opens a state; BadInput if it would be too long.

    extra: further fields of its session file. The states of other workspaces are left out.

    >>> state_in(link_to(state))"""
    fields = {key: value for key, value in (extra or {}).items() if key != kviz.FIELD}
    tree = msgspec.json.decode(kviz.dumps(state, fields))
    bits: list[Bits] = []
    if _is_drawn(state.document):
        del tree["data"]["points"]
        if (held := tree.get("held_out")) and "share" in held:
            del held["points"], held["rows"]
    else:
        for part in _with_points(tree):
            bits += _pack(part)
    if state.look == state.document.require_workspace().look(state.document.data):
        del tree["look"]
    else:
        _round(tree["look"]["view"])
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zdict=WORDS)
    content = deflate.compress(msgspec.json.encode(tree)) + deflate.flush()
    content += np.packbits(np.concatenate(bits)).tobytes() if bits else b""
    checked = binascii.crc_hqx(content, 0).to_bytes(2, "big") + content
    link = f"{SCHEME}{VERSION}:{base64.urlsafe_b64encode(checked).decode().rstrip('=')}"
    if len(link) > LONGEST:
        raise BadInput("There is too much here for a link. Save it as a session, and send the file.")
    return link


def state_in(link: str) -> tuple[State, dict[str, Any]]:
    """Return the state that a link opens, with the names of hidden controls and of views; BadInput says what
    is wrong with it. Other fields of a session file, such as those that name files, are ignored."""
    try:
        tree = _tree("".join(link.split()))
    except (BadLink, msgspec.ValidationError):
        raise BadInput(
            "The link cannot be opened: a part of it is missing or has been changed. Copy all of it."
        ) from None
    state, extra = kviz.loads(msgspec.json.encode(tree), "The link")
    return state, {key: extra[key] for key in ("hidden", "views") if key in extra}


class BadLink(Exception):
    """The text is not the content of a link."""


def _tree(link: str) -> dict[str, Any]:
    """Return the content of the session file that a link stands for."""
    version, _, text = link.removeprefix(SCHEME).partition(":")
    if version.isdecimal() and version != VERSION:
        raise BadInput("The link was made by a newer kernelviz. Update kernelviz to open it.")
    if version != VERSION or len(link) > LONGEST:
        raise BadLink
    try:
        checked = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        content, inflate = checked[2:], zlib.decompressobj(-zlib.MAX_WBITS, zdict=WORDS)
        decoded = inflate.decompress(content, LARGEST)
        if not inflate.eof or binascii.crc_hqx(content, 0) != int.from_bytes(checked[:2], "big"):
            raise BadLink
        tree = msgspec.json.decode(decoded)
    except (ValueError, zlib.error, RecursionError):
        raise BadLink from None
    if not isinstance(tree, dict) or not isinstance(tree.get("data"), dict):
        raise BadLink
    if "points" in tree["data"]:
        bits = np.unpackbits(np.frombuffer(inflate.unused_data, dtype=np.uint8))
        for part in _with_points(tree):
            bits = _unpack(part, bits)
    else:
        _draw(tree["data"], tree.get("held_out") or {})
    return tree


# Data sets --------------------------------------------------------------------------------------------
def _drawn(source: str, share: float | None, seed: int) -> tuple[Data, HeldOut | None]:
    """Return the points of a data set expression, and the share of them that is held out."""
    data = parse_dataset(source).make()
    return (data, None) if share is None else set_aside(data, share, seed)


def _is_drawn(document: Document) -> bool:
    """Return True if the source of a document draws exactly its points, those held out included."""
    held = document.held_out
    share = held.share if held is not None else None
    if held is not None and share is not None and held.moved:
        return False
    try:
        data, apart = _drawn(document.source, share, held.seed if held is not None else 0)
    except BadInput:
        return False
    pairs = [(data, document.data)]
    if held is not None and apart is not None:
        pairs.append((apart.data, held.data))
    return all(same_inputs(a.X, b.X) and np.array_equal(a.answers, b.answers) for a, b in pairs)


def _draw(part: dict[str, Any], held: dict[str, Any]) -> None:
    """Write the points of a data set into the JSON, those held out into theirs."""
    record = msgspec.convert(held, HeldOutRecord)
    data, apart = _drawn(str(part.get("source")), record.share, record.seed)
    part["points"] = next(rows_of(data, data.n), [])
    if apart is not None and apart.rows is not None:
        held["points"], held["rows"] = next(rows_of(apart.data, apart.data.n)), apart.rows.tolist()


# Points -----------------------------------------------------------------------------------------------
def _with_points(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parts of a session file that have points."""
    for name in ("data", "held_out"):
        if isinstance(part := tree.get(name), dict) and part.get("points"):
            yield part


def _pack(part: dict[str, Any]) -> list[Bits]:
    """Describe the points in the JSON, and return their bits, column after column. Points that are texts stay
    where they are and have no bits, and so do those that are too far apart or too far away for a grid."""
    columns = list(zip(*part["points"], strict=True))
    if isinstance(columns[0][0], str):
        return []
    found = [column for values in columns if (column := _column(values)) is not None]
    if len(found) < len(columns):
        return []
    packed = PackedPoints(len(columns[0]), [column for column, _ in found])
    part["points"] = msgspec.to_builtins(packed)
    shifts = ([*range(width)] for width in packed.widths)
    return [
        ((places[:, None] >> np.array(shift)) & 1).astype(np.uint8).ravel()
        for (_, places), shift in zip(found, shifts, strict=True)
    ]


def _unpack(part: dict[str, Any], bits: Bits) -> Bits:
    """Write the rows of points that are packed into the JSON; return the bits that follow theirs."""
    if isinstance(part["points"], list):
        return bits
    packed, columns = msgspec.convert(part["points"], PackedPoints), []
    for column, width in zip(packed.columns, packed.widths, strict=True):
        own, bits = bits[: packed.n * width], bits[packed.n * width :]
        if len(own) < packed.n * width:
            raise BadLink
        places = own.reshape(packed.n, width) @ (1 << np.arange(width))
        columns.append([column.value(k) for k in places.tolist()])
    part["points"] = [*map(list, zip(*columns, strict=True))]
    return bits


def _column(values: Sequence[float]) -> tuple[DecimalGrid | Few, Places] | None:
    """Return the values that a column can have, and the index of each number among them, so that reading
    gives the same numbers; None where floats are too coarse for a grid."""
    different = sorted(set(values))
    if len(different) <= MOST_LISTED:
        return Few(different), np.array([different.index(value) for value in values])
    if (found := _on_grid(values)) is None:
        return None
    rounded = [found[0].value(k) for k in found[1].tolist()]
    return found if rounded == [*values] else _column(rounded)


def _on_grid(values: Sequence[float]) -> tuple[DecimalGrid, Places] | None:
    """Return the finest grid for the numbers, and the nearest place on it for each.

    Numbers that were rounded may leave room for a finer grid. They stay on their own one, and if the next
    coarser one has all of them too, on that."""
    span = max(values) - min(values)
    if span <= 1e-290 or max(map(abs, values)) > 1e12 * span:
        return None
    exponent = math.floor(math.log10(span / FINEST_STEPS)) - 1
    grids = (_with_step(values, f, exponent + e) for e in range(4) for f in (1, 2, 5))
    finest, coarser = itertools.islice(filter(None, grids), 2)
    for grid, places in (coarser, finest):
        if all(grid.value(k) == v for k, v in zip(places.tolist(), values, strict=True)):
            return grid, places
    return finest


def _with_step(values: Sequence[float], factor: int, exponent: int) -> tuple[DecimalGrid, Places] | None:
    """Return the grid with that step and the nearest place on it for each number; None if it takes too many
    steps."""
    units = np.rint(np.array(values) / float(f"{factor}e{exponent}"))
    low, steps = int(units.min()), int(np.ptp(units))
    return (
        (DecimalGrid(factor, exponent, low, steps), (units - low).astype(np.intp))
        if steps <= FINEST_STEPS
        else None
    )


def _round(view: dict[str, float]) -> None:
    """Shift the sides of a view to numbers with few digits."""
    for sides in (("left", "right"), ("bottom", "top")):
        if found := _on_grid([view[side] for side in sides]):
            view.update(zip(sides, map(found[0].value, found[1].tolist()), strict=True))
