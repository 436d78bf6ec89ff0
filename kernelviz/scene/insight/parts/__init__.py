"""What several views share, or what is too much for the file of one: charts, matrices, spaces."""
