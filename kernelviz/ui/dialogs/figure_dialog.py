"""Export figure: format, size, look and contents, with a preview of exactly what will be written."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QSize
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Beat, Work
from kernelviz.scene.export import files
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.figure import Paintable
from kernelviz.scene.panels import Panel, written
from kernelviz.session.figure_options import MM_PER_INCH, PRESETS
from kernelviz.session.files.kviz import dumps
from kernelviz.session.scripts.script import kernelviz_script, sklearn_script
from kernelviz.session.scripts.text import Sheet
from kernelviz.session.state import State
from kernelviz.ui.dialogs.choices import OWN, FigureChoices
from kernelviz.ui.dialogs.export_dialog import ExportDialog, Source, heading
from kernelviz.ui.dialogs.rows import Rows, SizeRow, ticks
from kernelviz.ui.dialogs.snapshot import Snapshot
from kernelviz.ui.widgets.buttons import CheckBox
from kernelviz.ui.widgets.controls import ChoiceControl
from kernelviz.ui.widgets.layouts import Flow

WORDS = ("canvas", "legend", "formula", "caption")
Copied = tuple[QImage, bytes]  # Pixels, and the SVG when that is the format.


class FigureDialog(ExportDialog):
    """The dialogue for figures. Every choice is remembered except the title."""

    title = "Export figure"
    file = "figure"

    def __init__(self, source: Source, parent: QWidget) -> None:
        super().__init__(source, parent)
        kept = source.settings.choices("figure")
        self.choices = FigureChoices.remembered(kept)
        self.rows = Rows(FigureChoices, ("format", "preset"))
        self.size_row = SizeRow(FigureChoices)
        self.look = Rows(FigureChoices, ("dpi", "theme", "text", "strokes"))
        self.flags = {
            name: self.flag(FigureChoices.parameter(name)) for name in ("transparent", "outlines", *WORDS)
        }
        self.panels = self._panel_boxes(kept.get("panels", []))
        self.copy_button = self.button("Copy to clipboard", self.copy)
        self.script_button = self.button("Copy as Python", self.copy_script)
        self.sklearn_button = self.button("Copy as scikit-learn", self.copy_sklearn)
        self.script_button.setToolTip(
            "A script that rebuilds the figure in this dialogue: its title, size and look"
        )
        self.sklearn_button.setToolTip("The same with scikit-learn and matplotlib")
        copies = Flow()  # in large type they need several rows
        for button in (self.copy_button, self.script_button, self.sklearn_button):
            copies.addWidget(button)
        self.buttons.insertLayout(0, copies, 1)
        self.buttons.setStretch(1, 0)
        self._failure = ""
        self._fill_form()
        self._show_choices()

    # The form ----------------------------------------------------------------------------------------------
    def _panel_boxes(self, ticked: object) -> dict[str, CheckBox]:
        boxes = {}
        for name, panel in self.source.panels(None).items():
            title = panel.title
            box = boxes[name] = CheckBox(title)
            box.setChecked(isinstance(ticked, list) and name in ticked)
            box.setToolTip(f"The panel “{title}” beside the canvas")
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
        title = Rows(FigureChoices, ())
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
        """Apply one choice and those that it implies."""
        choices = self.choices
        if name == "preset":
            choices = choices.with_preset(value)
        elif name == "unit":
            choices = choices.in_unit(value)
        else:
            choices = choices.replace(**{name: value})
            if name in ("width", "height"):
                choices = choices.replace(preset=OWN)
        self.choices = choices
        self._show_choices()
        self.touch()

    def _show_choices(self) -> None:
        usual = self.choices.with_preset(self.choices.preset if self.choices.preset != OWN else "one-column")
        for name in ("dpi", "text", "strokes"):
            self.look.controls[name].set_default(getattr(usual, name))
        for part in (self.rows, self.look, self.size_row):
            part.show_choices(self.choices)
        for name, box in self.flags.items():
            box.setChecked(getattr(self.choices, name))
        self.flags["outlines"].setEnabled(self.choices.format == "SVG")
        self.facts.setText(self._facts())

    def _facts(self) -> str:
        try:
            options = self.choices.options()
        except BadInput:
            return ""
        factor = 1.0 if self.choices.unit == "mm" else MM_PER_INCH / self.choices.dpi
        mm = " × ".join(f"{side * factor:.4g}" for side in (self.choices.width, self.choices.height))
        if self.choices.format != "PNG":
            return f"{mm} mm, vectors"
        width, height = options.pixels
        return f"{width} × {height} pixels  ·  {mm} mm at {options.dpi:g} dpi"

    def remember(self) -> None:
        chosen = [name for name, box in self.panels.items() if box.isChecked()]
        self.source.settings.remember_choices("figure", {**self.choices.values(), "panels": chosen})

    def sheet(self) -> Sheet:
        """Return the figure for a script. BadInput when the measures are impossible."""
        panels = self.source.panels(self.source.workbench.session.document.data.domain)
        chosen = {name: panel for name, panel in panels.items() if self.panels[name].isChecked()}
        views = {panel.title: written(panel) for panel in chosen.values()}
        return Sheet(self._options(), self.suffix, views)

    # The figure --------------------------------------------------------------------------------------------
    def _options(self) -> Options:
        """Return the options of the figure. BadInput when the measures are impossible."""
        return self.choices.replace(heading=self.heading.text().strip()).options()

    def _taken(self) -> tuple[Snapshot, list[Panel]]:
        """Return what is on screen now, and the views that were chosen."""
        snapshot = Snapshot.of(self.source.workbench).with_legend(self.choices.legend)
        panels = self.source.panels(snapshot.state.document.data.domain)
        self._failure = "" if snapshot.failure is None else snapshot.failure.sentence
        for name, box in self.panels.items():
            box.setVisible(name in panels)
        return snapshot, [panel for name, panel in panels.items() if self.panels[name].isChecked()]

    def preview_work(self) -> Work:
        options = self._options()
        pixels = QSize(*options.pixels) if self.choices.format == "PNG" else None
        room = self.preview.room(pixels)
        snapshot, panels = self._taken()

        def work(beat: Beat) -> Generator[float, None, QImage]:
            image = files.preview(snapshot.figure(options, panels), options, room)
            yield 1.0
            return image if options.transparent else image.convertToFormat(QImage.Format.Format_RGB32)

        return work

    def remark(self) -> str:
        return f"Only the points are drawn. {self._failure}" if self._failure else ""

    def _figure_work(
        self, use: Callable[[Paintable, Options, Snapshot], Generator[float, None, Any]]
    ) -> Work:
        options = self._options()
        snapshot, panels = self._taken()

        def work(beat: Beat) -> Generator[float, None, Any]:
            return use(snapshot.figure(options, panels), options, snapshot)

        return work

    # Writing -----------------------------------------------------------------------------------------------
    @property
    def suffix(self) -> str:
        return f".{self.choices.format.lower()}"

    @property
    def filter(self) -> str:
        return f"{self.choices.format} (*{self.suffix})"

    def writing_work(self, path: Path) -> Work:
        def use(figure: Paintable, options: Options, snapshot: Snapshot) -> Generator[float, None, str]:
            session = dumps(snapshot.state) if path.suffix == ".png" else None
            yield from files.saving(figure, path, options, session)
            return f"Saved as {path}."

        return self._figure_work(use)

    def copy(self) -> None:
        """Put the figure on the clipboard instead of into a file."""
        svg = self.choices.format == "SVG"

        def use(figure: Paintable, options: Options, snapshot: Snapshot) -> Generator[float, None, Copied]:
            image = yield from files.painting(figure, options)
            return image, files.as_svg(figure, options) if svg else b""

        try:
            self._start(self._figure_work(use))
        except BadInput as problem:
            self._complain(str(problem))

    def copy_script(self) -> None:
        """Copy a script that rebuilds the fits and the figure of the dialogue with kernelviz."""
        self._copy_text(kernelviz_script, "Python script copied.")

    def copy_sklearn(self) -> None:
        """Copy the same with scikit-learn and matplotlib."""
        self._copy_text(sklearn_script, "scikit-learn script copied.")

    def _copy_text(self, write: Callable[[State, Sheet], str], done: str) -> None:
        state = self.source.workbench.session.state
        shown = state.look.shown - {"legend"} | ({"legend"} if self.choices.legend else set())
        try:
            text = write(replace(state, look=state.look.replace(shown=shown)), self.sheet())
        except BadInput as problem:
            self.outcome.say(str(problem), "error")
        else:
            QGuiApplication.clipboard().setText(text)
            self.outcome.say(done, "success")

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
