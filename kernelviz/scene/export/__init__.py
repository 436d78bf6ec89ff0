"""Figures, films and worksheets as files.

`composition` makes the figure of a state, `arrangement` puts its parts on a sheet, `files` writes it,
`films` and `film_formats` do the same for many frames, and `sheet` and `worksheet` print lessons."""
