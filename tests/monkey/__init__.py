"""A random user with a seed: clicks, drags, types, opens, drops, undoes, closes, and must break nothing.

`python -m tests.monkey --events 100000 --seed 7` is the long form; test_monkey.py the short one."""
