"""Run the command: ``python -m book.new``."""

import sys

from book.new import main

sys.exit(main())
