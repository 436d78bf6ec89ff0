"""Model selection: settings are tried out by other processes while nothing moves; a click adopts one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QSize, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QStyleOptionComboBox, QWidget

from kernelviz.drawing.insight.selection import SelectionMaker, SelectionPicture
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.selection.choice import Selection
from kernelviz.engine.selection.folds import By, Trial
from kernelviz.engine.selection.grid import Grid
from kernelviz.engine.selection.tunable import DASH, Knob, knobs
from kernelviz.engine.solvers.likelihood import Ascent
from kernelviz.runtime.jobs import Work
from kernelviz.runtime.parallel_selection import AscentRun, SelectionRun, fresh_of
from kernelviz.runtime.processes import cores
from kernelviz.session.state import Document
from kernelviz.ui.insight.resting_view import REST, RestingView
from kernelviz.ui.insight.setting_ranges import SettingRanges
from kernelviz.ui.widgets.buttons import Combo, ToolButton
from kernelviz.ui.widgets.labels import plain
from kernelviz.ui.workbench.workbench import Workbench

SIDE, LINE = 9, 17  # Values of each of two numbers, and of a single one.
ALONE = "alone"
SLACK = 6  # Pixels around the words of a chooser.
APART = 12  # Pixels between choosers, and around them.
WAYS: dict[str, tuple[By, int]] = {
    "5 folds": ("cv", 5),
    "10 folds": ("cv", 10),
    "leave one out": ("loo", 0),
}


class NumberChooser(Combo):
    """As wide as what it reads: a number and its owner, or where there is no room the number alone."""

    def __init__(self) -> None:
        super().__init__()
        self._wide = True
        self.setMinimumContentsLength(0)

    def give_room(self, wide: bool) -> None:
        self._wide = wide
        self.updateGeometry()

    def wanted(self, wide: bool) -> int:
        """The width for the whole of it, or for the number alone."""
        text = self.currentText() if wide else self.currentText().partition(DASH)[0]
        return super().sizeHint().width() + self.fontMetrics().horizontalAdvance(text) + SLACK

    def sizeHint(self) -> QSize:
        return QSize(self.wanted(self._wide), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.wanted(wide=False), super().minimumSizeHint().height())

    def shortened(self, option: QStyleOptionComboBox) -> str:
        if not self._wide:
            option.currentText = option.currentText.partition(DASH)[0]
        return super().shortened(option)


class SelectionView(RestingView):
    """Chooses one or two numbers, and how points are left out."""

    name = "selection"
    kind = SelectionPicture
    made_by = SelectionMaker
    maker: SelectionMaker

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._choices: list[Knob] = []
        self._run: SelectionRun | None = None
        self._background.done.connect(self._explain_nothing)
        self._climbing = workbench.background("kernelviz-ascent", self)
        self._climbing.done.connect(self._show_ascent)
        self._climbed_from: Hashable = None
        self._before_climbing = QTimer(self, singleShot=True, interval=REST)
        self._before_climbing.timeout.connect(self._climb)

    def choosers(self) -> Sequence[QWidget]:
        self.pickers = (NumberChooser(), NumberChooser())
        self.ways = Combo()
        self.ways.addItems(list(WAYS))
        _narrow(self.ways, 4)
        for picker, name in zip(self.pickers, ("First number", "Second number"), strict=True):
            picker.setAccessibleName(name)
            picker.setToolTip("A number of the kernel or the algorithm to choose")
            picker.activated.connect(lambda _row: self.follow(self.workbench.session.document))
        self.ways.setAccessibleName("How points are left out")
        self.ways.setToolTip("How points are left out to judge a setting by")
        self.ways.activated.connect(lambda _row: self.follow(self.workbench.session.document))
        self.ranges = SettingRanges(self)
        self.ranges.edited.connect(lambda: self.follow(self.workbench.session.document))
        self.more = ToolButton()
        self.more.setText("…")
        self.more.setAccessibleName("Values and seed")
        self.more.setToolTip("Which values are tried out, and the seed of the folds")
        self.more.clicked.connect(lambda: self.ranges.open_beside(self.more))
        return (*self.pickers, self.ways, self.more)

    @property
    def chosen(self) -> list[Knob]:
        """The numbers to choose, the second only if it is another one."""
        first = self.pickers[0].currentIndex()
        second = self.pickers[1].currentIndex() - 1
        rows = dict.fromkeys(row for row in (first, second) if 0 <= row < len(self._choices))
        return [self._choices[row] for row in rows]

    # Following the document -----------------------------------------------------------------------------
    def show_present(self, document: Document) -> None:
        self._offer(document)
        chosen = self.chosen
        self.ranges.show_knobs(chosen, _count(chosen))
        known = self.maker.selection
        same = known is not None and [a.knob.key for a in known.grid.axes] == [k.key for k in chosen]
        self.maker = replace(
            self.maker,
            present=tuple(knob.value for knob in chosen),
            task=document.data.task,
            selection=known if same else None,
            reason="Starts when you stop editing." if chosen else "There is no number to choose.",
        )
        self._forget_ascent(document)

    def _offer(self, document: Document) -> None:
        old = [knob.key for knob in self.chosen]
        self._choices = knobs(document.fit)
        texts = [knob.text for knob in self._choices]
        for picker, offered in zip(self.pickers, (texts, [ALONE, *texts]), strict=True):
            if offered != [picker.itemText(k) for k in range(picker.count())]:
                picker.clear()
                picker.addItems(offered)
        keys = [knob.key for knob in self._choices]
        kept = [keys.index(key) for key in old if key in keys]
        if len(kept) < max(1, len(old)):
            kept = self._usual()
        self.pickers[0].setCurrentIndex(kept[0] if kept else -1)
        self.pickers[1].setCurrentIndex(kept[1] + 1 if len(kept) > 1 else 0)
        self._give_room()

    def _usual(self) -> list[int]:
        """The first number of the kernel and the first of the algorithm."""
        found = [k for k, knob in enumerate(self._choices) if not knob.parameter.silent]
        by_owner = {self._choices[k].whose: k for k in reversed(found)}
        return [by_owner[whose] for whose in ("kernel", "algorithm") if whose in by_owner]

    def key(self, document: Document) -> Hashable:
        """The values of the chosen numbers play no part."""
        chosen = self.chosen
        if not chosen or not document.data.n:
            return None
        fixed = document.fit
        for knob in chosen:
            fixed = knob.turned(fixed, knob.parameter.default)
        return (
            tuple(k.key for k in chosen),
            str(fixed),
            document.data,
            document.source,
            self.ways.currentText(),
            self.ranges.key,
        )

    def begin(self, document: Document) -> Work | None:
        chosen = self.chosen
        if not chosen or not document.data.n:
            return None
        by, folds = WAYS[self.ways.currentText()]
        try:
            trial = Trial.of(
                document.data, document.algorithm, by, folds, self.ranges.seed.value, _fresh(document)
            )
            grid = Grid(document.fit, self.ranges.axes(_count(chosen)))
        except BadInput as problem:
            self._refuse(str(problem))
            return None
        note = f"{self.ways.currentText().capitalize()}."
        self._run = SelectionRun(grid, trial, note, max(1, cores() - 1), coarse_first=True, apart=True)
        return self._run.work

    def _refuse(self, sentence: str) -> None:
        self._run = None
        self.maker = replace(self.maker, selection=None, reason=sentence)
        self.take(self.taken)

    def _explain_nothing(self, found: Selection) -> None:
        if not found.done:
            self._refuse(found.message)

    def show_known(self) -> None:
        if self._run is not None:
            known = self._run.so_far
            self.maker = replace(self.maker, selection=known)
            self._explain()

    def on_pointed(self, at: QPointF | None) -> None:
        super().on_pointed(at)
        self._explain(at)

    def _explain(self, at: QPointF | None = None) -> None:
        """The setting below the mouse, and once all are known what they tell."""
        known, picture, told = self.maker.selection, self.picture, []
        if at is not None and isinstance(picture, SelectionPicture):
            told.append(picture.words_at(at, self.sheet.room, self.sheet.style_of_picture))
        if known is not None and known.done == len(known.outcomes):
            told.append(known.message)
        self.sheet.setToolTip(plain("\n".join(filter(None, told))))

    # Uphill on the likelihood --------------------------------------------------------------------------
    def _forget_ascent(self, document: Document) -> None:
        """Unless it began where the fit is now; another one begins as soon as nothing moves."""
        begins = None
        if AscentRun.suits(document.data, document.fit):
            begins = str(document.fit), document.data, tuple(knob.key for knob in self.chosen)
        if begins == self._climbed_from:
            return
        self._climbed_from = begins
        self._climbing.cancel()
        self.maker = replace(self.maker, ascent=None)
        if begins is None:
            self._before_climbing.stop()
        else:
            self._before_climbing.start()

    def _climb(self) -> None:
        document = self.workbench.session.document
        self._climbing.start(AscentRun(document.data, document.fit, self.chosen).work)

    def _show_ascent(self, found: Ascent) -> None:
        self.maker = replace(self.maker, ascent=found)
        self.take(self.taken)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()

    def _give_room(self) -> None:
        """The numbers with their owners where both have room beside each other, else alone."""
        wanted = sum(picker.wanted(wide=True) + APART for picker in self.pickers) + APART
        for picker in self.pickers:
            picker.give_room(wanted <= self.width())

    def hideEvent(self, event: QHideEvent) -> None:
        self._before_climbing.stop()
        self._climbing.cancel()
        self._climbed_from = None
        super().hideEvent(event)

    def on_clicked(self, at: QPointF) -> None:
        session, picture = self.workbench.session, self.picture
        if not isinstance(picture, SelectionPicture):
            return
        cell = picture.cell_at(at, self.sheet.room, self.sheet.style_of_picture)
        if cell is not None:
            fit = picture.selection.fit(cell)
            session.change("adopt setting", kernel=fit.kernel, algorithm=fit.algorithm)


def _count(chosen: Sequence[Knob]) -> int:
    """How many values of each number are tried out, if nobody says otherwise."""
    return SIDE if len(chosen) > 1 else LINE


def _narrow(chooser: Combo, letters: int) -> None:
    """As wide as so many letters, so that several stand side by side; its list has room for all of them."""
    chooser.setSizeAdjustPolicy(Combo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    chooser.setMinimumContentsLength(letters)
    chooser.setMaximumWidth(chooser.sizeHint().width())


def _fresh(document: Document) -> Data | None:
    return None if document.standardised else fresh_of(document.source)
