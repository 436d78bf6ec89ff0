"""The dialogue that exports figures, used as a user uses it."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QPushButton, QWidget

from kernelviz.cli.program import main
from kernelviz.cli.terminal import DONE, NOT_CONVERGED
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.scene.export import files
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.files.kviz import dumps, load, save
from kernelviz.session.files.png_metadata import embed
from kernelviz.session.size_presets import PRESETS
from kernelviz.session.themes import THEMES
from kernelviz.session.workspaces.curve import CurveWorkspace
from kernelviz.session.workspaces.plane import PlaneWorkspace
from kernelviz.session.workspaces.words import WordsWorkspace
from kernelviz.ui.dialogs.figure_dialog import FigureDialog
from kernelviz.ui.dialogs.snapshot import Snapshot
from kernelviz.ui.window.main_window import MainWindow
from tests.pdf_reader import boxes
from tests.ui.widgets.acting import type_into
from tests.ui.window.acting import enter
from tests.ui.window.answers import answering, type_name
from tests.ui.window.exporting import dialogue_on, press, previewed, written


def has_last_digits(window: MainWindow) -> bool:
    """Whether the digits that are added while the hand rests are there: then figures are compared."""
    return window.workbench.frame.model.numbers["kkt_violation"] < 1e-8


@pytest.fixture
def dialog(qtbot, shared_window, settings) -> Iterator[FigureDialog]:
    """The dialogue on a window that tests share, with settings of its own."""
    qtbot.waitUntil(lambda: has_last_digits(shared_window))
    with dialogue_on(shared_window, FigureDialog, settings) as made:
        previewed(qtbot, made)
        yield made


@pytest.fixture
def own_dialog(qtbot, window) -> FigureDialog:
    """The dialogue on a window of the test's own, as the menu opens it."""
    qtbot.waitUntil(lambda: has_last_digits(window))
    window.actions_by_name["export_figure"].trigger()
    made = window.findChild(FigureDialog)
    previewed(qtbot, made)
    return made


def small(dialog: FigureDialog) -> None:
    """A size that is quick to paint."""
    dialog.choose("unit", "px")
    for name, value in {"dpi": 100.0, "width": 320.0, "height": 240.0}.items():
        dialog.choose(name, value)


def type_into_line(field: QLineEdit, text: str) -> None:
    field.selectAll()
    QTest.keyClicks(field, text)


# Every control reaches the picture ------------------------------------------------------------------------
CHOICES = {
    "format": lambda qtbot, d: press(qtbot, d.controls["format"].segments.buttons["PDF"]),
    "preset": lambda qtbot, d: d.controls["preset"].offer("poster"),
    "width": lambda qtbot, d: type_into(d.size_row.fields["width"], "120"),
    "height": lambda qtbot, d: type_into(d.size_row.fields["height"], "70"),
    "unit": lambda qtbot, d: press(qtbot, d.size_row.unit.buttons["px"]),
    "dpi": lambda qtbot, d: type_into(d.controls["dpi"].field, "150"),
    "theme": lambda qtbot, d: press(qtbot, d.controls["theme"].segments.buttons["dark"]),
    "colours": lambda qtbot, d: QTest.keyClick(d.controls["colours"].combo, Qt.Key.Key_Down),
    "text": lambda qtbot, d: type_into(d.controls["text"].field, "6.5"),
    "strokes": lambda qtbot, d: type_into(d.controls["strokes"].field, "1"),
    "legend": lambda qtbot, d: QTest.keyClick(d.controls["legend"].combo, Qt.Key.Key_Down),
    **{
        name: lambda qtbot, d, name=name, text=text: type_into_line(d.controls[name].line, text)
        for name, text in {
            "heading": "Rings $R$",
            "xlabel": "$x_1$",
            "ylabel": "weight (kg)",
            "panel_titles": "here; there",
            "entries": "class +=healthy",
            "caption_text": "In my words",
            "grid": "gamma=0.5,2",
        }.items()
    },
    **{
        name: lambda qtbot, d, name=name: d.flags[name].click()
        for name in ("texture", "transparent", "canvas", "letters", "formula", "caption")
    },
}
NO_OTHER_LOOK = {"format", "unit", "dpi"}
"""Choices that change the file but not how it looks."""


