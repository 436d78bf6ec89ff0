"""The one painter: pictures in data coordinates, drawn in points for screen and paper alike."""
