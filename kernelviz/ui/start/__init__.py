"""What happens before the first picture."""
