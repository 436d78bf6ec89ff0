"""Tables of points: reading, choosing columns, writing, one module for each format."""
