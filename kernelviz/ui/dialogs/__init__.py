"""Dialogues: exporting figures and animations, choosing columns, recovering sessions, short questions."""
