"""Figures into files: PNG, SVG, PDF and animations, all by the one painter."""
