"""The parts of figures: strokes, type, glyphs, stamps, colours and legends, and the figure of a workspace."""
