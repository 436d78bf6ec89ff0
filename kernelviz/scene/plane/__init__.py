"""How the plane is painted: its picture, the layers of it, and the painter that makes figures and frames of
them."""
