"""The point inspector: all numbers of the point or place under the mouse, and the terms its score is the
sum of."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.numbers.of_fit import ResidualTable
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.scene.axes import axis_name
from kernelviz.scene.wording import shortened, shown, visible
from kernelviz.session.state import State
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.insight.base import FAR, InsightView
from kernelviz.ui.insight.point_numbers import PointNumbers, of_place, of_point
from kernelviz.ui.widgets.buttons import CheckBox
from kernelviz.ui.widgets.labels import Elided, Label, plain
from kernelviz.ui.widgets.layouts import column
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.scale import Scale
from kernelviz.ui.widgets.term_bars import TermBars, summands_of, weights_of
from kernelviz.ui.workbench.workbench import Workbench

MIDDLE = Qt.TextElideMode.ElideMiddle
SUM = "s(x) = b + Σ βᵢ K(xᵢ, x)"


class PointInspector(InsightView):
    """Shows the hovered point, else the selected one, else the place under the mouse.

    When the mouse has left the canvas, the last point stays, so that its coordinates can be typed here,
    which selects it. Pointing at a bar of the sum highlights its training point in the other views."""

    name = "inspector"
    title = "Point"
    family = "Point"
    summary_line = "All numbers of the point or place under the mouse."
    number = 6
    scrolls = True

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._place: tuple[float, float] | None = None
        self._last: int | None = None  # The point the mouse was on last.
        self._shown: int | None = None
        self._own_hover = False
        self._moved = QTimer(self, singleShot=True, interval=self.pause)
        self._moved.timeout.connect(self._follow)
        # Names that belong together often begin alike: the end of a long one is shown too.
        self.heading = Elided("heading", MIDDLE)
        self.kind = Elided("muted", MIDDLE)
        self.fields: list[NumberField] = []
        self._columns: tuple[str, ...] = ()
        self.coordinates = QWidget()
        self._coordinate_grid = QGridLayout(self.coordinates)
        self._coordinate_grid.setContentsMargins(0, 0, 0, 0)
        self.numbers = PointNumbers()
        self.condition = Label(role="muted", wraps=True)
        self.condition.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.sum_line = Label(SUM, role="muted")
        self.bars = TermBars()
        self.bars.pointed.connect(self._on_bar)
        self.on_targets = CheckBox("Weights on y")
        self.on_targets.setToolTip(
            plain("How much each target weighs in s(x), instead of the terms of the sum")
        )
        self.on_targets.toggled.connect(self._refresh)
        workbench.verdict_arrived.connect(self._on_verdict)
        numbers = (self.numbers, self.condition, self.sum_line, self.bars, self.on_targets)
        whole = (self.heading, self.kind, self.coordinates, *numbers, (None, 1))
        column(*whole, on=self, spacing=3, margins=(10, 4, 10, 6))
        self._refresh()

    @property
    def values(self) -> dict[str, Label]:
        """The numbers by name."""
        return self.numbers.values

    # What is looked at --------------------------------------------------------------------------------
    def show_place(self, x: float, y: float) -> None:
        """Show a place of the canvas, unless a point is hovered or selected."""
        self._place = (float(x), float(y)) if np.isfinite([x, y]).all() else None
        of_a_point = self.workbench.hovered_point is not None or self.workbench.session.look.selection
        if self.isVisible() and not of_a_point:
            self.glance()

    def edit(self) -> None:
        """Select the point shown, if there is one, and focus its first coordinate."""
        self.catch_up()
        self._refresh()
        self._pin()
        if self._shown is not None and self.fields:
            self.fields[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def point(self) -> int | None:
        """The point that is shown; while coordinates are typed it is the selected one."""
        n = self._data.n
        selection = self.workbench.session.look.selection
        typing = any(field.hasFocus() for field in self.fields)
        hovered = None if self._own_hover or typing else self.workbench.hovered_point
        last = self._last if self._place is None else None
        chosen = hovered if hovered is not None else selection[0] if selection else last
        return chosen if chosen is not None and chosen < n else None

    @property
    def _data(self) -> Data:
        """The points of the frame or, without a fit, those of the document."""
        frame = self._frame
        return frame.data if frame is not None else self.workbench.session.document.data

    @property
    def _frame(self) -> Frame | None:
        """The frame taken last, unless the points it shows have been replaced."""
        if self.taken is None:
            return None
        shown, present = self.taken.data, self.workbench.session.document.data
        same = (shown.n, shown.columns, shown.class_names) == (
            present.n,
            present.columns,
            present.class_names,
        )
        return self.taken if same else None

    def take(self, frame: Frame | None) -> None:
        self._refresh()

    def point_out(self) -> None:
        if not self._own_hover:
            self._refresh()

    def _on_verdict(self, verdict: Verdict) -> None:
        if self.isVisible():
            self.glance()

    def _on_hover(self, point: int | None) -> None:
        if point is not None and not self._own_hover:
            self._last = point
        super()._on_hover(point)

    def _on_bar(self, point: int | None) -> None:
        """Highlight the training point of a bar in the other views, while this one stays as it is."""
        self._own_hover = True
        self.workbench.hover(point)
        self._own_hover = point is not None

    def _on_state(self, old: State, new: State) -> None:
        super()._on_state(old, new)
        if old.document.data.n != new.document.data.n:
            self._last = None  # the same number may be another point
        if self.isVisible() and old.document.data is not new.document.data and not self._moved.isActive():
            self._moved.start()

    def _follow(self) -> None:
        """Follow changed points: the next frame brings their numbers, but without any frame of these points
        there are none to show."""
        if self._frame is None:
            self._refresh()
        else:
            self._show_coordinates()

    # Showing ------------------------------------------------------------------------------------------
    def _refresh(self) -> None:
        invitation = "Point at something on the canvas."
        frame, point = self._frame, self.point
        self._shown = point
        self.numbers.show_kind(self._data, frame)
        if point is not None:
            self._show_point(frame, point)
        elif frame is not None and (x := self._inputs(frame)) is not None:
            self._show_empty_place(frame, x)
        else:
            self._show_nothing(invitation)
        self._show_coordinates()

    def _inputs(self, frame: Frame) -> Any:
        """Return the input at the place under the mouse; None if there is none."""
        return None if self._place is None else workspace_of(frame.data).inputs_at(frame.data, *self._place)

    def _show_nothing(self, heading: str, kind: str = "") -> None:
        """Show a heading without any numbers."""
        self.heading.set_text(heading)
        self.kind.set_text(kind)
        self.numbers.show_values({})
        self.condition.setText("")
        self.bars.show_summands(())
        self.sum_line.setVisible(False)
        self.on_targets.setVisible(False)

    def _show_point(self, frame: Frame | None, i: int) -> None:
        """Show the numbers of a training point, its condition at the optimum, and the terms of its score."""
        heading, kind, condition = point_in_words(self._data, frame, i)
        if frame is None:
            self._show_nothing(heading, kind)
            return
        self.heading.set_text(heading)
        self.kind.set_text(kind)
        self.numbers.show_bound(frame, i)
        self.numbers.show_values(of_point(frame, i, self._residuals(frame)))
        self.condition.setText(condition)
        self._show_terms(frame, frame.data.X[i], frame.table.score[i])

    def _show_empty_place(self, frame: Frame, x: Any) -> None:
        """Show the numbers of a place that is no training point."""
        no_weight = "no training point nearby"  # Of Nadaraya-Watson: there is no mean.
        data, values = frame.data, [shown(v) for v in x[0]]
        if data.categories is not None:
            values[-1] = data.categories.names[int(x[0, -1])]
        self.heading.set_text(f"Place ({', '.join(values)})")
        score, zero = frame.model.score(x)[0], frame.model.accuracy
        undecided = np.ndim(score) == 0 and abs(score) <= zero
        votes = getattr(frame.model, "counts_votes", False)
        verdict = _verdict(frame.data, np.zeros(()) if undecided else score, votes)
        self.kind.set_text(no_weight if np.isnan(score).any() else verdict)
        self.numbers.show_values(of_place(frame, x, score))
        self.condition.setText("")
        self._show_terms(frame, x, score)

    def _show_terms(self, frame: Frame, x: object, score: np.ndarray) -> None:
        """Show the terms that add up to the score, or the weights of the targets in it."""
        terms = summands_of(frame.model, x, float(score)) if np.ndim(score) == 0 else ()
        weights = weights_of(frame.model, x)
        self.on_targets.setVisible(bool(terms and weights))
        on_targets = bool(weights) and (self.on_targets.isChecked() or not terms)
        total = shown(sum(weight.value for weight in weights))
        self.sum_line.setText(f"s(x) = Σ wᵢ yᵢ, Σ wᵢ = {total}" if on_targets else SUM)
        self.sum_line.setVisible(bool(terms or weights))
        self.bars.show_summands(weights if on_targets else terms)

    def _residuals(self, frame: Frame) -> ResidualTable | None:
        """Return leverages and the like, if they are known for this fit."""
        verdict = self.workbench.verdict
        if verdict is None or verdict.residuals is None:
            return None
        posed = verdict.request
        same = posed.data is frame.data and posed.fits[posed.active] == frame.request.fits[frame.fit]
        return verdict.residuals if same and frame.request.step is None else None

    # Coordinates --------------------------------------------------------------------------------------
    def _show_coordinates(self) -> None:
        """Show the coordinates of the session, which is ahead of the frames while a point is dragged.

        They can be typed only for a point; those of a place are for reading."""
        many_columns = 6  # Inputs with more columns have no fields for their coordinates.
        data, point = self.workbench.session.document.data, self.point
        rows = None
        if data.has_numbers and len(data.columns) <= many_columns:
            place = self._inputs(self._frame) if self._frame is not None else None
            known = workspace_of(data).values(data)
            rows = known[[point]] if point is not None and point < data.n else place
        self.coordinates.setVisible(rows is not None)
        if rows is None:
            return
        if self._columns != workspace_of(data).typable(data):
            self._build_fields(data)
        values = (*rows[0].tolist(), *(self._place or ())[rows.shape[1] :])  # a place may have a target too
        for field, value in zip(self.fields, values, strict=False):
            field.setReadOnly(point is None)
            field.show_value(value)

    def _build_fields(self, data: Data) -> None:
        """Make a field for each coordinate: two side by side where their names are short, else one below the
        other."""
        short = 4  # Letters of a column's name up to which two coordinates share a row.
        while (item := self._coordinate_grid.takeAt(0)) is not None:
            if (gone := item.widget()) is not None:
                gone.hide()
                gone.deleteLater()
        self.fields, self._columns = [], workspace_of(data).typable(data)
        view = self.workbench.session.look.view
        in_a_row = max(map(len, self._columns), default=0) <= short
        for j, name in enumerate(self._columns):
            low, high = (view.bottom, view.top) if j == 1 else (view.left, view.right)
            field = NumberField(Scale(low, high, -FAR, FAR), brief=True)
            field.setAccessibleName(name)
            field.setToolTip(plain(f"{name} of the point; Enter over a point leads here"))
            field.entered.connect(self._pin)
            field.typed.connect(lambda value, j=j: self._move(j, value, None))
            field.stepped.connect(lambda value, gesture, j=j: self._move(j, value, gesture))
            self.fields.append(field)
            caption = Elided("muted", MIDDLE)
            caption.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            caption.set_text(axis_name(name))
            at, place = divmod(j, 2) if in_a_row else (j, 0)
            place *= 2
            self._coordinate_grid.addWidget(caption, at, place)
            self._coordinate_grid.addWidget(field, at, place + 1)
            self._coordinate_grid.setColumnStretch(place + 1, 1)
            field.show()  # now: it may get the keyboard in the same call

    def _pin(self) -> None:
        """Select the point whose coordinates are about to be typed."""
        session = self.workbench.session
        if self._shown is not None and self._shown not in session.look.selection[:1]:
            session.adjust(selection=(self._shown,))

    def _move(self, j: int, value: object, gesture: object) -> None:
        """Move the selected point to a typed coordinate."""
        point = self.point
        if point is None or point >= self.workbench.session.document.data.n:
            return
        try:
            self.move_point(point, j, value, gesture)
            self._show_coordinates()
        except BadInput as problem:
            self.fields[j].keep_text()
            self.condition.setText(str(problem))


def point_in_words(data: Data, frame: Frame | None, i: int) -> tuple[str, str, str]:
    """Return (name and class of a training point, its part in the fit, its condition at the optimum)."""
    name = f"Point {i + 1}" if data.has_numbers else f"“{shortened(data.X[i])}”"
    category = data.category_of_each[i : i + 1]
    weight = "" if data.weights is None else f"weight {shown(float(data.weights[i]), 3)}"
    heading = visible(", ".join(filter(None, (name, *category, data.target_text(i), weight))))
    if frame is None:
        return heading, "no fit yet", ""
    table = frame.table
    wrong = table.misclassified is not None and bool(table.misclassified[i])
    kind = str(table.kind[i]) if table.alpha is not None else ""
    return heading, ", ".join(filter(None, (kind, "misclassified" if wrong else ""))), table.state(i)


def _verdict(data: Data, score: np.ndarray, counts_votes: bool) -> str:
    """Return the class of a place in words."""
    named = data.named(score)
    if not named:
        return "" if named is None else "on the boundary"
    votes = np.rint(np.atleast_1d(score))
    shared = counts_votes and np.count_nonzero(votes == votes.max()) > 1
    how = ": tied votes, decided by the larger sum of scores" if shared else ""
    return f"classified as {named}{how}"