def test_each_control_changes_the_wishes_and_the_preview(qtbot, dialog):
    dialog.panels["loss"].click()
    start = dialog.choices
    for name, act in CHOICES.items():
        dialog.choices = start
        dialog.show_choices()
        dialog.touch()
        before, facts = previewed(qtbot, dialog), dialog.facts.text()
        act(qtbot, dialog)
        after = previewed(qtbot, dialog)
        assert getattr(dialog.choices, name) != getattr(start, name), name
        if name in NO_OTHER_LOOK:
            assert dialog.facts.text() != facts or name == "unit", name
        else:
            assert after != before, name
        assert dialog.note.sentence == "", name


def test_the_dialogue_says_what_the_figure_has_no_room_for(qtbot, dialog):
    type_into(dialog.size_row.fields["height"], "30")
    previewed(qtbot, dialog)
    assert dialog.note.sentence.startswith("There is no room for the formula")
    assert dialog.save_button.isEnabled()
    type_into(dialog.size_row.fields["height"], "80")
    previewed(qtbot, dialog)
    assert dialog.note.sentence == ""


def test_there_is_a_control_for_every_figure_option(dialog):
    controls = {*dialog.controls, *dialog.flags, *dialog.size_row.fields}
    assert {parameter.name for parameter in FigureOptions.parameters()} < controls


def test_views_for_other_inputs_leave_no_gap_among_the_boxes(qtbot, window, own_dialog):
    def assert_without_gap() -> None:
        previewed(qtbot, own_dialog)
        boxes = [own_dialog.flags["canvas"], *(box for box in own_dialog.panels.values() if box.isVisible())]
        left, right = boxes[0].x(), boxes[1].x()
        assert left < right
        assert [box.x() for box in boxes] == [right if k % 2 else left for k in range(len(boxes))]
        assert all(a.y() == b.y() for a, b in zip(boxes[::2], boxes[1::2], strict=False))

    assert_without_gap()
    enter(qtbot, window, "words")
    assert_without_gap()


def test_the_preview_shows_the_figure_as_grey_and_without_red_or_green(qtbot, dialog):
    coloured = previewed(qtbot, dialog)
    pictures = [coloured]
    for name in ("grey", "protan", "deutan"):
        press(qtbot, dialog.seen_as.buttons[name])
        pictures.append(previewed(qtbot, dialog))
    assert pictures[1].allGray()
    assert not pictures[0].allGray()
    assert not pictures[2].allGray()
    assert all(a != b for k, a in enumerate(pictures) for b in pictures[k + 1 :])
    press(qtbot, dialog.seen_as.buttons[""])
    assert previewed(qtbot, dialog) == coloured


def test_colours_that_cannot_be_seen_are_said_in_place(qtbot, dialog):
    dialog.choose("colours", "#ffee00,#8f3600")
    qtbot.waitUntil(lambda: "can hardly be seen" in dialog.note.sentence)
    assert not dialog.save_button.isEnabled()
    dialog.choose("theme", "dark")
    qtbot.waitUntil(lambda: "#8f3600 of −" in dialog.note.sentence)
    dialog.choose("colours", "#ffee00,#ff9955")
    previewed(qtbot, dialog)
    assert dialog.note.sentence == ""


def test_outlines_are_offered_for_svg_only(qtbot, dialog):
    assert not dialog.flags["outlines"].isEnabled()
    dialog.choose("format", "SVG")
    assert dialog.choices.options().outlines
    dialog.flags["outlines"].click()
    assert not dialog.choices.options().outlines


def test_title_and_panels_change_the_preview(qtbot, dialog):
    before = previewed(qtbot, dialog)
    dialog.controls["heading"].line.setText("Rings")
    titled = previewed(qtbot, dialog)
    assert titled != before
    for box in (box for box in dialog.panels.values() if not box.isHidden()):
        box.click()
        assert previewed(qtbot, dialog) != titled
        box.click()  # all of them together would leave no room for any
    assert previewed(qtbot, dialog) == titled


def test_a_preset_brings_its_measures_and_own_numbers_leave_it(qtbot, dialog):
    dialog.controls["preset"].offer("slide")
    assert dialog.choices.options() == PRESETS["slide"].applied(dialog.choices.options())
    type_into(dialog.size_row.fields["width"], "200")
    assert dialog.choices.preset == "own"
    assert dialog.controls["preset"].combo.currentText() == "Own size"


