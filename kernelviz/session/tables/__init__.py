"""Tables of points: reading, choosing columns, writing, one module for each format."""

FORMATS = "CSV, svmlight or npz"  # The formats of files of points, for help texts.
