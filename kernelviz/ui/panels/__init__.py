"""Panels around the canvas: data, kernel, algorithm, generated from the declarations."""