def test_the_preview_is_the_figure_with_fewer_pixels(qtbot, dialog):
    dialog.choose("preset", "two-columns")
    shown = previewed(qtbot, dialog)
    options = dialog.choices.options()
    whole = files.as_image(Snapshot.of(dialog.source.workbench).figure(options), options)
    reduced = whole.scaled(
        shown.size(), Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    assert shown.width() / shown.height() == pytest.approx(options.width / options.height, rel=0.01)
    assert np.abs(grey(shown) - grey(reduced)).mean() < 4


def grey(image: QImage) -> np.ndarray:
    flat = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(flat.constBits(), np.uint8).reshape(flat.height(), flat.bytesPerLine())
    return rows[:, : flat.width()].astype(float)


def test_the_preview_follows_the_session(qtbot, shared_window, dialog):
    before = previewed(qtbot, dialog)
    shared_window.session.change("change algorithm", algorithm=algorithm("prototype"))
    qtbot.waitUntil(lambda: shared_window.workbench.up_to_date)
    assert previewed(qtbot, dialog) != before


# What cannot be -----------------------------------------------------------------------------------------
def test_nothing_chosen_is_said_in_place_and_cannot_be_saved(qtbot, dialog):
    dialog.flags["canvas"].click()
    previewed(qtbot, dialog)
    qtbot.waitUntil(lambda: "Choose the canvas" in dialog.note.sentence)
    assert not dialog.save_button.isEnabled()
    dialog.panels["gram"].click()
    previewed(qtbot, dialog)
    assert dialog.note.sentence == ""
    assert dialog.save_button.isEnabled()


def test_an_impossible_size_is_said_in_place(qtbot, dialog):
    type_into(dialog.size_row.fields["width"], "wide")
    assert "must be a finite number" in dialog.size_row.message.sentence
    dialog.choose("width", 9000.0)
    qtbot.waitUntil(lambda: "pixels" in dialog.note.sentence)
    assert not dialog.save_button.isEnabled()


def test_a_size_that_becomes_impossible_while_the_preview_is_painted_is_said_in_place(qtbot, dialog):
    dialog.flags["caption"].click()
    qtbot.waitUntil(lambda: dialog.previews.busy)
    dialog.choose("width", 9000.0)
    qtbot.waitUntil(lambda: "pixels" in dialog.note.sentence)
    previewed(qtbot, dialog)
    assert not dialog.save_button.isEnabled()


def test_points_without_a_fit_are_drawn_and_it_is_said_why(qtbot, shared_window, dialog):
    shared_window.session.change("clear", data=PlaneWorkspace().empty())
    qtbot.waitUntil(lambda: "Only the points" in dialog.note.sentence)
    assert "no points" in dialog.note.sentence
    assert dialog.save_button.isEnabled()


def test_a_folder_that_is_not_there_is_a_sentence(qtbot, dialog, tmp_path):
    small(dialog)
    said = written(qtbot, dialog, tmp_path / "nowhere" / "figure.png")
    assert "cannot be saved" in said
    assert dialog.outcome.tone == "error"


# Files --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("transparent", [False, True])
def test_a_png_has_exactly_its_size_and_dpi_and_carries_the_session(
    qtbot, shared_window: MainWindow, dialog, tmp_path, transparent
):
    small(dialog)
    dialog.choose("transparent", transparent)
    path = tmp_path / "figure.png"
    assert str(path) in written(qtbot, dialog, path)
    with Image.open(path) as picture:
        assert picture.size == (320, 240)
        assert picture.info["dpi"] == pytest.approx((100, 100), abs=0.1)
        assert picture.mode == ("RGBA" if transparent else "RGB")
        corner = picture.getpixel((1, 1))
    assert corner == ((0, 0, 0, 0) if transparent else (255, 255, 255))
    state, _ = load(path)
    assert np.array_equal(state.document.data.X, shared_window.session.document.data.X)
    assert str(state.document.kernel) == str(shared_window.session.document.kernel)
    assert state.look.view == shared_window.session.look.view


def test_an_svg_has_its_size_on_paper_and_text_or_outlines(qtbot, dialog, tmp_path):
    dialog.choose("format", "SVG")
    path = tmp_path / "figure.svg"
    written(qtbot, dialog, path)
    content = path.read_text()
    assert "<text" not in content
    assert QSvgRenderer(QByteArray(content.encode())).isValid()
    assert 'width="85mm"' in content
    dialog.flags["outlines"].click()
    written(qtbot, dialog, path)
    assert "<text" in path.read_text()


def test_a_pdf_page_has_exactly_the_size_asked_for(qtbot, dialog, tmp_path):
    dialog.choose("format", "PDF")
    dialog.choose("preset", "slide")
    path = tmp_path / "figure.pdf"
    written(qtbot, dialog, path)
    for _, *box in boxes(path.read_bytes()):
        assert [side / 72 * 25.4 for side in box] == pytest.approx((338.67, 190.5), abs=1e-3)


def test_panels_stand_beside_the_canvas_in_the_file(qtbot, dialog, tmp_path):
    small(dialog)
    dialog.choose("legend", "none")
    for name in ("formula", "caption"):
        dialog.choose(name, False)
    alone, both = tmp_path / "alone.png", tmp_path / "both.png"
    written(qtbot, dialog, alone)
    dialog.panels["gram"].click()
    written(qtbot, dialog, both)
    # The field of the canvas no longer reaches the right half; blue and white of the matrix are there.
    orange = [columns_with_orange(path) for path in (alone, both)]
    assert orange[0].max() > 300
    assert orange[1].max() < 190
    right = np.array(Image.open(both).convert("RGB"))[:, 200:]
    assert len(np.unique(right.reshape(-1, 3), axis=0)) > 20


def columns_with_orange(path) -> np.ndarray:
    pixels = np.array(Image.open(path).convert("RGB")).astype(int)
    share = (pixels[..., 0] - pixels[..., 2] > 25).mean(axis=0)
    return np.flatnonzero(share > 0.25)


def test_the_suffix_follows_the_format(qtbot, dialog, tmp_path):
    small(dialog)
    written(qtbot, dialog, tmp_path / "no-suffix")
    written(qtbot, dialog, tmp_path / "v1.2")
    assert sorted(p.name for p in tmp_path.glob("*.png")) == ["no-suffix.png", "v1.2.png"]


def test_save_asks_for_the_file_beside_the_last_one(qtbot, window, own_dialog, tmp_path):
    small(own_dialog)
    window.settings.export_folder = str(tmp_path)
    folders = []

    def answer(asked: QWidget) -> None:
        assert isinstance(asked, QFileDialog)
        folders.append(asked.directory().absolutePath())
        type_name("named")(asked)

    with answering(answer), qtbot.waitSignal(own_dialog.writer.idle):
        press(qtbot, own_dialog.save_button)
    assert folders == [str(tmp_path)]
    assert (tmp_path / "named.png").exists()
    assert window.settings.export_folder == str(tmp_path)


def offered(qtbot, window, picture) -> FigureDialog:
    """The dialogue after a picture was opened in the window."""
    for dialog in window.findChildren(FigureDialog):
        dialog.close()
    window.session.mark_saved()
    window.files.open_path(picture)
    qtbot.waitUntil(lambda: picture.name in window.windowTitle())
    window.actions_by_name["export_figure"].trigger()
    shown = window.findChild(FigureDialog)
    previewed(qtbot, shown)
    return shown


def sides(dialog: FigureDialog) -> tuple[str, str, str]:
    """Width and height as the dialogue shows them, and their unit."""
    width, height = (dialog.size_row.fields[name].text() for name in ("width", "height"))
    return width, height, next(n for n, button in dialog.size_row.unit.buttons.items() if button.isChecked())


def test_a_picture_that_is_opened_brings_the_choices_it_was_exported_with(
    qtbot, window, own_dialog, tmp_path
):
    own_dialog.controls["preset"].offer("one-column")
    type_into(own_dialog.size_row.fields["width"], "60")
    own_dialog.controls["text"].offer(6.5)
    type_into_line(own_dialog.controls["heading"].line, "Two rings")
    own_dialog.flags["formula"].click()
    own_dialog.panels["loss"].click()
    assert written(qtbot, own_dialog, tmp_path / "rings.png").startswith("Saved")
    own_dialog.controls["preset"].offer("slide")
    type_into_line(own_dialog.controls["heading"].line, "Another")
    for box in (own_dialog.flags["formula"], own_dialog.panels["loss"]):
        box.click()
    opened = offered(qtbot, window, tmp_path / "rings.png")
    assert sides(opened) == ("60", "80", "mm")
    assert opened.controls["text"].field.text() == "6.5"
    assert opened.controls["heading"].line.text() == "Two rings"
    assert not opened.flags["formula"].isChecked()
    assert opened.panels["loss"].isChecked()


def test_a_picture_of_the_command_line_brings_its_options_too(qtbot, window, tmp_path):
    path = tmp_path / "rings.png"
    size = ("--size", "85x60mm", "--dpi", "150", "--title", "Two rings", "--no-formula")
    assert main(["render", "rings(n=20)", "-o", str(path), *size]) == DONE
    opened = offered(qtbot, window, path)
    assert sides(opened) == ("85", "60", "mm")
    assert opened.controls["heading"].line.text() == "Two rings"
    assert not opened.flags["formula"].isChecked()
    assert "354" in opened.facts.text(), "60 mm at 150 dpi"


def test_choices_of_a_picture_that_make_no_sense_are_ignored(qtbot, window, tmp_path, own_dialog):
    before = sides(own_dialog)
    path = tmp_path / "odd.png"
    figure = {
        "width": "wide",
        "height": -1,
        "unit": "miles",
        "heading": 3,
        "panels": "loss",
        "dpi": [],
        "x": 1,
    }
    picture = files.png_bytes(QImage(80, 60, QImage.Format.Format_RGB32))
    path.write_bytes(embed(picture, dumps(window.session.state, {"figure": figure})))
    opened = offered(qtbot, window, path)
    assert sides(opened) == before
    assert opened.controls["heading"].line.text() == ""


def test_a_session_keeps_the_words_of_its_figure_and_another_one_has_none(qtbot, window, tmp_path):
    window.actions_by_name["export_figure"].trigger()
    dialog = window.findChild(FigureDialog)
    dialog.choose("xlabel", "length $l$ (mm)")
    dialog.choose("font", "STIX Two Text")
    assert window.files.save_to(tmp_path / "own.kviz")
    save(tmp_path / "other.kviz", window.session.state)
    for name, label in (("other", ""), ("own", "length $l$ (mm)")):
        window.files.open_path(tmp_path / f"{name}.kviz")
        qtbot.waitUntil(lambda name=name: f"{name}.kviz" in window.windowTitle())
        assert dialog.controls["xlabel"].line.text() == label
    assert dialog.controls["font"].combo.currentText() == "STIX Two Text"


def test_choices_can_be_named_chosen_again_and_forgotten(qtbot, shared_window, dialog, monkeypatch):
    monkeypatch.setattr(QInputDialog, "getText", lambda *_args, **_how: (" For the journal ", True))
    dialog.choose("text", 6.5)
    dialog.choose("line_styles", ("boundary=2",))
    press(qtbot, dialog.own_presets.save_button)
    dialog.choose("text", 9.0)
    dialog.choose("line_styles", ())
    dialog.choose("xlabel", "mine")
    dialog.remember()
    again = FigureDialog(dialog.source, shared_window)
    combo = again.own_presets.combo
    assert [combo.itemText(k) for k in range(combo.count())] == ["", "For the journal"]
    again.deleteLater()
    dialog.own_presets.combo.setCurrentText("For the journal")
    dialog.own_presets.combo.activated.emit(1)
    assert (dialog.choices.text, dialog.choices.line_styles, dialog.choices.xlabel) == (
        6.5,
        ("boundary=2",),
        "mine",
    )
    press(qtbot, dialog.own_presets.forget_button)
    assert dialog.own_presets.kept == {}


def test_the_choices_are_remembered_for_the_next_start(qtbot, shared_window, dialog):
    dialog.choose("theme", "dark")
    dialog.choose("preset", "poster")
    dialog.panels["loss"].click()
    dialog.close()
    again = FigureDialog(dialog.source, shared_window)
    assert again.choices == dialog.choices
    assert again.panels["loss"].isChecked()
    assert not again.panels["gram"].isChecked()
    again.deleteLater()


def test_a_group_that_is_folded_stays_folded_for_the_next_start(qtbot, shared_window, dialog):
    theme = dialog.controls["theme"]
    press(qtbot, dialog.sections["Look"].heading)
    assert not theme.isVisible()
    dialog.close()
    again = FigureDialog(dialog.source, shared_window)
    folded = {title: not section.is_open for title, section in again.sections.items()}
    assert folded == {"File": False, "Look": True, "In the figure": False, "Words": False}
    again.deleteLater()


# Cancelling, copying --------------------------------------------------------------------------------------
def test_cancelling_leaves_the_old_file_as_it_was(qtbot, dialog, tmp_path):
    path = tmp_path / "figure.png"
    path.write_bytes(b"old")
    dialog.choose("preset", "poster")
    previewed(qtbot, dialog)
    with qtbot.waitSignal(dialog.writer.idle):
        dialog.write(path)
        assert dialog.progress.isVisible()
        qtbot.waitUntil(lambda: dialog.progress.value() > 0)
        press(qtbot, dialog.cancel_button)
    assert not dialog.progress.isVisible()
    assert dialog.save_button.isEnabled()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.glob("*fig*")) == [path]
    assert dialog.outcome.sentence == ""


