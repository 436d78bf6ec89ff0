"""Scripts that rebuild a figure: Copy as Python and Copy as scikit-learn."""
