"""The tools, in the order of the toolbar and of the number keys. A further tool is one file and one line."""

from __future__ import annotations

from kernelviz.ui.canvas.tools.base import Tool
from kernelviz.ui.canvas.tools.edit import Add, Brush, Erase
from kernelviz.ui.canvas.tools.point import Move, Pan, Select

TOOLS: tuple[type[Tool], ...] = (Add, Move, Brush, Erase, Select, Pan)
