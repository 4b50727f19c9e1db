// What cannot be undone is asked for twice.

import { setText, tell } from "./dom.js";

const TWICE_WAITS = 10_000; // milliseconds that one has for the second time
const TWICE_TAP = 500; // milliseconds within which two taps are one double tap, which is no answer

/** Have `button` ask once more, in the words `sure`, before `then()` is called. Who does something else, or waits, has not meant it:
 * the question is taken back, and the button says again what it said. */
export function askTwice(button, sure, then) {
  let first = ""; // what the button says before it asks
  let since = null; // when it was asked for the first time
  let waits = 0;
  const takeBack = () => {
    if (since === null) return;
    clearTimeout(waits);
    since = null;
    setText(button, first);
    for (const kind of ["pointerdown", "focusin"]) document.removeEventListener(kind, elsewhere);
    removeEventListener("pagehide", takeBack);
  };
  const elsewhere = (event) => button.contains(event.target) || takeBack();
  const ask = () => {
    first = button.textContent;
    since = performance.now();
    waits = setTimeout(takeBack, TWICE_WAITS);
    setText(button, sure);
    tell(sure);
    for (const kind of ["pointerdown", "focusin"]) document.addEventListener(kind, elsewhere);
    addEventListener("pagehide", takeBack);
  };
  button.onkeydown = (event) => {
    if (event.repeat && event.key === "Enter") event.preventDefault(); // a key that is held down asks once
  };
  button.onclick = (event) => {
    if (since === null) {
      ask();
    } else if (!event.detail || performance.now() - since > TWICE_TAP) {
      takeBack();
      then();
    }
  };
}
