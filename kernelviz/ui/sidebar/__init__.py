"""The panels beside the canvas: data, kernel and algorithm."""
