"""The dialogue that exports animations, used as a user uses it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image, ImageSequence
from PySide6.QtGui import QImage

from kernelviz.engine.fits.parsing import algorithm, kernel
from kernelviz.ui.dialogs.animation_dialog import AnimationDialog
from tests.ui.widgets.acting import drag, type_into
from tests.ui.window.acting import LEFT
from tests.ui.window.exporting import dialogue_on, press, previewed, written


def prepare(qtbot, dialog: AnimationDialog) -> AnimationDialog:
    """A short sweep, quick to paint."""
    for name, value in {"of": "sweep", "frames": 5, "width": 160, "height": 120}.items():
        dialog.choose(name, value)
    previewed(qtbot, dialog)
    return dialog


@pytest.fixture
def dialog(qtbot, shared_window, settings) -> Iterator[AnimationDialog]:
    """The dialogue on a window that tests share, with settings of its own."""
    with dialogue_on(shared_window, AnimationDialog, settings) as made:
        yield prepare(qtbot, made)


@pytest.fixture
def own_dialog(qtbot, window) -> AnimationDialog:
    """The dialogue on a window of the test's own, as the menu opens it."""
    window.actions_by_name["export_animation"].trigger()
    return prepare(qtbot, window.findChild(AnimationDialog))


def read_back(path) -> list[tuple[np.ndarray, float]]:
    with Image.open(path) as film:
        return [(np.array(f.convert("RGB")), f.info.get("duration")) for f in ImageSequence.Iterator(film)]


CHOICES = {
    "theme": lambda qtbot, d: press(qtbot, d.controls["theme"].segments.buttons["dark"]),
    "text": lambda qtbot, d: type_into(d.controls["text"].field, "10"),
    "strokes": lambda qtbot, d: type_into(d.controls["strokes"].field, "3"),
    "width": lambda qtbot, d: type_into(d.size_row.fields["width"], "500"),
    "height": lambda qtbot, d: type_into(d.size_row.fields["height"], "360"),
    **{name: lambda qtbot, d, name=name: d.flags[name].click() for name in ("letters", "formula", "caption")},
}


def test_each_control_changes_the_wishes_and_the_preview(qtbot, dialog):
    dialog.choose("width", 400)
    dialog.choose("height", 320)
    for name, act in CHOICES.items():
        before, choices = previewed(qtbot, dialog), dialog.choices
        act(qtbot, dialog)
        assert getattr(dialog.choices, name) != getattr(choices, name), name
        assert previewed(qtbot, dialog) != before, name
    before = previewed(qtbot, dialog)
    dialog.controls["heading"].line.setText("A sweep")
    assert previewed(qtbot, dialog) != before


def test_format_speed_and_frames_are_told_below_the_preview(qtbot, dialog):
    assert dialog.facts.text().startswith("5 frames  ·  2.99 s  ·  160 × 120")
    type_into(dialog.controls["speed"].field, "2")
    type_into(dialog.controls["frames"].field, "7")
    previewed(qtbot, dialog)
    assert dialog.facts.text().startswith("7 frames  ·  3.5 s")
    press(qtbot, dialog.controls["format"].segments.buttons["PNGs"])
    previewed(qtbot, dialog)
    assert dialog.facts.text().startswith("7 frames  ·  160")
    assert not dialog.controls["speed"].isEnabled()


def test_a_short_film_is_slow_enough_to_be_seen_until_a_speed_is_chosen(qtbot, dialog):
    type_into(dialog.controls["frames"].field, "40")
    previewed(qtbot, dialog)
    assert dialog.controls["speed"].field.text() == "10"
    type_into(dialog.controls["frames"].field, "6")
    previewed(qtbot, dialog)
    assert dialog.controls["speed"].field.text() == "2"
    assert dialog.facts.text().startswith("6 frames  ·  3 s")
    type_into(dialog.controls["speed"].field, "12")
    assert not dialog.flags["paced"].isChecked()
    type_into(dialog.controls["frames"].field, "9")
    previewed(qtbot, dialog)
    assert dialog.facts.text().startswith("9 frames  ·  0.75 s")
    dialog.flags["paced"].click()
    previewed(qtbot, dialog)
    assert dialog.facts.text().startswith("9 frames  ·  3 s")


def test_the_slider_goes_through_the_frames(qtbot, dialog):
    first = previewed(qtbot, dialog)
    assert dialog.number.text() == "1 of 5"
    drag(dialog.slider, 1.0)
    assert previewed(qtbot, dialog) != first
    assert dialog.number.text() == "5 of 5"


def test_a_sweep_turns_any_number_of_kernel_or_algorithm_between_two_ends(qtbot, dialog):
    sweep = dialog.sweep
    assert [k.parameter.name for k in sweep.choices][:2] == ["gamma", "C"]
    assert sweep.values(3) == pytest.approx([0.01, 1.0, 100.0])
    before = previewed(qtbot, dialog)
    type_into(sweep.fields["from"], "0,5")
    assert sweep.values(2) == [0.5, 100.0]
    assert previewed(qtbot, dialog) != before
    sweep.picker.setCurrentIndex(1)
    sweep.picker.activated.emit(1)
    assert sweep.values(2) == [0.1, 1000.0]
    type_into(sweep.fields["to"], "-3")
    assert "lie between" in sweep.message.sentence
    assert sweep.values(2) == [0.1, 1000.0]


