"""Model selection: the error of every setting of one or two parameters on points left out.

The file declares the choices and the long work they need; `selection_chart.py` draws the results. Two pieces
of work run independently: all settings are tried in other processes, whatever the present values of the
chosen numbers are, and for a Gaussian process the way uphill on the likelihood begins at those values."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import choice, integer
from kernelviz.engine.selection.folds import By, Trial
from kernelviz.engine.selection.grid import GridAxis, SettingsGrid, over_slider
from kernelviz.engine.selection.tunable import Knob, knobs, parse_range
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.messages import Frame
from kernelviz.runtime.parallel_selection import AscentRun, SelectionRun, fresh_of
from kernelviz.runtime.processes import cores
from kernelviz.scene.insight.parts.selection_chart import FACES, SettingsChart
from kernelviz.scene.nodes import Hit, Message
from kernelviz.scene.view import (
    ChangeDocument,
    DocumentView,
    Intent,
    Needed,
    Now,
    OptionPicker,
    Popup,
    Scene,
    Set,
    TextField,
    ViewMemory,
)
from kernelviz.scene.wording import Remark
from kernelviz.session.state import Document

VALUES_OF_TWO, VALUES_OF_ONE = (
    9,
    17,
)  # Values of each of two numbers, and of a single one, unless a range is typed.
ALONE = "alone"  # Stands in the second list for no second number.
WAYS: dict[str, tuple[By, int]] = {
    "5 folds": ("cv", 5),
    "10 folds": ("cv", 10),
    "leave one out": ("loo", 0),
}
MISSING = {
    "true": "The true error is known only for generated points that have not been edited.",
    "likelihood": "Only a Gaussian process has a likelihood.",
}
Key = tuple[str, tuple[int, ...], str]  # Identifies a number of the fit, whatever its value.


@dataclass(frozen=True)
class SelectionView(DocumentView):
    """A map of two numbers, or curves over one. Settings are tried in other processes when you stop
    editing; a click adopts one. Where there is a likelihood, the way uphill from the present fit is shown.

    Until something is picked, the numbers are the first of the kernel and the first of the algorithm, such
    as γ and C. `typed` has the ranges typed into the popup, LOW:HIGH:COUNT as on the command line, by
    number."""

    name = "selection"
    title = "Model selection"
    family = "Generalise"
    summary_line = "How every setting of one or two parameters does on points left out; click to adopt one."
    number = 15
    pictured = ("moons(n=40, noise=0.3)", "rbf(gamma=2) ; soft-margin-svm(C=10)")
    computes = True
    pickers = (
        OptionPicker(
            "first", "First number", "A parameter of the kernel or the algorithm to choose", brief=True
        ),
        OptionPicker(
            "second", "Second number", "A parameter of the kernel or the algorithm to choose", brief=True
        ),
        OptionPicker("way", "How points are left out", "How points are left out to judge a setting"),
    )
    popup = Popup(
        "…",
        "Values and seed",
        "The values to try, and the seed of the folds",
        "LOW:HIGH:COUNT, and :log or :linear for another scale than that of the slider",
        ("seed",),
    )

    face: str = choice(
        "validation",
        tuple(FACES),
        label="Show",
        help="The error on the points left out, on those fitted, on fresh ones, or the likelihood ln p(y)",
    )
    seed: int = integer(0, low=0, high=2**31 - 1, soft=(0, 999), label="Seed", help="How the folds are drawn")
    first: Key | None = None  # The numbers to choose, once they are picked.
    second: Key | str | None = None
    way: str = "5 folds"
    typed: tuple[tuple[Key, str], ...] = ()  # Ranges that were typed, which stay with their numbers.

    # What is to be tried --------------------------------------------------------------------------------
    def chosen(self, document: Document) -> list[Knob]:
        """Return the one or two numbers to choose: those picked, as long as the fit has them, else the first
        of the kernel and the first of the algorithm."""
        offered = {knob.key: knob for knob in knobs(document.fit)}
        by_owner = {knob.whose: knob.key for knob in reversed(offered.values()) if not knob.parameter.silent}
        usual = [by_owner[whose] for whose in ("kernel", "algorithm") if whose in by_owner]
        wanted = [
            picked or own
            for picked, own in zip((self.first, self.second), [*usual, None, None], strict=False)
        ]
        if any(key not in (*offered, ALONE, None) for key in wanted):
            wanted = list(usual)
        return [offered[key] for key in dict.fromkeys(wanted) if key in offered]

    def _values(self, knob: Knob, text: str, count: int) -> GridAxis:
        """Return the values of a number that a text stands for, `count` of them if it does not say how many;
        an empty text stands for the range of the slider. BadInput for a text that is no range."""
        if not text:
            return over_slider(knob, count)
        values = parse_range(text, knob.parameter, knob.owner, count)
        return GridAxis(knob, tuple(values), knob.parameter.name)

    def on_typed(self, line: TextField, text: str, now: Now) -> Intent | None:
        """Keep a range that was typed for one of the numbers; BadInput for any other text."""
        assert now.document is not None
        typed = dict(self.typed)
        for knob in self.chosen(now.document):
            if knob.key == line.name and text != typed.get(knob.key, ""):
                self._values(knob, text, 2)
                return Set("typed", tuple((typed | {knob.key: text}).items()))
        return None

    def needs(self, document: Document, frame: Frame | None) -> tuple[Needed | None, ...]:
        """Return the settings to be tried, for which the present values of the chosen numbers play no part;
        and the way uphill, which begins there."""
        chosen, typed = self.chosen(document), dict(self.typed)
        if not chosen or not document.data.n:
            return None, None
        fixed = document.fit
        for knob in chosen:
            fixed = knob.turned(fixed, knob.parameter.default)
        keys = tuple(knob.key for knob in chosen)
        ranges = tuple(typed.get(key, "") for key in keys)
        key = (keys, str(fixed), document.data, document.source, self.way, self.seed, ranges)
        climbing = None
        if AscentRun.suits(document.data, document.fit):
            begins = str(document.fit), document.data, keys
            climb = partial(AscentRun, document.data, document.fit, chosen)
            climbing = Needed(begins, climb, lambda run: (begins, run.found), stoppable=False)
        return Needed(key, partial(self._try, document, chosen), lambda run: run), climbing

    def _try(self, document: Document, chosen: list[Knob]) -> SelectionRun | Refused:
        (by, folds), typed = WAYS[self.way], dict(self.typed)
        count = VALUES_OF_TWO if len(chosen) > 1 else VALUES_OF_ONE
        fresh = None if document.standardised else fresh_of(document.source)
        try:
            trial = Trial.of(document.data, document.algorithm, by, folds, self.seed, fresh)
            axes = (self._values(knob, typed.get(knob.key, ""), count) for knob in chosen)
            grid = SettingsGrid(document.fit, tuple(axes))
        except BadInput as problem:
            return Refused(str(problem))
        note = f"{self.way.capitalize()}."
        return SelectionRun(grid, trial, note, max(1, cores() - 1), coarse_first=True, apart=True)

    # What is to be seen ---------------------------------------------------------------------------------
    def scene(self, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the chart of the settings tried so far, with the lists of numbers to choose from."""
        assert now.document is not None
        chosen, typed = self.chosen(now.document), dict(self.typed)
        texts: dict[Any, str] = {knob.key: knob.text for knob in knobs(now.document.fit)}
        first, second = (*(knob.key for knob in chosen), ALONE, ALONE)[:2]
        shown: dict[str, Any] = {
            "picks": {
                "first": (first, texts),
                "second": (second, {ALONE: ALONE, **texts}),
                "way": (self.way, {way: way for way in WAYS}),
            },
            "lines": tuple(_line(knob, typed.get(knob.key, ""), len(chosen)) for knob in chosen),
        }
        reason, chart = self._chart(now, chosen)
        if chart is None:
            return Scene(Message(reason), **shown)
        selection = chart.selection
        done, count = selection.done, len(selection.outcomes)
        remark = Remark(f"{done} of {count}" if done < count else "", "Settings tried so far")
        return Scene(chart.node, remark=remark, tip=chart.summary, **shown)

    def _chart(self, now: Now, chosen: list[Knob]) -> tuple[str, SettingsChart | None]:
        """Return the chart of the results so far, or a message why there is none."""
        run, climbed = now.result or (None, None)
        if not chosen:
            return "There is no parameter to choose.", None
        if isinstance(run, Refused):
            return run.sentence, None
        keys = tuple(knob.key for knob in chosen)
        if run is None or tuple(axis.knob.key for axis in run.grid.axes) != keys:
            return "Starts when you stop editing.", None
        assert now.document is not None
        selection, document = run.so_far, now.document
        if run.ended and not selection.done:
            return selection.message, None
        if selection.done and not np.isfinite(selection.face(FACES[self.face])).any():
            return MISSING.get(self.face, "No setting could be fitted."), None
        begins, ascent = climbed or (None, None)
        return "", SettingsChart(
            selection,
            self.face,
            tuple(knob.value for knob in chosen),
            document.data.task is Task.REGRESSION,
            ascent if begins == (str(document.fit), document.data, keys) else None,
        )

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        """Adopt the setting there."""
        if hit.part != "settings" or now.document is None:
            return None
        fit = now.result[0].grid.fits[int(hit.row)]
        return ChangeDocument(
            "adopt setting", now.document.replace(kernel=fit.kernel, algorithm=fit.algorithm)
        )


def _line(knob: Knob, text: str, numbers: int) -> TextField:
    """Return the line of the popup into which the range of a number is typed."""
    low, high = knob.parameter.soft
    count = VALUES_OF_TWO if numbers > 1 else VALUES_OF_ONE
    return TextField(knob.key, f"{knob.parameter.label} of {knob.owner}", text, f"{low:g}:{high:g}:{count}")


@dataclass(frozen=True)
class Refused:
    """A search that cannot begin, and why."""

    sentence: str

    def work(self, beat: Beat) -> Generator[float, None, None]:
        """Do nothing."""
        yield 1.0
