"""The panel in which a lesson is read, answered and checked."""
