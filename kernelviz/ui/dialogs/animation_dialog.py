"""Export animation: a run of the algorithm, a sweep of a parameter or feature space as it unfolds, as GIF,
APNG or numbered PNGs.

Frames are painted and written in the background; a film that is cancelled leaves no file behind."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Beat, Work
from kernelviz.scene.export import files
from kernelviz.scene.export.composition import captions_of, figure_of, film_frame, fitted
from kernelviz.scene.export.film_formats import numbered, write_animation, write_numbered
from kernelviz.scene.export.films import (
    Moment,
    figures_of_moment,
    run_frames,
    run_of,
    state_frames,
)
from kernelviz.scene.figure.captions import Captioned
from kernelviz.scene.insight.space import FeatureSpaceView, unfolding
from kernelviz.session.figure_options import NOWHERE
from kernelviz.session.state import Document, State
from kernelviz.ui.dialogs.choices import FilmChoices
from kernelviz.ui.dialogs.export_dialog import ExportDialog
from kernelviz.ui.dialogs.rows import SweepRows
from kernelviz.ui.dialogs.snapshot import Snapshot
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.widgets.layouts import row
from kernelviz.ui.widgets.scale import Scale
from kernelviz.ui.widgets.slider import Slider


@dataclass(frozen=True)
class Run:
    """The steps of the fits in each frame, kept so that no second run is needed to go through them."""

    document: Document
    most: int
    moments: Sequence[Moment]


@dataclass(frozen=True)
class PaintedFrame:
    """A painted frame, with the facts about the film that are known after painting it."""

    image: QImage
    count: int
    run: Run | None = None


class AnimationDialog(ExportDialog):
    """The dialogue for animations: a run, a parameter that goes through its range, or feature space.

    The slider below the preview goes through the frames."""

    title = "Export animation"
    file = "animation"
    kind = FilmChoices

    # The form ----------------------------------------------------------------------------------------------
    def fill_form(self) -> None:
        """Add the groups for content, file and look, and below the preview a slider through the frames."""
        workbench = self.source.workbench
        self._run: Run | None = None
        self.sweep = SweepRows(workbench.session.document)
        self.sweep.edited.connect(self.touch)
        self._what = self.rows("of")
        self._sweep_row = self._what.add("Sweep", self.sweep)
        file = self.rows("format", "frames", "speed")
        file.add("Size", self.size_row)
        self.add_group("What", self._what)
        self.add_group("File", file, *self.boxes("paced"))
        self.add_group("Look")
        self.add_words()
        self.slider = Slider(_frames(self.choices.frames))
        self.slider.setAccessibleName("Frame shown")
        self.slider.picked.connect(self.touch)
        self.number = Label(role="muted")
        self.right.insertLayout(1, row((self.slider, 1), self.number, spacing=10))
        workbench.state_changed.connect(self._on_state)
        self._show_count(self.choices.frames)

    def show_choices(self) -> None:
        """Show the choices; the rows of a sweep are hidden for other films."""
        super().show_choices()
        self._what.grid.setRowVisible(self._sweep_row, self.choices.of == "sweep")
        for part in (self.controls["speed"], self.flags["paced"]):
            part.setEnabled(self.choices.format != "PNGs")

    def _on_state(self, old: State, new: State) -> None:
        """Offer the numbers of another document for a sweep."""
        if old.document is not new.document:
            self.previews.cancel()  # a run of the old document may be long
            self.sweep.show_document(new.document)

    def _show_count(self, count: int) -> None:
        """Show how many frames there are, which one is seen, and how long the film takes."""
        self.choices = choices = self.choices.for_frames(count)
        if choices.paced:  # what suits the frames needs no button that goes back to it
            self.controls["speed"].set_default(choices.speed)
        self.controls["speed"].show_value(choices.speed)
        at = min(self.slider.value(), count - 1)
        self.slider.set_scale(_frames(count))
        self.slider.show_value(at + 1)
        self.number.setText(f"{at + 1} of {count}")
        length = "" if choices.format == "PNGs" else f"  ·  {count / choices.speed:.3g} s"
        self.facts.setText(f"{count} frames{length}  ·  {choices.width:g} × {choices.height:g} pixels")

    # The frames --------------------------------------------------------------------------------------------
    def _state(self) -> State:
        """Return the present state as the film shows it: from its first step, with or without legend."""
        state = self.source.workbench.session.state.with_legend(self.choices.legend != NOWHERE)
        return replace(state, look=state.look.replace(mode="live", step=0))

    def preview_work(self) -> Work:
        """Return the work that paints the frame at the slider. A run is kept, so that going through its
        frames needs no second one."""
        choices, options = self.choices, self.options()
        room = self.preview.room(QSize(*options.pixels))
        state, at = self._state(), self.slider.value()
        states = self._states(state)
        known, unfolded = self._run, self._unfolded()
        if known is not None and (known.document, known.most) != (state.document, choices.frames):
            known = None

        def work(beat: Beat) -> Generator[float, None, PaintedFrame]:
            run = None
            if choices.of == "unfolding":
                pictures = unfolded()
                yield 0.7
                shown = files.preview(pictures[min(at, len(pictures) - 1)], options, room)
                return PaintedFrame(shown, len(pictures))
            if choices.of == "run":
                run = known or Run(state.document, choices.frames, run_of(state, choices.frames, beat))
                yield 0.5
                count = len(run.moments)
                figures = figures_of_moment(state, run.moments[min(at, count - 1)], options)
            else:
                count = len(states)
                chosen = states[min(at, count - 1)].each_fit()
                figures = [figure_of(own, fitted(own)[0], options) for own in chosen]
            yield 0.7
            return PaintedFrame(files.preview(film_frame(state, figures, options), options, room), count, run)

        return work

    def _states(self, state: State) -> list[State]:
        """Return the states of a sweep; none for other films. BadInput when there is nothing to film."""
        if self.choices.of == "run" and not any(fit.algorithm.watchable for fit in state.document.fits):
            title = state.document.algorithm.title
            raise BadInput(f"{title} is solved in one step. Choose a sweep instead.")
        if self.choices.of != "sweep":
            return []
        values = self.sweep.values(self.choices.frames)
        return [replace(state, document=state.document.turned(self.sweep.knob, value)) for value in values]

    def _unfolded(self) -> Callable[[], list[Captioned]]:
        """Return a function that makes the pictures of feature space, as it is turned now, from the plane and
        back."""
        snapshot, panel = Snapshot.of(self.source.workbench), self.source.panels(None).get("space")
        count, options = self.choices.frames, self.options()

        def make() -> list[Captioned]:
            assert panel is not None
            assert isinstance(panel.view, FeatureSpaceView)
            scenes = unfolding(panel.view, snapshot.frame, count)
            assert snapshot.frame is not None  # or else there were no scenes
            words = captions_of(snapshot.frame.model, options)
            return [Captioned(scene.root, words) for scene in scenes]

        return make

    def show_painted(self, result: PaintedFrame) -> QImage:
        """Keep the run that was made for the preview, and show how many frames the film has."""
        self._run = result.run or self._run
        self._show_count(result.count)
        return result.image

    # Writing -----------------------------------------------------------------------------------------------
    def first_of(self, path: Path) -> Path:
        """Return the file, or the first of numbered pictures."""
        return numbered(path, 1, self.choices.frames) if self.choices.format == "PNGs" else path

    def writing_work(self, path: Path) -> Work:
        """Return the work that paints and writes all frames, one after the other."""
        choices, options, state = self.choices, self.options(), self._state()
        states, unfolded = self._states(state), self._unfolded()

        def work(beat: Beat) -> Generator[float, None, str]:
            frames: Iterator[QImage]
            if choices.of == "unfolding":
                pictures = unfolded()
                count, frames = len(pictures), (files.as_image(picture, options) for picture in pictures)
            elif choices.of == "run":
                count, frames = run_frames(state, options, choices.frames, beat)
            else:
                count, frames = state_frames(states, options, beat)
            if choices.format == "PNGs":
                writing = write_numbered(path, frames, count)
            else:
                writing = write_animation(path, frames, count, choices.for_frames(count).speed)
            with closing(writing):
                yield from writing
            return f"Saved {count} frames as {path}."

        return work


def _frames(count: int) -> Scale:
    """Return the scale of a slider over `count` frames."""
    return Scale(1, count, 1, count, whole=True)
