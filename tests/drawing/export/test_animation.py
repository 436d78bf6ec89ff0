"""Animations, read back by an independent decoder."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageSequence
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.drawing.export.animation import write_animation, write_numbered
from kernelviz.drawing.export.gif import gif_blocks, quantised
from kernelviz.engine.errors import BadInput


def frames(count: int, width: int = 90, height: int = 60):
    """A disc moving over a gradient: thousands of colours."""
    for number in range(count):
        image = QImage(width, height, QImage.Format.Format_RGB32)
        for x in range(width):
            for y in range(height):
                image.setPixelColor(x, y, QColor(2 * x, 4 * y, 255 - x - y))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor("#a53f00"))
        painter.drawEllipse(10 + 12 * number, 20, 15, 15)
        painter.end()
        yield image


def as_array(image: QImage) -> np.ndarray:
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine())
    return rows[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3).copy()


def read_back(path):
    with Image.open(path) as film:
        return [(np.array(f.convert("RGB")), f.info.get("duration")) for f in ImageSequence.Iterator(film)]


@pytest.mark.parametrize(("suffix", "mean", "most"), [("gif", 3.0, 40), ("apng", 0.0, 0), ("png", 0.0, 0)])
def test_an_animation_decodes_to_its_frames_and_their_duration(qapp, tmp_path, suffix, mean, most):
    path = tmp_path / f"film.{suffix}"
    progress = list(write_animation(path, frames(4), 4, 10.0))
    assert progress[-1] == 4
    assert progress == sorted(progress)
    found = read_back(path)
    assert len(found) == 4
    for (shown, duration), wanted in zip(found, frames(4), strict=True):
        error = np.abs(shown.astype(int) - as_array(wanted).astype(int))
        assert error.mean() <= mean
        assert error.max() <= most
        assert duration == pytest.approx(100)


@given(st.integers(1, 400), st.integers(1, 9), st.integers(1, 256), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_every_picture_of_at_most_256_colours_survives_a_gif_exactly(
    tmp_path_factory, width, height, colours, seed
):
    rng = np.random.default_rng(seed)
    palette = 4 * rng.integers(0, 64, size=(colours, 3), dtype=np.uint8)
    picture = palette[rng.integers(0, colours, size=(height, width))]
    path = tmp_path_factory.mktemp("gif") / "one.gif"
    path.write_bytes(b"".join(gif_blocks([picture], 0.1)))
    assert np.array_equal(read_back(path)[0][0], picture)


def test_long_noise_fills_the_code_table_several_times_and_still_decodes(tmp_path):
    rng = np.random.default_rng(1)
    noise = np.repeat(rng.integers(0, 256, size=(120, 300, 1), dtype=np.uint8), 3, axis=2) & 0xFC
    path = tmp_path / "noise.gif"
    path.write_bytes(b"".join(gif_blocks([noise, noise, noise[::-1]], 0.1)))
    found = read_back(path)
    assert np.array_equal(found[0][0], noise)
    assert np.array_equal(found[-1][0], noise[::-1])


def test_an_unchanged_frame_costs_next_to_nothing(qapp):
    still = as_array(next(frames(1)))
    blocks = list(gif_blocks([still, still], 0.1))
    assert len(blocks[3]) < 1000 < len(blocks[2])


def test_quantising_uses_no_more_than_256_colours_and_stays_close(qapp):
    picture = as_array(next(frames(1)))
    palette, indices = quantised(picture)
    assert len(palette) <= 256
    assert np.abs(palette[indices].astype(int) - picture.astype(int)).mean() < 4


def test_cancelling_leaves_no_file_and_an_old_one_as_it_was(qapp, tmp_path):
    path = tmp_path / "film.gif"
    path.write_bytes(b"old")
    writing = write_animation(path, frames(5), 5, 10.0)
    next(writing)
    next(writing)
    writing.close()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_while_drawing_leaves_no_file(qapp, tmp_path):
    def failing():
        yield next(frames(1))
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(write_animation(tmp_path / "film.apng", failing(), 5, 10.0))
    assert list(tmp_path.iterdir()) == []


def test_numbered_pictures_sort_by_their_names(qapp, tmp_path):
    assert list(write_numbered(tmp_path / "film.png", frames(3), 3)) == [1, 2, 3]
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["film-0001.png", "film-0002.png", "film-0003.png"]
    assert QImage(str(tmp_path / "film-0002.png")) == list(frames(2))[1]


@pytest.mark.parametrize(
    ("name", "speed", "sentence"), [("film.mp4", 10.0, "gif, apng"), ("a.gif", 0.0, "per second")]
)
def test_unknown_formats_and_impossible_speeds_are_refused_in_words(qapp, tmp_path, name, speed, sentence):
    with pytest.raises(BadInput, match=sentence):
        write_animation(tmp_path / name, frames(1), 1, speed)


def test_a_folder_that_is_not_there_is_named(qapp, tmp_path):
    with pytest.raises(BadInput, match=r"film\.gif cannot be saved"):
        list(write_animation(tmp_path / "nowhere" / "film.gif", frames(1), 1, 10.0))


def test_cancelled_numbered_pictures_leave_old_ones_as_they_were(qapp, tmp_path):
    old = tmp_path / "film-0001.png"
    old.write_bytes(b"old")
    writing = write_numbered(tmp_path / "film.png", frames(3), 3)
    next(writing)
    writing.close()
    assert old.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [old]
