"""The user's work, without Qt: a frozen state, the session that replaces it, undo, files and scripts."""
