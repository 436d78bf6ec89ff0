"""The control of a set of colours: the sets by name, and two custom colours."""

from __future__ import annotations

from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QColorDialog

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Parameter
from kernelviz.session.colour_sets import COLOUR_SETS, own_colours
from kernelviz.session.themes import LIGHT
from kernelviz.ui.widgets.buttons import Button, Combo
from kernelviz.ui.widgets.control import Control
from kernelviz.ui.widgets.labels import describe


class ColoursControl(Control):
    """A list of the sets of colours, and a button for each of two custom colours, which asks for the
    colour."""

    def __init__(self, parameter: Parameter, owner: str) -> None:
        super().__init__(parameter, owner)
        self._own = f"{LIGHT.positive},{LIGHT.negative}"
        self.combo = Combo()
        for name, colours in COLOUR_SETS.items():
            self.combo.addItem(colours.title, name)
        self.combo.addItem("Two of my own", "")
        self.combo.activated.connect(lambda row: self.offer(self.combo.itemData(row) or self._own))
        self.buttons = [Button(sign, do=lambda _, k=k: self._ask(k)) for k, sign in enumerate("+−")]
        self.lay_out(self.combo, *self.buttons)
        for sign, button in zip("+−", self.buttons, strict=True):
            describe(button, f"Colour of {sign}", f"Choose the colour of {sign}")
        self.show_value(parameter.default)

    def _show(self, value: str) -> None:
        own = own_colours(value)
        self.combo.setCurrentIndex(self.combo.findData("" if own else value))
        if own:
            self._own = value
        for button, colour in zip(self.buttons, own_colours(self._own) or (), strict=True):
            swatch = QPixmap(button.iconSize())
            swatch.fill(QColor(colour))
            button.setIcon(QIcon(swatch))
            button.setVisible(own is not None)

    def _ask(self, k: int) -> None:
        """Ask for one of the two colours."""
        colours = self._own.split(",")
        picked = QColorDialog.getColor(QColor(colours[k]), self, f"Colour of {'+−'[k]}")
        if not picked.isValid():
            return
        colours[k] = picked.name()
        try:
            self.offer(self.parameter.check(",".join(colours), self.owner))
        except BadInput as problem:
            self.complain(str(problem))
