"""The main window: its layout and its commands."""
