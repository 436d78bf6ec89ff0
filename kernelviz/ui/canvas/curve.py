"""The canvas of the curve: its points lie on two axes, as `PointsCanvas` has them."""

from __future__ import annotations

from kernelviz.ui.canvas.points import PointsCanvas

Canvas = PointsCanvas  # By this name the window finds it.
