"""How words are painted: the map of the strings, the layers of it, and their labels."""
