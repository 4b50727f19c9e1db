// The board of any game that has none of its own: the game's drawing, parts of it that can be chosen, and the moves as buttons.

import { _, counted_in } from "./language.js";
import { keepFocus, make, setAll, setText } from "./dom.js";
import { drawingOf, putDrawing } from "./svg.js";

const DRAWN_FILTER_FROM = 16; // so many moves have a field to look for one of them
const DRAWN_LARGEST = 1.6; // how far a drawing is enlarged at most
const DRAWN_AROUND = 40; // pixels of a drawing's frame, between it and the moves, and below these
const DRAWN_READABLE = 0.8; // where it is made smaller than this, it can be shown in its own size, to scroll in
const DRAWN_FEWEST = 3; // letters of a name that are still a name
const DRAWN_NAME = 12; // letters of a name that fit where the drawing says "seat 10"

const DRAWN_STYLE = `
:host { display: block; overflow: auto; }
svg { display: block; margin: 0 auto; width: 100%; height: auto; }
.lit { cursor: pointer; filter: drop-shadow(0 0 1.5px var(--lit-edge)) drop-shadow(0 0 2.5px var(--lit-edge)); touch-action: manipulation; }
:where(.lit:not([pointer-events]), .lit :not([pointer-events])) { pointer-events: all; }
.lit:hover { filter: drop-shadow(0 0 2px var(--lit-edge)) drop-shadow(0 0 5px var(--lit-edge)); }
.picked { filter: drop-shadow(0 0 1px var(--focus)) drop-shadow(0 0 2px var(--focus)) drop-shadow(0 0 3px var(--focus)); }
.hinted { filter: drop-shadow(0 0 2px var(--good)) drop-shadow(0 0 5px var(--good)); }
.lit:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`;

