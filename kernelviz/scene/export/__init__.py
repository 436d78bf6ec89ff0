"""Figures and films as files.

`composition` makes the figure of a state, `files` writes it, `films` and `film_formats` do the same for
many."""
