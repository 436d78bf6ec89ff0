"""A light form of the drag benchmark: the scene runs, paints and shows fresh results."""

from __future__ import annotations

import shutil

import pytest

from tests.benchmarks.drag import measure


@pytest.mark.benchmark
@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="a real window needs xvfb-run")
def test_dragging_in_a_real_window_shows_fresh_results_all_the_time():
    found = measure(60, 1.0, clicks=2)
    assert found is not None
    # How often and how soon is for the benchmark: other tests may keep the processors busy.
    assert found["paints"] > 0
    assert found["fresh"] > 0
    assert found["click_median"] > 0
