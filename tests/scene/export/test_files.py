"""Figures in files: exact sizes, and the same picture in every format."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.export.files import as_bytes, as_image, as_pdf, as_svg, save
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.captions import Captions
from kernelviz.scene.figure.text import text_width, wrapped
from kernelviz.scene.plane.painter import PAINTER
from kernelviz.scene.workspace_painter import Subject
from kernelviz.session.files.png_metadata import extract
from kernelviz.session.size_presets import PRESETS
from kernelviz.session.themes import THEMES
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.plane import PlaneWorkspace
from tests import pdf_reader

VIEW = ViewRange(-3.0, 3.0, -2.0, 2.0)
SMALL = Options(480, 480, 96.0)


@pytest.fixture
def figure(linear_model):
    words = Captions("A straight line", r"K(x, x') = x \cdot x'", "linear, by hand")
    return PAINTER.figure(
        Subject.of(linear_model, Look(view=VIEW, shown=frozenset(PlaneWorkspace.toggles))), words
    )


def pixels(image: QImage) -> np.ndarray:
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine())
    return rows[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3).astype(float)


def same_picture(one: np.ndarray, other: np.ndarray) -> bool:
    """Alike up to antialiasing: block means agree almost everywhere."""
    h, w = (side // 8 * 8 for side in one.shape[:2])
    blocks = [a[:h, :w].reshape(h // 8, 8, w // 8, 8, 3).mean(axis=(1, 3)) for a in (one, other)]
    differences = np.abs(blocks[0] - blocks[1]).max(axis=2)
    return bool(differences.mean() < 2.0 and np.quantile(differences, 0.99) < 25)


def test_a_png_has_exactly_the_pixels_and_dpi_asked_for(qapp, figure, tmp_path):
    save(figure, tmp_path / "figure.png", Options(2000, 2000, 300.0))
    with Image.open(tmp_path / "figure.png") as png:
        assert png.size == (2000, 2000)
        assert png.info["dpi"] == pytest.approx((300, 300), abs=0.01)
        assert png.mode == "RGB"


def test_a_png_carries_its_session(qapp, figure):
    png = as_bytes(figure, ".png", SMALL, '{"kernel": "rbf(gamma=1)", "name": "größe"}')
    assert extract(png) == '{"kernel": "rbf(gamma=1)", "name": "größe"}'
    assert extract(as_bytes(figure, ".png", SMALL)) is None


def test_a_transparent_png_shows_through_at_its_edge_and_not_in_the_field(qapp, figure):
    image = as_image(figure, replace(SMALL, transparent=True))
    assert image.pixelColor(1, 1).alpha() == 0
    assert image.pixelColor(240, 280).alpha() == 255


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("outlines", [False, True])
def test_an_svg_shows_the_same_picture_as_the_png(qapp, figure, theme, outlines):
    options = replace(SMALL, theme=theme, outlines=outlines)
    svg = as_svg(figure, options)
    renderer = QSvgRenderer(QByteArray(svg))
    assert renderer.isValid()
    image = QImage(options.width, options.height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    assert same_picture(pixels(image), pixels(as_image(figure, options)))


def test_an_svg_has_real_units_and_text_or_outlines_as_asked(qapp, figure):
    svg = as_svg(figure, Options(600, 300, 300.0)).decode()
    assert re.search(r'width="50\.8\d*mm" height="25\.4\d*mm"', svg)
    assert ">A straight line</text>" in as_svg(figure, SMALL).decode()
    assert "<text" not in as_svg(figure, replace(SMALL, outlines=True)).decode()


@pytest.mark.parametrize("outlines", [False, True])
def test_an_svg_is_valid_whatever_is_in_its_title(qapp, linear_model, outlines):
    everything = "".join(map(chr, [*range(1, 0x100), 0xD800, 0xDFFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1F600]))
    for title in (everything, "<b>&amp;]]></text><!--", "\x1b[31mred", "a\ud83d"):
        look = Look(view=VIEW, shown=frozenset(PlaneWorkspace.toggles))
        figure = PAINTER.figure(Subject.of(linear_model, look), Captions(title, "", title))
        root = ElementTree.fromstring(as_svg(figure, replace(SMALL, outlines=outlines)))
        assert root.tag.endswith("svg")


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs pdftoppm (poppler-utils)")
@pytest.mark.parametrize("theme", THEMES)
def test_a_pdf_shows_the_same_picture_as_the_png(qapp, figure, theme, tmp_path):
    options = replace(SMALL, theme=theme)
    save(figure, tmp_path / "figure.pdf", options)
    subprocess.run(
        ["pdftoppm", "-r", "96", "-png", "-singlefile", "figure.pdf", "page"], cwd=tmp_path, check=True
    )
    page = QImage(str(tmp_path / "page.png"))
    assert (page.width(), page.height()) == (480, 480)
    assert same_picture(pixels(page), pixels(as_image(figure, options)))


def test_a_pdf_is_one_page_of_the_figures_size_with_its_typeface_inside(qapp, figure):
    pdf = as_pdf(figure, Options(1500, 750, 300.0))
    assert pdf_reader.boxes(pdf) == [("Media", 360.0, 180.0), ("Trim", 360.0, 180.0)]
    assert b"/FontFile2" in pdf
    assert b"/Subtype /Type3" not in pdf


def in_millimetres(width: float, height: float, dpi: float = 600.0, **more) -> Options:
    return Options(width / 25.4 * dpi, height / 25.4 * dpi, dpi, **more)


@pytest.mark.parametrize("sides", [(85.0, 45.0), (85.0, 60.0), (84.9, 44.98), (40.01, 57.2)])
def test_pages_are_as_large_as_was_asked_to_a_thousandth_of_a_millimetre(qapp, figure, sides):
    options = in_millimetres(*sides)
    found = pdf_reader.boxes(as_pdf(figure, options))
    assert [name for name, *_ in found] == ["Media", "Trim"]
    for _, *box in found:
        assert [side / 72 * 25.4 for side in box] == pytest.approx(sides, abs=1e-3)
    head = re.search(
        r'width="(.*)mm" height="(.*)mm"\s+viewBox="0 0 (.*) (.*)"', as_svg(figure, options).decode()
    )
    across, down, *box = map(float, head.groups())
    assert (across, down) == sides
    assert [side / 720 * 25.4 for side in box] == pytest.approx(sides, abs=1e-3)


def test_the_picture_fills_a_page_that_is_no_whole_number_of_points(qapp, figure):
    """Its last row on a dark page, which Qt's own page would push down or leave white."""
    options = in_millimetres(84.9, 45.0, 301.0, theme="dark")
    image = as_image(figure, options)
    paper = options.painted_theme.paper
    assert (image.width(), image.height()) == (1006, 533)
    for x, y in ((1005, 0), (0, 532), (1005, 532)):
        assert image.pixelColor(x, y).name() == paper


