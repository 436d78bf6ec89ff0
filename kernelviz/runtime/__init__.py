"""Work on other threads and processes, without Qt.

A `Request` says what to fit and to sample; the `Runner` answers with `Frame`s, and the latest request
wins. Everything else that takes long is a generator, run by `Jobs` on a thread or by `spread` in other
processes."""
