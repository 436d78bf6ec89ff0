"""How hypothesis searches, for every test."""

from __future__ import annotations

from hypothesis import settings

# The same examples every time, so that a red run can be repeated and says something about the change. The
# search for new ones is a command of its own, to be run often: `pytest tests --hypothesis-profile=explore`.
# A busy machine is no reason for a test to fail, so there is no deadline.
settings.register_profile("kernelviz", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=50, print_blob=True)
settings.load_profile("kernelviz")
