// The small map beside a mine that is larger than its place: what lies where, and which part is to be seen.

import { _ } from "./language.js";
import { make } from "./dom.js";
import { spotOf } from "./turning.js";

const MAP_SVG = "http://www.w3.org/2000/svg";
const MAP_CELL = [6, 7.7]; // a card, in units of the map

/** A map of the mine in `box`, which it scrolls: a tap or a drag on the map shows that part. */
export class MineMap {
  constructor(box) {
    this.box = box;
    this.svg = document.createElementNS(MAP_SVG, "svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.seen = this.rect("map-seen");
    this.root = make("button", { type: "button", class: "mine-map", hidden: true, title: _("The whole mine: tap where you want to look"),
      "aria-label": _("Map of the whole mine: show the next part"), onclick: (event) => event.detail === 0 && this.stepOn() });
    this.root.append(this.svg);
    this.root.addEventListener("pointerdown", (event) => this.lookAt(event));
    this.root.addEventListener("pointermove", (event) => event.buttons && this.lookAt(event));
    box.addEventListener("scroll", () => this.showPart(), { passive: true });
  }

  rect(class_, x = 0, y = 0, width = 0, height = 0) {
    const rect = document.createElementNS(MAP_SVG, "rect");
    for (const [name, value] of Object.entries({ class: class_, x, y, width, height })) rect.setAttribute(name, value);
    return rect;
  }

  /** Draw the cards of a board that lies turned by `turn`; `lit` are the cells that can be chosen. Then `showPart` is due. */
  draw(board, turn, goals, lit) {
    const [width, height] = turn ? [MAP_CELL[1], MAP_CELL[0]] : MAP_CELL;
    const count = turn ? [board.bottom - board.top + 1, board.right - board.left + 1] : [board.right - board.left + 1, board.bottom - board.top + 1];
    this.size = [count[0] * width, count[1] * height];
    this.svg.setAttribute("viewBox", `0 0 ${this.size[0]} ${this.size[1]}`);
    const at = (x, y, class_) => {
      const [column, row] = spotOf(board, x, y, turn);
      return this.rect(class_, column * width + 0.4, row * height + 0.4, width - 0.8, height - 0.8);
    };
    this.svg.replaceChildren(...board.cells.map((cell) => at(cell.x, cell.y, goals.has(`${cell.x},${cell.y}`) ? "map-goal" : "map-card")),
      ...[...lit.keys()].map((key) => at(...key.split(",").map(Number), "map-lit")), this.seen);
  }

  /** Show which part of the mine is to be seen; the map is there only where that is not all of it. */
  showPart() {
    const box = this.box;
    const whole = box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1;
    this.root.hidden = whole;
    if (whole || !this.size) return;
    const [width, height] = this.size;
    const part = { x: (box.scrollLeft / box.scrollWidth) * width, y: (box.scrollTop / box.scrollHeight) * height,
      width: (box.clientWidth / box.scrollWidth) * width, height: (box.clientHeight / box.scrollHeight) * height };
    for (const [name, value] of Object.entries(part)) {
      if (this.seen.getAttribute(name) !== String(value)) this.seen.setAttribute(name, value);
    }
  }

  lookAt(event) {
    const map = this.svg.getBoundingClientRect();
    const [across, down] = [(event.clientX - map.left) / map.width, (event.clientY - map.top) / map.height];
    this.box.scrollTo({ left: across * this.box.scrollWidth - this.box.clientWidth / 2, top: down * this.box.scrollHeight - this.box.clientHeight / 2 });
  }

  // By the keyboard: on to the right, then downwards, then from the start again.
  stepOn() {
    const box = this.box;
    const right = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
    const down = box.scrollTop + box.clientHeight < box.scrollHeight - 1;
    if (right) box.scrollBy({ left: box.clientWidth / 2 });
    else if (down) box.scrollTo({ left: 0, top: box.scrollTop + box.clientHeight / 2 });
    else box.scrollTo({ left: 0, top: 0 });
  }
}
