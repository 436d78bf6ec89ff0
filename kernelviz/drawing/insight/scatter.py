"""The points of insight views, drawn as in all figures; to go with the last view in this folder."""

from __future__ import annotations

from kernelviz.drawing.figure.stamps import draw_points as draw_points
from kernelviz.drawing.figure.stamps import encircle as encircle
from kernelviz.drawing.figure.stamps import thinned as thinned
