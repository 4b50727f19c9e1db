// Double taps: the second tap is meant for what lay under the finger at the first, not for what has come there since. So is a key
// that is held down: it presses what has the focus again and again, also what has got it since.

const TAPS_QUICK = 500; // milliseconds within which two taps are one double tap
const TAPS_NEAR = 40; // pixels between them

/** Keep the second tap of a double tap from elements of `root` that match `selector` and were not what the first one hit, and a
 * held Enter from all buttons. */
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
    if (kept) event.stopPropagation();
    last = kept ? { ...tap, key: last.key } : tap;
  }, { capture: true });
}
