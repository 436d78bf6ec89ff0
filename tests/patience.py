"""How long a test waits for what must happen: only one that fails ever waits so long, on any machine."""

from __future__ import annotations

PATIENCE = 60.0
"""Seconds."""
