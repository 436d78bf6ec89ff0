"""Scores on a grid of the plane, and their level lines.

A field F has the shape (rows, columns): F[k, l] is the score at (x1_l, x2_k)."""
