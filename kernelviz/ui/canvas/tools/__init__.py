"""The tools, in the order of the toolbar and of the number keys. A further tool is one file and one line."""

from __future__ import annotations

from kernelviz.ui.canvas.tools.add import Add
from kernelviz.ui.canvas.tools.base import Spot, Surface, Tool
from kernelviz.ui.canvas.tools.brush import Brush
from kernelviz.ui.canvas.tools.erase import Erase
from kernelviz.ui.canvas.tools.move import Move
from kernelviz.ui.canvas.tools.pan import Pan
from kernelviz.ui.canvas.tools.select import Select

__all__ = ["TOOLS", "Spot", "Surface", "Tool"]

TOOLS: tuple[type[Tool], ...] = (Add, Move, Brush, Erase, Select, Pan)
