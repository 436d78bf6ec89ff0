"""Lists of kinds: in families, simple ones first, what was picked lately on top."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor, QIcon, QPixmap, QStandardItem
from PySide6.QtTest import QTest

from kernelviz.engine.fits import registry
from kernelviz.ui.widgets.picker import Picker, grouped

KERNELS = [kind for kind in registry.kernels().values() if kind.domain == "vectors"]


def rows(picker: Picker) -> list[str]:
    return [picker.itemText(row) for row in range(picker.count())]


@pytest.fixture
def picker(qtbot) -> Picker:
    made = Picker("Kernel", KERNELS)
    qtbot.addWidget(made)
    made.picked.connect(made.show_name)
    made.show_name("rbf")
    made.show()
    return made


def choose(picker: Picker, name: str) -> None:
    """Open the list, go to a kind by the keyboard and take it."""
    picker.showPopup()
    row = picker.findData(name)
    picker.view().setCurrentIndex(picker.model().index(row, 0))
    QTest.keyClick(picker.view(), Qt.Key.Key_Return)


def test_every_kernel_on_vectors_algorithm_and_data_set_of_the_plane_says_where_it_is_listed():
    plane = [kind for kind in registry.datasets().values() if kind.shown_in == "plane"]
    for kind in (*KERNELS, *registry.algorithms().values(), *plane):
        assert kind.family, kind.name


def test_the_simple_kernels_come_first():
    families = grouped(KERNELS)
    assert list(families) == ["Linear and polynomial", "Gaussian and relatives", "Others"]
    assert [kind.name for kind in families["Linear and polynomial"]][:3] == [
        "linear",
        "polynomial",
        "homogeneous",
    ]
    assert families["Gaussian and relatives"][0].name == "rbf"


def test_a_kind_that_says_nothing_of_its_place_comes_last_by_its_title(picker):
    class Unplaced(registry.kernels()["linear"]):
        family = ""
        place = 99

    assert list(grouped([Unplaced, *KERNELS]))[-1] == ""


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_was_picked_lately_is_on_top_when_the_list_opens(picker):
    before = rows(picker)
    for name in ("laplacian", "linear", "sigmoid", "laplacian"):
        choose(picker, name)
        assert picker.currentData() == name
    picker.showPopup()
    assert rows(picker) == ["Recent", "Sigmoid", "Linear", *before]
    assert picker.currentText() == "Laplacian"
    picker.hidePopup()
    assert picker.names() == Picker("Kernel", KERNELS).names(), "each once"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_arrow_keys_go_through_the_families_whatever_is_on_top(picker):
    choose(picker, "linear")
    choose(picker, "rbf")
    picker.showPopup()
    picker.hidePopup()
    names = picker.names()
    QTest.keyClick(picker, Qt.Key.Key_Down)
    assert picker.currentData() == names[names.index("rbf") + 1]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_picture_is_on_top_too(picker):
    spot = QPixmap(8, 8)
    spot.fill(QColor("red"))
    picker.set_icon("linear", QIcon(spot))
    choose(picker, "linear")
    choose(picker, "rbf")
    picker.showPopup()
    assert not picker.itemIcon(rows(picker).index("Linear")).isNull()
    picker.hidePopup()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_no_object_of_python_is_left_of_a_row_that_qt_has_removed(picker):
    for name in ("linear", "laplacian", "rbf", "polynomial"):
        choose(picker, name)
    assert not [row for row in gc.get_objects() if isinstance(row, QStandardItem)]


def test_a_long_title_that_is_not_listed_is_shown_and_makes_the_list_no_wider(picker):
    least = picker.minimumSizeHint().width()
    picker.show_name("", "a_very_long_name_of_a_file_from_somewhere_in_a_large_project.csv")
    with_title = picker.grab().toImage()
    QCoreApplication.sendEvent(picker, QEvent(QEvent.Type.StyleChange))  # Qt computes its least size again
    assert picker.minimumSizeHint().width() == least
    picker.show_name("", "")
    assert picker.grab().toImage() != with_title
