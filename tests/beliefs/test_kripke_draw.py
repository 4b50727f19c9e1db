"""Drawings of Kripke models: whole, well-formed, and true to the model."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from molehunt.beliefs import kripke_draw
from molehunt.beliefs.kripke import KripkeModel, choose_worlds
from molehunt.beliefs.kripke_draw import as_svg, as_text
from molehunt.core.errors import UnknownName
from reference import kripke as slow

SVG = "{http://www.w3.org/2000/svg}"


def example() -> KripkeModel:
    """Five agents: cells, from everywhere, arrows, nothing at all, and the arrows again."""
    links = np.zeros((5, 3, 3), np.bool_)
    links[0] = [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    links[1, :, 1:] = True
    links[2] = links[4] = [[1, 1, 0], [0, 0, 0], [1, 1, 0]]
    return KripkeModel(["rain", "<sun>", "not p"], range(5), {"p": [0, 1], "q(1)": [0]}, links)


def model_of(seed: int, size: int, agents: int = 4) -> KripkeModel:
    draw = random.Random(seed)
    worlds = [f"w{number}" for number in range(size)]
    frames = ("S5", "KD45", "K45", "K")
    links = [slow.random_links(draw, worlds, frames[agent % 4]) for agent in range(agents)]
    belief = np.array([[[(here, there) in one for there in worlds] for here in worlds] for one in links])
    belief[1] = belief[1, 0]  # from everywhere
    return KripkeModel(worlds, range(agents), {"p": worlds[::2]}, belief)


def read_back(svg: str, agents: int, size: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The relations that the drawn parts say they stand for."""
    links = np.zeros((agents, size, size), np.bool_)
    for part in ET.fromstring(svg).iter():  # noqa: S314 - our own drawing
        if (agent := part.get("data-agent")) is None:
            continue
        relation = links[int(agent)]
        if (cell := part.get("data-cell")) is not None:
            members = [int(world) for world in cell.split()]
            relation[np.ix_(members, members)] = True
        elif part.get("data-square") is not None:
            for x, y, width, height in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", part.get("d", "")):
                area = relation[int(y) : int(y) + int(height), int(x) : int(x) + int(width)]
                assert not area.any(), "drawn twice"
                area[:] = True
        elif (start := part.get("data-from")) is not None:
            relation[int(start), int(part.get("data-to", ""))] = True
        else:
            relation[:, int(part.get("data-to", ""))] = True
    return links


# ---- Text


def test_the_text_says_all_there_is() -> None:
    assert as_text(example(), actual="<sun>") == (
        "3 worlds, 5 agents\n"
        "  rain     p  q(1)\n"
        "> <sun>    p\n"
        "  'not p'  -\n"
        "belief\n"
        "  agent 0    S5    cells [rain <sun>] ['not p']\n"
        "  agent 1    KD45  from everywhere -> <sun> 'not p'\n"
        "  agents 2, 4  K4    rain 'not p' -> rain <sun>\n"
        "                     <sun> -> nothing\n"
        "  agent 3    KB45  from everywhere -> nothing\n"
    )


def test_the_text_of_the_plainest_relations_and_of_knowledge() -> None:
    everything, itself = np.ones((1, 2, 2), np.bool_), np.eye(2, dtype=np.bool_)[None]
    text = as_text(KripkeModel("ab", [7], {}, itself, everything))
    assert text.splitlines()[3:] == [
        "belief",
        "  agent 7    S5    every world only from itself",
        "knowledge",
        "  agent 7    S5    every world from every world",
    ]
    assert ">" not in text


def test_the_text_of_some_agents_only() -> None:
    text = as_text(example(), agents=[1, 3])
    assert "agent 1 " in text and "agent 3 " in text and "agent 0" not in text and "2" not in text
    with pytest.raises(UnknownName, match="unknown agent '9'"):
        as_text(example(), agents=[9])


def test_long_lines_of_the_text_are_wrapped_between_worlds() -> None:
    worlds, facts = choose_worlds(10, 4)
    text = as_text(KripkeModel.from_beliefs(worlds, [0], facts, [np.arange(210) % 2 == 0]), agents=[0])
    lines = text.splitlines()[212:]
    assert max(map(len, lines)) <= kripke_draw.WIDTH
    assert tuple(re.findall(r"\{[\d,]*\}", "".join(lines))) == worlds[::2]


# ---- SVG


@pytest.mark.parametrize("size", [1, 2, 3, 5, 9])
def test_every_relation_is_in_the_circle_and_nothing_else(size: int) -> None:
    for seed in range(5):
        model = model_of(seed, size)
        drawn = read_back(as_svg(model), 4, size)
        for agent in model.agents:
            assert (drawn[agent] == model.links(agent)).all()