def test_the_figure_can_be_copied_with_its_exact_size(qtbot, dialog):
    QGuiApplication.clipboard().clear()
    small(dialog)
    dialog.choose("format", "SVG")
    dialog.choose("theme", "dark")
    with qtbot.waitSignal(dialog.writer.idle):
        press(qtbot, dialog.copy_button)
    content = QGuiApplication.clipboard().mimeData()
    image = QGuiApplication.clipboard().image()
    assert image.size() == QSize(320, 240)
    assert image.pixelColor(1, 1).name() == THEMES["dark"].paper
    assert b"<svg" in bytes(content.data("image/svg+xml").data())
    assert "Copied" in dialog.outcome.sentence
    QGuiApplication.clipboard().clear()


# Panels -----------------------------------------------------------------------------------------------------
def test_a_panel_is_exported_with_its_switches_as_they_are_set(qtbot, window, own_dialog):
    own_dialog.flags["canvas"].click()
    own_dialog.panels["loss"].click()
    before = previewed(qtbot, own_dialog)
    window.insight.view("loss").boxes["squared"].click()
    own_dialog.touch()
    assert previewed(qtbot, own_dialog) != before


def test_a_panel_nobody_has_looked_at_is_exported_without_being_shown(qtbot, window, own_dialog):
    own_dialog.flags["canvas"].click()
    own_dialog.panels["gram"].click()
    image = previewed(qtbot, own_dialog)
    assert len(np.unique(grey(image))) > 20
    assert "gram" not in window.insight.views


