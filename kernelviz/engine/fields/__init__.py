"""Scores on a grid, and their level lines."""
