// Words for a mine that lies turned by 90 degrees on the screen: "a bend down-right" is said as it is seen.

import { _, later } from "./language.js";

const TURNING_WAYS = {
  1: { right: "down", down: "left", left: "up", up: "right", top: "right", bottom: "left" }, // to the right
  "-1": { down: "right", right: "up", up: "left", left: "down" }, // to the left
};
const TURNING_PLACES = { "-1": { left: "bottom", right: "top" } }; // goals that have the name of a side
const TURNING_SIDES = { up: later("up"), down: later("down"), left: later("left"), right: later("right") };
const TURNING_GOALS = { top: later("top"), middle: later("middle"), bottom: later("bottom"), left: TURNING_SIDES.left, right: TURNING_SIDES.right };
// For translators: the words after which sides of a tunnel are named, as in "a bend down-right" and "a tunnel open up and down".
const TURNING_TUNNEL = _("tunnel|straight|end|bend|T-junction|open");
// For translators: how goals are named by their places, as in "the top and bottom goals"; all ways, with | between them.
const TURNING_GOAL = _("{places} goal|{places} goals");
const TURNING_AND = _("{listed} and {last}", { listed: "", last: "" });

// Finds lists of some words (by what they mean) where the text says so around them: `before` and `after` are expressions.
function turningPattern(words, before, after) {
  const one = `(?:${Object.values(words).map((word) => _(word)).join("|")})`;
  return new RegExp(`(?<!\\p{L})${before}(?<list>${one}(?:(?:-|, |${TURNING_AND})${one})*)${after}(?!\\p{L})`, "gu");
}

const TURNING_PATTERNS = [
  [TURNING_SIDES, turningPattern(TURNING_SIDES, `(?:${TURNING_TUNNEL}) `, "")],
  ...TURNING_GOAL.split("|").map((named) => [TURNING_GOALS, turningPattern(TURNING_GOALS, ...named.split("{places}"))]),
];

// The name of a goal in a mine that is turned by `turn` (0, 1 to the right, -1 to the left).
function turnedPlace(place, turn) {
  return TURNING_PLACES[turn]?.[place] ?? TURNING_WAYS[turn]?.[place] ?? place;
}

/** A text in which tunnels and goals are called as they lie on the screen. */
export function turnedWords(text, turn) {
  if (!TURNING_WAYS[turn] || !text) return text;
  return TURNING_PATTERNS.reduce((said, [words, pattern]) => said.replace(pattern, (found, list) => found.replace(list, turnedList(list, words, turn))), text);
}

// The sides of a tunnel are named in an order of their own, goals in that in which they stand.
function turnedList(list, words, turn) {
  const named = list.split(new RegExp(`-|, |${TURNING_AND}`, "u")).map((said) => Object.keys(words).find((word) => _(words[word]) === said));
  const turned = words === TURNING_SIDES
    ? Object.keys(words).filter((side) => named.some((other) => TURNING_WAYS[turn][other] === side))
    : named.map((place) => turnedPlace(place, turn));
  const said = turned.map((word) => _({ ...TURNING_SIDES, ...TURNING_GOALS }[word]));
  return list.includes("-") || said.length < 2 ? said.join("-") : _("{listed} and {last}", { listed: said.slice(0, -1).join(", "), last: said.at(-1) });
}

/** The name of a goal as it lies on the screen, in the language of the page. */
export function placeSaid(place, turn) {
  return _(TURNING_GOALS[turnedPlace(place, turn)] ?? place);
}

/** A step on the screen (columns, rows) as a step in the mine. */
export function stepInMine([across, down], turn) {
  return turn === 1 ? [down, -across] : turn === -1 ? [-down, across] : [across, down];
}

/** The column and the row, from 0, in which a cell of a board lies on the screen. */
export function spotOf(board, x, y, turn) {
  if (turn === 1) return [board.bottom - y, x - board.left];
  if (turn === -1) return [y - board.top, board.right - x];
  return [x - board.left, y - board.top];
}
