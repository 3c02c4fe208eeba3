"""The words of the toy grammar in English and French, with every form written out.

No rule inflects a word, so every line can be checked with a dictionary.
"""

from dataclasses import dataclass
from typing import Literal

Gender = Literal["m", "f"]
Kind = Literal["person", "animal", "food", "thing"]
KINDS: tuple[Kind, ...] = ("person", "animal", "food", "thing")


@dataclass(frozen=True)
class Noun:
    """A noun in both languages; a `mass` noun has no plural and no article *a*."""

    english: tuple[str, str]  # singular, plural
    french: tuple[str, str]
    gender: Gender
    kind: Kind
    mass: bool = False


@dataclass(frozen=True)
class Adjective:
    """An adjective; `before` is whether the French adjective stands before its noun."""

    english: str
    french: tuple[str, str, str, str]  # le, la, les (m), les (f)
    before: bool = False


@dataclass(frozen=True)
class Auxiliary:
    """The French verb between a subject and its predicate or participle.

    Each tense has four forms: je, il, nous, ils.
    """

    present: tuple[str, str, str, str]
    past: tuple[str, str, str, str]


ETRE = Auxiliary(
    ("suis", "est", "sommes", "sont"), ("étais", "était", "étions", "étaient")
)
AVOIR = Auxiliary(("ai", "a", "avons", "ont"), ("avais", "avait", "avions", "avaient"))
ALLER = Auxiliary(
    ("vais", "va", "allons", "vont"), ("allais", "allait", "allions", "allaient")
)


@dataclass(frozen=True)
class Verb:
    """A verb in both languages; `objects` are the kinds of nouns that may follow it.

    With *être* the participle agrees with the subject. With *avoir* the four forms of
    the participle are equal. A `reflexive` verb follows *me*, *se* or *nous*: *je
    m'assieds*.
    """

    english: tuple[str, str, str]  # I, he, past
    french: tuple[str, str, str, str]  # je, il, nous, ils
    participle: tuple[str, str, str, str]  # il, elle, ils, elles
    objects: tuple[Kind, ...] = ()
    auxiliary: Auxiliary = AVOIR
    reflexive: bool = False


@dataclass(frozen=True)
class Game:
    """A game; the French words follow *jouer*: *au football*."""

    english: str
    french: tuple[str, str]


# I, he, we, they
BE = {"present": ("am", "is", "are", "are"), "past": ("was", "was", "were", "were")}


@dataclass(frozen=True)
class Predicate:
    """A predicate after *to be*; `auxiliary` is the French verb before it."""

    english: str
    french: tuple[str, str, str, str]  # il, elle, ils, elles
    auxiliary: Auxiliary = ETRE


def rows(table: str) -> list[list[str]]:
    """Return the words of each line of a table."""
    return [line.split() for line in table.strip().splitlines()]


# English: singular, plural | French: singular, plural, gender | kind
_NOUNS = """
boy boys garçon garçons m person
girl girls fille filles f person
man men homme hommes m person
woman women femme femmes f person
king kings roi rois m person
queen queens reine reines f person
uncle uncles oncle oncles m person
aunt aunts tante tantes f person
child children enfant enfants m person
cat cats chat chats m animal
dog dogs chien chiens m animal
horse horses cheval chevaux m animal
cow cows vache vaches f animal
bird birds oiseau oiseaux m animal
hen hens poule poules f animal
rabbit rabbits lapin lapins m animal
goat goats chèvre chèvres f animal
wolf wolves loup loups m animal
turtle turtles tortue tortues f animal
bee bees abeille abeilles f animal
mouse mice souris souris f animal
apple apples pomme pommes f food
pear pears poire poires f food
cake cakes gâteau gâteaux m food
egg eggs œuf œufs m food
onion onions oignon oignons m food
carrot carrots carotte carottes f food
lemon lemons citron citrons m food
tomato tomatoes tomate tomates f food
food - nourriture - f food
bread - pain - m food
table tables table tables f thing
chair chairs chaise chaises f thing
book books livre livres m thing
letter letters lettre lettres f thing
car cars voiture voitures f thing
house houses maison maisons f thing
bag bags sac sacs m thing
hat hats chapeau chapeaux m thing
tree trees arbre arbres m thing
flower flowers fleur fleurs f thing
key keys clé clés f thing
boat boats bateau bateaux m thing
star stars étoile étoiles f thing
coat coats manteau manteaux m thing
bottle bottles bouteille bouteilles f thing
mat mats tapis tapis m thing
bed beds lit lits m thing
ball balls balle balles f thing
water - eau - f thing
"""
NOUNS = tuple(
    Noun((one, many), (un, plusieurs), gender, kind, mass=many == "-")
    for one, many, un, plusieurs, gender, kind in rows(_NOUNS)
)

