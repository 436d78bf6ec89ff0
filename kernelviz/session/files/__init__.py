"""Session files: reading and writing, autosave, recovery after a crash."""
