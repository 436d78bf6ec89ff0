"""From text to a fitted model: registry, expressions, fits, solving, held-out points."""
