"""Freeze what the program shows, and compare two such records.

`python -m tests.pictures write DIR` draws every view with every switch, and every workspace, for six
documents at three sizes in three themes. It also writes which points are found under the mouse, the texts of
the window, and the JSON of the command line. `python -m tests.pictures compare DIR DIR` lists differences."""
