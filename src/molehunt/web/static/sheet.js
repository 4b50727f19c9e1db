// On a small screen an answer lies on the page as a sheet: where it does not cover what it points at.

const SHEET_POINTED = ".cell.hinted, .seat.hinted, .actions .primary, .clue .hinted, .drawn .hinted";
const SHEET_LEAST = 220; // pixels above what is pointed at with which the sheet lies there; else it lies where there is more room
const SHEET_GAP = 10;

/** The place of `panel`; `board` may scroll to what is pointed at. */
export class Sheet {
  constructor(panel, board) {
    this.panel = panel;
    this.points = false;
    board.addEventListener("scrollend", () => this.place(), true);
    addEventListener("resize", () => this.place());
  }

  /** Whether the panel lies on the page. */
  get lies() {
    return getComputedStyle(this.panel).position === "fixed";
  }

  get pointed() {
    return this.points && this.lies ? [...document.querySelectorAll(SHEET_POINTED)].find((one) => one.checkVisibility()) : null;
  }

  /** Lie beside what the page points at now, or at its lower edge if it points at nothing. */
  show(points) {
    this.points = points;
    if (this.pointed && !this.pointed.matches(".cell")) this.pointed.scrollIntoView({ block: "nearest", behavior: "instant" }); // the mine scrolls itself
    this.place();
    if (points) requestAnimationFrame(() => setTimeout(() => this.place())); // the board may have been laid out anew
  }

  place() {
    const { pointed } = this;
    const { top, bottom } = pointed?.getBoundingClientRect() ?? {};
    const above = top >= SHEET_LEAST || top > innerHeight - bottom;
    this.panel.classList.toggle("above", Boolean(pointed) && above);
    if (pointed) this.panel.style.setProperty("--room", `${Math.max(0, (above ? top : innerHeight - bottom) - SHEET_GAP)}px`);
    else this.panel.style.removeProperty("--room");
  }
}
