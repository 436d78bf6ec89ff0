"""Session files: reading and writing, autosave, recovery after a crash.

`kviz` has the format, `records` its fields, `atomic` the writing; `autosave` keeps what is not saved,
and `crashed_sessions` finds it again."""
