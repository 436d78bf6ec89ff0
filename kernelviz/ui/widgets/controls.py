"""The controls of options and flags, and the table that says which control each kind of parameter has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QWidget

from kernelviz.engine.core.formulas import CONDITION, FORMULA
from kernelviz.engine.core.params import CHOICE, FLAG, INTEGER, REAL, Kind, Parameter
from kernelviz.session.colour_sets import COLOURS
from kernelviz.session.grids import GRID
from kernelviz.session.labels import ENTRIES, LABEL, LABELS
from kernelviz.session.line_styles import LINE_STYLES
from kernelviz.session.typefaces import TYPEFACE
from kernelviz.ui.widgets.buttons import MOVES, PRESSES, Button, CheckBox, Combo
from kernelviz.ui.widgets.colours_control import ColoursControl
from kernelviz.ui.widgets.control import Control
from kernelviz.ui.widgets.formula_control import FormulaControl
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.widgets.layouts import row
from kernelviz.ui.widgets.number_control import NumberControl, SeedControl
from kernelviz.ui.widgets.text_control import TextControl
from kernelviz.ui.widgets.typeface_control import TypefaceControl


class Segment(Button):
    """One option of a row; the arrow keys go to the next, as among radio buttons."""

    kept = PRESSES | MOVES


class Segments(QWidget):
    """A row of joined buttons for a handful of options, one of which is pressed."""

    chosen = Signal(object)  # The option the user pressed.

    def __init__(self, options: Mapping[str, str]) -> None:
        """options: the text on each button, by the option it stands for."""
        super().__init__()
        self.setObjectName("segments")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, Segment] = {}
        for k, (option, text) in enumerate(options.items()):
            button = Segment(text)
            button.setCheckable(True)
            button.setProperty("place", "first" if k == 0 else "last" if k == len(options) - 1 else "middle")
            button.setAccessibleName(text)
            self._group.addButton(button)
            self.buttons[option] = button
        row(*((button, 1) for button in self.buttons.values()), on=self, spacing=0)
        self._shown = next(iter(options))
        self._group.buttonToggled.connect(self._on_toggled)

    def setToolTip(self, text: str) -> None:
        """Give all buttons the same tooltip."""
        super().setToolTip(text)
        for button in self.buttons.values():
            button.setToolTip(text)

    def show_option(self, option: str) -> None:
        """Press the button of an option without emitting anything."""
        self._shown = option
        self.buttons[option].setChecked(True)

    def _on_toggled(self, button: Segment, on: bool) -> None:
        """Emit the option that the user has pressed, unless it is already shown."""
        option = next(o for o, b in self.buttons.items() if b is button)
        if on and option != self._shown:
            self._shown = option
            self.chosen.emit(option)


class ChoiceControl(Control):
    """One of several named options: a row of segments where they fit, else a drop-down list.

    Up to three short options are segments, all of which can be seen; `segments` or `combo` is None."""

    shows_options = True

    def __init__(self, parameter: Parameter, owner: str, room: int) -> None:
        """room: the characters that fit side by side."""
        super().__init__(parameter, owner)
        texts = {option: option.replace("_", " ").replace("-", " ") for option in parameter.options}
        self.segments: Segments | None = None
        self.combo: Combo | None = None
        if len(texts) <= 3 and sum(map(len, texts.values())) <= room:
            self.segments = Segments(texts)
            self.segments.chosen.connect(self.offer)
            self.lay_out(self.segments)
        else:
            combo = self.combo = Combo()
            for option, text in texts.items():
                combo.addItem(text, option)
            combo.activated.connect(lambda row: self.offer(combo.itemData(row)))
            self.lay_out(combo)
        self.show_value(parameter.default)

    def _show(self, value: str) -> None:
        if self.segments is not None:
            self.segments.show_option(value)
        elif self.combo is not None:
            self.combo.setCurrentIndex(self.combo.findData(value))


class FlagControl(Control):
    """A check box, which carries the label itself."""

    carries_label = True

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        self.label = Label("")
        self.box = CheckBox(parameter.label)
        self.box.clicked.connect(lambda on: self.offer(on))
        self.lay_out(self.box)
        self.show_value(parameter.default)

    def _show(self, value: bool) -> None:
        self.box.setChecked(value)


def control_for(parameter: Parameter, owner: str, *, plays: bool = False, room: int = 20) -> Control:
    """Return a control that edits a parameter: that of its kind.

    owner: named in its error messages. plays: a number gets a button that moves it through its range.
    room: the characters of options that fit side by side, usually in a narrow panel."""
    controls: Mapping[Kind, Callable[[Parameter, str], Control]] = {
        REAL: partial(NumberControl, plays=plays),
        INTEGER: SeedControl if parameter.name == "seed" else partial(NumberControl, plays=plays),
        CHOICE: partial(ChoiceControl, room=room),
        FLAG: FlagControl,
        COLOURS: ColoursControl,
        TYPEFACE: TypefaceControl,
        **dict.fromkeys((LABEL, LABELS, ENTRIES, LINE_STYLES, GRID), TextControl),
        FORMULA: FormulaControl,
        CONDITION: FormulaControl,
    }
    return controls[parameter.kind](parameter, owner)
