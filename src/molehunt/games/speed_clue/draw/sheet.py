"""The marks of a sheet, and the sentences beside it, shared by both drawings."""

from __future__ import annotations

from molehunt.games.speed_clue.friendly import Suggestion, View

HOLDS, LACKS, MAY, UNKNOWN = "holds", "lacks", "may", "unknown"


def marks(view: View) -> dict[tuple[str, int], str]:
    """What the seat has seen of each card and seat: HOLDS, LACKS, MAY (showed one of three) or UNKNOWN."""
    names = view.game.edition.names
    found = {(card, seat): UNKNOWN for card in names for seat in range(view.seats)}

    def holds(card: str, seat: int) -> None:
        for other in range(view.seats):
            found[card, other] = HOLDS if other == seat else LACKS

    for card in names:
        if card in view.hand:
            holds(card, view.seat)
        else:
            found[card, view.seat] = LACKS
    for made in view.suggestions:
        for seat in made.without:
            for card in made.cards:
                found[card, seat] = LACKS
        if made.shown is not None and made.disprover is not None and made.disprover != view.seat:
            holds(made.shown, made.disprover)
    for made in view.suggestions:
        if made.disprover is not None and made.shown is None:
            for card in made.cards:
                if found[card, made.disprover] == UNKNOWN:
                    found[card, made.disprover] = MAY
    return found


def seat_name(view: View, seat: int) -> str:
    """`you`, or `seat 2`."""
    return "you" if seat == view.seat else f"seat {seat}"


def headline(view: View) -> str:
    """Whose move it is, and which."""
    if view.to_move is None:
        right = [seat for seat, _, correct in view.accusations if correct]
        return f"the game is over: {seat_name(view, right[0])} solved it" if right else "the game is over"
    who = seat_name(view, view.to_move)
    verb = "are" if who == "you" else "is"
    what = {"turn": "to begin a turn", "answer": "to show a card", "after": "to accuse or end the turn"}[view.phase]
    return f"{who} {verb} {what}"


def sentence(view: View, made: Suggestion) -> str:
    """A suggestion of the record in words, as the seat may know it."""
    parts = [f"{seat_name(view, made.seat)}: {', '.join(made.cards)}"]
    parts += [f"{seat_name(view, seat)} none" for seat in made.without]
    if made.disprover is not None:
        parts.append(f"{seat_name(view, made.disprover)} showed {made.shown or 'a card'}")
    elif made.awaited:
        parts.append(f"{seat_name(view, view.to_move if view.to_move is not None else made.seat)} must show")
    else:
        parts.append("nobody disproved")
    return " · ".join(parts)


def accusation_sentence(view: View, seat: int, cards: tuple[str, str, str], right: bool) -> str:
    """An accusation in words."""
    return f"{seat_name(view, seat)} accused {', '.join(cards)}: {'right' if right else 'wrong'}"
