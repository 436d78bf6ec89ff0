"""The one mutable thing: state, commands, undo, files; no Qt."""
