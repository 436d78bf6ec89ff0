"""Threads and frames between the session and the engine; no Qt."""
