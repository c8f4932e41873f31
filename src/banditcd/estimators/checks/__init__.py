"""Checks of parameters and data: everything a user can get wrong is said here, before any work."""
