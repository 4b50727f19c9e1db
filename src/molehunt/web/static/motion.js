// Cards in motion: from the hand, or from who plays them, to where they go; a broken tool shakes, a goal turns over, rock falls.
// Nothing moves where the reader's system is told to reduce motion.

import { drawSymbol, make } from "./dom.js";

const MOTION_FLIGHT = 450; // milliseconds
const MOTION_TURN = 900;
const MOTION_SHAKE = 600;
const MOTION_FALL = 600;
const MOTION_ALOFT = 18; // degrees by which a flying card is tilted

/** Whether nothing is to move. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * What has changed from one position to the next, by cells ("x,y") and seats:
 * {laid, cleared, turned: [[cell, symbol]], looked: [[seat, place]], broken, mended: [[seat, tool]]}.
 */
export function changesOf(before, after) {
  const [old, lying] = [before, after].map(({ board }) => new Map(board.cells.map((cell) => [`${cell.x},${cell.y}`, cell.symbol])));
  const turned = [...lying].filter(([key, symbol]) => isGoalBack(old.get(key)) && !isGoalBack(symbol)).map(([key]) => [key, old.get(key)]);
  const pairs = after.seats.map((seat, number) => [number, before.seats[number], seat]);
  const lost = (from, to) => from.filter((thing) => !to.includes(thing));
  const each = (things) => pairs.flatMap(([number, was, is]) => things(was, is).map((thing) => [number, thing]));
  const more = (count) => Array.from({ length: Math.max(0, count) }, () => "block");
  return {
    laid: [...lying].filter(([key]) => !old.has(key)),
    cleared: [...old].filter(([key]) => !lying.has(key)),
    turned,
    looked: each((was, is) => lost(is.looked, was.looked)),
    broken: each((was, is) => [...lost(is.broken, was.broken), ...more(is.malus - was.malus)]),
    mended: each((was, is) => [...lost(was.broken, is.broken), ...more(was.malus - is.malus)]),
  };
}

function isGoalBack(symbol) {
  return Boolean(symbol?.startsWith("c-goal"));
}

/** Show how a move was made. `from` is the place on the screen that the card leaves; null where it lies already where it goes. */
export function showMotion(changes, from, mine, goals) {
  if (isStill()) return;
  for (const [key, symbol] of changes.laid) fly(symbol, from, mine.cells.get(key)?.querySelector(".art"));
  for (const [key, symbol] of changes.cleared) fall(symbol, mine.cells.get(key));
  for (const [key, symbol] of changes.turned) turnOver(symbol, mine.cells.get(key));
  for (const [, place] of changes.looked) fly("i-eye", from, mine.cells.get(goals.get(place))?.querySelector(".art"), false);
  for (const [seat, tool] of changes.broken) fly(`i-${tool}-broken`, from, seatAt(seat), false).then(() => shake(seat));
  for (const [seat, tool] of changes.mended) fly(`i-${tool}`, from, seatAt(seat), false);
}

/** The place of a seat on the page. */
export function seatAt(seat) {
  return document.querySelector(`.seats [data-seat="${seat}"]`);
}

// A card or an icon from a place to an element, which is hidden until it is there, where it is the card itself.
async function fly(symbol, from, target, itself = true) {
  if (!from || !target) return;
  const to = target.getBoundingClientRect();
  const size = itself ? to.height : 44;
  const card = make("span", { class: `flight${itself ? "" : " sign"}`, "aria-hidden": "true" }, drawSymbol(symbol));
  if (itself) card.style.rotate = getComputedStyle(target).rotate;
  const hidden = itself ? target.animate({ opacity: [0, 0] }, MOTION_FLIGHT) : null;
  await glide(card, from, to, size);
  hidden?.cancel();
}

/** Lay an element over the page and move it from one place on the screen to another, where it is `size` pixels high; then it goes. */
export async function glide(card, from, to, size) {
  Object.assign(card.style, { left: `${to.left + to.width / 2}px`, top: `${to.top + to.height / 2}px`, height: `${size}px` });
  document.body.append(card);
  const [dx, dy] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  const small = Math.max(0.4, Math.min(1, from.height / size));
  const flight = card.animate([{ transform: `translate(-50%, -50%) translate(${dx}px, ${dy}px) scale(${small})` },
    { transform: `translate(-50%, -50%) translate(${dx / 2}px, ${dy / 2}px) scale(1.12) rotate(${dx < 0 ? -MOTION_ALOFT : MOTION_ALOFT}deg)`, offset: 0.55 },
    { transform: "translate(-50%, -50%)" }], { duration: MOTION_FLIGHT, easing: "ease-in-out" });
  await flight.finished;
  card.remove();
}

function shake(seat) {
  for (const icon of seatAt(seat)?.querySelectorAll(".icon.broken") ?? []) {
    icon.animate({ rotate: ["0deg", "-24deg", "20deg", "-14deg", "9deg", "0deg"], scale: ["1", "1.5", "1.4", "1.3", "1.1", "1"] }, MOTION_SHAKE);
  }
}

/** Shake an element from side to side. */
export function shakeAll(element) {
  element?.animate({ translate: ["0", "-7px", "6px", "-5px", "3px", "0"] }, MOTION_SHAKE);
}

// The back goes, then the face comes; half of the time each.
function turnOver(symbol, cell) {
  const face = cell?.querySelector(".art");
  if (!face) return;
  const back = drawSymbol(symbol);
  cell.append(back);
  const half = { duration: MOTION_TURN / 2, easing: "ease-in" };
  face.animate({ opacity: [0, 0] }, half);
  back.animate({ transform: ["perspective(400px) rotateY(0)", "perspective(400px) rotateY(90deg)"] }, half).finished.then(() => {
    back.remove();
    face.animate({ transform: ["perspective(400px) rotateY(-90deg)", "perspective(400px) rotateY(0)"] }, { duration: MOTION_TURN / 2, easing: "ease-out" });
  });
}

function fall(symbol, cell) {
  if (!cell) return;
  const card = drawSymbol(symbol);
  cell.append(card);
  card.animate({ transform: ["none", "translateY(12%) rotate(7deg)", "translateY(60%) rotate(-12deg) scale(.7)"], opacity: [1, 0.9, 0] },
    { duration: MOTION_FALL, easing: "ease-in" }).finished.then(() => card.remove());
}
