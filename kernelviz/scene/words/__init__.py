"""The painter of words: the map of the strings, its layers and its labels."""