def test_what_is_pointed_at_is_not_in_the_figure(qtbot, window, own_dialog):
    own_dialog.panels["loss"].click()
    before = previewed(qtbot, own_dialog)
    window.workbench.hover(3)
    own_dialog.touch()
    assert previewed(qtbot, own_dialog) == before


def test_the_dialog_fits_the_screen(dialog):
    room = dialog.screen().availableSize()
    assert room.width() < 1000, "the screen of these tests is small"
    assert dialog.width() < room.width()
    assert dialog.height() < room.height()


def polished(qtbot, window) -> None:
    """Wait for the last digits, which are added while the hand rests."""

    def complete() -> bool:
        frames = window.workbench.latest.values()
        found = [frame.model.numbers.get("kkt_violation") or 0.0 for frame in frames]
        return window.workbench.up_to_date and all(violation < 1e-8 for violation in found)

    qtbot.waitUntil(complete)


def compare_two(window) -> None:
    window.actions_by_name["add_fit"].trigger()
    window.session.change("change kernel", kernel=kernel("linear"))


def curve_of_two(window) -> None:
    window.session.visit(CurveWorkspace())
    window.actions_by_name["add_fit"].trigger()
    window.session.change("change kernel", kernel=kernel("polynomial(degree=3)"))


def hold_out(window) -> None:
    document = window.session.document
    window.session.replace("hold out points", document.with_share_aside(0.3, 0))
    window.session.adjust(shown=window.session.look.shown | {"held_out"})