/** A position in `root`. `play(notation)` sends a move; with `play === null` it is a drawing that only shows. */
export class Board {
  constructor(root, play) {
    this.root = root;
    this.play = play;
    this.drawn = true; // what it shows is a drawing of the game
    this.position = null;
    this.picked = []; // the parts of the drawing that are chosen, by their number
    this.pointed = null; // a move that a hint points at
    this.wanted = ""; // what is looked for among the moves
    this.tallest = 0; // how high the panel of moves has been
    this.opened = false; // whether what every seat saw was opened for the reader, who may have closed it since
    root.classList.add("drawn");
    this.picture = make("div", { class: "drawn-picture", role: "group", "aria-label": _("The game") });
    this.picture.attachShadow({ mode: "open" });
    this.larger = make("button", { type: "button", class: "button tiny drawn-larger", "aria-pressed": "false", hidden: true, onclick: () => this.enlarge() }, _("Larger"));
    this.drawings = make("div", { class: "drawn-others" });
    this.others = make("details", { class: "drawn-words", hidden: true, ontoggle: () => this.drawOthers() }, make("summary", {}, _("What everybody saw")), this.drawings);
    this.text = make("pre", { class: "drawn-text", tabindex: "0" });
    this.words = make("details", { class: "drawn-words" }, make("summary", {}, _("In words")), this.text);
    this.panel = make("section", { class: "drawn-moves panel", "aria-label": _("Moves"), hidden: true });
    this.prompt = make("p", { class: "prompt", id: "prompt" });
    this.filter = make("input", { type: "search", id: "filter", placeholder: _("Look for a move"), "aria-label": _("Look for a move"), "data-key": "filter",
      autocomplete: "off", oninput: () => this.look() });
    this.clear = make("button", { type: "button", class: "button tiny", id: "begin-anew", "data-key": "clear", "aria-keyshortcuts": "Escape", onclick: () => this.unpick() }, _("All moves"));
    this.groups = make("div", { class: "move-groups" });
    this.panel.append(make("div", { class: "row spread drawn-head" }, this.prompt, this.clear), this.filter, this.groups);
    root.append(make("div", { class: "drawn-frame" }, this.picture, this.larger), ...(play ? [this.panel] : []), this.others, this.words);
    const observer = new ResizeObserver(() => this.measure());
    for (const part of [this.picture, this.panel]) observer.observe(part);
    if (play) {
      this.picture.shadowRoot.addEventListener("click", (event) => this.chooseAt(event));
      this.picture.shadowRoot.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && this.chooseAt(event));
      document.addEventListener("keydown", (event) => event.key === "Escape" && this.unpick());
    }
  }

  /** Show a table frame; a frame without a position leaves all as it is. */
  update(frame) {
    if (!frame.position) return;
    const anew = !this.position || this.position.drawing !== frame.position.drawing || this.frame.moves !== frame.moves;
    this.frame = frame;
    this.position = frame.position;
    this.names = frame.seats.map((seat, number) => seat.name || _("Seat {number}", { number: number + 1 }));
    this.moves = new Map((this.position.groups ?? []).flatMap((group) => group.moves.map((move) => [move.move, move])));
    this.sent = false;
    if (anew) {
      this.picked = [];
      this.filter.value = this.wanted = "";
      this.drawPicture();
    }
    if (this.pointed && !this.moves.has(this.pointed)) this.pointed = null;
    this.draw();
  }

  /** The move was refused: it may be chosen again. */
  refused() {
    this.sent = false;
    if (this.position) this.draw();
  }

  /** Show a move, as a hint does. */
  point(notation) {
    if (!this.moves.has(notation)) return;
    this.pointed = notation;
    this.picked = [];
    this.filter.value = this.wanted = "";
    this.draw();
    this.groups.querySelector(".primary")?.scrollIntoView({ block: "nearest" });
  }

  // ---- the drawing ----

  drawPicture() {
    const before = this.picture.shadowRoot.activeElement ? this.parts.indexOf(this.picture.shadowRoot.activeElement) : -1;
    ({ width: this.width, height: this.height } = drawnInto(this.picture, this.position.drawing, this.names));
    if (this.enlarged) this.picture.shadowRoot.querySelector("svg").style.minWidth = `${this.width}px`;
    this.parts = [...this.picture.shadowRoot.querySelectorAll("[data-moves]")];
    this.offers = this.parts.map((part) => new Set(part.getAttribute("data-moves").split("\n").map((move) => move.trim()).filter((move) => this.moves.has(move))));
    for (const part of this.parts) part.own = { role: part.getAttribute("role"), words: part.getAttribute("aria-label") };
    if (before >= 0) this.parts[before]?.focus?.();
    setText(this.text, this.position.text);
    this.words.hidden = !this.position.text;
    this.measure();
    this.others.hidden = !this.position.drawings;
    if (this.position.drawings && !this.opened && !(this.play && this.frame.over)) {
      // All cards are said to lie open, and the public drawing hides them.
      this.opened = this.others.open = true;
    }
    this.drawOthers();
  }

  /** What every seat saw, where all cards are revealed and somebody looks. */
  async drawOthers() {
    const wanted = (this.others.open && this.position?.drawings) || [];
    this.asked = wanted;
    const drawings = await Promise.all(wanted.map((drawing) => (typeof drawing === "function" ? drawing() : drawing)));
    if (this.asked !== wanted) return; // another position is shown by now
    this.drawings.replaceChildren(...drawings.map((drawing, seat) => {
      const holder = make("div", { class: "drawn-picture" });
      holder.attachShadow({ mode: "open" });
      drawnInto(holder, drawing, this.names);
      return make("figure", {}, make("figcaption", {}, _("What {name} saw", { name: this.names[seat] })), holder);
    }));
  }

  /** What is known of a seat, into `slot` of its list item: its number, by which drawings name it, and its role once revealed. */
  drawSeat(seat, slot) {
    const role = this.position?.roles?.[seat];
    const state = JSON.stringify([seat, role]);
    if (slot.drawn === state) return;
    slot.drawn = state;
    slot.replaceChildren(make("span", { class: "tag" }, _("seat {number}", { number: seat })), ...(role ? [make("span", { class: `tag role ${role}` }, _(role))] : []));
  }

  /** Show a drawing as large as there is room above the moves; offer to enlarge one that is too small to be read. */
  measure() {
    const svg = this.picture.shadowRoot.querySelector("svg");
    if (svg) svg.style.maxWidth = `${Math.round(this.width * this.largest())}px`;
    const scale = svg ? svg.getBoundingClientRect().width / this.width : 1;
    this.larger.hidden = !this.enlarged && scale >= DRAWN_READABLE;
  }

  /** How far a drawing is enlarged: not so far that the panel of moves, as high as it has been, lies over it. */
  largest() {
    this.tallest = Math.min(Math.max(this.tallest, this.panel.offsetHeight), innerHeight / 2);
    if (!this.tallest) return DRAWN_LARGEST;
    const below = this.frame.over ? 0 : this.tallest;
    const room = innerHeight - (this.picture.getBoundingClientRect().top + scrollY) - below - DRAWN_AROUND;
    return Math.min(Math.max(room / this.height, 1), DRAWN_LARGEST);
  }

  enlarge() {
    this.enlarged = !this.enlarged;
    setText(this.larger, this.enlarged ? _("Fit") : _("Larger"));
    this.larger.setAttribute("aria-pressed", String(this.enlarged));
    this.picture.shadowRoot.querySelector("svg").style.minWidth = this.enlarged ? `${this.width}px` : "";
  }

  /** The moves that go with all parts that are chosen. */
  left() {
    return [...this.moves.keys()].filter((move) => this.picked.every((part) => this.offers[part].has(move)));
  }

  drawParts(left) {
    const may = new Set(left);
    this.parts.forEach((part, number) => {
      const open = !this.sent && [...this.offers[number]].some((move) => may.has(move));
      const picked = this.picked.includes(number);
      part.classList.toggle("lit", this.play !== null && (open || picked));
      part.classList.toggle("picked", picked);
      part.classList.toggle("hinted", this.pointed !== null && this.offers[number].has(this.pointed));
      if (!this.play) return;
      const lit = open || picked;
      setAll(part, { tabindex: lit ? "0" : null, role: lit ? "button" : part.own.role, "aria-pressed": lit && this.offers[number].size > 1 ? String(picked) : null,
        "aria-label": lit ? this.partWords(part, number) : part.own.words });
    });
  }

  partWords(part, number) {
    const said = part.own.words ?? part.querySelector("title")?.textContent ?? part.textContent.trim();
    const offered = [...this.offers[number]];
    return said || (offered.length === 1 ? this.moves.get(offered[0]).words : counted_in("{n} move", "{n} moves", offered.length));
  }

  chooseAt(event) {
    const part = event.target.closest?.("[data-moves].lit");
    const number = this.parts.indexOf(part);
    if (number < 0 || this.sent) return;
    event.preventDefault();
    const own = [...this.offers[number]];
    if (own.length === 1) {
      this.send(own[0]);
      return;
    }
    this.picked = this.picked.includes(number) ? this.picked.filter((other) => other !== number) : [...this.picked, number];
    if (!this.left().length) this.picked = [number];
    this.filter.value = this.wanted = "";
    this.draw();
    if (this.left().length === 1) this.groups.querySelector("button")?.scrollIntoView({ block: "nearest" });
  }

  unpick() {
    this.picked = [];
    this.pointed = null;
    this.filter.value = this.wanted = "";
    if (this.position) this.draw();
  }

  look() {
    this.wanted = this.filter.value.trim().toLowerCase();
    this.draw();
  }

  send(notation) {
    if (this.sent || !this.play) return;
    this.sent = true;
    this.pointed = null;
    this.play(notation);
    this.draw();
  }

  // ---- the moves ----

  draw() {
    const left = this.left();
    this.drawParts(left);
    if (!this.play) return;
    this.panel.hidden = !this.moves.size;
    if (!this.moves.size) return;
    const narrowed = left.length < this.moves.size;
    const shown = new Set(left.filter((move) => this.moves.get(move).words.toLowerCase().includes(this.wanted)));
    setText(this.prompt, this.promptWords(left, shown.size));
    this.clear.hidden = !narrowed && !this.wanted;
    this.filter.hidden = left.length < DRAWN_FILTER_FROM;
    const state = JSON.stringify([[...shown], this.pointed, this.sent, narrowed]);
    if (this.groups.drawn === state) return;
    this.groups.drawn = state;
    keepFocus(this.panel, () => this.groups.replaceChildren(...this.position.groups.map((group) => this.group(group, shown, left.length === 1)).filter(Boolean)));
  }

  promptWords(left, shown) {
    if (this.sent) return "…";
    if (left.length === 1) return this.moves.size === 1 ? _("There is one move:") : _("This is left:");
    const lit = this.offers.some((offered) => offered.size);
    if (shown < left.length) return _("{shown} of {all} moves", { shown, all: left.length });
    if (this.picked.length) return counted_in("{n} move goes with this.", "{n} moves go with this.", left.length);
    return lit ? _("Choose a move, or what lights up.") : _("Choose a move.");
  }

  group(group, shown, only) {
    const moves = group.moves.filter((move) => shown.has(move.move));
    if (!moves.length) return null;
    const named = this.position.groups.length > 1 || group.title !== _("Moves");
    // Without a heading it is no part of its own: two parts of one name would be told as the same.
    const [part, name] = named ? ["section", { "aria-label": group.title }] : ["div", {}];
    return make(part, { class: "move-group", ...name }, named ? make("h2", {}, group.title) : null,
      make("div", { class: "row" }, moves.map((move) => make("button", { type: "button", class: `button${only || move.move === this.pointed ? " primary" : ""}`,
        "data-play": move.move, "data-key": `move ${move.move}`, disabled: this.sent, onclick: () => this.send(move.move) }, move.words))));
  }
}

