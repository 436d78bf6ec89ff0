"""The data panel: the data set and its parameters, the counts of each class, held-out points.

A data set is remembered in the document by its expression, such as `moons(n=80)`. Once points are edited by
hand, the document knows where they came from, and *Draw again* restores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QColor, QFontMetrics, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput, clipped
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fits import registry
from kernelviz.scene.theme import current_theme
from kernelviz.scene.wording import counted, visible
from kernelviz.session.state import Document, State
from kernelviz.session.view import shows
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import datasets_for, workspace_of
from kernelviz.ui.sidebar.held_out_part import HeldOutPart
from kernelviz.ui.sidebar.hints import ScalesHint, TaskHint, dataset_in
from kernelviz.ui.sidebar.panel import NARROWEST, Panel
from kernelviz.ui.widgets.buttons import Button, ToolButton
from kernelviz.ui.widgets.labels import MessageLabel, describe, plain
from kernelviz.ui.widgets.layouts import row, soon
from kernelviz.ui.widgets.number_control import NumberControl
from kernelviz.ui.widgets.painting import type_scale
from kernelviz.ui.widgets.picker import Picker
from kernelviz.ui.workbench.throttle import READABLE, Throttle
from kernelviz.ui.workbench.workbench import Workbench

THUMBNAILS_AFTER = 600  # Milliseconds after the start: the first picture goes first.
SIDE = 28  # Pixels of a thumbnail, in type of the usual size.
SHARPNESS = 3  # Pixels drawn for each of them.
MOST_POINTS = 90  # More would only make blots.
AS_DRAWN = "The points are those of the data set above"
EDITED = "The points were edited by hand: replace them by the data set above"


class Thumbnails(QObject):
    """Fills a picker with thumbnails of the data sets, one per turn of the event loop so that nothing waits
    for them."""

    def __init__(self, picker: Picker) -> None:
        super().__init__(picker)
        self._picker = picker
        self._kinds: Mapping[str, type[DataSet]] = {}
        self._waiting: list[str] = []
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._draw_next)

    def start(self, kinds: Mapping[str, type[DataSet]]) -> None:
        """Draw all of them, at the start and after a change of theme or type size."""
        side = round(SIDE * type_scale(self._picker))
        self._picker.setIconSize(QSize(side, side))
        # Qt keeps the least size that a list had with its former icons until its style changes.
        QCoreApplication.sendEvent(self._picker, QEvent(QEvent.Type.StyleChange))
        self._kinds, self._waiting = kinds, list(kinds)
        QTimer.singleShot(THUMBNAILS_AFTER, self, self._timer.start)

    def _draw_next(self) -> None:
        if not self._waiting:
            self._timer.stop()
            return
        name = self._waiting.pop(0)
        self._picker.set_icon(name, QIcon(thumbnail(self._kinds[name]().make())))


def thumbnail(data: Data) -> QPixmap:
    """Return a picture of the points as coloured dots, SIDE * SHARPNESS pixels wide and high."""
    theme = current_theme()
    side = SIDE * SHARPNESS
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    workspace = workspace_of(data)
    X, radius = workspace.sketch(data)[:MOST_POINTS], (1.6 if data.n > 20 else 3.0) * SHARPNESS / 2
    middle = 0.5 * (X.min(axis=0) + X.max(axis=0))
    reach = max(float(np.ptp(X, axis=0).max()), 1e-9) / 2
    places = side / 2 + (X - middle) / reach * (side / 2 - radius - 2 * SHARPNESS) * (1, -1)
    count = len(data.class_names)
    for (x, y), k in zip(places, workspace.groups(data)[:MOST_POINTS].tolist(), strict=True):
        painter.setBrush(QColor(theme.ink if k < 0 else theme.of_class(k, count)))
        painter.drawEllipse(QPointF(x, y), radius, radius)
    painter.end()
    return picture


class DataPanel(Panel):
    """Chooses a data set and its parameters. The window's `actions` (open, paste, jitter …) are its
    buttons."""

    def __init__(self, workbench: Workbench, actions: Sequence[QAction] = ()) -> None:
        self._workspace = workbench.session.document.workspace
        super().__init__(workbench, "Data", datasets_for(self._workspace).values(), picked="Data set")
        self._last: dict[str, DataSet] = {}
        self._shown: DataSet | None = None
        self._source: tuple[str, str, bool] | None = None
        self._counted: Data | None = None
        self._view_given = False
        self._thumbnails = Thumbnails(self.picker)
        self.again = Button("Draw again", AS_DRAWN, self._on_again)
        self.message = MessageLabel("error")
        self.held_out = HeldOutPart(workbench)
        self.counts = QLabel()
        self.counts.setTextFormat(Qt.TextFormat.RichText)
        self.counts.setWordWrap(True)
        # A wrapping text lays out all panels, so not with every frame.
        self._count = Throttle(self, READABLE, self._show_counts)
        self.scales, self.task = ScalesHint(workbench), TaskHint(workbench)
        counts = row((self.counts, 1), self.again)
        chosen = (self.picker, self.summary, self.form, self.message)
        self.lay_out(*chosen, counts, self.task, self.scales, self.held_out, _buttons(actions))
        self.show_document(workbench.session.document)
        QTimer.singleShot(THUMBNAILS_AFTER, self._thumbnails, self._draw_thumbnails)

    def _on_state(self, old: State, new: State) -> None:
        # An opened session brings its own view.
        self._view_given = old.look.view != new.look.view
        super()._on_state(old, new)

    # Showing ------------------------------------------------------------------------------------------
    def show_document(self, document: Document) -> None:
        before = self._counted
        if document.data is not before:
            self._offer(document.workspace)
            self._counted = document.data
            if before is None:
                self._show_counts()
            elif document.data.target is not before.target:  # a drag changes no count
                self._count.ask()
        source = (document.source, document.edited_from, document.standardised)
        if source == self._source:
            return
        self._source = source
        if document.source and not self._view_given and self._hides(before, document):
            # Later: other observers have not seen this change yet.
            soon(self, self._fit_view)
        self.message.say("")
        edited = not document.source and bool(document.edited_from)
        self._shown = dataset_in(document.source or document.edited_from)
        if self._shown is not None:
            self._last[self._shown.name] = self._shown
            self.show_chosen(self._shown)
        else:
            self.picker.show_name("", described(document))
            self.form.hide()
        self.summary.setVisible(self._shown is not None)
        # Before the first edit it is there too: no row may move during a drag.
        self.again.setVisible(self._shown is not None)
        self.again.setEnabled(edited)
        self.again.setToolTip(EDITED if edited else AS_DRAWN)

    @property
    def _edited(self) -> bool:
        """True if the points of a data set have been changed by hand."""
        document = self.workbench.session.document
        return self._shown is not None and not document.source

    @property
    def headline(self) -> str:
        data = self.workbench.session.document.data
        edited = f", edited: {counted(data.n, data.noun)}"
        return super().headline + edited * self._edited

    @property
    def main(self) -> NumberControl | None:
        """The control of the main parameter; none for edited points, which a new value would replace."""
        return None if self._edited else super().main

    def _offer(self, workspace: Workspace) -> None:
        """List the data sets for a workspace."""
        if workspace is not self._workspace:
            self._workspace = workspace
            self.picker.offer(datasets_for(workspace).values())
            self._shown = self._source = None
            self._draw_thumbnails()

    def _draw_thumbnails(self) -> None:
        self._thumbnails.start(datasets_for(self._workspace))

    def _show_counts(self) -> None:
        """Show the number of points, and of each class in its colour."""
        document, theme = self.workbench.session.document, current_theme()
        data = document.data
        if self._source is not None and self._shown is None:
            self.picker.show_name("", described(document))
            self.changed.emit()
        names, codes = data.class_names, data.codes
        in_all = counted(data.n, data.noun)
        if codes is None:
            self.counts.setText(in_all)
            describe(self.counts, in_all)
            return
        tally = np.bincount(codes, minlength=len(names)).tolist()
        parts = [
            f'<b style="color:{theme.of_class(k, len(names))}">{self._fitting(names[k])}</b> {tally[k]}'
            for k in data.class_order
        ]
        self.counts.setText(f"{in_all}: " + " &nbsp; ".join(parts))
        each = ", ".join(f"{count} of class {name}" for name, count in zip(names, tally, strict=True))
        describe(self.counts, f"{in_all}: {each}", plain(f"{in_all}: {each}"))

    def _fitting(self, name: str) -> str:
        """Return the name of a class as HTML, cut in the middle if it would make the panel wider."""
        bold = self.counts.font()
        bold.setBold(True)
        sides = self.column.contentsMargins()
        room = NARROWEST - sides.left() - sides.right()
        short = QFontMetrics(bold).elidedText(
            "−" if name == "-" else clipped(visible(name)), Qt.TextElideMode.ElideMiddle, room
        )
        return escape(short.replace("…", "\u2060…\u2060"))  # where no line may break

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # Colours and type may change one after the other, as when presentation mode is left.
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "counts"):
            self._show_counts()
            soon(self._thumbnails, self._draw_thumbnails)

    # Changing -----------------------------------------------------------------------------------------
    def on_picked(self, name: str) -> None:
        self.on_edited(self._last.get(name) or registry.datasets()[name](), None, "choose data set")

    def _on_again(self) -> None:
        if self._shown is not None:
            self.on_edited(self._shown, None, "draw data set")

    def on_edited(self, dataset: DataSet, gesture: object, undo_name: str) -> None:
        """Draw a data set and use its points; a data set that cannot be drawn is refused with a sentence."""
        try:
            data = dataset.make()
        except BadInput as problem:
            self.message.say(str(problem))
            return
        self.workbench.session.change(
            undo_name, gesture=gesture, data=data, source=dataset.expression(), standardised=False
        )

    def _hides(self, before: Data | None, document: Document) -> bool:
        """Return True if the view was chosen for other points; a view the user zoomed into stays."""
        if before is None or workspace_of(before) is not document.workspace:
            return False  # another workspace has a view of its own
        dataset = dataset_in(document.source)
        if dataset is not None and (self._shown is None or self._shown.name != dataset.name):
            return True
        view = self.workbench.session.look.view
        at = document.workspace.positions
        return shows(view, at(before)) and not shows(view, at(document.data))

    def _fit_view(self) -> None:
        session = self.workbench.session
        data = session.document.data
        session.adjust(view=workspace_of(data).extent(data))


def described(document: Document) -> str:
    """Return a name for points that are not a data set: "flowers.csv, 150 rows", "huge.csv, 5,000 of 300,000
    rows", "12 points placed by hand"."""
    n, noun = document.together.n, document.data.noun
    if document.source and document.sampled_from:
        return f"{document.source}, {n:,} of {document.sampled_from:,} rows"
    if document.source:
        return f"{document.source}, {counted(n, 'row')}"
    if document.edited_from:
        return f"{document.edited_from}, edited: {counted(n, noun)}"
    return f"{counted(n, noun)} placed by hand" if n else f"No {noun}s yet"


def _buttons(actions: Sequence[QAction]) -> QWidget:
    """Return the window's actions as buttons, two in a row."""
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 4, 0, 0)
    grid.setSpacing(4)
    for k, action in enumerate(actions):
        button = ToolButton()
        button.setDefaultAction(action)
        action.visibleChanged.connect(lambda b=button, a=action: b.setVisible(a.isVisible()))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setAccessibleName(action.text().replace("&", ""))
        grid.addWidget(button, k // 2, k % 2)
    holder.setVisible(bool(actions))
    return holder
