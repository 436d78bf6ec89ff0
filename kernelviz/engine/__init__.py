"""The numerical engine: numpy and scipy only; no Qt, no threads, no global state."""
