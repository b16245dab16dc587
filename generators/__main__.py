"""`python -m generators FAMILY OPTIONS…`."""

import sys

from generators.command import main

if __name__ == "__main__":
    main(sys.argv[1:])
