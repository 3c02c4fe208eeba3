"""Interactive views: state in Python traits, each view an ES module beside it."""
