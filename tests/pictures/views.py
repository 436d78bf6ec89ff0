"""The small pictures of insight views, which the picker of a view shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from kernelviz.scene.export.composition import Composition
from kernelviz.scene.export.files import as_bytes
from kernelviz.scene.export.options import Options
from kernelviz.scene.insight import view_class
from kernelviz.scene.panels import FigurePanel
from kernelviz.scene.theme import choose_theme
from kernelviz.scene.view import View
from kernelviz.session.edit_log import Edits, Tick
from kernelviz.session.session import Session
from kernelviz.session.sources import Requested
from kernelviz.session.state import State
from kernelviz.session.view_listing import Listed
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.window.appearance import apply_theme
from kernelviz.ui.workbench.workbench import Workbench

ENLARGED = Options(
    width=252, height=168, dpi=100.0, text=5.0, strokes=0.9, canvas=False, formula=False, caption=False
)
ENLARGED_WIDGET = QSize(315, 210)
SIZE = QSize(126, 84)
"""Of a picture, in pixels: twice as large as it is shown."""


def draw_view(listed: Listed, theme: str, path: Path) -> None:
    """Draw the picture of a view."""
    image = _of_scene(listed, theme) if listed.is_scene else _of_widget(listed, theme)
    ratio, smooth = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    path.parent.mkdir(exist_ok=True)
    assert image.scaled(SIZE, ratio, smooth).convertToFormat(QImage.Format.Format_RGB32).save(str(path))


def _pictured(kind: type[View]) -> State:
    source, *fits = kind.pictured
    return Requested(source, fit=fits).state()[0]


def _of_scene(listed: Listed, theme: str) -> QImage:
    """Draw the scene of a view, its long work done."""
    kind = view_class(listed.name)
    known = Composition.computed(_pictured(kind))
    panel = FigurePanel(kind()).worked_out(known.state.document, known.frame)
    panel = replace(panel, now=replace(panel.now, edits=_some_edits))
    options = ENLARGED.replace(theme=theme)
    return QImage.fromData(as_bytes(known.figure(options, [panel]), "png", options))


def _some_edits() -> Edits:
    """Return what three edits did to the hinge loss and the training error."""
    none, t = np.full(30, np.nan), np.linspace(0.0, 3.0, 30)
    loss = 0.9 - 0.2 * t + 0.1 * np.sin(5 * t)
    ticks = tuple(Tick(row, name, lambda: None) for row, name in ((9, "move"), (19, "C"), (29, "move")))
    return Edits(np.column_stack([none, loss, 0.5 * np.floor(4 * loss) / 4, none]), ticks)


def _of_widget(listed: Listed, theme: str) -> QImage:
    """Draw the widget of a view that is no scene, at the first point."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, choose_theme(theme))
    bench = Workbench(Session(_pictured(View)), synchronous=True)
    bench.refresh()
    app.processEvents()
    bench.session.adjust(selection=(0,))
    widget = VIEWS[listed.name].widget(bench)
    widget.resize(ENLARGED_WIDGET)
    widget.show()
    app.processEvents()
    image = widget.grab().toImage()
    bench.stop()
    widget.deleteLater()
    return image
