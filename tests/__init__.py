"""The tests, and the programs that they start, are compiled once, as installed programs are, also where the
machine is told to write no bytecode."""

import os
import sys

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
