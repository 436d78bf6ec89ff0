"""The parts of the window that a stop of a lecture can hide, besides the layers of the canvas.

They stand apart from the language of lessons, which the window does not load until a lesson opens."""

PARTS = ("data", "kernel", "algorithm", "insight", "toolbar", "playback", "status")
