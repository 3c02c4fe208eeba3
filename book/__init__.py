"""How the site is made: nothing here is needed to run a chapter."""
