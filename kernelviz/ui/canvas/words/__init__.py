"""The canvas of words: a table of strings, a line to try others in, and maps."""
