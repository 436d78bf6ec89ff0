"""Choosing the numbers of a fit by how it does on points it has not seen."""
