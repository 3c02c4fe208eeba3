"""Chapter 5, the worked example on "I bought apple to eat"."""
