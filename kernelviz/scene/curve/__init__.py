"""How the curve is painted: its picture, the layers of it, and what the legend says."""
