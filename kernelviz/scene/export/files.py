"""Figures as files: PNG of exact size and resolution, SVG, and PDF with the typeface inside.

Everything that takes long is a generator that yields the share done, so that a window can show it and
cancel it; `save` and `as_bytes` run such a generator to its end. A PNG can contain the session it shows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator
from dataclasses import replace
from math import ceil
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPicture,
)
from PySide6.QtSvg import QSvgGenerator

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.scene.export.latex import pdf_tex
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.latex_words import words_left_out
from kernelviz.scene.figure.style import Notes, Style
from kernelviz.scene.figure.typeface import typeface
from kernelviz.scene.nodes import Node
from kernelviz.scene.painter import Layout
from kernelviz.scene.qt_messages import install_message_handler
from kernelviz.session.figure_options import MM_PER_INCH
from kernelviz.session.files.atomic import write_atomically
from kernelviz.session.files.png_metadata import embed

FORMATS = ("png", "svg", "pdf")
CREATOR = "kernelviz"
# Characters, in UTF-8, that are not allowed in XML but that Qt writes all the same.
NOT_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]|\xed[\xa0-\xbf][\x80-\xbf]")
PDF_RESOLUTION = 720
BAND = 2_000_000  # Pixels painted at a time.


def ensure_application() -> QGuiApplication:
    """Return the running application, or a new one that needs no display."""
    app = QGuiApplication.instance()
    if isinstance(app, QGuiApplication):
        return app
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    install_message_handler()
    return QGuiApplication([CREATOR])


def save(figure: Node, path: str | os.PathLike[str], options: Options, session: str | None = None) -> None:
    """Write a figure in the format of the suffix; the old file stays intact if anything fails."""
    finished(saving(figure, path, options, session))


def saving(
    figure: Node, path: str | os.PathLike[str], options: Options, session: str | None
) -> Generator[float, None, None]:
    """Do the same as `save` in steps that yield the share done; closing it before the end writes nothing."""
    path = Path(path)
    if options.words != "latex" or path.suffix.lower() != ".pdf":
        content = yield from making(figure, path.suffix, options, session)
        yield 1.0
        write_atomically(path, content)
        return
    with words_left_out() as words:
        content = as_pdf(figure, options)
    yield 1.0
    write_atomically(path, content)
    lines = pdf_tex(words, options.size, 72 / PDF_RESOLUTION, path.name)
    write_atomically(path.with_name(f"{path.name}_tex"), lines.encode())


def as_bytes(figure: Node, suffix: str, options: Options, session: str | None = None) -> bytes:
    """Return the figure in the format of a suffix; only a PNG can contain the session."""
    return finished(making(figure, suffix, options, session))


def making(figure: Node, suffix: str, options: Options, session: str | None) -> Generator[float, None, bytes]:
    """Do the same as `as_bytes` in steps that yield the share done."""
    kind = suffix.lower().lstrip(".")
    if options.words == "latex":
        raise BadInput("Words are left to LaTeX only in a PDF file, which gets a .pdf_tex beside it.")
    if kind == "png":
        png = png_bytes((yield from painting(figure, options)))
        return png if session is None else embed(png, session)
    if kind == "svg":
        return as_svg(figure, options)
    if kind == "pdf":
        return as_pdf(figure, options)
    raise BadInput(f"Figures are written as {', '.join(FORMATS)}, not as {kind or 'a file without suffix'}.")


def as_image(figure: Node, options: Options) -> QImage:
    """Return the figure as pixels."""
    return finished(painting(figure, options))


def painting(figure: Node, options: Options) -> Generator[float, None, QImage]:
    """Paint the pixels band by band: yield the share done and return the image.

    A band is so small that other threads need not wait long for the interpreter."""
    ensure_application()
    width, height = options.pixels
    rows = max(1, BAND // width)
    kind = QImage.Format.Format_ARGB32_Premultiplied if options.transparent else QImage.Format.Format_RGB32
    image = _blank(QSize(width, height), kind)
    dots_per_metre = round(options.dpi / 0.0254)
    image.setDotsPerMeterX(dots_per_metre)
    image.setDotsPerMeterY(dots_per_metre)
    for top in range(0, height, rows):
        size = QSize(width, min(rows, height - top))
        band = _pixels(figure, options, size, options.pixels_per_point, top)
        with QPainter(image) as painter:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.drawImage(0, top, band)
        yield min(1.0, (top + rows) / height)
    return image


def preview(figure: Node, options: Options, most: QSize) -> QImage:
    """Return the same figure with fewer pixels, as large as fits into `most`."""
    ensure_application()
    width, height = options.pixels
    scale = min(most.width() / width, most.height() / height)
    size = QSize(max(1, round(scale * width)), max(1, round(scale * height)))
    return _pixels(figure, options, size, scale * options.pixels_per_point)


def _pixels(figure: Node, options: Options, size: QSize, scale: float, top: int = 0) -> QImage:
    """Return the pixels of the figure at `scale` pixels per point, from row `top` on."""
    image = _blank(size, QImage.Format.Format_ARGB32_Premultiplied)
    # The last row and column may reach beyond the figure by a part of a pixel.
    image.fill(QColor(Qt.GlobalColor.transparent if options.transparent else options.painted_theme.paper))
    with QPainter(image) as painter:
        painter.translate(0, -top)
        painter.scale(scale, scale)
        _paint(painter, figure, options, replace(options.style(), pixels_per_point=scale))
    return image


def _blank(size: QSize, kind: QImage.Format) -> QImage:
    """Return an empty image; BadInput if there is not enough memory."""
    image = QImage(size, kind)
    if image.isNull():
        raise BadInput(f"There is not enough memory for {size.width()}x{size.height()} pixels.")
    return image


def png_bytes(image: QImage) -> bytes:
    """Return the image as PNG."""
    buffer = open_buffer()
    QImageWriter(buffer, b"png").write(image)
    return content_of(buffer)


def as_svg(figure: Node, options: Options) -> bytes:
    """Return an SVG of the size on paper, with text as text or as outlines."""
    ensure_application()
    buffer = open_buffer()
    svg_units = 10  # Units of the SVG per point: its size is in whole numbers, which are then fine enough.
    width, height = (ceil(side * svg_units) for side in options.size)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setResolution(round(72 * svg_units))
    generator.setSize(QSize(width, height))
    generator.setViewBox(QRect(0, 0, width, height))
    generator.setTitle(options.heading or "Figure")
    generator.setDescription(f"Made with {CREATOR}")
    with QPainter(generator) as painter:
        painter.scale(svg_units, svg_units)
        _paint(painter, figure, options)
    # Qt counts in whole units, the page does not.
    across, down = (f"{side * MM_PER_INCH / 72:.6g}mm" for side in options.size)
    box = " ".join(f"{side * svg_units:.8g}" for side in options.size)
    head = f'<svg width="{across}" height="{down}"\n viewBox="0 0 {box}"'.encode()
    svg = re.sub(rb'<svg width="[^"]*" height="[^"]*"\s+viewBox="[^"]*"', head, content_of(buffer), count=1)
    return NOT_XML.sub(b"", svg)


def as_pdf(figure: Node, options: Options) -> bytes:
    """Return a PDF with one page of exactly the figure's size; everything but the field is vectors."""
    return pdf_pages(
        options.size, options.heading or "Figure", lambda painter, _: _paint(painter, figure, options)
    )