_ADJECTIVES = """
small petit petite petits petites before
big grand grande grands grandes before
pretty joli jolie jolis jolies before
black noir noire noirs noires after
white blanc blanche blancs blanches after
red rouge rouge rouges rouges after
green vert verte verts vertes after
blue bleu bleue bleus bleues after
yellow jaune jaune jaunes jaunes after
grey gris grise gris grises after
brown brun brune bruns brunes after
heavy lourd lourde lourds lourdes after
clean propre propre propres propres after
dirty sale sale sales sales after
cold froid froide froids froides after
round rond ronde ronds rondes after
strange étrange étrange étranges étranges after
expensive cher chère chers chères after
soft doux douce doux douces after
wet mouillé mouillée mouillés mouillées after
"""
ADJECTIVES = tuple(
    Adjective(english, tuple(forms), before=place == "before")
    for english, *forms, place in rows(_ADJECTIVES)
)

# Predicates of people and animals only.
FEELINGS = (
    Predicate("tired", ("fatigué", "fatiguée", "fatigués", "fatiguées")),
    Predicate("happy", ("content", "contente", "contents", "contentes")),
    Predicate("sad", ("triste", "triste", "tristes", "tristes")),
    Predicate("hungry", ("faim",) * 4, AVOIR),
    Predicate("thirsty", ("soif",) * 4, AVOIR),
    Predicate("good", ("bien",) * 4, ALLER),
)
QUALITIES = tuple(Predicate(a.english, a.french) for a in ADJECTIVES)

EITHER = tuple(q for q in QUALITIES if q.english in ("small", "big", "heavy", "wet"))
"""Adjectives with which *it* may mean either noun: *because it is small*."""

# English: I, he, past | French: je, il, nous, ils, participle | kinds of objects
_VERBS = """
eat eats ate mange mange mangeons mangent mangé food
see sees saw vois voit voyons voient vu any
watch watches watched regarde regarde regardons regardent regardé any
find finds found trouve trouve trouvons trouvent trouvé any
wash washes washed lave lave lavons lavent lavé any
push pushes pushed pousse pousse poussons poussent poussé any
hide hides hid cache cache cachons cachent caché any
draw draws drew dessine dessine dessinons dessinent dessiné any
bite bites bit mords mord mordons mordent mordu any
love loves loved aime aime aimons aiment aimé any
carry carries carried porte porte portons portent porté any
buy buys bought achète achète achetons achètent acheté goods
"""
_OBJECTS: dict[str, tuple[Kind, ...]] = {
    "food": ("food",),
    "goods": ("animal", "food", "thing"),
    "any": KINDS,
}
VERBS = tuple(
    Verb(tuple(forms[:3]), tuple(forms[3:7]), (forms[7],) * 4, _OBJECTS[takes])
    for *forms, takes in rows(_VERBS)
)
TO_EAT = tuple(verb for verb in VERBS if verb.english[0] in ("find", "buy"))
"""Verbs whose object may be food *to eat*: *I bought an apple to eat*."""

PLAY = Verb(
    ("play", "plays", "played"), ("joue", "joue", "jouons", "jouent"), ("joué",) * 4
)
GAMES = (
    Game("football", ("au", "football")),
    Game("tennis", ("au", "tennis")),
    Game("chess", ("aux", "échecs")),
    Game("cards", ("aux", "cartes")),
)

ACTIVITIES = (
    Verb(
        ("sit", "sits", "sat"),
        ("assieds", "assied", "asseyons", "asseyent"),
        ("assis", "assise", "assis", "assises"),
        auxiliary=ETRE,
        reflexive=True,
    ),
    Verb(
        ("fall", "falls", "fell"),
        ("tombe", "tombe", "tombons", "tombent"),
        ("tombé", "tombée", "tombés", "tombées"),
        auxiliary=ETRE,
    ),
    Verb(
        ("sleep", "sleeps", "slept"),
        ("dors", "dort", "dormons", "dorment"),
        ("dormi",) * 4,
    ),
    Verb(
        ("run", "runs", "ran"), ("cours", "court", "courons", "courent"), ("couru",) * 4
    ),
    Verb(
        ("dance", "dances", "danced"),
        ("danse", "danse", "dansons", "dansent"),
        ("dansé",) * 4,
    ),
    Verb(
        ("sing", "sings", "sang"),
        ("chante", "chante", "chantons", "chantent"),
        ("chanté",) * 4,
    ),
)
"""Verbs without an object; each may have a place: *on the mat*."""
