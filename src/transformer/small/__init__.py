"""Two small stacks of layers that training moves under the reader's eyes.

`stack` is the machine: words, layers, and a score for each word at every place. With
`pronouns` it learns what *it* stands for in a sentence, with `induction` to go on with
what has stood there before. `course` shows what their heads do.
"""
