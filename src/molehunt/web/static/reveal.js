// What the reader must see next comes into view, below the headline that stays at the top. The page never moves under a finger:
// who touches, scrolls or types is let finish first.

const REVEAL_REST = 700; // milliseconds after the last touch
const REVEAL_SHARE = 0.6; // of the screen: of a large part as much must be seen, and at least so many pixels
const REVEAL_LEAST = 320;
const REVEAL_GAP = 8; // pixels

let revealTouched = -Infinity;
let revealLater = 0;
for (const kind of ["pointerdown", "touchmove", "wheel", "keydown", "scroll"]) {
  addEventListener(kind, () => { revealTouched = performance.now(); }, { passive: true, capture: true });
}

/** Show the last of the parts that `find` finds, and those before it where there is room for them; nothing moves where all is seen.
 *
 * What follows at once on what the reader did need not wait: `atOnce`. */
export function reveal(find, atOnce) {
  const rest = atOnce ? 0 : revealTouched + REVEAL_REST - performance.now();
  clearTimeout(revealLater);
  if (rest > 0) revealLater = setTimeout(() => reveal(find, false), rest);
  else bringIntoView(find());
}

/** As `reveal`, for these parts, now; what was to be shown later no longer is. */
export function bringIntoView(parts) {
  clearTimeout(revealLater);
  const boxes = parts.filter((part) => part?.checkVisibility()).map((part) => part.getBoundingClientRect());
  const last = boxes.at(-1);
  if (!last) return;
  const head = document.querySelector(".with-flow .status")?.getBoundingClientRect();
  const room = innerHeight - (head?.height ?? 0) - 2 * REVEAL_GAP;
  const end = last.top + Math.min(last.height, room, Math.max(room * REVEAL_SHARE, REVEAL_LEAST));
  const first = boxes.find((box) => end - box.top <= room);
  if (first.top < (head?.bottom ?? 0) || end > innerHeight) scrollBy({ top: first.top - (head?.height ?? 0) - REVEAL_GAP, behavior: "instant" });
}
