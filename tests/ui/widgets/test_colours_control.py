"""The control of a set of colours, used as a user does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QColorDialog, QLineEdit, QWidget

from kernelviz.session.colour_sets import COLOUR_SETS
from kernelviz.session.figure_options import FigureOptions
from kernelviz.ui.widgets.colours_control import ColoursControl
from tests.ui.widgets.acting import LEFT
from tests.ui.window.answers import answering


@pytest.fixture
def control(qtbot) -> ColoursControl:
    made = ColoursControl(FigureOptions.parameter("colours"), "the figure")
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    return made


def typed(colour: str):
    """Type a colour into the dialogue that asks for it, and press Return."""

    def answer(dialog: QWidget) -> None:
        assert isinstance(dialog, QColorDialog)
        field = next(f for f in dialog.findChildren(QLineEdit) if f.text().startswith("#"))
        field.selectAll()
        QTest.keyClicks(field, colour)
        QTest.keyClick(field, Qt.Key.Key_Return)

    return answer


def test_the_sets_are_listed_by_their_titles_and_two_of_ones_own_come_last(control):
    listed = [control.combo.itemText(k) for k in range(control.combo.count())]
    assert listed == [*(colours.title for colours in COLOUR_SETS.values()), "Two of my own"]
    assert [button.isVisible() for button in control.buttons] == [False, False]


def test_two_colours_of_ones_own_are_chosen_one_after_the_other(qtbot, control):
    QTest.keyClick(control.combo, Qt.Key.Key_End)
    assert control.value == "#0a4f91,#8f3600", "those of the theme, to begin with"
    with answering(typed("#1b7837"), typed("#762a83")):
        for button in control.buttons:
            qtbot.mouseClick(button, LEFT)
    assert control.value == "#1b7837,#762a83"
    assert [b.icon().pixmap(8, 8).toImage().pixelColor(4, 4).name() for b in control.buttons] == [
        "#1b7837",
        "#762a83",
    ]


def test_the_same_colour_twice_is_a_sentence_and_changes_nothing(qtbot, control):
    control.show_value("#1b7837,#762a83")
    with answering(typed("#1b7837")):
        qtbot.mouseClick(control.buttons[1], LEFT)
    assert "two different colours" in control.message.sentence
    assert control.value == "#1b7837,#762a83"
