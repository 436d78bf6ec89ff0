"""Canvas and panels on one sheet."""

from __future__ import annotations

import re
from contextlib import nullcontext
from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

import kernelviz
from kernelviz.engine.fits.parsing import dataset, parse_fit
from kernelviz.scene import axes
from kernelviz.scene.export.arrangement import CANVAS, FigureLayout
from kernelviz.scene.export.composition import Composition, render_state
from kernelviz.scene.export.files import about_room, as_image, laid_out
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure import legend
from kernelviz.scene.nodes import Custom
from kernelviz.scene.panels import panel
from kernelviz.session.size_presets import PRESETS
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.registry import workspace_of

WIDE, TALL = QRectF(10, 20, 900, 300), QRectF(10, 20, 300, 800)


def block(colour: str) -> Custom:
    """A panel of one colour."""
    return Custom("block", (), lambda painter, rect, style: painter.fillRect(rect, QColor(colour)))


def test_canvas_and_panel_stand_side_by_side_the_canvas_wider(qapp):
    both = FigureLayout(block("#ff0000"), [block("#0000ff")])
    left, right = both.cells(WIDE, 9.0)
    assert left.width() == pytest.approx(CANVAS * right.width())
    assert right.left() - left.right() == pytest.approx(9.0)
    assert right.right() == pytest.approx(WIDE.right())
    image = as_image(both, Options(400, 200, 72.0))
    assert image.pixelColor(20, 100).name() == "#ff0000"
    assert image.pixelColor(380, 100).name() == "#0000ff"


@pytest.mark.parametrize("sheet", [WIDE, TALL, QRectF(0, 0, 600, 600)])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("canvas", [True, False])
def test_parts_never_overlap_nor_leave_the_sheet(sheet, count, canvas):
    parts = FigureLayout(block("red") if canvas else None, [block("blue")] * count)
    cells = parts.cells(sheet, 8.0)
    assert len(cells) == count + canvas
    grown = sheet.adjusted(-1e-6, -1e-6, 1e-6, 1e-6)
    assert all(grown.contains(cell) for cell in cells)
    assert not any(a.intersects(b) for a, b in combinations(cells, 2))


def test_many_panels_stand_in_a_row_on_a_wide_sheet_and_in_a_column_on_a_tall_one():
    parts = FigureLayout(None, [block("blue")] * 3)
    assert len({cell.top() for cell in parts.cells(WIDE, 8.0)}) == 1
    assert len({cell.left() for cell in parts.cells(TALL, 8.0)}) == 1


def test_the_canvas_alone_has_the_whole_sheet():
    assert FigureLayout(block("red"), []).cells(WIDE, 8.0) == [WIDE]


@pytest.mark.parametrize("preset", ["one-column", "slide"])
def test_the_legend_of_several_fits_has_the_type_size_of_their_axes(qapp, monkeypatch, tmp_path, preset):
    sizes = {axes: set(), legend: set()}
    for module, seen in sizes.items():

        def record(painter, style, at, text, *, seen=seen, draw=module.draw_text, **how) -> None:
            seen.add(style.text)
            draw(painter, style, at, text, **how)

        monkeypatch.setattr(module, "draw_text", record)
    data = dataset("moons")
    fits = tuple(map(parse_fit, ("linear ; logistic", "rbf(gamma=2) ; soft-margin-svm(C=10)")))
    state = State(Document(data, fits), workspace_of(data).look(data))
    render_state(state, tmp_path / "two.png", PRESETS[preset].applied(Options()))
    assert sizes[legend] == sizes[axes]
    assert len(sizes[axes]) == 1


VIEWS = ["loss", "gram", "weights", "bounds", "components", "balance"]


@pytest.mark.parametrize(
    ("size", "count", "crowded"), [((85, 80), 1, False), ((85, 80), 6, True), ((178, 120), 6, False)]
)
def test_views_without_room_do_not_run_into_each_other_and_there_is_a_warning(
    qapp, tmp_path, size, count, crowded
):
    width, height = (side / 25.4 * 200 for side in size)
    options = Options(width, height, 200.0, text=7.0)
    composed = Composition.computed(state_of("moons(n=20)")).figure(
        options, [panel(view) for view in VIEWS[:count]]
    )
    remark = about_room(composed, options)
    assert ("6 views that can be read" in remark) == crowded
    with pytest.warns(UserWarning, match=re.escape(remark)) if remark else nullcontext():
        kernelviz.render(
            tmp_path / "it.png",
            dataset("moons(n=20)"),
            views=VIEWS[:count],
            width=width,
            height=height,
            dpi=200.0,
            text=7.0,
        )
    clips = {leaf.clip.getRect() for leaf in laid_out(composed, options).leaves if leaf.clip is not None}
    assert len(clips) == count
    assert not any(
        QRectF(*a).adjusted(1, 1, -1, -1).intersects(QRectF(*b)) for a, b in combinations(clips, 2)
    )


def state_of(source):
    data = dataset(source)
    return State(
        Document(data, (parse_fit("rbf(gamma=1) ; soft-margin-svm(C=1)"),)), workspace_of(data).look(data)
    )
