"""The stamps of insight views, which are those of all figures; to go with the last view in this folder."""

from __future__ import annotations

from kernelviz.drawing.figure.stamps import Stamps as Stamps
from kernelviz.drawing.figure.stamps import stamp as stamp
