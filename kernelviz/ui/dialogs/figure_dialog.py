"""Export figure: format, size, look and contents, with a preview of exactly what will be written."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QSize
from PySide6.QtGui import QGuiApplication, QImage

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Beat, Work
from kernelviz.scene.export import files
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.colours import as_seen
from kernelviz.scene.nodes import Node
from kernelviz.scene.panels import FigurePanel, written
from kernelviz.session.figure_options import MM_PER_INCH, NOWHERE
from kernelviz.session.files.kviz import FIGURE, dumps
from kernelviz.session.scripts.command import command_line
from kernelviz.session.scripts.script import kernelviz_script, sklearn_script
from kernelviz.session.scripts.text import Sheet
from kernelviz.session.size_presets import PRESETS
from kernelviz.session.state import State
from kernelviz.ui.dialogs.choices import OWN, FigureChoices
from kernelviz.ui.dialogs.export_dialog import ExportDialog
from kernelviz.ui.dialogs.own_presets import OwnPresets
from kernelviz.ui.dialogs.rows import CheckBoxes
from kernelviz.ui.dialogs.snapshot import Snapshot
from kernelviz.ui.widgets.buttons import Button, CheckBox
from kernelviz.ui.widgets.controls import ChoiceControl, Segments
from kernelviz.ui.widgets.layouts import Flow

Copied = tuple[QImage, bytes]  # Pixels, and the SVG when that is the format.


class FigureDialog(ExportDialog):
    """The dialogue for figures: PNG, SVG or PDF, with the canvas, insight views or both.

    Every choice is remembered except the title. Besides a file, the figure can be copied to the clipboard, as
    a picture or as a script that draws it."""

    title = "Export figure"
    file = "figure"
    kind = FigureChoices

    # The form ----------------------------------------------------------------------------------------------
    def fill_form(self) -> None:
        """Add the groups for file, look and content, and the buttons that copy the figure."""
        self._failure = self._about_room = ""
        file = self.rows("format", "preset")
        file.add("", self.size_row)
        preset = self.controls["preset"]
        assert isinstance(preset, ChoiceControl)
        assert preset.combo is not None
        for k, name in enumerate((*PRESETS, OWN)):
            preset.combo.setItemText(k, PRESETS[name].title if name in PRESETS else "Own size")
        ticked = self.source.settings.choices(self.kind.remembered_as).get("panels", [])
        self.panels = {name: CheckBox(panel.title) for name, panel in self.source.panels(None).items()}
        for name, box in self.panels.items():
            box.setChecked(isinstance(ticked, list) and name in ticked)
            box.setToolTip(f"The panel “{box.text()}” next to the canvas")
            box.clicked.connect(self.touch)
        kept = self.source.settings.choices(self.kind.remembered_as).get("own_presets")
        self.own_presets = OwnPresets(kept, lambda: self.choices.remembered_values)
        self.own_presets.chosen.connect(self.use_preset)
        file.add("My presets", self.own_presets)
        self.add_group("File", file)
        self.add_group("Look")
        self._content = CheckBoxes([*self.boxes("canvas"), *self.panels.values()], 2)
        self.add_group("In the figure", self._content)
        self.add_words()
        self._vision = ""  # With which of `VISIONS` the preview is seen; with usual eyes if empty.
        self.seen_as = Segments({"": "in colour", "grey": "as grey", "protan": "protan", "deutan": "deutan"})
        self.seen_as.setToolTip("See the preview in grey, or as people without cones for red or green see it")
        self.seen_as.chosen.connect(self._look_as)
        self.right.insertWidget(1, self.seen_as)
        self.copy_button = Button("Copy to clipboard", do=self.copy)
        about = "A script that rebuilds the figure in this dialogue: its title, size and look"
        script = Button("Copy as Python", about, self.copy_script)
        about = "The same with scikit-learn and matplotlib"
        sklearn = Button("Copy as scikit-learn", about, self.copy_sklearn)
        command = Button(
            "Copy as command", "The command for a shell that draws the figure", self.copy_command
        )
        copies = Flow()  # in large type they need several rows
        for button in (self.copy_button, script, sklearn, command):
            copies.addWidget(button)
        self.buttons.insertLayout(0, copies, 1)
        self.buttons.setStretch(1, 0)

    def show_choices(self) -> None:
        """Show the choices; those of the preset are the defaults of their controls."""
        usual = self.choices.with_preset(self.choices.preset if self.choices.preset != OWN else "one-column")
        for name in ("dpi", "text", "strokes"):
            self.controls[name].set_default(getattr(usual, name))
        super().show_choices()
        self.flags["outlines"].setEnabled(self.choices.format == "SVG")
        self.controls["words"].setEnabled(self.choices.format == "PDF")
        self.facts.setText(self._facts())

    def _facts(self) -> str:
        """Return the size of the file in pixels and on paper; an empty text for one that is impossible."""
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

    def _look_as(self, vision: str) -> None:
        """Show the preview as it is seen with one of `VISIONS`."""
        self._vision = vision
        self.touch()

    @property
    def _ticked(self) -> list[str]:
        """The names of the views that are ticked."""
        return [name for name, box in self.panels.items() if box.isChecked()]

    def offer(self, choices: Mapping[str, Any]) -> None:
        """Offer the choices that a picture carries, its views among them."""
        super().offer(choices)
        if isinstance(ticked := choices.get("panels"), list):
            for name, box in self.panels.items():
                box.setChecked(name in ticked)

    def use_preset(self, choices: Mapping[str, Any]) -> None:
        """Apply the choices of a preset, which leaves the words as they are."""
        self.choices = self.kind.remembered({**self.choices.values(), **choices})
        self.show_choices()
        self.touch()

    def record(self) -> dict[str, Any]:
        return {**super().record(), "panels": self._ticked}

    def remember(self, **more: Any) -> None:
        """Store the choices, and which views are ticked."""
        super().remember(panels=self._ticked, own_presets=self.own_presets.kept, **more)

    # The figure --------------------------------------------------------------------------------------------
    def _taken(self) -> tuple[Snapshot, list[FigurePanel]]:
        """Return a snapshot of the screen, and the chosen views."""
        snapshot = Snapshot.of(self.source.workbench).with_legend(self.choices.legend != NOWHERE)
        panels = self.source.panels(snapshot.state.document.data.domain)
        self._failure = "" if snapshot.failure is None else snapshot.failure.sentence
        self._content.show_boxes([self.flags["canvas"], *(self.panels[name] for name in panels)])
        return snapshot, [panel for name, panel in panels.items() if self.panels[name].isChecked()]

    def preview_work(self) -> Work:
        """Return the work that paints the figure as large as the preview is."""
        options = self.options()
        pixels = QSize(*options.pixels) if self.choices.format == "PNG" else None
        room = self.preview.room(pixels)
        snapshot, panels = self._taken()
        vision = self._vision

        def work(beat: Beat) -> Generator[float, None, tuple[QImage, str]]:
            figure = snapshot.figure(options, panels)
            image = files.preview(figure, options, room)
            if vision:
                image = as_seen(image, vision)
            yield 0.9
            if not options.transparent:
                image = image.convertToFormat(QImage.Format.Format_RGB32)
            return image, files.about_room(figure, options)

        return work

    def show_painted(self, result: tuple[QImage, str]) -> QImage:
        """Keep the remark on the parts that the figure has no room for."""
        image, self._about_room = result
        return image

    def remark(self) -> str:
        """Return why there is no fit in the figure, and which parts it has no room for."""
        self.options()  # may have become impossible
        failure = f"Only the points are drawn. {self._failure}" if self._failure else ""
        return " ".join(filter(None, (failure, self._about_room)))

    def _figure_work(self, use: Callable[[Node, Options, Snapshot], Generator[float, None, Any]]) -> Work:
        """Return the work that makes the figure and passes it to `use`, with its options and what is on
        screen."""
        options = self.options()
        snapshot, panels = self._taken()

        def work(beat: Beat) -> Generator[float, None, Any]:
            return use(snapshot.figure(options, panels), options, snapshot)

        return work

    # Writing -----------------------------------------------------------------------------------------------
    def writing_work(self, path: Path) -> Work:
        """Return the work that writes the file; a PNG contains the session and these choices."""
        own = self.record()

        def use(figure: Node, options: Options, snapshot: Snapshot) -> Generator[float, None, str]:
            session = dumps(snapshot.state, {FIGURE: own}) if path.suffix == ".png" else None
            yield from files.saving(figure, path, options, session)
            return f"Saved as {path}."

        return self._figure_work(use)

    def copy(self) -> None:
        """Put the figure on the clipboard instead of into a file."""
        svg = self.choices.format == "SVG"

        def use(figure: Node, options: Options, snapshot: Snapshot) -> Generator[float, None, Copied]:
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

    def copy_command(self) -> None:
        """Copy the command that draws the figure of the dialogue."""
        self._copy_text(command_line, "Command copied.")

    def _copy_text(self, write: Callable[[State, Sheet], str], done: str) -> None:
        """Copy the script of the figure, or show why there is none."""
        state = self.source.workbench.session.state.with_legend(self.choices.legend != NOWHERE)
        _, panels = self._taken()
        views = {panel.title: written(panel) for panel in panels}
        try:
            suffix, unit = f".{self.choices.format.lower()}", self.choices.unit
            text = write(state, Sheet(self.options(), suffix, views, unit))
        except BadInput as problem:
            self.outcome.say(str(problem), "error")
        else:
            QGuiApplication.clipboard().setText(text)
            self.outcome.say(done, "success")

    def conclude(self, result: str | Copied) -> str:
        """Return a sentence about the file, or put a copied picture on the clipboard."""
        if isinstance(result, str):
            return result
        image, svg = result
        content = QMimeData()
        content.setImageData(image)
        if svg:
            content.setData("image/svg+xml", svg)
        QGuiApplication.clipboard().setMimeData(content)
        return f"Copied, {image.width()} × {image.height()} pixels."
