"""The command line."""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Run a command; the exit code is 0, 2 (bad input) or 3 (not converged)."""
    print("kernelviz: the window is not built yet; see `kernelviz --help`.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
