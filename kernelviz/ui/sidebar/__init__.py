"""The panels next to the canvas: data, kernel and algorithm; and the playback bar."""
