"""The pictures of the insight views, each computed from a frame, and the small plots they are made of."""
