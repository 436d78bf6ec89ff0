"""Films of 60 frames at 800 x 800: writing beside drawing, and APNG beside Pillow's own writer.

The GIF writer before this one, LZW in Python, took 2.2 times as long as drawing; `BEFORE` are its files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from PIL import Image
from PySide6.QtGui import QImage

from kernelviz.cli.render import FigureJob
from kernelviz.engine.selection.tunable import knobs
from kernelviz.scene.export.film_formats import write_animation
from kernelviz.scene.export.films import run_frames, state_frames
from kernelviz.scene.export.options import Options
from kernelviz.session.sources import Requested
from tests.benchmarks.report import Report, Target

FRAMES = 60
OPTIONS = Options(width=800, height=800, dpi=100.0)
BEFORE = {"a perceptron's run": 3_723_261, "a sweep of gamma": 6_032_848}


def perceptron() -> list[QImage]:
    job = FigureJob(Requested("xor(n=80)", "linear", "perceptron"), "", OPTIONS)
    return list(run_frames(job.state()[0], OPTIONS, FRAMES)[1])


def gammas() -> list[QImage]:
    state = FigureJob(Requested("moons(n=150)"), "", OPTIONS).state()[0]
    gamma = next(knob for knob in knobs(state.document.fit) if knob.parameter.name == "gamma")
    values = np.geomspace(0.1, 30, FRAMES).tolist()
    turned = [replace(state, document=state.document.turned(gamma, value)) for value in values]
    return list(state_frames(turned, OPTIONS)[1])


FILMS: dict[str, Callable[[], list[QImage]]] = {
    "a perceptron's run": perceptron,
    "a sweep of gamma": gammas,
}


def run(report: Report, quick: bool) -> None:
    """Print what a film costs beside drawing it, and its size."""
    report.heading(f"Films of {FRAMES} frames at 800 x 800, processor time; ratios to writing")
    for name, draw in list(FILMS.items())[: 1 if quick else None]:
        with TemporaryDirectory() as folder:
            measure(report, name, draw, Path(folder))


def measure(report: Report, name: str, draw: Callable[[], list[QImage]], folder: Path) -> None:
    frames: list[QImage] = []
    drawing = busy(lambda: frames.extend(draw()))
    gif, apng = folder / "film.gif", folder / "film.apng"
    by_gif = busy(lambda: list(write_animation(gif, frames, len(frames), 10.0)))
    by_apng = busy(lambda: list(write_animation(apng, frames, len(frames), 10.0)))
    pictures = [Image.fromqimage(frame).convert("RGB") for frame in frames]
    theirs = folder / "pillow.png"
    by_pillow = busy(
        lambda: pictures[0].save(theirs, save_all=True, append_images=pictures[1:], duration=100)
    )
    report.ratios(f"{name}: drawing / GIF", [drawing / by_gif], Target("worst", 1))
    size = gif.stat().st_size / BEFORE[name]
    report.check(f"{name}: GIF's size", size <= 1.25, f"{size:.2f} of the writer's before, at most 1.25")
    report.ratios(f"{name}: Pillow's APNG / ours", [by_pillow / by_apng], Target("worst", 0.8))
    size = apng.stat().st_size / theirs.stat().st_size
    report.check(f"{name}: APNG's size", size <= 1.25, f"{size:.2f} of Pillow's, at most 1.25")


def busy(action: Callable[[], object]) -> float:
    """The processor time one call takes: others on the machine do not count."""
    begin = process_time()
    action()
    return process_time() - begin