def hold_out_of_two(window) -> None:
    compare_two(window)
    hold_out(window)


def words(window) -> None:
    window.session.visit(WordsWorkspace())


def three_classes(window) -> None:
    data = dataset("blobs(n=40, classes=3, seed=2)")
    window.session.replace("open", window.session.document.replace(data=data))


def watch(window) -> None:
    window.session.adjust(mode="watch", step=2)


def button_called(dialog, text: str) -> QPushButton:
    """Return the visible button of a dialogue with this text."""
    return next(b for b in dialog.findChildren(QPushButton) if b.text() == text and b.isVisible())


def drawn_by_all(qtbot, dialog, folder, monkeypatch, *arguments: str) -> list[np.ndarray]:
    """Return the pixels of the dialogue's file, of the one its script for kernelviz writes, of the one that
    its command draws, and of the one that the command line draws of the session in the first."""
    previewed(qtbot, dialog)
    written(qtbot, dialog, folder / "dialogue.png")
    press(qtbot, button_called(dialog, "Copy as Python"))
    assert dialog.outcome.sentence == "Python script copied."
    monkeypatch.chdir(folder)
    exec(compile(QGuiApplication.clipboard().text(), "script.py", "exec"), {})
    state, _ = load(folder / "dialogue.png")
    save(folder / "session.kviz", state)
    assert main(["render", "session.kviz", "-o", "line.png", *arguments]) in (DONE, NOT_CONVERGED)
    press(qtbot, button_called(dialog, "Copy as command"))
    assert dialog.outcome.sentence == "Command copied."
    line, _, session = QGuiApplication.clipboard().text().partition("\n")
    words = [word for word in shlex.split(line) if word != "<<SESSION"]
    piped = io.BytesIO(session.removesuffix("SESSION\n").encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(piped, encoding="utf-8"))
    assert main(words[1:]) in (DONE, NOT_CONVERGED)
    names = ("dialogue.png", "figure-kernelviz.png", "figure.png", "line.png")
    return [np.asarray(Image.open(folder / name).convert("RGB"), dtype=float) for name in names]


