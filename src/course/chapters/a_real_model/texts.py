"""Texts, sentences and pairs that the real model reads, all written for this course.

The first token of a text is special to the model (chapter 9, *sinks*), so each sentence
begins with a word that no experiment compares.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

TEXTS = {
    "story": (
        "Every evening the keeper of the lighthouse wrote one line into a blue "
        "book. Most lines were about the wind. On the third of March he wrote that "
        "a boat without a sail had passed, and that a small dog stood in it and "
        "looked at him. His daughter laughed when she read it. She said that he had"
        " been alone for too long, and she brought him soup and a newspaper. But "
        "the next morning there were wet marks on the stairs, from the door up to "
        "the lamp, and the soup was gone. The keeper said nothing. He bought a "
        "second bowl, and from that day on his lines were no longer about the wind."
        " When the daughter came back in summer, the blue book lay open on the "
        "table, and the dog lay under it."
    ),
    "instructions": (
        "How to plant a young tree. You need a spade, a strong stake, some rope, "
        "and two buckets of water. First dig a hole that is twice as wide as the "
        "roots and just as deep. Loosen the soil at the bottom, but do not remove "
        "it. Push the stake into the ground beside the hole, on the side from which"
        " the wind blows. Then put the tree into the hole and hold it straight, "
        "while a second person fills the hole with soil. Press the soil down with "
        "your foot after each layer. Tie the tree to the stake with the rope, and "
        "leave room for the trunk to grow. Pour both buckets slowly around the "
        "tree. Water it again every third day for one month, and more often if the "
        "weather is dry and hot."
    ),
    "dialogue": (
        "“Excuse me, is this seat free?”\n“It is. But the window does not close, "
        "and it will rain.”\n“I do not mind the rain. Are you going to the "
        "coast?”\n“To the last station. My sister keeps bees there.”\n“How many "
        "bees does she keep?”\n“She says forty thousand, but she has never counted "
        "them.”\n“Do they sting her?”\n“Not her. They sting the man who reads the "
        "electricity meter.”\n“Poor man. Does he come often?”\n“Every March. He "
        "wears a white suit and two hats, one on top of the other.”\n“And does it "
        "help?”\n“The hats help. The suit does not. Look, here comes the rain. Take"
        " my coat, and move closer to the door.”"
    ),
    "list": (
        "Menu for Monday: onion soup, baked fish with rice, a green salad, and "
        "apple cake. Menu for Tuesday: onion soup, roast chicken with rice, a green"
        " salad, and lemon ice. Menu for Wednesday: tomato soup, baked fish with "
        "potatoes, a green salad, and apple cake. Menu for Thursday: onion soup, "
        "roast chicken with rice, a bean salad, and lemon ice. Menu for Friday: "
        "tomato soup, baked fish with rice, a green salad, and plum cake. Menu for "
        "Saturday: onion soup, roast beef with potatoes, a bean salad, and apple "
        "cake. Menu for Sunday: tomato soup, roast chicken with potatoes, a green "
        "salad, and lemon ice."
    ),
    "explanation": (
        "Glass is made of sand, but sand alone melts only at a very high "
        "temperature. For this reason soda is added, which lowers the melting "
        "point, and lime, which keeps the finished glass from dissolving in water. "
        "The mixture is heated in a furnace until it flows like honey. A window is "
        "made by pouring the hot glass onto a bath of liquid tin. The glass floats "
        "on the tin, spreads out, and becomes perfectly flat on both sides. It then"
        " moves slowly through a long tunnel, in which it cools over several hours."
        " If it cooled quickly, the outside would become hard while the inside was "
        "still soft, and the smallest scratch would break the whole sheet. Colors "
        "come from metals: iron makes glass green, cobalt makes it blue, and a "
        "trace of gold makes it red."
    ),
    "letter": (
        "Dear Mrs. Novak, thank you for your letter of May 4. I am sorry that the "
        "clock which we repaired for you has stopped again. Please bring it to our "
        "shop any day between nine and five, and we will look at it while you wait."
        " You asked whether the old spring could be kept. It could, but I would not"
        " advise it, since it has lost its strength and would slow the clock by ten"
        " minutes a week. A new spring costs thirty dollars, and the work is free, "
        "because the repair is less than one year old. You also wrote that the "
        "clock was a present from your grandfather. We will therefore keep every "
        "part that we take out, and give it back to you in a small box. With kind "
        "regards, Peter Marsh, clockmaker."
    ),
}
"""Six texts of different kinds."""

OTHER_TEXTS = {
    "news": (
        "The city council voted on Tuesday to close the old tram line between "
        "the harbor and the university. Two members were absent. The mayor, who "
        "had promised during the campaign to keep the line open, said that the "
        "repairs would cost more than a new bus service for twenty years. "
        "Students protested outside the hall with drums and pots. A spokesman "
        "for the company that runs the trams declined to comment, but an "
        "engineer who has worked there since 1988 told reporters that the tracks "
        "were in better condition than the report suggested. The last tram will "
        "leave the harbor on the final Sunday in October. Tickets for that ride "
        "have already been sold out, and some are offered online for ten times "
        "their price."
    ),
    "encyclopedia": (
        "The heron is a long-legged bird that lives near lakes, rivers and the "
        "sea. There are about seventy species. Most of them eat fish, frogs and "
        "insects, which they catch by standing still in shallow water and "
        "striking with their sharp bill. In flight a heron draws its neck back "
        "in the shape of an S, while storks and cranes stretch theirs forward. "
        "Herons build large nests of sticks, usually high in trees, and both "
        "parents sit on the eggs. Young birds leave the nest after about two "
        "months. In some countries herons are protected by law, because they "
        "were hunted for their feathers in the nineteenth century, and several "
        "species have become rare since the marshes were drained."
    ),
    "code": (
        "def read_scores(path):\n    scores = {}\n    with open(path) as file:\n "
        '       for line in file:\n            name, value = line.split(",")\n '
        "           scores[name] = int(value)\n    return scores\n\n\ndef "
        "best(scores, count):\n    names = sorted(scores, key=lambda name: "
        "scores[name])\n    return names[-count:]\n\n\nif __name__ == "
        '"__main__":\n    scores = read_scores("scores.csv")\n    for name '
        "in best(scores, 3):\n        print(name, scores[name])\n"
    ),
    "verse": (
        "The snow came down on the railway track,\nthe signal turned from green "
        "to red,\nand nobody knew when the train came back\nor what the driver "
        "had really said.\nThe stationmaster lit the stove,\nhis wife put barley "
        "in the pot,\nthe children sang, the old men strove\nto keep the little "
        "kitchen hot.\nAnd in the morning, clear and blue,\nthe track was gone, "
        "the train was there,\nand nobody ever really knew\nhow it had come, or "
        "who, or where."
    ),
    "contract": (
        "This agreement is made between the owner of the apartment, in the "
        "following called the landlord, and the person named above, in the "
        "following called the tenant. The tenant pays the rent on the first day "
        "of each month. If the rent is not paid within ten days, the landlord "
        "may end this agreement in writing. The tenant may not keep animals in "
        "the apartment without the consent of the landlord. The landlord repairs "
        "the heating, the windows and the roof. Small repairs below the sum of "
        "fifty dollars are paid by the tenant. Both parties may end this "
        "agreement with a notice of three months. Changes of this agreement are "
        "valid only in writing and must be signed by both parties."
    ),
    "interview": (
        "Interviewer: You have climbed the same mountain forty times. Why always "
        "the same one?\nClimber: Because it is never the same. The ice moves, "
        "the light moves, and I get older.\nInterviewer: Were you ever "
        "afraid?\nClimber: Every time, on the first hour. Afterwards I have no "
        "time for it.\nInterviewer: What do you eat up there?\nClimber: Dried "
        "apricots and cheese. My daughter sends me chocolate, but it "
        "freezes.\nInterviewer: Does she climb too?\nClimber: No. She studies "
        "law. She says that one of us must have a regular income.\nInterviewer: "
        "And will there be a forty-first time?\nClimber: Ask me in spring."
    ),
}
"""Six texts by another author, to test what was chosen on `TEXTS`."""

QUOTED = (
    "“The bridge is closed today,” said the guard, and he gave us back our tickets.",
    "“Who left the garden gate open?” asked my aunt, but nobody at the table answered.",
    "“I will pay you on Friday,” the painter wrote, and he put the letter on the desk.",
    "“Turn left at the church,” the boy told us, although the church was gone.",
    "“Is there any coffee left?” the pilot asked when the plane had landed.",
    "“We never sell old bread,” said the baker, and she closed the shop.",
    "“My boots are full of snow,” he said, and he sat down beside the stove.",
    "“Read the last page first,” the teacher said, and everybody laughed.",
    "“Have you seen my glasses?” asked the judge, who was wearing them.",
    "“It rains every time we meet,” she said, and she opened her umbrella.",
    "“The train has eleven cars,” the child told the man with the flag.",
    "“Give the horse some water,” the farmer said before he went to sleep.",
)
"""Sentences that begin with a quotation mark."""

REPEATED = 40
"""Length of a sequence of random words; the sequence then occurs a second time."""


class Pair(NamedTuple):
    """Two sentences that differ in one word, which decides between two nouns.

    Attributes
    ----------
    nouns : (str, str)
        The noun that the first sentence means, and the noun that the second means.
    sentences : (str, str)
    question : (str, str)
        Text after each sentence. The next word should be the noun that is meant.
    """

    nouns: tuple[str, str]
    sentences: tuple[str, str]
    question: tuple[str, str]


_AFTER = (  # the deciding word comes after "it": start, nouns, deciding words
    (
        "Yesterday the {a} sat on the {b} because it was",
        "cat mat, dog rug, bird bed, horse grass, lion rock, fox snow, cow hay, duck "
        "chair, child floor",
        "tired soft, hungry warm, sleepy flat",
    ),
    (
        "Yesterday the {a} did not cross the {b} because it was too",
        "animal street, dog road, cat river, horse bridge, bear lake, boy field, girl "
        "square, wolf forest, man desert",
        "tired wide, scared long, weak busy",
    ),
    (
        "Yesterday the {a} did not fit into the {b} because it was too",
        "ball box, book bag, lamp drawer, bottle basket, table room, car garage, "
        "picture frame, ship tunnel, coat case",
        "big small, large narrow, wide tight",
    ),
    (
        "Yesterday the {a} ate the {b} because it was",
        "dog cake, bird bread, horse apple, cat fish, mouse cheese, bear honey, pig "
        "corn, monkey fruit, girl soup",
        "hungry fresh, greedy sweet, starving delicious",
    ),
)

_AFTER_OTHERS = (  # in the form of `_AFTER`, by another author
    (
        "Last week the {a} hid behind the {b} because it was",
        "fox tree, cat wall, mouse box, rabbit stone, deer house, boy door, "
        "bird rock, snake bush, dog car",
        "afraid tall, shy wide, scared large",
    ),
    (
        "At noon the {a} could not pass through the {b} because it was too",
        "truck gate, piano door, bus tunnel, elephant hole, cow fence, "
        "boat bridge, bed window, table hall, wagon street",
        "fat tight, huge narrow, big small",
    ),
    (
        "At night the {a} drank the {b} because it was",
        "cat milk, dog water, bear juice, boy tea, girl coffee, horse beer, "
        "baby soup, pig wine, man drink",
        "thirsty fresh, lazy sweet, old warm",
    ),
    (
        "In the end the {a} broke the {b} because it was so",
        "hammer glass, stone window, ball lamp, storm roof, wave boat, "
        "wind tree, truck bridge, knife rope, bullet plate",
        "strong weak, hard thin, heavy old",
    ),
)


def after(*, others: bool = False) -> list[Pair]:
    """Return 36 pairs, or 36 other pairs, with the deciding word after *it*."""
    pairs = []
    for start, nouns, words in _AFTER_OTHERS if others else _AFTER:
        deciding = [each.split() for each in words.split(", ")]
        for i, each in enumerate(nouns.split(", ")):
            a, b = each.split()
            begun = start.format(a=a, b=b)
            last = deciding[i % len(deciding)]
            first, second = (f"{begun} {word}" for word in last)
            questions = tuple(f". What was {word}? The" for word in last)
            pairs.append(Pair((a, b), (first, second), questions))
    return pairs


_VERBS = {
    "ate": "apple cake",
    "read": "book letter",
    "drove": "car truck",
    "wore": "shirt hat",
    "drank": "milk coffee",
    "played": "piano guitar",
    "opened": "door window",
    "sang": "song",
    "rode": "horse bike",
}


_OTHER_VERBS = {
    "cooked": "rice soup",
    "baked": "bread pie",
    "climbed": "tree mountain",
    "mailed": "letter package",
    "painted": "wall fence",
    "milked": "cow goat",
    "watered": "garden plant",
    "burned": "wood paper",
    "hunted": "bear fox",
}
_BEGUN = "Yesterday Anna saw the {} and the {}. Then she"
_OTHERS_BEGUN = "This morning Ben found the {} and the {}. Later he"


def before(word: str = "it", *, others: bool = False) -> list[Pair]:
    """Return 36 pairs in which the verb before the last word decides.

    Parameters
    ----------
    word : str
        The last word: *it*, or a word that stands for neither noun.
    others : bool
        Whether to return 36 pairs by another author, with other verbs.
    """
    verbs, start = (_OTHER_VERBS, _OTHERS_BEGUN) if others else (_VERBS, _BEGUN)
    pairs = []
    for i, (one, two) in enumerate(combinations(verbs, 2)):
        a, b = (verbs[verb].split() for verb in (one, two))
        nouns = a[i % len(a)], b[(i // 2) % len(b)]
        order = nouns if i % 2 else nouns[::-1]
        begun = start.format(*order)
        first, second = (f"{begun} {verb} {word}" for verb in (one, two))
        pairs.append(Pair(nouns, (first, second), (", the", ", the")))
    return pairs


SENSES = {
    "bank": (
        "Slowly the boat drifted towards the bank",
        "After the flood, mud covered the whole bank",
        "Fish were jumping near the other bank",
        "The children swam across the river to the bank",
        "Willows grow along the water on this bank",
        "We pulled our canoe up onto the bank",
        "Deep in the valley a stream had worn away its bank",
        "An otter climbed out of the water onto the bank",
        "With a rod in his hand the fisherman sat on the bank",
        "The ducks left the pond and slept on the bank",
        "Frogs jumped into the river from the bank",
        "The ferry could not reach the muddy bank",
        "At low water you can see sand along the bank",
        "The horse drank from the brook and stood on the bank",
        "Reeds and grass covered the bank",
        "They built the mill beside the stream, on the left bank",
    ),
    "bank, money": (
        "My salary is paid every month into the bank",
        "To buy a house he needed a loan from the bank",
        "The robbers stole two million dollars from the bank",
        "She opened a savings account at the bank",
        "The interest was low, so he changed to another bank",
        "Before noon he deposited the checks at the bank",
        "The accountant sent all the papers to the bank",
        "Because of the crisis the state had to save the bank",
        "You can exchange your dollars for euros at the bank",
        "He forgot the number of his credit card and called the bank",
        "The company owes ten million to the bank",
        "Her brother works as a cashier in a bank",
        "They signed the mortgage at the bank",
        "I paid the bill by a transfer from my bank",
        "The merchant kept his gold and silver in the bank",
        "Investors sold their shares of the bank",
    ),
    "match": (
        "The crowd cheered when our team won the match",
        "After ninety minutes the referee ended the match",
        "The striker scored two goals in the match",
        "It rained, so they canceled the tennis match",
        "The players shook hands before the match",
        "Our coach was angry after the match",
        "Ten thousand fans came to see the match",
        "The goalkeeper was injured during the match",
        "Next Saturday there is a football match",
        "She lost the second set but won the match",
    ),
    "match, fire": (
        "In the dark cellar he struck a match",
        "To light the candle she needed a match",
        "The stove went out and he had no other match",
        "He burned his finger with a match",
        "She lit the lamp with her last match",
        "The smoker searched his pocket for a match",
        "They started the campfire with one wet match",
        "A box on the shelf held a single match",
        "The gas caught fire when he lit the match",
        "He blew out the flame of the match",
    ),
    "bat": (
        "At night in the cave we heard a bat",
        "Upside down from the beam hung a bat",
        "The owl hunted a mouse and a bat",
        "With its wings of thin skin flew a bat",
        "Insects are the food of this small bat",
        "It finds its way in the dark by echo, the bat",
        "The only mammal that can fly is the bat",
        "In the attic, among spiders, slept a bat",
        "The biologist studied the ears of the bat",
        "A vampire turned into a bat",
    ),
    "bat, sport": (
        "The pitcher threw the ball and he swung the bat",
        "The player hit a home run with his bat",
        "The coach gave her a glove and a bat",
        "In baseball you need a ball and a bat",
        "The batter broke his wooden bat",
        "She practiced her swing with a heavy bat",
        "The cricket team bought a new bat",
        "He struck the ball so hard that he dropped the bat",
        "In the locker lay a helmet and a bat",
        "The umpire looked at the crack in the bat",
    ),
}
"""Sentences that end with an ambiguous word, by the word and its sense."""


def senses() -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Yield each word with the sentences of its first and of its second sense."""
    names = iter(SENSES)
    for name, other in zip(names, names, strict=True):
        yield name, SENSES[name], SENSES[other]
