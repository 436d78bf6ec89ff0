"""The pictures of the states to begin with show what these are."""

from __future__ import annotations

import pytest

from kernelviz.session.starts import STARTS
from tests.pictures.comparing import differing_share
from tests.pictures.starts import draw_start
from tests.pictures.test_approved import MOST


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_a_picture_is_not_stale(qapp, tmp_path, start):
    """`python -m tests.pictures starts` draws them again."""
    draw_start(start, tmp_path / "now.png")
    assert differing_share(start.picture, tmp_path / "now.png") <= MOST


def test_another_state_would_be_noticed(qapp, tmp_path):
    draw_start(STARTS[0], tmp_path / "now.png")
    assert differing_share(STARTS[1].picture, tmp_path / "now.png") > MOST
