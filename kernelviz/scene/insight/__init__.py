"""The insight views, one file for each, found by reading this folder; a file without a view helps one that
has."""
