"""What can be written for the adviser, and how each entry is written, in words."""

from __future__ import annotations

from molehunt.core.language import _, later

HELP_WIDTH = 24
"""The column in which begins what a line does."""


def help_text() -> str:
    """What can be written for the adviser."""
    return _("""\
s ann Pl Ro Ha bob      Ann suggested Plum, Rope, Hall, and Bob showed a card; who had none follows
s me Pl Ro Ha bob Ro    you suggested, and Bob showed you the Rope (? if you do not know it)
s ann Pl Ro Ha me Ro    you showed Ann the Rope
s ann Pl Ro Ha -        nobody could show a card
s ann Pl ? Ha bob       you did not hear the weapon
a ann Pl Ro Ha no       Ann accused, and was wrong (yes: right)
seen bob Ro             you saw that Bob has the Rope (seen bob Ro no: that they have not; seen env Ro no: nor the envelope)
one bob Ro Ha           Bob has one of these
gone bob Pl Ro Ki ...   Bob left in the middle of the game and laid all their cards open: nobody asks them any more
at ann Ki               Ann stands in the Kitchen, which they must name there (at ann -: in no room)
suggest                 what should I suggest, and why
reach Ha St             I can reach Hall or Study: all suggestions there, the best first (reach: all there are)
show ann Pl Ro Ha       Ann asks me: which card should I show
accuse                  should I accuse
sheet                   who has what, with probabilities; words: the same, line by line in words
why bob Ro              why is it certain that Bob has it, or not; why env Ro: the envelope
log                     all entries with their numbers
edit 3 s ann ...        put another entry in the place of number 3; insert 3 ..., drop 3
undo, redo              take back the last change, whatever it was; make it again
hand Pl Ro ..., sizes 6 6 6, rename bob Rob    correct what was dealt, and names
faceup Pl Ro            these cards were left over and lie face up (faceup -: none do)
board 2                 rooms are named where one stands, and a player suggests once in 2 turns (board no: in every turn, anywhere)
cards, save [FILE], help, quit
Players by the beginning of a name, or me; cards by codes or parts of names: Pe, peacock, mrs p.""")


SUGGESTED = later(
    "write who suggested, three cards, who showed one (- where nobody could) and the card if you saw it: "
    "s ann {example} bob"
)
ACCUSED = later("write who accused, three cards, and yes or no, whether it was right: a ann {example} no")
SAW = later("write a player and a card, and no where they have it not: seen bob {card}")
ASKED = later("write who asks and the three cards: show ann {example}")
HAS_ONE = later("write a player and two cards or more, of which they have one: one bob {example}")
LEFT = later("write who left the table and all their cards, which they laid open: gone bob {example} ...")
STANDS = later("write a player and a room, or - where they stand in none: at ann {room}")
AT = later("write a player, or env for the envelope, and a card: why bob {card}")
