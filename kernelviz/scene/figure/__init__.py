"""What figures are drawn with: strokes, type, glyphs, stamps, colours and legends, and the figure of a
workspace."""
