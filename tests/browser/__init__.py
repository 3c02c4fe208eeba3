"""Browser tests of the built site: a package, so that they can share one browser."""
