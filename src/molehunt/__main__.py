"""`python -m molehunt`."""

import sys

from molehunt.cli import main

sys.exit(main())
