"""banditcd."""
