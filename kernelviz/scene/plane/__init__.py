"""How the plane is painted."""
