"""Pictures of paths and cross-validations, and progress."""
