// A list of buttons as one Tab stop: the arrow keys go through it (a roving tabindex, as the ARIA Authoring Practices have it).

import { setAll } from "./dom.js";

/** The buttons in `list` that `selector` finds, in their order, so many `across` on each line of the list. */
export class OneStop {
  constructor(list, selector, across = 1) {
    this.list = list;
    this.selector = selector;
    this.across = across;
    list.addEventListener("focusin", (event) => event.target.matches(selector) && this.stopAt(event.target));
    list.addEventListener("keydown", (event) => this.key(event));
  }

  get buttons() {
    return [...this.list.querySelectorAll(this.selector)];
  }

  stopAt(stop) {
    for (const button of this.buttons) setAll(button, { tabindex: button === stop ? 0 : -1 });
  }

  /** Run `change`, which may take buttons away or bring some: Tab then reaches `usual()`, unless the reader is at one that is still there. */
  keep(change, usual) {
    const read = this.list.contains(document.activeElement) && document.activeElement !== this.list;
    change();
    const stop = this.list.contains(document.activeElement) && document.activeElement.matches(this.selector) ? document.activeElement : usual();
    this.stopAt(stop);
    if (read && stop && stop !== document.activeElement) stop.focus({ preventScroll: true });
  }

  // Beyond the first and the last the keys scroll, as everywhere.
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !event.target.matches(this.selector)) return;
    const buttons = this.buttons;
    const at = buttons.indexOf(event.target);
    const place = at % this.across; // on its line, where the keys to the left and right stay
    const next = buttons[{ ArrowUp: at - this.across, ArrowDown: at + this.across, Home: place, End: buttons.length - this.across + place,
      ArrowLeft: place > 0 ? at - 1 : -1, ArrowRight: place < this.across - 1 ? at + 1 : -1 }[event.key]];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}
