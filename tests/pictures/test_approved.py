"""The six documents are drawn as the approved pictures show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from kernelviz.scene.export.composition import render_state
from kernelviz.scene.export.options import Options
from tests.pictures.comparing import compare, differing_share
from tests.pictures.documents import DOCUMENTS

APPROVED = Path(__file__).with_name("approved")
MOST = 0.01
"""Share of the pixels that may differ strongly: letters are drawn differently by each version of Qt."""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_looks_as_it_was_approved(qapp, tmp_path, name):
    """`python -m tests.pictures approve` draws the approved pictures again; look at them first."""
    path = tmp_path / f"{name}.png"
    render_state(DOCUMENTS[name].state(), path, Options(width=640, height=480, dpi=100.0))
    assert differing_share(APPROVED / path.name, path) <= MOST


def test_a_shift_by_one_pixel_is_no_difference_but_another_picture_is(tmp_path):
    old, shifted, other = (tmp_path / f"{name}.png" for name in ("old", "shifted", "other"))
    for path, left in ((old, 10), (shifted, 11), (other, 30)):
        picture = Image.new("RGB", (60, 40), "white")
        picture.paste("black", (left, 5, left + 2, 35))
        picture.save(path)
    assert differing_share(old, shifted) == 0.0
    assert differing_share(old, other) > 0.01


def test_two_records_are_compared_file_by_file(tmp_path):
    for name, value in (("old", {"hits": [1, 2.0], "gone": "x"}), ("new", {"hits": [1, 3.0]})):
        (tmp_path / name).mkdir()
        (tmp_path / name / "table.json").write_text(json.dumps(value))
    (tmp_path / "new" / "more.json").write_text("{}")
    found = compare(tmp_path / "old", tmp_path / "new")
    assert found == [
        "only now: more.json",
        "table.json: /hits[1]: 2.0 -> 3.0",
        "table.json: /gone is only before",
    ]
    assert compare(tmp_path / "old", tmp_path / "old") == []
