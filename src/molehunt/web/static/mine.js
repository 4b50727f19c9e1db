// The mine of Saboteur and of the duel: a grid of cells, each a button; those that can be chosen are lit.
//
// The mine is made as large as its place allows, and turned by 90 degrees where it then fits better into the window: whatever the
// game brings, it turns only with the window. Where its cells would become too small for a finger, it is larger than its place:
// one scrolls in it, a small map shows the whole, and goals beyond its edge are named there.

import { _ } from "./language.js";
import { drawSymbol, letterScale, make, setAll, turnPage } from "./dom.js";
import { GoalsBeyond } from "./mine_beyond.js";
import { MineMap } from "./mine_map.js";
import { placeSaid, spotOf, stepInMine } from "./turning.js";

const MINE_AT_ONCE = 4; // a card and the goals that it turns over
const MINE_TALL = 1.282; // the height of a cell for each pixel of its width
const MINE_LEAST = 43; // pixels: the width of a cell that a finger hits, without the gap between cards 40
const MINE_LEAST_SHOWN = 16; // the same where nothing is to be chosen
const MINE_LARGEST = 150;
const MINE_AXIS = 18; // pixels for the numbers of columns and rows, in letters of the usual size
const MINE_FRAME = 8; // pixels
const MINE_WORTH = 1.04; // so much larger must the cells become for the mine to be turned
const MINE_HAND = { wide: 166, tall: 126 }; // pixels: what the hand mostly takes beside the mine or below it
const MINE_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The key of a cell, as in `data-cell`. */
export function cellKey(x, y) {
  return `${x},${y}`;
}

function windowSize() {
  return `${innerWidth} ${innerHeight}`;
}

/** A grid of cells in `root`. `choose(key)` is called when a cell is tapped, lit or not, without one between them;
 * `leave()` when ArrowDown leaves the mine. */
export class Mine {
  constructor(root, choose, leave) {
    this.box = make("div", { class: "mine-box" });
    this.grid = make("div", { class: "mine", role: "group", "aria-label": _("The mine") });
    this.box.append(this.grid);
    root.append(this.box);
    this.choose = choose;
    this.leave = leave;
    this.cells = new Map();
    this.bounds = "";
    this.turn = 0; // by how many right angles, to the right, it is turned: 0, 1 or -1
    this.settled = ""; // the size of the window for which that is decided
    this.still = false; // nothing can be chosen, so that cells may be small
    this.map = new MineMap(this.box);
    this.beyond = new GoalsBeyond(this.box, root);
    this.seen = null;
    this.fresh = new Set();
    this.back = false; // whether moves were taken back since it was drawn
    this.grid.onclick = (event) => this.choose(event.target.closest("[data-cell]")?.dataset.cell);
    this.grid.onkeydown = (event) => this.step(event);
    new ResizeObserver(() => this.settle()).observe(this.box);
  }

  /** Another mine is shown next: nothing in it is newer than the rest. */
  begin() {
    this.seen = this.extent = null;
    this.fresh = new Set();
  }

  /** Moves were taken back: what lies otherwise on the board that is drawn next is no newer than the rest. */
  goBack() {
    this.back = true;
    this.fresh = new Set();
  }

  /** Draw a board. `lit` has for each cell that can be chosen {kind, symbol, both, words, hinted}; `goals` are {place, known} by cell. */
  draw(board, lit, goals) {
    this.drawn = [board, lit, goals];
    const first = !this.extent;
    board = this.extent = this.usedPart(board, lit);
    this.chooseTurn(goals);
    turnPage(this.turn);
    this.layOut(board);
    const lying = new Map(board.cells.map((cell) => [cellKey(cell.x, cell.y), cell]));
    const reachable = new Set((board.reachable ?? []).map(([x, y]) => cellKey(x, y)));
    const fresh = this.seen && !this.back && [...lying.values()].filter((cell) => this.seen.get(cellKey(cell.x, cell.y)) !== cell.symbol);
    for (const [key, button] of this.cells) {
      this.drawCell(key, button, lying.get(key), lit.get(key), goals.get(key), reachable.has(key));
    }
    this.map.draw(board, this.turn, goals, lit);
    this.beyond.draw([...goals].map(([key, { place }]) => [this.cells.get(key), place]));
    if (fresh?.length) this.markFresh(fresh);
    if (first) this.shown = [...reachable].at(-1) ?? [...lying.keys()][0];
    if (!this.seen || this.back) for (const button of this.cells.values()) button.classList.remove("fresh");
    this.back = false;
    this.seen = new Map([...lying].map(([key, cell]) => [key, cell.symbol]));
    this.setStops(lit);
    this.fit(); // the one time that all is laid out
    if (this.settled !== windowSize()) requestAnimationFrame(() => this.settle()); // what stands around it is drawn then, too
  }

