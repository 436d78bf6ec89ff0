"""How words are painted: the map of the strings, its layers and its labels."""
