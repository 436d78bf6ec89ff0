"""Figures, films and worksheets as files.

`composition` makes the figure of a state, `arrangement` puts its parts on a sheet, `files` writes it.
`films` and `film_formats` do the same for many frames, `worksheet_items` and `worksheet` for lessons on
paper."""
