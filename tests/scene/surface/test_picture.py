"""The picture of a surface: field and points on the same scale of colours, and level lines."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import kernelviz
from kernelviz.scene.surface.painter import PAINTER, TARGET_STEPS, SurfacePicture, TargetLayer, ValueScale
from kernelviz.scene.workspace_painter import Subject
from kernelviz.session.themes import DARK, LIGHT
from kernelviz.session.workspaces.registry import workspace_of

pytestmark = pytest.mark.usefixtures("qapp")
DATA = kernelviz.dataset("hills(n=60, seed=1)")


def picture(algorithm: str = "ridge(lam=0.01)", data=DATA, held_out=None) -> SurfacePicture:
    model = kernelviz.fit(data, algorithm=algorithm)
    look = workspace_of(data).look(data)
    return PAINTER.picture(Subject(data, look, model, held_out=held_out), look.view, (80, 80))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_point_has_the_colour_that_the_field_has_for_its_target(theme):
    made = picture()
    field, scale = made.layer("field"), made.scale
    image = field.image(theme)
    for step in (0, 3, TARGET_STEPS // 2, TARGET_STEPS - 1):
        row, column = np.unravel_index(np.abs(made.F - scale.value(step)).argmin(), made.F.shape)
        there = image.pixelColor(int(column), image.height() - 1 - int(row))
        assert np.allclose(there.getRgb()[:3], scale.colour(step, theme).getRgb()[:3], atol=6)


def test_the_scale_reaches_from_the_smallest_target_to_the_largest():
    scale = ValueScale.of(np.array([3.0, 5.0, 4.0]))
    assert scale.steps(np.array([3.0, 5.0, 100.0])).tolist() == [0, TARGET_STEPS - 1, TARGET_STEPS - 1]
    assert (scale.value(0), scale.value(TARGET_STEPS - 1), scale.middle) == (3.0, 5.0, 4.0)
    assert ValueScale.of(np.array([2.0, 2.0])) == ValueScale(1.0, 3.0)


def test_the_legend_says_what_the_ends_of_the_scale_are():
    points = picture().layer("points")
    assert isinstance(points, TargetLayer)
    low, high = DATA.y.min(), DATA.y.max()
    assert [entry.text for entry in points.entries] == [f"y = {high:.3g}", f"y = −{-low:.3g}"]


def test_0_and_1_are_levels_like_all_others():
    made = picture()
    assert {0.0, 1.0} <= {level for level, _ in made.lines}
    drawn = sum(len(lines) for lines, _ in made.layer("levels").groups)
    assert drawn == sum(len(lines) for _, lines in made.lines)


def test_held_out_points_have_the_scale_of_those_fitted():
    held = kernelviz.dataset("surface(5, n=4, noise=0)")
    layer = picture(held_out=held).layer("held_out")
    assert layer.scale == picture().scale
    assert set(layer.classes.tolist()) == {TARGET_STEPS - 1}
    assert [entry.text for entry in layer.entries] == ["held out"]


def test_points_alone_are_drawn_without_a_fit():
    look = workspace_of(DATA).look(DATA)
    made = PAINTER.picture(Subject(DATA, look), look.view, (80, 80))
    assert made.layer("field") is None
    assert len(made.layer("points").points) == DATA.n


def test_a_figure_has_the_colours_of_high_and_low(tmp_path):
    path, data = tmp_path / "surface.png", kernelviz.dataset("surface(x1, n=200, noise=0)")
    kernelviz.render(
        path,
        data,
        algorithm="ridge(lam=0.001)",
        shown=["field"],
        width=400,
        height=400,
        dpi=72,
        caption=False,
        formula=False,
    )
    with Image.open(path) as image:
        rgb = np.asarray(image.convert("RGB")).astype(int)
    left, right = rgb[200, 100], rgb[200, 330]
    assert left[0] > left[2] + 20, "low values are orange"
    assert right[2] > right[0] + 20, "high values are blue"