def test_the_text_of_a_pdf_can_be_copied(qapp, linear_model):
    words = Captions("A title", "", "Soft-margin SVM (C = 10) · s = ±1")
    figure = PAINTER.figure(
        Subject.of(linear_model, Look(view=VIEW, shown=frozenset(PlaneWorkspace.toggles))), words
    )
    found = [text for text, _ in pdf_reader.texts(as_pdf(figure, SMALL))]
    for text in ("−2", "2", "s = ±1", "A title"):
        assert text in found
    assert words.caption in "".join(found)


def test_a_pdf_and_an_svg_have_the_title_of_the_figure(qapp, figure):
    titled = SMALL.replace(heading="Zwei Möndchen")
    assert "Zwei Möndchen".encode("utf-16-be") in as_pdf(figure, titled)
    assert "<title>Zwei Möndchen</title>" in as_svg(figure, titled).decode()


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_leaves_a_plot_to_be_seen(qapp, figure, name):
    image = pixels(as_image(figure, PRESETS[name].applied(Options(), 48.0)))
    blue = (image[..., 2] - image[..., 0] > 30).mean()
    orange = (image[..., 0] - image[..., 2] > 30).mean()
    assert min(blue, orange) > 0.08


def test_presets_are_as_large_on_paper_as_they_say():
    assert PRESETS["one-column"].applied(Options()).size[0] == pytest.approx(85 / 25.4 * 72)
    slide = PRESETS["slide"].applied(Options())
    assert slide.pixels == (1920, 1080)
    assert PRESETS["slide"].applied(Options(), 72.0).size == pytest.approx(slide.size)


def test_a_figure_of_points_alone_and_one_too_small_for_anything(qapp, figure, linear_model):
    alone = PAINTER.figure(Subject(linear_model.problem.data, Look(view=VIEW, shown=PlaneWorkspace().shown)))
    assert len(np.unique(pixels(as_image(alone, SMALL)).reshape(-1, 3), axis=0)) > 10
    as_image(figure, Options(64, 64, 300.0))


def test_long_captions_are_broken_into_lines_that_fit(qapp):
    text = " ".join(["margin"] * 40)
    lines = wrapped(text, 8.0, 120.0)
    assert " ".join(lines) == text
    assert len(lines) > 3
    assert all(text_width(line, 8.0) <= 120.0 for line in lines)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"width": 10}, "64 to 20000 pixels"),
        ({"width": 20_000, "height": 20_000}, "million pixels"),
        ({"dpi": 5.0}, "dpi of the figure must lie between 10 and 2400"),
        ({"theme": "pink"}, "one of light, dark, high-contrast"),
        ({"text": 0.0}, "between 2 and 200"),
        ({"strokes": 11.0}, "between 0.1 and 10"),
        ({"strokes": float("nan")}, "a finite number"),
    ],
)
def test_impossible_options_are_refused_in_words(change, sentence):
    with pytest.raises(BadInput, match=sentence):
        Options(**change)


def test_an_unknown_format_is_refused_in_words(qapp, figure):
    with pytest.raises(BadInput, match="png, svg, pdf"):
        as_bytes(figure, ".bmp", SMALL)


def test_the_comparison_of_pictures_sees_a_missing_boundary(qapp, linear_model):
    whole, without = (
        pixels(as_image(PAINTER.figure(Subject.of(linear_model, Look(view=VIEW, shown=shown))), SMALL))
        for shown in (frozenset(PlaneWorkspace.toggles), frozenset(PlaneWorkspace.toggles) - {"boundary"})
    )
    assert not same_picture(whole, without)
