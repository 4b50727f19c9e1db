// The names of goals that lie beyond the edge of a mine that is larger than its place: each stands at that edge, with an arrow.

import { letterScale, make } from "./dom.js";
import { placeSaid } from "./turning.js";

const BEYOND_AXIS = 18; // pixels, in letters of the usual size: the numbers of columns and rows, which stay in sight
const BEYOND_GAP = 2;

/** Names in `root`, on what is to be seen of the mine in `box`. */
export class GoalsBeyond {
  constructor(box, root) {
    this.box = box;
    this.root = root;
    this.names = [];
    box.addEventListener("scroll", () => this.show(), { passive: true });
  }

  /** Name these goals, pairs of the button of a cell and a place; `show` is due then. */
  draw(goals) {
    const key = goals.map(([, place]) => place).join();
    if (key !== this.key) {
      this.key = key;
      for (const { chip } of this.names) chip.remove();
      this.names = goals.map(([, place]) => {
        const arrow = make("span");
        return { arrow, chip: make("span", { class: "beyond", "aria-hidden": "true", hidden: true }, placeSaid(place), arrow) };
      });
      this.root.append(...this.names.map(({ chip }) => chip));
    }
    this.names.forEach((name, place) => { name.button = goals[place][0]; });
  }

  /** Show the names of those that cannot be read where they stand. */
  show() {
    const box = this.box.getBoundingClientRect();
    const [right, bottom] = [box.left + this.box.clientWidth, box.top + this.box.clientHeight];
    const found = this.names.map((name) => ({ ...name, at: name.button.querySelector(".place")?.getBoundingClientRect() }));
    for (const name of found) {
      const { at } = name;
      // How far it lies beyond each edge.
      name.ways = at ? [[at.right - right, "→"], [at.bottom - bottom, "↓"], [box.left - at.left, "←"], [box.top - at.top, "↑"]].sort(([a], [b]) => b - a) : [[0, ""]];
      name.chip.hidden = name.ways[0][0] <= 1;
      name.arrow.textContent = ` ${name.ways[0][1]}`;
    }
    const shown = found.filter(({ chip }) => !chip.hidden).sort((a, b) => b.at.bottom - a.at.bottom);
    const frame = this.root.getBoundingClientRect();
    const axis = BEYOND_AXIS * letterScale();
    const taken = [];
    for (const { chip, at } of shown) {
      const { offsetWidth: width, offsetHeight: height } = chip;
      const left = Math.max(Math.min((at.left + at.right - width) / 2, right - width - BEYOND_GAP), box.left + axis);
      let top = Math.max(Math.min(at.top, bottom - height - BEYOND_GAP), box.top + axis);
      // Where another stands already, it stands above that one.
      for (const other of taken) if (left < other.right && other.left < left + width && top < other.top + height + 1 && other.top < top + height + 1) top = other.top - height - 1;
      taken.push({ left, right: left + width, top });
      Object.assign(chip.style, { left: `${left - frame.left}px`, top: `${top - frame.top}px` });
    }
  }
}
