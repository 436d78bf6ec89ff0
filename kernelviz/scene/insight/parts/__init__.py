"""Parts that several views share, or that are too large for the file of one: charts, matrices, spaces."""
