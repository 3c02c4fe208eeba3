"""Exercise of *Before attention*."""

from course.widgets import Exercise, Slip


def layers_of_a_wider_convolution() -> Exercise:
    """Return an exercise: number of layers from the first to the last of 33 words."""
    return Exercise(
        "layers-of-a-wider-convolution",
        "In another convolution each word reads two words on each side. How many "
        "layers lead from the first word to the last, in a sentence of 33 words?",
        truth=16,
        digits=0,
        slips=[
            Slip(32, "That is the number with one word on each side."),
            Slip(
                33,
                "Word 33 stands 32 places after word 1, and each layer moves the "
                "information by two words.",
            ),
            Slip(8, "Each layer moves the information by two words, not by four."),
        ],
        hint="How many words further does the information move in one layer?",
        steps=["Word 33 stands 32 places after word 1.", "32 / 2 = ?"],
    )
