"""Long but ordinary names of classes and columns: panels keep their width, tooltips show them whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea

from tests.ui.window.acting import LEFT, settle
from tests.ui.window.cut import cut_off

CLASSES = (
    "Streptococcus_pneumoniae_serotype_19F_resistant",
    "Streptococcus_pneumoniae_serotype_23F_susceptible",
)
COLUMNS = ("minimum_inhibitory_concentration_of_peni", "minimum_inhibitory_concentration_of_eryt")


def opened(qtbot, window, folder: Path, classes: tuple[str, ...]) -> None:
    rows = [f"{k % 5},{k % 3 + k / 7:.3f},{classes[k % len(classes)]}\n" for k in range(24)]
    path = folder / "isolates_of_the_winter_campaign_of_the_northern_hospitals.csv"
    path.write_text(f"{COLUMNS[0]},{COLUMNS[1]},kind\n" + "".join(rows), encoding="utf-8")
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.source == path.name)
    settle(qtbot, window)


def test_names_of_hundreds_of_letters_end_in_dots_on_the_canvas(qtbot, window, tmp_path):
    window.resize(1366, 768)
    long, other = COLUMNS[0] * 16, CLASSES[0] * 16
    path = tmp_path / "long.csv"
    rows = [f"{k % 5},{k % 3 + k / 7:.3f},{(other, 'B')[k % 2]}\n" for k in range(24)]
    path.write_text(f"{long},other {long},kind\n" + "".join(rows), encoding="utf-8")
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.document.source == path.name)
    settle(qtbot, window)
    area = window.canvas.area
    qtbot.waitUntil(lambda: area.row_below > 0)  # the legend, which is too wide for a corner
    image = window.canvas.grab().toImage()
    paper, width, height = image.pixelColor(0, 0), image.width(), image.height()
    edge = [(x, y) for x in (1, width - 2) for y in range(height)]
    edge += [(x, y) for x in range(width) for y in (1, height - 2)]
    assert all(image.pixelColor(x, y) == paper for x, y in edge), "nothing is cut off"
    assert CLASSES[0] * 2 in window.docks["data"].widget().counts.toolTip()


@pytest.mark.parametrize("classes", [CLASSES, (*CLASSES, "Haemophilus_influenzae_nontypeable_ampicillin")])
def test_data_panel_and_point_inspector_keep_to_their_width(qtbot, window, tmp_path, classes):
    window.resize(1366, 768)
    opened(qtbot, window, tmp_path, classes)
    data = window.docks["data"].widget()
    qtbot.mouseClick(data.held_out.choice.buttons["share"], LEFT)
    window.keyboard._show_view("inspector")
    window.workbench.hover(2)
    settle(qtbot, window)
    inspector = window.insight.view("inspector")
    told = window.session.document.data.target_text(2)
    qtbot.waitUntil(lambda: told in inspector.heading.text())
    QTest.qWait(100)
    for area in (data, inspector.parentWidget().parentWidget()):
        assert isinstance(area, QScrollArea)
        assert area.widget().width() <= area.viewport().width()
    for panel in (window.docks["data"], window.docks["insight"]):
        assert cut_off(panel) == []
    assert told in inspector.heading.toolTip()
    assert all(name in data.counts.toolTip() for name in classes)
    assert (window.width(), window.height()) == (1366, 768)
