// What stands beside a board, at the table and in a replay: the seats, and panels of beliefs and reasons.

import { _, inPercent } from "./language.js";
import { make, setAll, setText } from "./dom.js";
import { headOf } from "./heads.js";
import { tellOfMore } from "./scrolling.js";
import { pictureIn, putDrawing } from "./svg.js";

/** Draw panels into `root`, in place of what was there. */
export function drawPanels(root, panels) {
  root.replaceChildren(...panels.map((panel) => {
    const content = PANEL_KINDS[panel.kind];
    return make("section", { class: `belief belief-${panel.kind}` },
      panel.title ? make("h3", {}, panel.title) : null,
      content ? content(panel) : make("p", {}, panel.text ?? ""));
  }));
}

/** What is believed after a move, told in the same lines with what was before it; and of before what cannot be told so. */
export function comparePanels(before, after) {
  const rest = before.filter((panel) => !after.some((other) => JSON.stringify(other) === JSON.stringify(panel)));
  const compared = after.map((panel) => {
    const at = rest.findIndex((other) => panel.kind === "bars" && other.kind === "bars" && other.title === panel.title
      && panelLabels(other) === panelLabels(panel));
    if (at < 0) return panel;
    const was = new Map(rest.splice(at, 1)[0].rows.map((row) => [row.label, row]));
    return { ...panel, rows: panel.rows.map((row) => (was.get(row.label).text === row.text ? row : { ...row, was: was.get(row.label) })) };
  });
  return [compared, rest];
}

function panelLabels(panel) {
  return panel.rows.map((row) => row.label).sort().join("\n");
}

const PANEL_KINDS = { bars: panelBars, grid: panelGrid, drawing: panelDrawing, text: panelText };

function panelBars(panel) {
  const reach = panel.high - panel.low || 1;
  const share = (value) => `${(100 * (Math.min(Math.max(value, panel.low), panel.high) - panel.low)) / reach}%`;
  // How much somebody is suspected goes from grey to red; other bars are green above nothing and red below.
  const suspected = panel.low === 0 && panel.title === _("Suspected of being a saboteur");
  const zero = Math.min(Math.max(0, panel.low), panel.high);
  const changes = panel.rows.some((row) => row.was);
  return make("ul", { class: changes ? "bars changed" : "bars" }, panel.rows.map((row) => {
    const bar = make("span", { class: row.value < 0 ? "bar below" : "bar" });
    if (suspected) {
      bar.classList.add("suspicion");
      bar.style.setProperty("--level", share(row.value));
    }
    bar.style.left = share(Math.min(row.value, zero));
    bar.style.right = `calc(100% - ${share(Math.max(row.value, zero))})`;
    const middle = make("span", { class: "zero" });
    middle.style.left = share(zero);
    const was = row.was ? make("span", { class: "was" }) : null;
    if (was) was.style.left = share(row.was.value);
    return make("li", {}, make("span", { class: "bar-label" }, row.label),
      make("span", { class: "track", "aria-hidden": "true" }, middle, bar, was), make("span", { class: "bar-text" }, row.was ? `${row.was.text} → ${row.text}` : row.text));
  }));
}

function panelGrid(panel) {
  const head = make("tr", {}, make("td"), panel.columns.map((column) => make("th", { scope: "col" }, column)));
  const body = panel.groups.flatMap((group) => [
    make("tr", {}, make("th", { class: "grid-group", colspan: panel.columns.length + 1, scope: "colgroup" }, group.title)),
    ...group.rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.label), row.values.map((value) => {
      const cell = make("td", {}, panelPercent(value));
      cell.style.setProperty("--share", `${Math.round(100 * (value ?? 0))}%`);
      return cell;
    }))),
  ]);
  return make("div", { class: "grid-box", tabindex: "0", role: "group", "aria-label": panel.title || _("Probabilities") },
    make("table", { class: "grid" }, make("thead", {}, head), make("tbody", {}, body)));
}

function panelPercent(value) {
  if (value === null || value === undefined) return "";
  if (value <= 0) return "–";
  if (value >= 1) return "100";
  const percent = Math.round(100 * value);
  return percent < 1 ? "<1" : String(Math.min(percent, 99));
}

function panelDrawing(panel) {
  const holder = make("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": panel.title || _("Drawing") });
  putDrawing(holder, pictureIn(panel.svg), "svg { display: block; max-width: 100%; height: auto; }");
  // A drawing is for those who know such drawings; the bars above say the same in short.
  return make("details", { class: "expert" }, make("summary", {}, _("Show the drawing")),
    make("figure", {}, holder, panel.words ? make("figcaption", { class: "small muted" }, panel.words) : null));
}

function panelText(panel) {
  return make("p", { class: "prose" }, panel.text);
}

/** What an artificial player is called, with its name where that is told: "the careful digger (decision-2019)". */
export function agentWords(seat) {
  return !seat.agent ? _("artificial player") : seat.called ? `${seat.called} (${seat.agent})` : seat.agent;
}

const PANELS_EDGE = 8; // pixels that are left beside what is kept on the screen

/** Shift a bubble that hangs below a seat to where it is on the screen whole. */
function keepInside(bubble) {
  bubble.style.marginLeft = "";
  if (!bubble.offsetParent) return; // the seats are not shown at the end of a round
  // Where it lies once it has come, which it does by growing.
  const right = bubble.offsetParent.getBoundingClientRect().left + bubble.offsetLeft + bubble.offsetWidth;
  bubble.style.marginLeft = `${Math.min(0, document.documentElement.clientWidth - PANELS_EDGE - right)}px`;
}

