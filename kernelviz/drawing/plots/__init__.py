"""How curves and bars are painted."""
