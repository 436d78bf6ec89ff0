"""Lessons: Markdown files with stages, predictions and tasks, read, run and checked without a window."""
