// What stands above a board has lines that come and go. It grows with them and does not shrink again, so that the board lies still.

const STEADY_WHERE = "(max-width: 56.25em) and (min-height: 35.0625em), (max-width: 56.25em) and (orientation: portrait)"; // what stands above it there, stands beside it elsewhere

/** Parts of a page that keep the largest height that they have had. */
export class Steady {
  constructor(parts) {
    this.parts = parts;
    this.time = "";
    this.where = matchMedia(STEADY_WHERE);
    addEventListener("resize", () => this.letGo());
  }

  letGo() {
    for (const part of this.parts) part.style.minHeight = "";
  }

  /** Keep the heights that the parts have now; they begin anew with another `time`. */
  keep(time) {
    if (time !== this.time) this.letGo();
    this.time = time;
    if (!this.where.matches) return;
    for (const part of this.parts) part.style.minHeight = `${part.getBoundingClientRect().height}px`;
  }
}
