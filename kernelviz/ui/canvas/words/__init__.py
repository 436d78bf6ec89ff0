"""The canvas of words: a table of strings, a line to try others in, and the map."""

from __future__ import annotations

from kernelviz.ui.canvas.words.canvas import Canvas as Canvas
