"""Whole games in other languages: nothing of what people are told is left in English.

A language made for this test puts each text of the catalogue into ⟦⟧. Whatever is shown of a game must then lie within them, but
for names, notation and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from molehunt.advice.entries import Seen
from molehunt.advice.file import to_json
from molehunt.advice.session import AdviceSession
from molehunt.agents.registry import Agents
from molehunt.core import language
from molehunt.core.errors import NotWritten
from molehunt.core.interpreting import interpreting
from molehunt.core.panels import Bars, Grid, Panel, Words
from molehunt.games.registry import make_game
from molehunt.games.speed_clue.edition import BUILT_IN, load_edition
from molehunt.table import reasons
from molehunt.table.clue_words import heard
from molehunt.table.game_words import event_in_words, rules_of, words_of
from molehunt.table.plain_words import plain_reason
from molehunt.table.session import Session, Sitter
from molehunt.terminal.advice import AdviceTerminal
from molehunt.terminal.advice_setup import Given, ask_deal
from molehunt.terminal.prompts import LeftTable, Prompter
from molehunt.web import adviser
from terminal.clue_person import Screen

NAMES = ("Ann", "Bob", "Carol")
TABLES = {
    "saboteur": ("official+talk:rounds=1", ("kripke-2012", "decision-2019", "random")),
    "duel": ("mcgill", ("greedy-2020", "random")),
    "speed_clue": ("mitchell", ("advanced", "basic", "random")),
}
MOVES = 24
MADE_UP = "xx"
NOTATION = re.compile(
    r"[PD]_[NESW]+|\b(?:map|discard|drop|claim|suggest|accuse|show):[\w:=+]*|\brock[12]\b|\([A-Z][a-z]\)|\b[sx]\b"
)


@pytest.fixture(scope="module", autouse=True)
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The made-up language, beside those that there are."""
    folder = tmp_path_factory.mktemp("languages")
    with (language.CATALOGUES / "de.po").open("rb") as file:
        german = read_po(file, locale="de")
    wrapped = Catalog(locale="de", fuzzy=False)
    for message in german:
        if message.id:
            texts = [message.id] if isinstance(message.id, str) else [*message.id]
            said = [f"⟦{text}⟧" for text in texts]
            wrapped.add(message.id, said[0] if len(said) == 1 else said)
    with (folder / f"{MADE_UP}.mo").open("wb") as file:
        write_mo(file, wrapped)
    (folder / "de.mo").write_bytes((language.CATALOGUES / "de.mo").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "CATALOGUES", folder)
        forget()
        yield
    forget()


def forget() -> None:
    language.languages.cache_clear()
    language._catalogues.clear()