/** Draw an SVG into the shadow of `holder`, where its style sheet reaches nothing else, with names for seats; its size in its units. */
function drawnInto(holder, text, names) {
  const { svg, width, height } = drawingOf(text);
  svg.setAttribute("role", "group"); // it may hold what can be chosen
  const walker = document.createTreeWalker(svg, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.localName === "style") continue;
    const short = !["title", "desc"].includes(node.parentElement.localName);
    node.data = drawnNamed(node.data, names, short);
  }
  for (const said of [svg, ...svg.querySelectorAll("[aria-label]")]) {
    if (said.hasAttribute("aria-label")) said.setAttribute("aria-label", drawnNamed(said.getAttribute("aria-label"), names, false));
  }
  putDrawing(holder, svg, DRAWN_STYLE);
  svg.style.maxWidth = `${Math.round(width * DRAWN_LARGEST)}px`;
  for (const label of svg.querySelectorAll("text[data-name]")) drawnName(label, names);
  return { width, height };
}

/** Write a seat's name into a text that stands for it, cut where it is wider than `data-width`; as it was where hardly any of it fits. */
function drawnName(label, names) {
  const name = names[Number(label.dataset.name)];
  if (name === undefined) return;
  const widest = parseFloat(label.dataset.width) || Infinity;
  const before = label.textContent;
  label.textContent = name;
  let letters = name.length;
  while (letters >= DRAWN_FEWEST && label.getComputedTextLength() > widest) {
    letters -= 1;
    label.textContent = `${name.slice(0, letters)}…`;
  }
  if (letters < DRAWN_FEWEST) label.textContent = before;
}

function drawnNamed(text, names, short) {
  return text.replace(/\bseat (\d+)\b/gi, (found, seat) => {
    const name = names[Number(seat)];
    if (name === undefined) return found;
    return short && name.length > DRAWN_NAME ? `${name.slice(0, DRAWN_NAME - 1)}…` : name;
  });
}
