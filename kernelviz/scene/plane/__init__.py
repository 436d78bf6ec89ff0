"""How the plane is painted: its picture, its layers, and the painter that makes figures and frames."""