/** The seats of a table as a list; a board adds what its game knows of a seat (`board.drawSeat(seat, slot, item)`). */
export class SeatsBar {
  constructor(root) {
    this.root = root;
    this.list = make("ol", { class: "seats", "aria-label": _("Players"), tabindex: "0" }); // it scrolls on a phone
    root.append(this.list);
    tellOfMore(root);
    this.items = [];
    this.place(root);
  }

  // On a small screen the seats stand with the board, else beside it; so they are read there, too.
  place(root) {
    const small = matchMedia("(max-width: 56.25em), (max-height: 35em)");
    const board = document.getElementById("board");
    const beside = document.querySelector(".side");
    const put = () => (small.matches ? board.before(root) : beside.prepend(root));
    small.onchange = put;
    put();
  }

  /** Show the seats of a frame: {seats, to_move, you, over}. */
  update(frame, board) {
    if (this.items.length !== frame.seats.length) {
      this.items = frame.seats.map((_one, seat) => this.makeItem(seat));
      this.list.replaceChildren(...this.items.map((item) => item.root));
    }
    this.list.classList.toggle("many", frame.seats.length > 6);
    this.list.classList.toggle("few", frame.seats.length < 4);
    this.list.style.setProperty("--across", frame.seats.length > 5 ? Math.ceil(frame.seats.length / 2) : frame.seats.length);
    frame.seats.forEach((seat, number) => this.drawItem(this.items[number], seat, number, frame));
    this.ended = Boolean(frame.over || frame.held); // then the mine is looked at, and nobody is to move
    for (const { thought } of this.items) {
      thought.hidden ||= this.ended;
      if (!thought.hidden) keepInside(thought);
    }
    this.drawMore(board);
  }

  /** Let the board draw again what it adds to each seat. */
  drawMore(board) {
    if (board?.drawSeat) this.items.forEach((item, seat) => board.drawSeat(seat, item.more, item.root));
  }

  /** Show what a player thought at its move, beside its seat, and how much each is suspected. */
  showMinds({ seat, thought, suspicion }) {
    this.items.forEach((item, number) => {
      item.thought.hidden = number !== seat || !thought || this.ended;
      if (number === seat) {
        setText(item.thought, `“${thought}”`);
        keepInside(item.thought);
      }
      const share = suspicion[number];
      item.suspicion.hidden = share === undefined;
      if (share === undefined) return;
      item.suspicion.style.setProperty("--level", `${Math.round(100 * share)}%`);
      item.suspicion.title = _("suspected");
      // The sign stands where there is no room for the word.
      item.suspicion.replaceChildren(make("span", { class: "suspicion-sign", "aria-hidden": "true" }, "⚑ "), make("span", { class: "suspicion-word" }, `${_("suspected")} `), make("span", {}, inPercent(share)));
    });
  }

  makeItem(seat) {
    const item = { avatar: make("span", { class: "avatar", "aria-hidden": "true" }), name: make("strong", { class: "seat-name" }),
      kind: make("span", { class: "seat-kind" }), suspects: make("span", { class: "seat-suspects" }), suspicion: make("span", { class: "seat-suspicion", hidden: true }), thought: make("span", { class: "thought", hidden: true }), more: make("div", { class: "seat-more" }) };
    item.root = make("li", { class: "seat", "data-seat": seat }, item.avatar,
      make("div", { class: "seat-who" }, item.name, item.kind), item.more, item.suspects, item.suspicion, item.thought);
    item.root.style.setProperty("--tint", `var(--seat-${seat % 10})`);
    return item;
  }

  drawItem(item, seat, number, frame) {
    const name = seat.name || _("Seat {number}", { number: number + 1 });
    const moves = frame.to_move === number && !frame.over;
    const kind = [
      frame.you === number ? _("you") : null,
      frame.over?.winners?.includes(number) ? _("won") : null,
      moves ? _("to move") : null,
      seat.kind === "open" ? _("free seat") : seat.kind === "agent" ? agentWords(seat) : seat.here === false ? _("away") : null,
    ].filter(Boolean);
    const suspecting = (frame.suspects ?? []).filter(([, whom]) => whom === number).map(([who]) => frame.seats[who].name);
    setText(item.suspects, suspecting.length ? `⚑ ${suspecting.join(", ")}` : "");
    item.suspects.title = suspecting.length ? _("Suspected by {names}", { names: suspecting.join(", ") }) : "";
    if (item.avatar.open !== (seat.kind === "open")) {
      item.avatar.open = seat.kind === "open";
      item.avatar.replaceChildren(item.avatar.open ? "+" : headOf(number));
    }
    setText(item.name, name);
    setText(item.kind, kind.join(" · "));
    item.kind.title = kind.join(" · ");
    setAll(item.root, { "aria-current": moves ? "true" : null });
    item.root.classList.toggle("moving", moves);
    item.root.classList.toggle("own", frame.you === number);
    item.root.classList.toggle("won", Boolean(frame.over?.winners?.includes(number)));
    item.root.classList.toggle("away", seat.kind === "open" || (seat.kind === "person" && seat.here === false));
  }
}
