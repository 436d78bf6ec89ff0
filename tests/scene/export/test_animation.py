"""Animations, read back by an independent decoder."""

from __future__ import annotations

import io
import subprocess
import sys
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageSequence
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.export.film_formats import Palette, gif_blocks, write_animation, write_numbered


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
    assert progress == sorted(progress)
    assert len(progress) >= 4
    assert progress[-1] == 1.0
    found = read_back(path)
    assert len(found) == 4
    for (shown, duration), wanted in zip(found, frames(4), strict=True):
        error = np.abs(shown.astype(int) - as_array(wanted).astype(int))
        assert error.mean() <= mean
        assert error.max() <= most
        assert duration == pytest.approx(100)


def gif(*pictures: np.ndarray) -> bytes:
    """A film of (height, width, 3) bytes each."""
    return b"".join(block for _, block in gif_blocks(map(packed, pictures), len(pictures), 0.1))


def packed(picture: np.ndarray) -> np.ndarray:
    return picture.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)


@given(st.integers(1, 400), st.integers(1, 9), st.integers(1, 255), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_every_picture_of_at_most_255_colours_survives_a_gif_exactly(width, height, colours, seed):
    rng = np.random.default_rng(seed)
    palette = rng.integers(0, 256, size=(colours, 3), dtype=np.uint8)
    picture = palette[rng.integers(0, colours, size=(height, width))]
    assert np.array_equal(read_back(io.BytesIO(gif(picture)))[0][0], picture)


def test_frames_that_differ_here_and_there_decode_to_themselves():
    rng = np.random.default_rng(1)
    noise = np.repeat(rng.integers(0, 255, size=(120, 300, 1), dtype=np.uint8), 3, axis=2)
    speckled = noise.copy()
    speckled[10:100:7, 20:280:3] = 0
    film = [noise, speckled, noise[::-1], noise]
    found = read_back(io.BytesIO(gif(*film)))
    assert len(found) == 4
    for (shown, _), wanted in zip(found, film, strict=True):
        assert np.array_equal(shown, wanted)


def test_an_unchanged_frame_costs_next_to_nothing(qapp):
    still = as_array(next(frames(1)))
    assert len(gif(still, still)) < len(gif(still)) + 100


def test_what_stays_the_same_keeps_its_colour_whatever_colours_come_later(qapp):
    first, last = (as_array(frame) for frame in list(frames(5))[::4])
    last[:, 45:] = 255 - last[:, 45:]
    (before, _), (after, _) = read_back(io.BytesIO(gif(first, last)))
    same = (first == last).all(axis=2)
    assert same.any()
    assert np.array_equal(before[same], after[same])


def test_the_palette_stays_close_to_a_gradient_of_thousands_of_colours(qapp):
    picture = as_array(next(frames(1)))
    palette = Palette(packed(picture).ravel())
    colours = np.frombuffer(palette.table, np.uint8).reshape(256, 3)
    shown = colours[palette.nearest(packed(picture))]
    assert np.abs(shown.astype(int) - picture.astype(int)).mean() < 4


def test_a_film_is_the_same_bytes_each_time(qapp, tmp_path):
    for name in ("one.gif", "two.gif", "one.apng", "two.apng"):
        list(write_animation(tmp_path / name, frames(3), 3, 10.0))
    for suffix in ("gif", "apng"):
        assert (tmp_path / f"one.{suffix}").read_bytes() == (tmp_path / f"two.{suffix}").read_bytes()


def test_a_film_holds_a_few_of_its_frames_at_a_time():
    alive: list[weakref.ref[np.ndarray]] = []
    most = 0

    def drawn():
        nonlocal most
        for number in range(30):
            frame = np.full((50, 50), number, dtype=np.uint32)
            alive.append(weakref.ref(frame))
            most = max(most, sum(ref() is not None for ref in alive))
            yield frame

    for _ in gif_blocks(drawn(), 30, 0.1):
        pass
    assert most <= 3


@pytest.mark.parametrize("suffix", ["gif", "apng"])
@pytest.mark.parametrize("share", [0.3, 0.7, 0.9])
def test_cancelling_leaves_no_file_and_an_old_one_as_it_was(qapp, tmp_path, suffix, share):
    path = tmp_path / f"film.{suffix}"
    path.write_bytes(b"old")
    writing = write_animation(path, frames(5), 5, 10.0)
    while next(writing) < share:
        pass
    writing.close()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", ["gif", "apng"])
def test_a_failure_while_drawing_leaves_no_file(qapp, tmp_path, suffix):
    def failing():
        yield next(frames(1))
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(write_animation(tmp_path / f"film.{suffix}", failing(), 5, 10.0))
    assert list(tmp_path.iterdir()) == []


def test_numbered_pictures_sort_by_their_names(qapp, tmp_path):
    assert list(write_numbered(tmp_path / "film.png", frames(3), 3)) == pytest.approx([1 / 3, 2 / 3, 1.0])
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


def test_pillow_is_loaded_for_a_gif_and_not_before():
    script = "import sys, kernelviz.scene.export.films; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
