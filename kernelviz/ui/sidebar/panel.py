"""A panel of the sidebar, and the line that stands for it while it is closed.

`Panel` has what the panels of data, kernel and algorithm share: a picker of kinds, a sentence about the
chosen one, and the form of its parameters, in a column that scrolls. `PanelSummary` shows the choice and its
main parameter in one line, in the accordion of a narrow window and in presentation mode."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, Parameter
from kernelviz.session.state import Document, State
from kernelviz.ui.widgets.focus import order_tabs, return_focus
from kernelviz.ui.widgets.form import FormStack
from kernelviz.ui.widgets.labels import Elided, Label
from kernelviz.ui.widgets.layouts import Part, column, fill, row, soon
from kernelviz.ui.widgets.number_control import NumberControl
from kernelviz.ui.widgets.number_field import NumberField
from kernelviz.ui.widgets.picker import Named, Picker
from kernelviz.ui.widgets.scale import Scale
from kernelviz.ui.widgets.slider import Slider
from kernelviz.ui.workbench.workbench import Workbench

NARROWEST = 280  # The least width of a panel, in pixels.


class Panel(QScrollArea):
    """A column of widgets that shows a part of the document and changes it through the session.

    Every panel has a `picker`, a sentence about the picked kind, and the `form` of its parameters. Subclasses
    add their own widgets with `lay_out`, show a document in `show_document`, and change the session in
    `on_picked` and `on_edited`."""

    changed = Signal()  # The choice or its main parameter may have changed.
    reshaped = Signal()  # The content may need another height.

    def __init__(self, workbench: Workbench, title: str, kinds: Iterable[Named], picked: str = "") -> None:
        """kinds: the options of the picker. picked: the noun for one of them, if it is not the title of the
        panel."""
        super().__init__()
        self.workbench = workbench
        self.setAccessibleName(title)
        self.picker = Picker(picked or title, kinds)
        self.summary = note()
        self.form = FormStack()
        self.picker.picked.connect(self.on_picked)
        self.form.edited.connect(self.on_edited)
        self.form.renamed.connect(self.changed)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setMinimumWidth(NARROWEST)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._reshaped_soon = QTimer(self, singleShot=True, interval=0)
        self._reshaped_soon.timeout.connect(self.reshaped)
        self.content = QWidget()
        self.column = column(on=self.content, spacing=8, margins=(12, 8, 12, 12))
        self.form.grown.connect(lambda: order_tabs(self.column))
        self.setWidget(self.content)
        # The dock's surface shows through.
        self.content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        workbench.state_changed.connect(self._on_state)
        # The range changes with the height of the panel and with that of its content.
        self.verticalScrollBar().rangeChanged.connect(self._show_whole_rows)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report changes of the content, which Qt lets a scroll area watch.

        The report comes once Qt has laid out the panel: while it does, no other panel may come or go."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._reshaped_soon.start()
        return super().eventFilter(watched, event)

    def _show_whole_rows(self) -> None:
        """Leave the bottom blank where it would cut a control in half, unless that takes too much room."""
        most_blank = 4  # Lines of type left blank at most, so that the last visible row is a whole one.
        end = height = self.height()
        if self.content.height() > height:
            shown = (w for w in self.content.findChildren(QWidget) if w.isVisibleTo(self.content))
            single = [widget for widget in shown if widget.layout() is None]
            tops = [widget.mapTo(self.content, QPoint(0, 0)).y() for widget in single]
            extents = [(top, top + widget.height()) for top, widget in zip(tops, single, strict=True)]
            while cut := [top for top, bottom in extents if top < end < bottom]:
                end = min(cut)
        blank = height - end if height - end <= most_blank * self.fontMetrics().height() else 0
        if blank != self.viewportMargins().bottom():
            self.setViewportMargins(0, 0, 0, blank)

    def lay_out(self, *parts: Part) -> None:
        """Put the widgets and layouts of the panel one below the other, from the top."""
        fill(self.column, *parts, (None, 1))

    def show_chosen(self, chosen: Declared, parameters: tuple[Parameter, ...] | None = None) -> None:
        """Show something as picked, with the form of its parameters, all or some, without emitting
        anything."""
        self.picker.show_name(chosen.name, chosen.title)
        self.summary.setText(chosen.summary_line)
        self.form.show_declared(chosen, parameters)

    def hide_controls(self, names: frozenset[str]) -> None:
        """Show the controls of all parameters but these, and nothing else that would set or name them."""
        self.form.hide_controls(names)
        self.changed.emit()

    def sizeHint(self) -> QSize:
        """Return the height of the whole content."""
        return QSize(320, self.content.sizeHint().height())

    def height_for(self, width: int) -> int:
        """Return the height that shows all of the panel without scrolling."""
        return max(self.column.totalHeightForWidth(width), self.column.totalMinimumSize().height())

    def _on_state(self, old: State, new: State) -> None:
        """Show a changed document."""
        if old.document is not new.document:
            self.show_document(new.document)
            self.changed.emit()

    @property
    def headline(self) -> str:
        """The present choice in a few words."""
        return self.picker.currentText() or self.picker.unlisted

    @property
    def main(self) -> NumberControl | None:
        """The control of the main parameter of the chosen kind."""
        return self.form.main

    @abstractmethod
    def show_document(self, document: Document) -> None:
        """Show a document without changing anything."""

    @abstractmethod
    def on_picked(self, name: str) -> None:
        """Put the picked kind on the session."""

    @abstractmethod
    def on_edited(self, declared: Any, gesture: object, undo_name: str) -> None:
        """Change the session to what the user has edited in the form, under the name of the undo step."""


class PanelSummary(QWidget):
    """One line that stands for a panel: "Gaussian (RBF), γ = 1" and a slider.

    The slider does what the one of the panel's main parameter does. Where the value can be typed, a click on
    the text puts a field in its place, until Enter, Escape or a click elsewhere."""

    refused = Signal(str)  # Why a typed number cannot be used.

    def __init__(self, panel: Panel, *, typed: bool = False) -> None:
        super().__init__()
        self._panel = panel
        self._typed = typed
        self._field: NumberField | None = None
        self.label = Elided(role="")
        self.slider = Slider(Scale(0, 1, 0, 1))
        for part in (self.label, self.slider):  # a slider that is dragged must not move when the text changes
            part.setSizePolicy(QSizePolicy.Policy.Ignored, part.sizePolicy().verticalPolicy())
        self._line = row((self.label, 5), (self.slider, 2), on=self, spacing=8)
        if typed:
            self.label.installEventFilter(self)
        self.slider.setAccessibleName(f"{panel.accessibleName()}, main parameter")
        self.slider.picked.connect(self._on_picked)
        panel.changed.connect(self._follow)

    def _follow(self) -> None:
        """Show the present choice, and give the slider the range of the main parameter."""
        if not self.isVisible():
            return
        main = self._panel.main
        self.label.set_text(self._panel.headline, "" if main is None else f", {main.name_and_value}")
        self.slider.setHidden(main is None)
        if main is None:
            self._put_field_away()
        else:
            main.mirror(self.slider)
        if self._typed:
            self.label.setCursor(Qt.CursorShape.ArrowCursor if main is None else Qt.CursorShape.IBeamCursor)

    def _on_picked(self, value: float, gesture: object) -> None:
        """Set the main parameter of the panel."""
        if (main := self._panel.main) is not None:
            main.turn(value, gesture)

    # Typing -------------------------------------------------------------------------------------------
    def _type(self) -> None:
        """Replace the text by a field for the main parameter."""
        if (main := self._panel.main) is None or self._field is not None:
            return
        field = self._field = NumberField(main.field.scale)
        field.setAccessibleName(main.name_shown)
        field.show_value(main.own_value)
        field.typed.connect(self._on_typed)
        field.stepped.connect(self._on_picked)
        field.installEventFilter(self)
        self.label.hide()
        self._line.insertWidget(0, field, 5)
        field.show()
        field.setFocus(Qt.FocusReason.MouseFocusReason)

    def _on_typed(self, typed: Any) -> None:
        """Use a typed number, or say why it cannot be used."""
        main = self._panel.main
        try:
            if main is not None and typed != main.own_value:
                main.turn(typed, None)
        except BadInput as problem:
            if self._field is not None:
                self._field.keep_text()
            self.refused.emit(str(problem))
        else:
            soon(self, self._put_field_away)

    def _put_field_away(self) -> None:
        """Show the text again, after using a number that is still being typed."""
        if (field := self._field) is not None:
            return_focus(field)
            self._field = None
            field.hide()
            field.deleteLater()
            self.label.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Start typing on a click on the text; end with Enter, Escape or a click elsewhere."""
        kind = event.type()
        if watched is self.label and kind == QEvent.Type.MouseButtonRelease:
            soon(self, self._type)
        elif watched is self._field and kind == QEvent.Type.FocusOut:
            soon(self, self._put_field_away)
        elif isinstance(event, QKeyEvent) and kind == QEvent.Type.KeyPress:
            ends = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
            if ends and self._field is not None and not self._field.has_typed():  # else it answers itself
                soon(self, self._put_field_away)
                return True
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()


def note() -> Label:
    """Return a muted label that wraps, for a sentence or two."""
    return Label(role="muted", wraps=True)
