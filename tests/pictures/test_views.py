"""The small pictures of insight views show what these are, in every theme."""

from __future__ import annotations

import pytest

from kernelviz.session.themes import THEMES
from kernelviz.session.view_listing import listed_views
from tests.pictures.comparing import differing_share
from tests.pictures.test_approved import MOST
from tests.pictures.views import draw_view

VIEWS = {listed.name: listed for listed in listed_views()}


@pytest.mark.parametrize("listed", VIEWS.values(), ids=lambda listed: listed.name)
def test_a_picture_is_not_stale(qapp, tmp_path, listed):
    """`python -m tests.pictures views` draws them again."""
    for theme in THEMES:
        draw_view(listed, theme, tmp_path / "now.png")
        assert differing_share(listed.picture(theme), tmp_path / "now.png") <= MOST


def test_another_view_and_another_theme_would_be_noticed(qapp, tmp_path):
    draw_view(VIEWS["loss"], "light", tmp_path / "now.png")
    for name, theme in (("weights", "light"), ("loss", "dark")):
        assert differing_share(VIEWS[name].picture(theme), tmp_path / "now.png") > MOST
