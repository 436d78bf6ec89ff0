"""A film of feature space: from the plane to the lift and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernelviz.drawing.insight.feature_space import FeatureSpaceMaker, FeatureSpacePicture
from kernelviz.drawing.insight.picture import NothingToShow
from kernelviz.engine.errors import BadInput
from kernelviz.runtime.messages import Frame

__all__ = ["unfolding"]


def unfolding(maker: FeatureSpaceMaker, frame: Frame | None, count: int) -> list[FeatureSpacePicture]:
    """So many pictures of a fit, the first and the last folded, the middle one lifted and seen as it is
    turned now. BadInput where there is nothing to see."""
    made = maker.switched("features", False).make(frame)
    if not isinstance(made, FeatureSpacePicture):
        raise BadInput(made.reason if isinstance(made, NothingToShow) else "There is nothing to unfold.")
    shares = np.sin(np.linspace(0.0, np.pi, count)) ** 2
    return [replace(made, unfolded=1.0 if share > 1.0 - 1e-9 else float(share)) for share in shares]
