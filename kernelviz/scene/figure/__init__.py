"""What every figure is made of: strokes, text, axes, glyphs, colours."""