  // ---- how large, and which way up ----

  // What is used of a mine without bounds: where something lies or may be laid. It does not shrink while the same mine goes on.
  usedPart(board, lit) {
    const keys = [...board.cells.map((cell) => [cell.x, cell.y]), ...(board.reachable ?? []), ...[...lit.keys()].map((key) => key.split(",").map(Number))];
    if (!board.open || !keys.length) return board;
    const goesOn = this.extent?.open && this.seen && board.cells.length >= this.seen.size;
    if (goesOn) keys.push([this.extent.left, this.extent.top], [this.extent.right, this.extent.bottom]);
    const [columns, rows] = [keys.map(([x]) => x), keys.map(([, y]) => y)];
    return { ...board, left: Math.min(...columns), right: Math.max(...columns), top: Math.min(...rows), bottom: Math.max(...rows) };
  }

  /** The largest width of a cell with which the mine fits into a place, upright or turned. */
  widest(turn, place) {
    const [columns, rows] = this.counts(turn);
    const edge = MINE_AXIS * letterScale() + MINE_FRAME;
    const [width, height] = [place.width - edge, place.height - edge];
    return turn ? Math.min(width / (columns * MINE_TALL), height / rows) : Math.min(width / columns, height / (rows * MINE_TALL));
  }

  counts(turn) {
    const board = this.extent;
    const counts = [board.right - board.left + 1, board.bottom - board.top + 1];
    return turn ? counts.reverse() : counts;
  }

  // What there is for the mine in this window. Its box tells that where nothing can be chosen; else the hand takes more of it or
  // less, as one chooses a card or what to say.
  room() {
    if (this.still) return this.box.getBoundingClientRect();
    const board = this.box.parentElement;
    const { width, height } = board.getBoundingClientRect();
    const beside = getComputedStyle(board).flexDirection === "row";
    return { width: width - (beside ? MINE_HAND.wide : 0), height: height - (beside ? 0 : MINE_HAND.tall) };
  }

  // A mine that is dug to the right is turned to the right, so that one digs downwards; one that is dug downwards, to the left.
  chooseTurn(goals) {
    if (this.settled === windowSize()) return;
    const room = this.room();
    if (room.width <= 0 || room.height <= 0) return;
    const places = [...goals.keys()].map((key) => key.split(",").map(Number));
    const sideways = new Set(places.map(([x]) => x)).size < new Set(places.map(([, y]) => y)).size;
    const way = sideways ? 1 : -1;
    this.turn = this.widest(way, room) > MINE_WORTH * this.widest(0, room) ? way : 0;
  }

  /** Decide which way up the mine lies in this window, and make it as large as its box allows. */
  settle() {
    if (!this.extent || !this.box.clientWidth) return;
    const before = this.turn;
    this.chooseTurn(this.drawn[2]);
    this.settled = windowSize();
    if (this.turn !== before) this.draw(...this.drawn);
    this.fit();
  }

  /** Make the mine as large as its box allows, and scroll what is to be seen into sight. */
  fit() {
    if (!this.extent || !this.box.clientWidth) return;
    const place = this.box.getBoundingClientRect(); // with the scroll bars, which come and go with what is decided here
    const cell = Math.floor(Math.min(Math.max(this.widest(this.turn, place), this.still ? MINE_LEAST_SHOWN : MINE_LEAST), MINE_LARGEST) * 10) / 10;
    if (this.box.style.getPropertyValue("--cell") !== `${cell}px`) this.box.style.setProperty("--cell", `${cell}px`);
    this.map.showPart();
    if (this.shown) this.reveal(this.shown);
    this.beyond.show();
  }

