"""How the curve is painted: its picture, its layers, and its lines of the legend."""
