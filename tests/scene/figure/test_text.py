"""Lines of text that fit their place."""

from __future__ import annotations

import pytest

from kernelviz.scene.figure.text import SMALLEST_TYPE, fitted, text_width

TITLE = "linear + rbf(gamma=200)*rbf(gamma=2)"


@pytest.mark.parametrize("share", [2.0, 1.0, 0.8, 0.5, 0.2])
def test_a_title_gets_smaller_then_shorter_and_is_never_too_wide(qapp, share):
    width = share * text_width(TITLE, 9.0)
    text, size = fitted(TITLE, 9.0, width)
    assert text_width(text, size) <= width * 1.001
    assert SMALLEST_TYPE * 9.0 <= size <= 9.0
    assert (text == TITLE) == (share >= SMALLEST_TYPE)
    assert text == TITLE or (text.endswith("…") and TITLE.startswith(text[:-1]))
