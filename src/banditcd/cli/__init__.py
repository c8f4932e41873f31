"""The command line: ``banditcd VERB ...``."""

from banditcd.cli.main import main

__all__ = ["main"]
