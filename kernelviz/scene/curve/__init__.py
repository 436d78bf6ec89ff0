"""The painter of the curve: its picture, its layers, and its lines of the legend."""
