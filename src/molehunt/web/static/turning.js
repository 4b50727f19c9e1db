// Words for a mine that lies turned by 90 degrees on the screen: what names a place or a side in it is said as it is seen.
//
// The server puts a sign that is never seen after each such word (core/places.py), so that nothing has to be guessed from the words
// around it. `dom.js` turns whatever is put on the page, and all of it again when the mine comes to lie another way.

import { _, later } from "./language.js";

const TURNING_PLACE_SIGN = "\u2063"; // after the name of one place of several in a row
const TURNING_SIDE_SIGN = "\u2064"; // after the name of a direction
const TURNING_SIDES = {
  1: { right: "down", down: "left", left: "up", up: "right" }, // to the right
  "-1": { down: "right", right: "up", up: "left", left: "down" }, // to the left
};
const TURNING_PLACES = { 1: { top: "right", bottom: "left" }, "-1": { left: "bottom", right: "top" } };
const TURNING_SAID = { top: later("top"), middle: later("middle"), bottom: later("bottom"), left: later("left"), right: later("right"), up: later("up"), down: later("down") };
const TURNING_IN_ORDER = ["up", "down", "left", "right"]; // as sides are named in a row
const TURNING_AND = _("{listed} and {last}", { listed: "", last: "" });

const TURNING_OVER = { up: "down", down: "up", left: "right", right: "left" };

// One word may name a place and a direction, as "left" does: which of them it is its sign says.
const TURNING_PLACE = turningWord(["top", "middle", "bottom", "left", "right"], TURNING_PLACE_SIGN);
const TURNING_SIDE = turningWord(TURNING_IN_ORDER, TURNING_SIDE_SIGN);
const TURNING_SIDES_IN_A_ROW = new RegExp(`${TURNING_SIDE.source}(?:(?:-|, |${TURNING_AND})${TURNING_SIDE.source})*`, "giu");

function turningWord(words, sign) {
  return new RegExp(`(${words.map((word) => _(TURNING_SAID[word])).join("|")})${sign}`, "giu");
}

/** A text with places and sides as they lie in a mine that is turned by `turn` (0, 1 to the right, -1 to the left), without signs. */
export function turnedWords(text, turn) {
  if (!isSigned(text)) return text;
  const turned = TURNING_SIDES[turn] ? text.replace(TURNING_PLACE, (_found, said) => turnedPlace(said, turn)).replace(TURNING_SIDES_IN_A_ROW, (row) => turnedSides(row, TURNING_SIDES[turn])) : text;
  return turned.replaceAll(TURNING_PLACE_SIGN, "").replaceAll(TURNING_SIDE_SIGN, "");
}

/** A text of a card as the card lies after half a turn, with its signs. */
export function overturnedWords(text) {
  return text.replace(TURNING_SIDES_IN_A_ROW, (row) => turnedSides(row, TURNING_OVER, TURNING_SIDE_SIGN));
}

/** Whether a text names a place or a side. */
export function isSigned(text) {
  return typeof text === "string" && (text.includes(TURNING_PLACE_SIGN) || text.includes(TURNING_SIDE_SIGN));
}

function turningMeant(said, words) {
  return words.find((word) => _(TURNING_SAID[word]).toLowerCase() === said.toLowerCase());
}

function turnedPlace(said, turn) {
  const turned = Object.keys(TURNING_PLACES[turn]).find((place) => turningMeant(said, [place]));
  const name = turned ? _(TURNING_SAID[TURNING_PLACES[turn][turned]]) : said;
  return said[0] === said[0].toLowerCase() ? name : name[0].toUpperCase() + name.slice(1);
}

// The sides of a tunnel are named in an order of their own: "a bend down-right".
function turnedSides(row, sides, sign = "") {
  const named = [...row.matchAll(TURNING_SIDE)].map(([, said]) => sides[turningMeant(said, TURNING_IN_ORDER)]);
  const turned = TURNING_IN_ORDER.filter((side) => named.includes(side)).map((side) => _(TURNING_SAID[side]) + sign);
  return row.includes("-") || turned.length < 2 ? turned.join("-") : _("{listed} and {last}", { listed: turned.slice(0, -1).join(", "), last: turned.at(-1) });
}

/** The name of a goal, with its sign, in the language of the page. */
export function placeSaid(place) {
  return `${_(TURNING_SAID[place] ?? place)}${TURNING_PLACE_SIGN}`;
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