BESIDE = ("loss", "gram")


@pytest.mark.filterwarnings(
    "ignore:There is no room|Smaller or shorter"
)  # in figures that are quick to paint
@pytest.mark.parametrize(
    ("prepare", "views"),
    [
        (None, ()),
        (None, BESIDE),
        (compare_two, ()),
        (compare_two, BESIDE),
        (curve_of_two, ()),
        (hold_out, ()),
        (hold_out, BESIDE),
        (hold_out_of_two, ()),
        (watch, ()),
        (words, ()),
        (words, BESIDE),
        (three_classes, ()),
    ],
)
def test_the_dialogue_its_script_and_the_command_line_draw_the_same_figure(
    qtbot, window, tmp_path, monkeypatch, prepare, views
):
    if prepare is not None:
        prepare(window)
    qtbot.waitUntil(lambda: window.workbench.up_to_date)
    if prepare is not watch:
        polished(qtbot, window)
    qtbot.waitUntil(lambda: Snapshot.of(window.workbench).verdict is not None)
    window.actions_by_name["export_figure"].trigger()
    dialog = window.findChild(FigureDialog)
    small(dialog)
    dialog.choose("theme", "dark")
    dialog.choose("text", 8.0)
    dialog.choose("legend", "none")
    dialog.choose("formula", False)
    dialog.choose("letters", True)
    dialog.choose("font", "STIX Two Text")
    dialog.controls["heading"].line.setText("Two $rings$")
    dialog.controls["xlabel"].line.setText("length 'l' (mm)")
    dialog.controls["line_styles"].line.setText("margins=2 dotted; boundary=dashed")
    for name in views:
        dialog.panels[name].click()
    look = {
        "size": "320x240",
        "dpi": "100",
        "theme": "dark",
        "text": "8",
        "lines": "0.65",
        "title": "Two $rings$",
        "xlabel": "length 'l' (mm)",
        "font": "stix",
        "legend": "none",
    }
    lines = ["--line=margins=2 dotted", "--line=boundary=dashed"]
    line = ["--no-formula", "--letters", *lines, *(f"--{name}={value}" for name, value in look.items())]
    beside = ["--views", ",".join(views)] if views else []
    pictures = drawn_by_all(qtbot, dialog, tmp_path, monkeypatch, *line, *beside)
    assert "Without the views" not in QGuiApplication.clipboard().text()
    assert len(pictures) == 4
    for picture in pictures:
        assert picture.shape == (240, 320, 3)
        assert np.abs(picture - pictures[0]).max() == 0


@pytest.mark.filterwarnings("ignore:There is no room|Smaller or shorter")
def test_the_copied_script_draws_views_alone_with_their_switches_and_names_those_it_cannot_draw(
    qtbot, window, own_dialog, tmp_path, monkeypatch
):
    qtbot.waitUntil(lambda: Snapshot.of(window.workbench).verdict is not None)
    window.insight.view("loss").boxes["squared"].click()
    window.insight.view("gram").lists["face"].setCurrentText("spectrum")
    own_dialog.choose("preset", "slide")
    own_dialog.flags["canvas"].click()
    for name in ("loss", "weights", "gram", "bounds", "balance", "components", "waves"):
        own_dialog.panels[name].click()
    theirs, ours, by_command, _ = drawn_by_all(qtbot, own_dialog, tmp_path, monkeypatch)
    assert np.abs(ours - theirs).max() == np.abs(by_command - theirs).max() == 0
    own_dialog.panels["sweep"].click()
    press(qtbot, button_called(own_dialog, "Copy as Python"))
    script = QGuiApplication.clipboard().text()
    assert "# Without the views next to the canvas: Sweep." in script
    assert "'loss(squared=true)', " in script
    assert "'gram(face=spectrum)', " in script


