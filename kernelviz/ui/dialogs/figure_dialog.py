"""Export figure: format, size, look and contents, with a preview of exactly what will be written."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, QSize
from PySide6.QtGui import QGuiApplication, QImage

from kernelviz.drawing.export import files
from kernelviz.drawing.export.options import MM_PER_INCH, PRESETS, Options
from kernelviz.drawing.export.states import Beat, Words
from kernelviz.drawing.figure.paintable import Paintable
from kernelviz.engine.errors import BadInput
from kernelviz.session.files import dumps
from kernelviz.ui.controls.choice_control import ChoiceControl
from kernelviz.ui.controls.keys import CheckBox
from kernelviz.ui.dialogs.background import Work
from kernelviz.ui.dialogs.export_dialog import ExportDialog, heading
from kernelviz.ui.dialogs.rows import Rows, SizeRow, ticks
from kernelviz.ui.dialogs.snapshot import Contents, Snapshot, still
from kernelviz.ui.dialogs.wishes import OWN, FigureWishes, remembered
from kernelviz.ui.insight.base import PictureView

if TYPE_CHECKING:
    from kernelviz.ui.window.main_window import MainWindow

__all__ = ["FigureDialog"]

WORDS = ("canvas", "legend", "formula", "caption")
Copied = tuple[QImage, bytes]
"""Pixels, and the SVG when that is the format."""


class FigureDialog(ExportDialog):
    """Every choice is remembered; the title belongs to the figure at hand and is not."""

    title = "Export figure"
    file = "figure"

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        kept = window.settings.choices("figure")
        self.wishes = remembered(FigureWishes, kept)
        self.rows = Rows(FigureWishes, ("format", "preset"))
        self.size_row = SizeRow(FigureWishes)
        self.look = Rows(FigureWishes, ("dpi", "theme", "text", "strokes"))
        self.flags = {
            name: self.flag(FigureWishes.parameter(name)) for name in ("transparent", "outlines", *WORDS)
        }
        self.views = _paintable_views(window)
        self.panels = self._panel_boxes(kept.get("panels", []))
        self.copy_button = self.button("Copy to clipboard", self.copy)
        self.buttons.insertWidget(0, self.copy_button)
        self._failure = ""
        self._fill_form()
        self._show_wishes()

    # The form ----------------------------------------------------------------------------------------------
    def _panel_boxes(self, ticked: object) -> dict[str, CheckBox]:
        boxes = {}
        for name, view in self.views.items():
            box = boxes[name] = CheckBox(view.title)
            box.setChecked(isinstance(ticked, list) and name in ticked)
            box.setToolTip(f"The panel “{view.title}” beside the canvas")
            box.clicked.connect(self.touch)
        return boxes

    def _fill_form(self) -> None:
        preset = self.rows.controls["preset"]
        assert isinstance(preset, ChoiceControl)
        assert preset.combo is not None
        for k, name in enumerate((*PRESETS, OWN)):
            preset.combo.setItemText(k, PRESETS[name].title if name in PRESETS else "Own size")
        self.rows.add("", self.size_row)
        for part in (self.rows, self.look, self.size_row):
            part.edited.connect(self.choose)
        title = Rows(FigureWishes, ())
        title.add("Title", self.heading)
        self.form.addWidget(heading("File"))
        self.form.addWidget(self.rows)
        self.form.addWidget(heading("Look"))
        self.form.addWidget(self.look)
        self.form.addLayout(ticks({name: self.flags[name] for name in ("transparent", "outlines")}, 2))
        self.form.addWidget(heading("In the figure"))
        self.form.addLayout(ticks({"canvas": self.flags["canvas"], **self.panels}, 2))
        self.form.addSpacing(2)
        self.form.addLayout(ticks({name: self.flags[name] for name in WORDS[1:]}, 3))
        self.form.addWidget(title)
        self.form.addStretch(1)

    def choose(self, name: str, value: Any) -> None:
        """Take one choice over; those it implies follow."""
        wishes = self.wishes
        if name == "preset":
            wishes = wishes.with_preset(value)
        elif name == "unit":
            wishes = wishes.in_unit(value)
        else:
            wishes = wishes.replace(**{name: value})
            if name in ("width", "height"):
                wishes = wishes.replace(preset=OWN)
        self.wishes = wishes
        self._show_wishes()
        self.touch()

    def _show_wishes(self) -> None:
        usual = self.wishes.with_preset(self.wishes.preset if self.wishes.preset != OWN else "one-column")
        for name in ("dpi", "text", "strokes"):
            self.look.controls[name].set_default(getattr(usual, name))
        for part in (self.rows, self.look, self.size_row):
            part.show_wishes(self.wishes)
        for name, box in self.flags.items():
            box.setChecked(getattr(self.wishes, name))
        self.flags["outlines"].setEnabled(self.wishes.format == "SVG")
        self.facts.setText(self._facts())

    def _facts(self) -> str:
        try:
            options = self.wishes.options()
        except BadInput:
            return ""
        factor = 1.0 if self.wishes.unit == "mm" else MM_PER_INCH / self.wishes.dpi
        mm = " × ".join(f"{side * factor:.4g}" for side in (self.wishes.width, self.wishes.height))
        if self.wishes.format != "PNG":
            return f"{mm} mm, vectors"
        return f"{options.width} × {options.height} pixels  ·  {mm} mm at {options.dpi:g} dpi"

    def remember(self) -> None:
        chosen = [name for name, box in self.panels.items() if box.isChecked()]
        self.main.settings.remember_choices("figure", {**self.wishes.values(), "panels": chosen})

    # The figure --------------------------------------------------------------------------------------------
    @property
    def contents(self) -> Contents:
        """What is in the figure, as chosen."""
        wishes = self.wishes
        words = Words(self.heading.text().strip(), wishes.formula, wishes.caption)
        return Contents(wishes.canvas, wishes.legend, words)

    def _taken(self) -> tuple[Snapshot, list[PictureView], Callable[[], None]]:
        """The present picture with the panels chosen, and how to clear up after it is painted."""
        snapshot = Snapshot.of(self.main.workbench)
        self._failure = snapshot.failure
        chosen = [self.views[name] for name, box in self.panels.items() if box.isChecked()]
        stills = [still(view, snapshot, self.main.exports.verdict, self) for view in chosen]

        def clear_up() -> None:
            for copy in stills:
                copy.deleteLater()

        return snapshot, stills, clear_up

    def preview_work(self) -> tuple[Work, Callable[[], None]]:
        options, contents = self.wishes.options(), self.contents
        pixels = QSize(options.width, options.height) if self.wishes.format == "PNG" else None
        room = self.preview.room(pixels)
        snapshot, stills, clear_up = self._taken()

        def work(beat: Beat) -> Generator[float, None, QImage]:
            image = files.preview(snapshot.figure(contents, stills), options, room)
            yield 1.0
            return image if options.transparent else image.convertToFormat(QImage.Format.Format_RGB32)

        return work, clear_up

    def remark(self) -> str:
        return f"Only the points are drawn. {self._failure}" if self._failure else ""

    def _figure_work(
        self, use: Callable[[Paintable, Options, Snapshot], Generator[float, None, Any]]
    ) -> tuple[Work, Callable[[], None]]:
        options, contents = self.wishes.options(), self.contents
        snapshot, stills, clear_up = self._taken()

        def work(beat: Beat) -> Generator[float, None, Any]:
            return use(snapshot.figure(contents, stills), options, snapshot)

        return work, clear_up

    # Out it goes -------------------------------------------------------------------------------------------
    @property
    def suffix(self) -> str:
        return f".{self.wishes.format.lower()}"

    @property
    def filter(self) -> str:
        return f"{self.wishes.format} (*{self.suffix})"

    def writing_work(self, path: Path) -> tuple[Work, Callable[[], None]]:
        def use(figure: Paintable, options: Options, snapshot: Snapshot) -> Generator[float, None, str]:
            session = dumps(snapshot.state) if path.suffix == ".png" else None
            yield from files.saving(figure, path, options, session)
            return f"Saved as {path}."

        return self._figure_work(use)

    def copy(self) -> None:
        """Put the figure on the clipboard instead of into a file."""
        svg = self.wishes.format == "SVG"

        def use(figure: Paintable, options: Options, snapshot: Snapshot) -> Generator[float, None, Copied]:
            image = yield from files.painting(figure, options)
            return image, files.as_svg(figure, options) if svg else b""

        try:
            self._start(*self._figure_work(use))
        except BadInput as problem:
            self._complain(str(problem))

    def conclude(self, result: str | Copied) -> str:
        if isinstance(result, str):
            return result
        image, svg = result
        content = QMimeData()
        content.setImageData(image)
        if svg:
            content.setData("image/svg+xml", svg)
        QGuiApplication.clipboard().setMimeData(content)
        return f"Copied, {image.width()} × {image.height()} pixels."


def _paintable_views(window: MainWindow) -> dict[str, PictureView]:
    """The insight panels that can be part of a figure."""
    found = {name: dock.widget() for name, dock in window.docks.items()}
    return {name: view for name, view in found.items() if isinstance(view, PictureView)}
