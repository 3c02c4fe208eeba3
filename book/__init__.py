"""Build the site. No chapter needs this package to run."""
