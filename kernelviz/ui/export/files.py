"""Figures as bytes: PNG of exact size and resolution, SVG, and PDF with the typeface inside."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from kernelviz.engine.errors import BadInput
from kernelviz.session.atomic import write_atomically
from kernelviz.session.png_text import embed
from kernelviz.ui.export.options import Options
from kernelviz.ui.figure.paintable import Paintable

__all__ = ["FORMATS", "as_bytes", "as_image", "as_pdf", "as_png", "as_svg", "ensure_application", "save"]

FORMATS = ("png", "svg", "pdf")
CREATOR = "kernelviz"
SVG_UNITS = 10
"""Units of the SVG per point: whole numbers are then fine enough for its size."""
PDF_RESOLUTION = 720


def ensure_application() -> QGuiApplication:
    """The running application, or one without any display."""
    app = QGuiApplication.instance()
    if isinstance(app, QGuiApplication):
        return app
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return QGuiApplication([CREATOR])


def save(
    figure: Paintable, path: str | os.PathLike[str], options: Options, session: str | None = None
) -> None:
    """Write a figure in the format its name asks for; the old file stays whole if anything fails."""
    write_atomically(path, as_bytes(figure, Path(path).suffix, options, session))


def as_bytes(figure: Paintable, suffix: str, options: Options, session: str | None = None) -> bytes:
    """The figure in the format of a suffix; only PNG can carry the session."""
    kind = suffix.lower().lstrip(".")
    if kind == "png":
        return as_png(figure, options, session)
    if kind == "svg":
        return as_svg(figure, options)
    if kind == "pdf":
        return as_pdf(figure, options)
    raise BadInput(f"Figures are written as {', '.join(FORMATS)}, not as {kind or 'a file without suffix'}.")


def as_image(figure: Paintable, options: Options) -> QImage:
    """The figure as pixels."""
    ensure_application()
    image = QImage(options.width, options.height, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise BadInput(f"There is not enough memory for {options.width}x{options.height} pixels.")
    dots_per_metre = round(options.dpi / 0.0254)
    image.setDotsPerMeterX(dots_per_metre)
    image.setDotsPerMeterY(dots_per_metre)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.scale(options.pixels_per_point, options.pixels_per_point)
        _paint(painter, figure, options)
    return image if options.transparent else image.convertToFormat(QImage.Format.Format_RGB32)


def as_png(figure: Paintable, options: Options, session: str | None = None) -> bytes:
    """PNG of exactly the pixels and dpi asked for, carrying the session's text if one is given."""
    buffer = _open_buffer()
    as_image(figure, options).save(buffer, "PNG")
    png = _content(buffer)
    return embed(png, session) if session is not None else png


def as_svg(figure: Paintable, options: Options) -> bytes:
    """SVG in real units, text as text or as outlines."""
    from PySide6.QtSvg import QSvgGenerator

    ensure_application()
    buffer = _open_buffer()
    width, height = (round(side * SVG_UNITS) for side in options.size)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setResolution(round(72 * SVG_UNITS))
    generator.setSize(QSize(width, height))
    generator.setViewBox(QRect(0, 0, width, height))
    generator.setTitle("Figure")
    generator.setDescription(f"Made with {CREATOR}")
    with QPainter(generator) as painter:
        painter.scale(SVG_UNITS, SVG_UNITS)
        _paint(painter, figure, options)
    return _content(buffer)


def as_pdf(figure: Paintable, options: Options) -> bytes:
    """One page of exactly the figure's size, everything but the field as vectors."""
    ensure_application()
    buffer = _open_buffer()
    writer = QPdfWriter(buffer)
    writer.setCreator(CREATOR)
    writer.setTitle("Figure")
    writer.setResolution(PDF_RESOLUTION)
    size = QPageSize(
        QSizeF(*options.size), QPageSize.Unit.Point, "figure", QPageSize.SizeMatchPolicy.ExactMatch
    )
    writer.setPageLayout(
        QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Point)
    )
    with QPainter(writer) as painter:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.scale(PDF_RESOLUTION / 72, PDF_RESOLUTION / 72)
        _paint(painter, figure, options)
    return _content(buffer)


def _paint(painter: QPainter, figure: Paintable, options: Options) -> None:
    """Paper and figure, with the painter already in points."""
    painter.setRenderHints(
        QPainter.RenderHint.Antialiasing
        | QPainter.RenderHint.TextAntialiasing
        | QPainter.RenderHint.SmoothPixmapTransform
    )
    sheet = QRectF(0, 0, *options.size)
    if not options.transparent:
        painter.fillRect(sheet, QColor(options.colours.paper))
    m = options.margin
    figure.paint(painter, sheet.adjusted(m, m, -m, -m), options.style())


def _open_buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    return buffer


def _content(buffer: QBuffer) -> bytes:
    buffer.close()
    return bytes(buffer.data().data())