def outside(text: str) -> str:
    """The letters of a text that stand in no brackets; of names and notation none."""
    while (within := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = within
    for name in NAMES:
        text = text.replace(name, "")
    return re.sub(r"[^A-Za-z⟦⟧]", "", NOTATION.sub("", text))


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_cards_of_a_set_have_different_names_in_german(name: str) -> None:
    edition = load_edition(name)
    assert [edition.said(card) for card in range(len(edition.names))] == [*edition.names]
    with language.speaking("de"):
        said = [edition.said(card) for card in range(len(edition.names))]
        # Cards are found by either name, and by their codes.
        for card, typed in enumerate(zip(said, edition.names, edition.codes, strict=True)):
            assert {heard(lambda cards, text=text: cards.find(text), edition) for text in typed} == {card}  # type: ignore[misc]
    assert len(set(said)) == len(said)


@pytest.fixture(scope="module", params=TABLES)
def session(request: pytest.FixtureRequest) -> Session:
    """A game of each kind, some moves on."""
    ruleset, agents = TABLES[request.param]
    game = make_game(request.param, ruleset, len(agents))
    with interpreting(wanted=True):
        played = Session(
            game,
            [Sitter(name, Agents(request.param).make(agent)) for name, agent in zip(NAMES, agents, strict=False)],
            7,
        )
        for _ in range(MOVES):
            played.step()
    return played


def told(session: Session) -> Iterator[str]:
    """All that is told of a game: its rules, log, moves, reasons and beliefs."""
    game, names = session.game, session.names
    yield rules_of(game)
    for number in range(1, len(session.events) + 1):
        for seat in (None, *range(game.seats)):
            yield event_in_words(game, session.event(number, seat), names, seat)
    words = words_of(game)
    for seat in range(game.seats):
        for move in game.legal_actions(session.view(seat)):
            yield words.move(str(move), names, seat)
            yield words.group(str(move))
    for text in reasons.every_reason(session):
        plain = plain_reason(game, text, names)
        yield plain.text
        yield from (choice.words for choice in plain.choices)
    for seat in range(game.seats):
        for panel in reasons.beliefs(session, seat)[1]:
            yield from words_of_panel(panel)


def words_of_panel(panel: Panel) -> Iterator[str]:
    yield panel.title
    match panel:
        case Bars(rows=rows):
            yield from (row.label for row in rows)
        case Grid(columns=columns, groups=groups):
            yield from columns
            yield from (group.title for group in groups)
        case Words(text=text):
            yield text


def test_all_that_is_told_of_a_game_is_a_text_of_the_catalogue(session: Session) -> None:
    with language.speaking(MADE_UP), interpreting(wanted=True):
        texts = [*told(session)]
    left = {text: outside(text) for text in texts if outside(text)}
    assert left == {}
    assert any("⟦" in text for text in texts)


def test_the_same_game_is_told_in_english_and_in_german_with_the_same_names_and_numbers(session: Session) -> None:
    with interpreting(wanted=True):
        english = [*told(session)]
        with language.speaking("de"):
            german = [*told(session)]
    assert len(english) == len(german)
    differ = sum(one != other for one, other in zip(english, german, strict=True))
    assert differ > len(english) / 2
    for one, other in zip(english, german, strict=True):
        for name in NAMES:
            assert (name in one) == (name in other) or "'s own " in one, (one, other)


def test_brackets_are_missed_where_a_text_is_not_translated() -> None:
    assert outside("⟦Ann ⟦digs⟧⟧.") == ""
    assert outside("⟦Ann⟧ digs Ann") == "digs"


# --- The adviser at a real table ----------------------------------------------------------------------------------------

SITTING_DOWN = [
    "help",
    "report",
    "",
    "Ann",
    "Ann, Bob, Bob",
    "Ann, Bob, Carol",
    "zed",
    "ann",
    "nonsense",
    "",
    "",
    "Mu Mu",
    "spam",
    "Mu Gr",
]
SITTING_DOWN += ["perhaps", "no", "Mu Gr Le Re Ha Li"]
ENTERED = ["help", "suggest", "s b Pe Ro Ki c", "s c Pe ? Ki -", "s me Pe Wr Ki bob wr", "s c Mu Wr Ha me ha"]
ENTERED += ["a carol Pl Ro Ki no", "seen bob da", "seen env sc no", "one bob St Lo", "at carol Ki", "at carol -", "log"]
ASKED_FOR = [
    "advice",
    "accuse",
    "reach St",
    "at me Ki",
    "i am in the Kitchen",
    "show bob Gr Le Ha",
    "",
    "show b Mu Ca Ha",
]
ASKED_FOR += ["ha", "why da", "why bob wr", "why env da", "why ha", "why me ro", "sheet", "cards"]
CORRECTED = ["edit 1", "undo", "redo", "insert 2 seen carol lou", "undo", "drop 1", "undo", "hand", "sizes", "board 2"]
CORRECTED += ["board", "board no", "faceup", "rename bob Rob", "rename Rob Bob", "save", "save other.json"]
CONTRADICTED = ["seen carol da", "suggest", "log", "undo", "s b Mu Ro Ha c mu", "sheet", "undo", "show b Pe Ro Co"]
MISTAKEN = ["xyz", "sh", "s zed Pe Ro Ki b", "s b Pe Ro Kx c", "s b P Ro Ki c", "s b Pe Ro Ki b", "s b Pe Ro", "a b Pe"]
MISTAKEN += [
    "seen b",
    "seen me ro",
    "one b ro",
    "at b",
    "why b",
    "why c ca",
    "why ca",
    "show b",
    "reach spam",
    "i can fly",
]
MISTAKEN += [
    "s me Pe Ro Ki b",
    "s b Mu Ro Ha me",
    "a c Pe Ro Ki no",
    "edit",
    "edit x",
    "edit 99",
    "edit 1 no",
    "drop 1 2",
]
MISTAKEN += ["hand Pe", "hand Mu Mu", "sizes 1 2", "sizes x", "sizes 5 5 8", "board x", "board 99", "rename b"]
MISTAKEN += ["rename b Ann, x", "rename b Carol", "rename b no", "save nowhere", "a me Pe Ro Ki no", "suggest", "undo"]
OVER = ["a b Pl Ro Ba yes", "suggest", "s c Pe Ro Ki b", "undo"]


def advised(read_at: Iterator[str], folder: Path) -> tuple[str, AdviceSession]:
    """All that a terminal shows of a session with the adviser, its prompts with it; and the session."""
    screen = Screen()
    shown: list[str] = []

    def read(prompt: str) -> str:
        shown.append(prompt)
        try:
            return next(read_at)
        except StopIteration:
            raise EOFError from None

    def write(path: Path, _data: bytes) -> None:
        if path.name == "nowhere":
            raise NotWritten("⟦no⟧")

    prompter = Prompter(screen.console, read)
    session = AdviceSession(ask_deal(prompter, Given()))
    with pytest.raises(LeftTable):
        AdviceTerminal(session, prompter, folder / "game.json", write).run()
    return "\n".join([*shown, screen()]), session


LINES = [*SITTING_DOWN, *ENTERED, *ASKED_FOR, *CORRECTED, *CONTRADICTED, *MISTAKEN, *OVER]


def test_a_whole_session_with_the_adviser_is_in_the_language_that_is_spoken(tmp_path: Path) -> None:
    with language.speaking(MADE_UP):
        shown, session = advised(iter(LINES), tmp_path)
    # The sheet cuts what does not fit its first column, and the bracket with it.
    shown = re.sub(r"^  ⟦[^⟦⟧\n]{15} ", "", shown, flags=re.MULTILINE)
    assert not outside(shown), [line for line in shown.splitlines() if outside(line)]
    for told in (
        "These cannot all be true:",
        "entry 6 (",
        "Why the first: ",
        ", because",
        "Dropped: ",
        "The players are ",
    ):
        assert told in shown
    assert len(session.entries) >= 9


def test_a_session_with_the_adviser_is_the_same_in_german(tmp_path: Path) -> None:
    english, one = advised(iter(LINES), tmp_path)
    with language.speaking("de"):
        german, other = advised(iter(LINES), tmp_path)
    assert (one.entries, one.deal) == (other.entries, other.deal)
    assert re.findall(r"\d+ ?%", german) == re.findall(r"\d+ ?%", english)
    for word in ("Widerspruch", "Eintrag 6", "Warum das Erste", "denn", "Gestrichen", "Die Spieler sind"):
        assert word in german


def texts_of(answer: object) -> Iterator[str]:
    """All texts of what a page is sent that are shown to people."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            if key not in ("code", "name", "what", "mark", "title", "entry"):  # an entry is as the file has it
                yield from texts_of(value)
    elif isinstance(answer, (list, tuple)):
        for each in answer:
            yield from texts_of(each)
    elif isinstance(answer, str):
        yield answer


def test_what_the_adviser_tells_a_page_is_in_the_language_that_is_spoken(tmp_path: Path) -> None:
    _shown, session = advised(iter([*SITTING_DOWN, *ENTERED]), tmp_path)
    asked = {"by": "Bob", "cards": ["Reverend Green", "Lead Pipe", "Hall"]}
    questions: list[dict[str, object]] = [
        {"explain": {"card": "Wrench", "place": "Bob"}},
        {"explain": {"card": "Candlestick", "place": "envelope"}},
        {"asked": asked},
        {"rooms": ["Study"]},
    ]
    game = msgspec.Raw(to_json(session))
    with language.speaking(MADE_UP):
        answers = [adviser.answer(msgspec.json.encode({"game": game, **more})) for more in questions]
        session.add(Seen(2, session.deal.edition.find("dagger")))
        answers.append(adviser.answer(msgspec.json.encode({"game": msgspec.Raw(to_json(session))})))
    left = {text for answer in answers for text in texts_of(answer) if outside(text)}
    assert left == set()
    assert [answer["conflict"] is not None for answer in answers] == [False] * 4 + [True]
    assert answers[-1]["conflict"]["of_hand"] is False
