// Words for a mine that lies turned by 90 degrees on the screen: "a bend down-right" is said as it is seen.

const TURNING_WAYS = {
  1: { right: "down", down: "left", left: "up", up: "right", top: "right", bottom: "left" }, // to the right
  "-1": { down: "right", right: "up", up: "left", left: "down" }, // to the left
};
const TURNING_PLACES = { "-1": { left: "bottom", right: "top" } }; // goals that have the name of a side
const TURNING_ORDER = ["up", "down", "left", "right"];
const TURNING_SIDES = "(?:up|down|left|right)";
const TURNING_TUNNEL = new RegExp(`\\b(tunnel|straight|end|bend|T-junction|open) (${TURNING_SIDES}(?:(?:-|, | and )${TURNING_SIDES})*)\\b`, "g");
const TURNING_GOAL = /\b(top|bottom|left|right)( goal)/g;

/** The name of a goal in a mine that is turned by `turn` (0, 1 to the right, -1 to the left). */
export function turnedPlace(place, turn) {
  return TURNING_PLACES[turn]?.[place] ?? TURNING_WAYS[turn]?.[place] ?? place;
}

/** A text in which tunnels and goals are called as they lie on the screen. */
export function turnedWords(text, turn) {
  const ways = TURNING_WAYS[turn];
  if (!ways || !text) return text;
  return text
    .replace(TURNING_TUNNEL, (_, shape, sides) => {
      const turned = sides.match(/[a-z]+(?=-|,| and |$)/g).filter((side) => side !== "and").map((side) => ways[side]);
      const sorted = TURNING_ORDER.filter((side) => turned.includes(side));
      return `${shape} ${sides.includes("-") || sorted.length < 2 ? sorted.join("-") : `${sorted.slice(0, -1).join(", ")} and ${sorted.at(-1)}`}`;
    })
    .replace(TURNING_GOAL, (_, place, rest) => turnedPlace(place, turn) + rest);
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
