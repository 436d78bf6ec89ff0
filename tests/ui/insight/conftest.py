"""A workbench that answers in the same call, and views shown on it."""

from __future__ import annotations

import pytest

from tests.scene.insight.conftest import bench, opened, place_of, settled, show
from tests.scene.insight.helpers import pixel

__all__ = ["bench", "opened", "pixel", "place_of", "settled", "show"]


@pytest.fixture
def to_pixel():
    return pixel
