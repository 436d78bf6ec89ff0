"""QtGui without widgets: one painter for screen and paper."""