def test_the_offer_follows_the_document_and_keeps_what_still_makes_sense(qtbot, shared_window, dialog):
    type_into(dialog.sweep.fields["from"], "0.5")
    shared_window.session.change("change kernel", kernel=kernel("rbf(gamma=7)"))
    assert dialog.sweep.values(2) == [0.5, 100.0]
    shared_window.session.change("change kernel", kernel=kernel("polynomial(degree=2, c=1)"))
    assert dialog.sweep.choices[0].parameter.name == "degree"
    assert dialog.sweep.fields["from"].text() == str(dialog.sweep.values(2)[0])


@pytest.mark.parametrize("suffix", ["gif", "apng"])
def test_a_sweep_is_written_with_its_frames_speed_and_size(qtbot, dialog, tmp_path, suffix):
    dialog.choose("format", suffix.upper())
    dialog.choose("speed", 4.0)
    path = tmp_path / f"film.{suffix}"
    assert "5 frames" in written(qtbot, dialog, path)
    found = read_back(path)
    assert len(found) == 5
    assert all(frame.shape == (120, 160, 3) for frame, _ in found)
    assert [duration for _, duration in found] == pytest.approx([250] * 5)
    assert all(not np.array_equal(a[0], b[0]) for a, b in pairwise(found))


def test_a_run_is_written_as_numbered_pictures(qtbot, shared_window, dialog, tmp_path):
    shared_window.session.change("change algorithm", algorithm=algorithm("perceptron"))
    dialog.choose("of", "run")
    dialog.choose("format", "PNGs")
    previewed(qtbot, dialog)
    assert not dialog.sweep.isVisible()
    written(qtbot, dialog, tmp_path / "film")
    names = sorted(path.name for path in tmp_path.glob("film-*"))
    assert names == [f"film-{k:04}.png" for k in range(1, 6)]
    assert QImage(str(tmp_path / names[0])).width() == 160
    assert (tmp_path / names[0]).read_bytes() != (tmp_path / names[-1]).read_bytes()


def test_an_algorithm_of_one_step_has_no_run_to_film(qtbot, shared_window, dialog):
    shared_window.session.change("change algorithm", algorithm=algorithm("ridge"))
    dialog.choose("of", "run")
    qtbot.waitUntil(lambda: "one step" in dialog.note.sentence)
    assert not dialog.save_button.isEnabled()
    dialog.choose("of", "sweep")
    previewed(qtbot, dialog)
    assert dialog.note.sentence == ""
    assert dialog.save_button.isEnabled()


@pytest.mark.parametrize("kind", ["GIF", "PNGs"])
def test_cancelling_leaves_no_file_and_an_old_one_as_it_was(qtbot, dialog, tmp_path, kind):
    dialog.choose("frames", 200)
    dialog.choose("format", kind)
    name = "film.gif" if kind == "GIF" else "film-0001.png"
    (tmp_path / name).write_bytes(b"old")
    with qtbot.waitSignal(dialog.writer.idle):
        dialog.write(tmp_path / "film")
        qtbot.waitUntil(lambda: dialog.progress.value() > 0)
        press(qtbot, dialog.cancel_button)
    assert [path.name for path in tmp_path.iterdir() if "film" in path.name] == [name]
    assert (tmp_path / name).read_bytes() == b"old"
    assert not dialog.progress.isVisible()


def test_closing_the_window_while_a_film_is_written_ends_the_thread(qtbot, window, own_dialog, tmp_path):
    own_dialog.choose("frames", 500)
    own_dialog.write(tmp_path / "film.gif")
    window.close()
    assert not own_dialog.writer.busy
    assert not list(tmp_path.glob("*film*"))


def test_the_choices_are_remembered(qtbot, shared_window, dialog):
    dialog.choose("format", "APNG")
    dialog.close()
    again = AnimationDialog(dialog.source, shared_window)
    assert again.choices == dialog.choices
    again.deleteLater()


def test_feature_space_unfolds_in_a_gif_as_it_is_turned_now(qtbot, own_dialog, window, tmp_path):
    window.insight.show_view("space")
    view = window.insight.view("space")
    qtbot.waitUntil(lambda: not view.scene.reason)
    qtbot.mouseClick(own_dialog.controls["of"].segments.buttons["unfolding"], LEFT)
    before = previewed(qtbot, own_dialog)
    drag(own_dialog.slider, 0.5)
    assert previewed(qtbot, own_dialog) != before, "the middle is unfolded"
    assert "Saved 5 frames" in written(qtbot, own_dialog, tmp_path / "space.gif")
    frames = [pixels for pixels, _ in read_back(tmp_path / "space.gif")]
    assert len(frames) == 5
    assert (frames[0] != frames[2]).any()
    assert (frames[0] == frames[4]).mean() > 0.99
    view.set_switch("camera", view.scene.root.camera.turned(90.0, 0.0))
    written(qtbot, own_dialog, tmp_path / "turned.gif")
    assert (read_back(tmp_path / "turned.gif")[2][0] != frames[2]).any()
