// The mine of Saboteur and of the duel: a grid of cells, each a button; those that can be chosen are lit.

import { drawSymbol, make, setAll } from "./dom.js";

const MINE_AT_ONCE = 4; // a card and the goals that it turns over
const MINE_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The key of a cell, as in `data-cell`. */
export function cellKey(x, y) {
  return `${x},${y}`;
}

/** A grid of cells in `root`. `choose(key)` is called when a lit cell is chosen, `leave()` when ArrowDown leaves the mine. */
export class Mine {
  constructor(root, choose, leave) {
    this.box = make("div", { class: "mine-box" });
    this.grid = make("div", { class: "mine", role: "group", "aria-label": "The mine" });
    this.box.append(this.grid);
    root.append(this.box);
    this.choose = choose;
    this.leave = leave;
    this.cells = new Map();
    this.bounds = "";
    this.seen = null;
    this.fresh = new Set();
    this.grid.onclick = (event) => {
      const cell = event.target.closest("[data-cell]");
      if (cell?.classList.contains("lit")) this.choose(cell.dataset.cell);
    };
    this.grid.onkeydown = (event) => this.step(event);
  }

  /** Draw a board. `lit` has for each cell that can be chosen {kind, symbol, both, words, hinted}; `tags` a word on some. */
  draw(board, lit, tags) {
    this.layOut(board);
    const lying = new Map(board.cells.map((cell) => [cellKey(cell.x, cell.y), cell]));
    const reachable = new Set((board.reachable ?? []).map(([x, y]) => cellKey(x, y)));
    const fresh = this.seen && [...lying.values()].filter((cell) => this.seen.get(cellKey(cell.x, cell.y)) !== cell.symbol);
    for (const [key, button] of this.cells) {
      this.drawCell(key, button, lying.get(key), lit.get(key), tags.get(key), reachable.has(key));
    }
    if (fresh && fresh.length) this.markFresh(fresh);
    this.seen = new Map([...lying].map(([key, cell]) => [key, cell.symbol]));
    this.setStops(lit);
  }

  layOut(board) {
    const bounds = [board.left, board.top, board.right, board.bottom, board.open].join();
    if (bounds === this.bounds) return;
    this.bounds = bounds;
    this.extent = board;
    const columns = board.right - board.left + 1;
    const rows = board.bottom - board.top + 1;
    this.grid.style.setProperty("--columns", columns);
    this.grid.style.setProperty("--rows", rows);
    this.box.style.setProperty("--columns", columns);
    this.box.style.setProperty("--rows", rows);
    this.grid.classList.toggle("open", Boolean(board.open));
    const had = this.cells;
    this.cells = new Map();
    const parts = [make("div", { class: "ground", "aria-hidden": "true" })];
    for (let x = board.left; x <= board.right; x += 1) parts.push(this.axis(x, x - board.left + 2, 1));
    for (let y = board.top; y <= board.bottom; y += 1) {
      parts.push(this.axis(y, 1, y - board.top + 2));
      for (let x = board.left; x <= board.right; x += 1) {
        const key = cellKey(x, y);
        const button = had.get(key) ?? make("button", { type: "button", class: "cell", "data-cell": key, "data-key": `cell ${key}` });
        button.style.gridColumn = x - board.left + 2;
        button.style.gridRow = y - board.top + 2;
        this.cells.set(key, button);
        parts.push(button);
      }
    }
    this.grid.replaceChildren(...parts);
  }

  axis(number, column, row) {
    const axis = make("span", { class: "axis", "aria-hidden": "true" }, String(number));
    axis.style.gridColumn = column;
    axis.style.gridRow = row;
    return axis;
  }

