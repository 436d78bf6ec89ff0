"""A fit in axes of matplotlib: what is drawn are artists of theirs, with the numbers of ours."""

from __future__ import annotations

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import LineCollection

import kernelviz
from kernelviz.engine.core.errors import BadInput

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def ax():
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


def labels(ax) -> list[str]:
    return ax.get_legend_handles_labels()[1]


def test_image_lines_points_and_rings_are_artists_with_labels(ax):
    data = kernelviz.dataset("moons(n=60, noise=0.3, seed=1)")
    model = kernelviz.render(ax=ax, X=data, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=1)")
    assert labels(ax) == ["s = ±1", "s = 0", "class +", "class −", "support vector", "misclassified"]
    (image,) = ax.images
    found = {each.get_label(): each for each in ax.collections}
    assert len(found["class +"].get_offsets()) == (data.z > 0).sum()
    assert len(found["support vector"].get_offsets()) == len(model.support)
    boundary = found["s = 0"]
    assert isinstance(boundary, LineCollection)
    places = np.concatenate([path.vertices for path in boundary.get_paths()])
    assert np.abs(model.score(places)).max() < 0.01
    left, right, bottom, top = image.get_extent()
    across, up = left + (right - left) * 0.25, bottom + (top - bottom) * 0.25
    shown = image.get_array()[image.get_array().shape[0] // 4, image.get_array().shape[1] // 4]
    assert shown == pytest.approx(model.score([[across, up]])[0], abs=0.05)
    assert ax.get_xlim() == (left, right)
    assert (ax.get_xlabel(), ax.get_aspect()) == ("x₁", 1.0)
    ax.figure.canvas.draw()


def test_a_curve_has_a_line_and_a_band(ax):
    data = kernelviz.dataset("gap(n=30)")
    model = kernelviz.render(ax=ax, X=data, algorithm="gaussian-process", title="A gap")
    assert labels(ax) == ["s(x) ± 2 sd", "s(x)", "points"]
    (line,) = ax.lines
    assert np.allclose(line.get_ydata(), model.score(line.get_xdata()[:, None]))
    assert ax.get_title() == "A gap"
    ax.figure.canvas.draw()


def test_toggles_choose_what_is_drawn(ax):
    data = kernelviz.dataset("blobs(n=30)")
    kernelviz.render(ax=ax, X=data, algorithm="ridge", shown=["boundary", "points"])
    assert not len(ax.images)
    assert labels(ax) == ["boundary", "A", "B", "C"]


def test_held_out_points_are_drawn_hollow(ax):
    data, test = kernelviz.dataset("xor(n=30)"), kernelviz.dataset("xor(n=10, seed=3)")
    kernelviz.render(ax=ax, X=data, held_out=test, shown=["points", "held_out"])
    assert set(labels(ax)) == {"class +", "class −", "class +, held out", "class −, held out"}


def test_a_fit_is_drawn_into_axes_with_a_twin_which_keep_their_place(ax):
    twin = ax.twinx()
    kernelviz.render(ax=ax, X=kernelviz.dataset("moons(n=20)"), kernel="linear")
    ax.figure.canvas.draw()
    assert ax.get_aspect() == 1.0
    assert ax.get_position().bounds == twin.get_position().bounds


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (lambda: plt.figure().add_subplot(projection="3d"), "two straight axes"),
        (lambda: plt.figure().add_subplot(projection="polar"), "two straight axes"),
        (lambda: plt.figure(), "two straight axes"),
        (lambda: plt.subplots(subplot_kw={"xscale": "log"})[1], "another than a linear scale"),
    ],
)
def test_axes_that_would_bend_the_picture_get_a_sentence(made, sentence):
    with pytest.raises(BadInput, match=sentence):
        kernelviz.render(ax=made(), X=kernelviz.dataset("moons(n=20)"))
    plt.close("all")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"path": "x.png"}, "Give either a file"),
        ({"fits": ["linear ; ridge", "rbf ; ridge"]}, "room for one fit"),
        ({"views": ["gram"]}, "room for one fit"),
        ({"X": kernelviz.dataset("spelling(n=6)"), "kernel": "spectrum"}, "Words cannot be drawn into axes"),
    ],
)
def test_what_axes_cannot_show_is_said_in_a_sentence(ax, arguments, sentence):
    with pytest.raises(BadInput, match=sentence):
        kernelviz.render(**{"X": kernelviz.dataset("xor(n=20)"), "ax": ax, **arguments})
    with pytest.raises(BadInput, match="Give either a file"):
        kernelviz.render(X=kernelviz.dataset("xor(n=20)"))


def test_matplotlib_is_not_imported_for_a_file():
    code = (
        "import io, sys, kernelviz; kernelviz.render(io.BytesIO(), kernelviz.dataset('xor(n=20)'), "
        "width=300, height=240, caption=False, formula=False); assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
