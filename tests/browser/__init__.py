"""The built site in a browser: a package, so that its tests can share one browser."""