def pdf_pages(
    size: tuple[float, float], title: str, paint: Callable[[QPainter, Callable[[], object]], None]
) -> bytes:
    """Return a PDF with pages of exactly a size in points, without margins.

    paint: is given a painter that counts in points, and what begins the next page. Qt's pages have whole
    points: what is painted lies at the lower left of theirs, whose boxes are overwritten by others of as many
    bytes. So are the tabs that Qt takes blanks for in its tables of the characters of glyphs."""
    ensure_application()
    buffer = open_buffer()
    writer = QPdfWriter(buffer)  # has to live as long as the painter
    writer.setCreator(CREATOR)
    writer.setTitle(title)
    writer.setResolution(PDF_RESOLUTION)
    whole = QSizeF(*map(ceil, size))
    page = QPageSize(whole, QPageSize.Unit.Point, "page", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    with QPainter(writer) as painter:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.scale(PDF_RESOLUTION / 72, PDF_RESOLUTION / 72)
        painter.translate(0, whole.height() - size[1])
        paint(painter, writer.newPage)

    def exact(box: re.Match[bytes]) -> bytes:
        texts = (
            f"{side:.12f}".encode()[: len(old)] for side, old in zip(size, box.groups()[1:], strict=True)
        )
        return box[1] + b" ".join(texts) + b"]"

    pdf = re.sub(rb"(/(?:Media|Trim)Box \[0 0 )(\d+\.\d+) (\d+\.\d+)\]", exact, content_of(buffer))
    return re.sub(
        rb"(?m)^<\w{4}> <\w{4}> .*$",
        lambda line: line[0][:14] + line[0][14:].replace(b"<0009>", b"<0020>"),
        pdf,
    )


def _paint(painter: QPainter, figure: Node, options: Options, style: Style | None = None) -> None:
    """Paint paper and figure with a painter that is scaled to points."""
    painter.setRenderHints(
        QPainter.RenderHint.Antialiasing
        | QPainter.RenderHint.TextAntialiasing
        | QPainter.RenderHint.SmoothPixmapTransform
    )
    if not options.transparent:
        painter.fillRect(QRectF(0, 0, *options.size), QColor(options.painted_theme.paper))
    with typeface(options.font):
        laid_out(figure, options, style).paint(painter)


def laid_out(figure: Node, options: Options, style: Style | None = None) -> Layout:
    """Return a figure on its sheet, inside the margin."""
    m = options.margin
    return Layout(figure, QRectF(0, 0, *options.size).adjusted(m, m, -m, -m), style or options.style())


def about_room(figure: Node, options: Options) -> str:
    """Return a remark on the parts that a figure leaves out or makes smaller for lack of room; empty if it
    shows everything."""
    ensure_application()
    notes, nowhere = Notes(), QPicture()  # has to live as long as the painter
    style = replace(options.style(), pixels_per_point=0.2, notes=notes)  # only the words count
    with QPainter(nowhere) as painter, typeface(options.font):
        laid_out(figure, options, style).paint(painter)
    return notes.sentence


def open_buffer() -> QBuffer:
    """Return a buffer to write a file into."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    return buffer


def content_of(buffer: QBuffer) -> bytes:
    """Close a buffer and return its content."""
    buffer.close()
    return bytes(buffer.data().data())
