"""What the user works on, without Qt: a frozen state, the session that replaces it, undo, files and
scripts."""
