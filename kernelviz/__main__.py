"""`python -m kernelviz`."""

import sys

from kernelviz.cli import main

sys.exit(main())
