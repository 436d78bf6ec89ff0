"""The main window: what sits where, and what its commands do."""
