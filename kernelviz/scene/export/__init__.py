"""Figures and films as files."""
