"""What algorithms share: the dual quadratic programme and linear models."""