@pytest.mark.parametrize("size", [25, 31, 70])
def test_every_relation_is_in_the_squares_and_nothing_else(size: int) -> None:
    model = model_of(size, size, agents=7)
    svg = as_svg(model, actual=size - 1)
    assert svg.count("data-square") == 7 and "data-from" not in svg
    drawn = read_back(svg, 7, size)
    for agent in model.agents:
        assert (drawn[agent] == model.links(agent)).all()


def test_worlds_facts_and_the_legend_are_written_out() -> None:
    root = ET.fromstring(as_svg(example(), actual="rain", title="Rain & sun"))  # noqa: S314 - our own drawing
    written = [text.text for text in root.iter(f"{SVG}text")]
    for words in ("rain", "<sun>", "not p", "p, q(1)", "Rain & sun", "The actual world is rain."):
        assert words in written
    assert "agent 1 (KD45) holds the worlds with a ring possible, in every world" in written
    assert "agent 3 (KB45) holds nothing possible" in written
    assert sum("agent " in (words or "") for words in written) == 5
    assert sum(part.get("class") == "node actual" for part in root.iter()) == 1
    assert sum(part.get("class") == "node" for part in root.iter()) == 2


def test_long_names_are_cut_and_told_in_full_where_the_pointer_rests() -> None:
    name, fact = "a world with a name", "a_fact_with_a_name_that_takes_some_room"
    root = ET.fromstring(as_svg(KripkeModel.total([name, "b"], [0], {fact: [name]})))  # noqa: S314 - our own drawing
    assert name not in [text.text for text in root.iter(f"{SVG}text")]
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert f"{name}: {fact}" in titles and fact in titles


def test_squares_name_every_row_of_a_few_worlds_and_the_ends_of_many() -> None:
    few = KripkeModel("abcdefgh", range(6), {}, np.random.default_rng(1).random((6, 8, 8)) < 0.9)
    written = [text.text for text in ET.fromstring(as_svg(few)).iter(f"{SVG}text")]  # noqa: S314 - our own drawing
    assert [words for words in written if words and len(words) == 1] == list("abcdefgh") * 2  # two rows of squares
    worlds, facts = choose_worlds(9, 4)
    svg = as_svg(KripkeModel.total(worlds, range(2), facts))
    assert "Both are the 126 worlds in their order, from {0,1,2,3} to {5,6,7,8}." in svg
    assert "agent 1 (S5)" in svg


def test_knowledge_is_drawn_on_request() -> None:
    everything, itself = np.ones((1, 2, 2), np.bool_), np.eye(2, dtype=np.bool_)[None]
    model = KripkeModel("ab", [0], {}, itself, everything)
    assert read_back(as_svg(model, relation="knowledge"), 1, 2).all()
    assert "what the agents know" in as_svg(model, relation="knowledge")
    assert (read_back(as_svg(model), 1, 2) == itself).all()


def test_only_the_agents_asked_for_are_drawn() -> None:
    drawn = read_back(as_svg(example(), agents=[2]), 5, 3)
    assert (drawn[2] == example().links(2)).all()
    assert not np.delete(drawn, 2, axis=0).any()


def test_agents_differ_in_colour_and_dashes_and_dark_ground_has_its_own() -> None:
    style = ET.fromstring(as_svg(example())).findtext(f"{SVG}style") or ""  # noqa: S314 - our own drawing
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    colours = [re.findall(r"--agent\d: (#\w{6});", part) for part in (light, dark)]
    assert [len(set(part)) for part in colours] == [10, 10]
    assert not set(colours[0]) & set(colours[1])
    assert len(set(re.findall(r"stroke-dasharray: ([^;]+);", style))) == 10


def test_the_drawing_is_whole_in_itself_and_stays_inside_its_page() -> None:
    for model in (example(), model_of(3, 9), model_of(3, 40)):
        svg = as_svg(model, actual=0)
        assert "href" not in svg and "url(" not in svg and " id=" not in svg
        root = ET.fromstring(svg)  # noqa: S314 - our own drawing
        width, height = float(root.get("width", "")), float(root.get("height", ""))
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        for group in root.findall(f"{SVG}g"):
            left, top = map(float, re.findall(r"[-\d.]+", group.get("transform", "")))
            for part in group.iter(f"{SVG}circle"):
                reach = float(part.get("r", ""))
                assert reach <= left + float(part.get("cx", "")) <= width - reach
                assert reach <= top + float(part.get("cy", "")) <= height - reach
            for part in group.iter(f"{SVG}text"):
                assert 0 <= left + float(part.get("x", "")) <= width
                assert 0 <= top + float(part.get("y", "")) <= height
