"""Very many points: the same picture, painted once."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.data import Data
from kernelviz.scene.plane import layers
from kernelviz.session.themes import DARK

COUNT = 600


@pytest.fixture
def crowded(hand, monkeypatch):
    """A canvas on which a few hundred points are a crowd already."""
    monkeypatch.setattr(layers, "CROWD", COUNT // 2)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(COUNT, 2))
    return lambda: hand(Data.labelled(X, np.where(X[:, 0] > 0, 1, -1)), "linear", "ridge(lam=1)")


def count_paintings(monkeypatch) -> list[int]:
    painted = []
    draw = layers.draw_points

    def counting(painter, style, xy, *rest, **how):
        painted.append(len(xy))
        draw(painter, style, xy, *rest, **how)

    monkeypatch.setattr(layers, "draw_points", counting)
    return painted


def test_a_crowd_looks_like_points_drawn_one_by_one(crowded, monkeypatch):
    monkeypatch.setattr(layers, "CROWD_APART", 1e-6)  # none of them is left out
    together = crowded().picture()
    monkeypatch.setattr(layers, "CROWD", COUNT)
    apart = crowded().picture()
    assert (np.abs(together - apart).max(axis=2) > 8).mean() < 1e-3


def test_a_crowd_is_painted_once_for_a_view(crowded, monkeypatch):
    painted = count_paintings(monkeypatch)
    h = crowded()
    h.picture()
    painted.clear()
    for place in ((0.0, 0.0), (0.3, 0.2), (0.5, -0.4)):
        h.move(place)
        h.beat()
        h.canvas.grab()
    assert painted == []
    h.canvas.zoom_by(1.5)
    h.picture()
    assert painted


def test_a_crowd_follows_its_points_and_its_theme(crowded):
    h = crowded()
    pictures = [h.picture()]
    h.session.change("fewer", data=h.data.subset(slice(COUNT - 100)), source="")
    pictures.append(h.picture())
    h.canvas.set_theme(DARK)
    pictures.append(h.picture())
    assert (pictures[0] != pictures[1]).any()
    assert (pictures[1] != pictures[2]).mean() > 0.5
