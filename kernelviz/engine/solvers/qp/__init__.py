"""The dual quadratic programme of every support vector machine."""
