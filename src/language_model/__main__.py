"""Gets the file of the model: ``python -m language_model``."""

import sys

from language_model.fetch import main

sys.exit(main())
