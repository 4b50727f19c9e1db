// Double taps: the second tap is meant for what lay under the finger at the first, not for what has come there since. So is a key
// that is held down: it presses what has the focus again and again, also what has got it since.

import { showToast } from "./dom.js";
import { _ } from "./language.js";

const TAPS_QUICK = 500; // milliseconds within which two taps are one double tap
const TAPS_NEAR = 40; // pixels between them
const TAPS_TOLD = 3; // seconds for which it is shown that a tap was none

/** Keep the second tap of a double tap from elements of `root` that match `selector` and were not what the first one hit, and a
 * held Enter from all buttons. It is said where a tap is kept; who goes on tapping is heard as soon as the first tap is long ago. */
export function guardTaps(root, selector) {
  let last = null;
  root.addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter" && event.target.closest("button")) event.preventDefault();
  });
  root.addEventListener("click", (event) => {
    if (!event.detail) return; // by the keyboard or a script, where nothing lies under a finger
    const target = event.target.closest("[data-key]");
    const tap = { at: event.timeStamp, x: event.clientX, y: event.clientY, key: target?.dataset.key };
    const again = last && tap.at - last.at < TAPS_QUICK && Math.hypot(tap.x - last.x, tap.y - last.y) < TAPS_NEAR;
    const kept = again && tap.key !== last.key && target?.matches(selector);
    if (kept) {
      event.stopPropagation();
      showToast(_("Too quick after the last tap: tap once more."), TAPS_TOLD);
    } else {
      last = tap;
    }
  }, { capture: true });
}
