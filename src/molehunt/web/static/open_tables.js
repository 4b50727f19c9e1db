// The tables that are open to all, as the lobby lists them: to join where a seat is free, to watch where none is.

import { _, counted_in } from "./language.js";
import { keepFocus, make } from "./dom.js";

const OPEN_TABLES_PAUSE = 5000; // milliseconds between two looks at the server

/** The list in `root`; `join(token, fault, button)` takes a seat, and writes into the element `fault` why it cannot. */
export class OpenTables {
  constructor(root, join) {
    this.root = root;
    this.join = join;
    setInterval(() => document.hidden || this.look(), OPEN_TABLES_PAUSE);
  }

  /** Show these tables; nothing where there are none. */
  show(tables) {
    const state = JSON.stringify(tables);
    if (this.drawn === state) return;
    this.drawn = state;
    this.root.hidden = !tables.length;
    const list = this.root.querySelector("ul");
    keepFocus(list, () => list.replaceChildren(...tables.map((table) => this.line(table))));
  }

  // A server that does not answer says nothing here: what is done next says so.
  async look() {
    const answer = await fetch("/api/tables").catch(() => null);
    if (answer?.ok) this.show(await answer.json());
  }

  line(table) {
    const fault = this.root.querySelector(".error");
    const about = `${table.label}, ${table.names.join(", ")}`;
    return make("li", { "data-open": table.token }, make("span", { class: "own-table" }, make("strong", {}, table.label), make("span", { class: "muted small" }, openTableWords(table))),
      table.free ? make("button", { type: "button", class: "button primary", "data-key": `join ${table.token}`, "aria-label": _("Join {table}", { table: about }),
        onclick: (event) => this.join(table.token, fault, event.currentTarget) }, _("Join")) : null,
      make("a", { class: "button quiet", href: `/t/${table.token}`, "data-key": `watch ${table.token}`, "aria-label": _("Watch {table}", { table: about }) }, _("Watch")));
  }
}

function openTableWords(table) {
  const state = table.phase === "waiting" ? counted_in("{n} free seat", "{n} free seats", table.free) : counted_in("{n} move", "{n} moves", table.moves);
  return [table.names.join(", "), state, table.watchers ? counted_in("{n} watching", "{n} watching", table.watchers) : null].filter(Boolean).join(" · ");
}
