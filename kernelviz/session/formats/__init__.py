"""Files of points: one module for each format, reading and writing side by side."""
