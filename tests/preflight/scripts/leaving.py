"""A script that leaves with words, and not nice ones."""

import sys

sys.exit("no data in \x1b[31m/data")