def test_a_matrix_that_shows_the_row_of_a_selected_point_is_named_and_not_drawn(qtbot, window, own_dialog):
    window.insight.view("gram")
    window.session.adjust(selection=(3,))
    own_dialog.panels["gram"].click()
    press(qtbot, button_called(own_dialog, "Copy as Python"))
    assert "# Without the views next to the canvas: Gram matrix." in QGuiApplication.clipboard().text()


def test_the_copied_script_draws_the_canvas_as_it_is_seen(qtbot, window, tmp_path, monkeypatch):
    window.set_theme("dark")
    polished(qtbot, window)
    window.actions_by_name["copy_figure"].trigger()
    qtbot.waitUntil(lambda: not QGuiApplication.clipboard().image().isNull())
    copied = QGuiApplication.clipboard().image()
    window.actions_by_name["copy_script"].trigger()
    script = QGuiApplication.clipboard().text()
    monkeypatch.chdir(tmp_path)
    exec(compile(script, "script.py", "exec"), {})
    drawn = QImage(str(tmp_path / "figure-kernelviz.png"))
    assert drawn.size() == copied.size()
    form = QImage.Format.Format_RGB32
    assert drawn.convertToFormat(form) == copied.convertToFormat(form)


def test_the_button_of_the_dialogue_says_which_figure_its_script_rebuilds(qtbot, dialog):
    dialog.choose("format", "SVG")
    dialog.choose("theme", "dark")
    dialog.choose("preset", "slide")
    dialog.panels["gram"].setChecked(True)
    qtbot.keyClicks(dialog.controls["heading"].line, "Two rings")
    button = button_called(dialog, "Copy as Python")
    assert "the figure in this dialogue" in button.toolTip()
    press(qtbot, button)
    script = QGuiApplication.clipboard().text()
    assert '"figure-kernelviz.svg"' in script
    for chosen in ('size="338.67x190.5mm"', "theme='dark'", "title='Two rings'"):
        assert chosen in script
    dialog.choose("unit", "px")
    press(qtbot, button)
    for chosen in ("width=1920", "height=1080"):
        assert chosen in QGuiApplication.clipboard().text()
    assert "views=['gram']" in script


@pytest.mark.parametrize("name", ["copy_script", "copy_sklearn"])
def test_the_menu_copies_a_script_of_the_figure_on_screen_whether_the_dialogue_is_open_or_closed(
    window, own_dialog, name
):
    own_dialog.controls["heading"].line.setText("Two rings")
    scripts = []
    for leave in (lambda: None, own_dialog.close):
        leave()
        window.actions_by_name[name].trigger()
        scripts.append(QGuiApplication.clipboard().text())
    assert scripts[0] == scripts[1]
    assert "Two rings" not in scripts[0]
    assert "the figure on screen; the export dialogue" in window.actions_by_name["copy_script"].toolTip()


def test_the_scikit_learn_script_has_every_fit_and_the_measures_of_the_dialogue(
    qtbot, window, tmp_path, monkeypatch
):
    compare_two(window)
    window.actions_by_name["export_figure"].trigger()
    dialog = window.findChild(FigureDialog)
    small(dialog)
    dialog.controls["heading"].line.setText("Two $rings$")
    dialog.panels["gram"].setChecked(True)
    previewed(qtbot, dialog)
    press(qtbot, button_called(dialog, "Copy as scikit-learn"))
    script = QGuiApplication.clipboard().text()
    assert "# Without the views next to the canvas: Gram matrix." in script
    assert "ax.set_title('Two $rings$')" in script
    monkeypatch.chdir(tmp_path)
    exec(compile(script, "script.py", "exec"), {})
    for letter in "AB":
        assert QImage(str(tmp_path / f"figure-sklearn-{letter}.png")).size() == QSize(320, 240)
