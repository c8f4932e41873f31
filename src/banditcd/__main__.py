"""``python -m banditcd`` is the same as the command ``banditcd``."""

import sys

from banditcd.cli import main

if __name__ == "__main__":
    sys.exit(main())
