"""From text to a fitted model: expressions, fits, solving, held-out points."""
