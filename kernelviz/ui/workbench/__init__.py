"""The session and the worker as widgets see them, and settings that are kept between starts."""