  layOut(board) {
    const bounds = [board.left, board.top, board.right, board.bottom, board.open, this.turn].join();
    if (bounds === this.bounds) return;
    this.bounds = bounds;
    const turn = this.turn;
    const [columns, rows] = this.counts(turn);
    this.box.style.setProperty("--columns", columns);
    this.box.style.setProperty("--rows", rows);
    this.grid.classList.toggle("open", Boolean(board.open));
    this.box.parentElement.classList.toggle("lying", Boolean(turn));
    this.box.parentElement.style.setProperty("--turn", `${90 * turn}deg`);
    this.box.parentElement.style.setProperty("--turn-back", `${-90 * turn}deg`);
    const had = this.cells;
    this.cells = new Map();
    const parts = [make("div", { class: "ground", "aria-hidden": "true" })];
    for (let x = board.left; x <= board.right; x += 1) parts.push(this.axis(x, board, [x, board.top], Boolean(turn)));
    for (let y = board.top; y <= board.bottom; y += 1) parts.push(this.axis(y, board, [board.left, y], !turn));
    for (let y = board.top; y <= board.bottom; y += 1) {
      for (let x = board.left; x <= board.right; x += 1) {
        const key = cellKey(x, y);
        const button = had.get(key) ?? make("button", { type: "button", class: "cell", "data-cell": key, "data-key": `cell ${key}` });
        const [column, row] = spotOf(board, x, y, turn);
        button.style.gridColumn = column + 2;
        button.style.gridRow = row + 2;
        this.cells.set(key, button);
        parts.push(button);
      }
    }
    this.grid.replaceChildren(...parts);
  }

  // The number of a column or a row, beside it (`beside`) or above it; it stays in sight along the whole row or column.
  axis(number, board, cell, beside) {
    const axis = make("span", { class: `axis ${beside ? "beside" : "above"}`, "aria-hidden": "true" }, String(number));
    const [column, row] = spotOf(board, ...cell, this.turn);
    axis.style.gridColumn = beside ? "1 / -1" : column + 2;
    axis.style.gridRow = beside ? row + 2 : "1 / -1";
    return axis;
  }

  drawCell(key, button, cell, mark, goal, reachable) {
    const state = JSON.stringify([cell, mark, goal, reachable]);
    if (button.drawn === state) return;
    button.drawn = state;
    const parts = [];
    if (cell) parts.push(drawSymbol(cell.symbol, cell.dark ? "dark" : ""));
    if (mark?.symbol) parts.push(drawSymbol(mark.symbol, "ghost"));
    if (mark?.both) parts.push(make("span", { class: "both", "aria-hidden": "true" }, "↻"));
    if (mark && !mark.symbol) parts.push(drawSymbol(mark.kind === "look" ? "i-eye" : "i-rockfall", "sign"));
    if (goal) parts.push(make("span", { class: "place", "aria-hidden": "true" }, placeSaid(goal.place)));
    button.replaceChildren(...parts);
    button.className = ["cell", cell ? "lying" : "", mark ? `lit ${mark.kind}` : "", mark?.hinted ? "hinted" : "",
      this.fresh.has(key) && cell ? "fresh" : "", reachable && !mark ? "reachable" : ""].filter(Boolean).join(" ");
    const words = mark?.words ?? cell?.words ?? "";
    const spoken = words || (reachable ? _("empty cell at {cell}, reachable", { cell: key }) : "");
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
    this.shown = cellKey(cells[0].x, cells[0].y);
  }

  // Lit cells are stops of Tab; where nothing is lit, the mine is one stop, and arrow keys go on from there.
  setStops(lit) {
    const usable = [...this.cells].filter(([, button]) => !button.disabled);
    const kept = this.cells.get(this.stop);
    const first = lit.size ? null : kept && !kept.disabled ? this.stop : usable[0]?.[0];
    for (const [key, button] of this.cells) button.tabIndex = lit.has(key) || key === first ? 0 : -1;
  }

  step(event) {
    const pressed = MINE_STEPS[event.key];
    const way = pressed && stepInMine(pressed, this.turn);
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
    this.shown = key;
    const [box, cell] = [this.box.getBoundingClientRect(), button.getBoundingClientRect()];
    const seen = cell.left > box.left && cell.right < box.right && cell.top > box.top && cell.bottom < box.bottom;
    if (seen) return;
    const quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.box.scrollBy({ left: (cell.left + cell.right - box.left - box.right) / 2, top: (cell.top + cell.bottom - box.top - box.bottom) / 2,
      behavior: quick ? "auto" : "smooth" });
  }
}