  drawCell(key, button, cell, mark, tag, reachable) {
    const state = JSON.stringify([cell, mark, tag, reachable]);
    if (button.drawn === state) return;
    button.drawn = state;
    const parts = [];
    if (cell) parts.push(drawSymbol(cell.symbol, cell.dark ? "dark" : ""));
    if (mark?.symbol) parts.push(drawSymbol(mark.symbol, "ghost"));
    if (mark?.both) parts.push(make("span", { class: "both", "aria-hidden": "true" }, "↻"));
    if (mark && !mark.symbol) parts.push(drawSymbol(mark.kind === "look" ? "i-eye" : "i-rockfall", "sign"));
    if (tag) parts.push(make("span", { class: "place", "aria-hidden": "true" }, tag));
    button.replaceChildren(...parts);
    button.className = ["cell", cell ? "lying" : "", mark ? `lit ${mark.kind}` : "", mark?.hinted ? "hinted" : "",
      this.fresh.has(key) && cell ? "fresh" : "", reachable && !mark ? "reachable" : ""].filter(Boolean).join(" ");
    const words = mark?.words ?? cell?.words ?? "";
    const spoken = words || (reachable ? `empty cell at ${key}, reachable` : "");
    setAll(button, { disabled: !cell && !mark, "aria-hidden": !cell && !mark ? "true" : null,
      "aria-label": spoken || null, title: words || null, "data-card": cell?.card ?? null,
      "aria-disabled": cell && !mark ? "true" : null });
  }

  // Cards that came with the last move; after a leap through a replay none is newer than the others.
  markFresh(cells) {
    this.fresh = new Set(cells.length <= MINE_AT_ONCE ? cells.map((cell) => cellKey(cell.x, cell.y)) : []);
    for (const button of this.cells.values()) button.classList.remove("fresh");
    if (!this.fresh.size) return;
    for (const cell of cells) this.cells.get(cellKey(cell.x, cell.y))?.classList.add("fresh");
    this.reveal(cellKey(cells[0].x, cells[0].y));
  }

  // Lit cells are stops of Tab; where nothing is lit, the mine is one stop, and arrow keys go on from there.
  setStops(lit) {
    const usable = [...this.cells].filter(([, button]) => !button.disabled);
    const kept = this.cells.get(this.stop);
    const first = lit.size ? null : kept && !kept.disabled ? this.stop : usable[0]?.[0];
    for (const [key, button] of this.cells) button.tabIndex = lit.has(key) || key === first ? 0 : -1;
  }

  step(event) {
    const way = MINE_STEPS[event.key];
    const from = event.target.closest("[data-cell]");
    if (!way || !from || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = this.nearest(from.dataset.cell, way);
    if (to) this.focus(to);
    else if (event.key === "ArrowDown") this.leave();
  }

  // The nearest cell in a direction; sideways counts double, so that one goes along a row as long as one can.
  nearest(key, [stepX, stepY]) {
    const [x, y] = key.split(",").map(Number);
    let best = null;
    let least = Infinity;
    for (const [other, button] of this.cells) {
      if (button.disabled || other === key) continue;
      const [toX, toY] = other.split(",").map(Number);
      const along = (toX - x) * stepX + (toY - y) * stepY;
      const aside = Math.abs((toX - x) * stepY) + Math.abs((toY - y) * stepX);
      if (along <= 0 || aside > 2 * along) continue;
      if (along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    return best;
  }

  /** Give a cell the focus. */
  focus(key) {
    this.stop = key;
    this.cells.get(key)?.focus({ preventScroll: true });
    this.reveal(key);
  }

  /** Scroll the mine, not the page, so that a cell is to be seen. */
  reveal(key) {
    const button = this.cells.get(key);
    if (!button) return;
    const [box, cell] = [this.box.getBoundingClientRect(), button.getBoundingClientRect()];
    const seen = cell.left > box.left && cell.right < box.right && cell.top > box.top && cell.bottom < box.bottom;
    if (seen) return;
    const quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.box.scrollBy({ left: (cell.left + cell.right - box.left - box.right) / 2, top: (cell.top + cell.bottom - box.top - box.bottom) / 2,
      behavior: quick ? "auto" : "smooth" });
  }
}
