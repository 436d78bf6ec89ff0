"""Controls that know which keys are theirs."""

from __future__ import annotations

from PySide6.QtWidgets import QStyleOptionComboBox

from kernelviz.ui.widgets.buttons import Combo


def test_what_is_too_long_for_a_list_ends_in_dots_and_what_fits_is_whole(qtbot):
    combo = Combo()
    qtbot.addWidget(combo)
    combo.addItem("the width of a Gaussian among others")

    def words_at(width):
        combo.resize(width, 30)
        option = QStyleOptionComboBox()
        combo.initStyleOption(option)
        return combo.shortened(option)

    assert words_at(120).startswith("the w")
    assert words_at(120).endswith("…")
    assert words_at(600) == combo.currentText()
