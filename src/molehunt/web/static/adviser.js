// The adviser for a real table of Clue. The game lives here, and in the browser's storage; the server only thinks about it.

import { _, counted_in } from "./language.js";
import { AdviserEntry } from "./adviser_entry.js";
import { adviserCategories, mayAccuse, sameGame } from "./adviser_game.js";
import { AdviserSetup } from "./adviser_setup.js";
import { adviceParts, changeWords, conflictParts, envelopeParts, gridParts, lastParts, logParts, whyParts } from "./adviser_view.js";
import { downloadFile, keepFocus, make, pageData, recall, setText, showToast, tell } from "./dom.js";
import { OneStop } from "./one_stop.js";

const ADVISER_KEY = "molehunt.adviser";
const ADVISER_STEPS = 50; // changes that can be undone
const ADVISER_SLOW = 4000; // milliseconds after which it is said why it takes so long
const LOG_ACTS = 3; // what can be done with each entry of the log
const ADVISER_NO_SERVER = _("The program does not answer. Nothing was changed; try again.");

const adviserAt = (id) => document.getElementById(id);

/** The page. */
class AdviserPage {
  constructor() {
    this.data = pageData();
    this.game = null;
    this.past = [];
    this.future = [];
    this.turn = 0;
    this.last = Promise.resolve(); // what is being done to the game
    this.known = ""; // what the browser keeps, as far as this page knows
    this.rooms = new Set(); // the locations that I can reach, none meaning any
    this.setup = new AdviserSetup(adviserAt("adviser-setup"), this.data, (game) => this.finishSetup(game), () => this.backToGame(), () => this.openFile());
    this.entry = new AdviserEntry(adviserAt("entry-form"), (entry, place) => this.enter(entry, place), (asked) => this.inTurn(() => this.ask(this.game, { asked })));
    this.log = new OneStop(adviserAt("log-body"), ".log-acts button", LOG_ACTS);
    adviserAt("adviser-jump").onclick = (event) => {
      const part = event.target.hash && document.querySelector(event.target.hash);
      if (!part) return;
      event.preventDefault();
      part.scrollIntoView({ block: "start" });
      (part.querySelector("button:not([tabindex='-1']), input, [tabindex='0']") ?? part).focus({ preventScroll: true });
    };
    addEventListener("storage", () => this.follow());
    document.addEventListener("visibilitychange", () => this.follow());
    this.inTurn(() => this.start());
  }

  /** Do things to the game one after the other: each begins with what the one before has left. */
  inTurn(work) {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }

  /** Where another page of this browser has gone on with the game, this one goes on from there. */
  follow() {
    this.inTurn(() => {
      const kept = recall(ADVISER_KEY);
      return document.hidden || adviserAt("adviser-game").hidden || !kept || kept === this.known ? null : this.start();
    });
  }

  async start() {
    const kept = this.recall();
    if (!kept) {
      this.showSetup();
      return;
    }
    try {
      [this.game, this.past, this.future] = [kept.game, kept.past ?? [], kept.future ?? []];
      this.showGame();
    } catch {
      this.forget(_("it is damaged"));
      return;
    }
    const answer = await this.ask(this.game);
    if (answer.error === ADVISER_NO_SERVER) this.fail(_("The program does not answer. Nothing is lost: load this page again when it runs."));
    else if (answer.error) this.forget(answer.error);
    else this.show(answer);
  }

  /** The game that was kept cannot be shown: begin anew, and say so. */
  forget(why) {
    [this.game, this.past, this.future] = [null, [], []];
    this.showSetup();
    this.fail(_("The game that was kept here cannot be shown: {why}", { why }));
  }

  // ---- storage ----

  recall() {
    this.known = recall(ADVISER_KEY);
    try {
      const kept = JSON.parse(this.known || "null");
      return kept?.game?.players && Array.isArray(kept.game.entries) ? kept : null;
    } catch {
      return null;
    }
  }

  keep() {
    try {
      const kept = this.game ? JSON.stringify({ game: this.game, past: this.past, future: this.future }) : "";
      localStorage.setItem(ADVISER_KEY, kept);
      this.known = kept;
    } catch {
      showToast(_("This browser keeps nothing: save the game as a file before you leave."));
    }
  }

  // ---- the server ----

  /** What the server says about a game, or {error}. */
  async ask(game, more = {}) {
    const turn = (this.turn += 1);
    const quick = setTimeout(() => this.busy(_("Thinking …")), 250);
    const slow = setTimeout(() => {
      this.busy(_("Thinking … The first answer after the program was started takes longer, up to two minutes."));
      tell(this.thinking);
    }, ADVISER_SLOW);
    try {
      const response = await fetch("/api/adviser", { method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ game, after: Boolean(mayAccuse(game) || game.board) && !more.asked, rooms: this.roomNames(game), ...more }) });
      const answer = await response.json();
      return response.ok ? answer : { error: answer.error ?? ADVISER_NO_SERVER };
    } catch {
      return { error: ADVISER_NO_SERVER };
    } finally {
      clearTimeout(quick);
      clearTimeout(slow);
      if (turn === this.turn) this.busy("");
    }
  }

  /** The rooms that I can reach, by name, as far as the cards of a game have them. */
  roomNames(game) {
    return adviserCategories(game.cards, this.data.editions).at(-1)?.cards.filter(({ card }) => this.rooms.has(card)).map(({ name }) => name) ?? [];
  }

  reach(room) {
    return this.inTurn(() => this.reachNow(room));
  }

  async reachNow(room) {
    if (!this.rooms.delete(room)) this.rooms.add(room);
    const answer = await this.ask(this.game);
    if (answer.error) this.fail(answer.error);
    else this.show(answer);
  }

  busy(words) {
    adviserAt("adviser-game").classList.toggle("thinking", Boolean(words));
    this.thinking = words;
    this.showLines();
  }

  fail(words) {
    const error = adviserAt("adviser-error");
    error.hidden = !words;
    setText(error, words);
  }

  // ---- changes ----

  /** Change the game into what `made(game)` gives, if the server takes it; an error in words, or "". */
  change(made) {
    return this.inTurn(() => this.become(made(this.game)));
  }

  async become(game) {
    if (!game) return _("The game has changed meanwhile; look again.");
    if (this.game && sameGame(game, this.game)) { // nothing that could be undone
      this.showGame();
      showToast(_("Nothing was changed."));
      return "";
    }
    const before = new Set(this.rooms);
    const stood = mayAccuse(game) ? this.roomNames(game) : [];
    // Whoever suggests or plays with other cards stands elsewhere afterwards.
    if (mayAccuse(game) || game.cards !== this.game?.cards) this.rooms.clear();
    const answer = await this.ask(game, { stood });
    if (answer.error) this.rooms = before;
    if (answer.error) return answer.error;
    // Before a game that was saved elsewhere there are its entries, one by one.
    const states = this.game ? [...this.past, this.game] : game.entries.map((_one, n) => ({ ...game, entries: game.entries.slice(0, n) }));
    this.past = states.slice(-ADVISER_STEPS);
    this.future = [];
    this.showChanged(game, answer);
    return "";
  }

  showChanged(game, answer, done = "") {
    const before = this.answer;
    this.game = game;
    this.keep();
    this.showGame();
    this.show(answer);
    this.announce(before, answer, done);
  }

  step(from, to) {
    return this.inTurn(() => this.stepNow(from, to));
  }

  async stepNow(from, to) {
    if (!this[from].length) return;
    const game = this[from].at(-1);
    const answer = await this.ask(game);
    if (answer.error) {
      this.fail(answer.error);
      return;
    }
    this[to] = [...this[to], this.game];
    this[from] = this[from].slice(0, -1);
    this.showChanged(game, answer, from === "past" ? _("Undone.") : _("Redone."));
    this.goOn(adviserAt("adviser-undo"), adviserAt("adviser-redo"));
  }

  /** Whoever pressed what is gone now, or can be pressed no longer, goes on at the first of these that can have the focus. */
  goOn(...elements) {
    const here = document.activeElement;
    if (here !== document.body && here.checkVisibility() && !here.disabled) return;
    elements.find((one) => one && !one.disabled && one.checkVisibility())?.focus({ preventScroll: true });
  }

  goOnWithEntry() {
    this.goOn(adviserAt("entry-form").querySelector(":checked"));
  }

  /** Change the entries, as they are seen now. */
  changeEntries(change) {
    const seen = this.game;
    return this.change((game) => (game === seen ? { ...game, entries: change(game.entries) } : null));
  }

  async enter(entry, { mode, n }) {
    const error = mode === "add" ? await this.change((game) => ({ ...game, entries: [...game.entries, entry] }))
      : await this.changeEntries((entries) => entries.toSpliced(n - 1, mode === "edit" ? 1 : 0, entry));
    if (!error) this.lookAtNext();
    return error;
  }

  /** Make a change with which all entries agree. */
  async mend({ n, entry }) {
    const error = await this.enter(entry, { mode: "edit", n });
    if (error) this.fail(error);
    this.goOnWithEntry();
  }

  /** After an entry, where the page is long: look at what contradicts it, or at the beginning of the next entry. */
  lookAtNext() {
    const next = adviserAt(this.answer.conflict ? "adviser-conflict" : "adviser-entry");
    if (next.getBoundingClientRect().top < 0) next.scrollIntoView({ block: "start" });
  }

  async act(what, n) {
    if (what === "undo") return this.step("past", "future");
    if (what === "setup") return this.openSetup(this.game);
    if (what === "remove") {
      const error = await this.changeEntries((entries) => entries.toSpliced(n - 1, 1));
      if (error) this.fail(error);
      this.goOnWithEntry();
      return undefined;
    }
    return this.entry.open(what, n);
  }

  async finishSetup(game) {
    const error = await this.change(() => game);
    this.setup.answered(error);
    if (error) return;
    scrollTo({ top: 0 });
    this.goOnWithEntry();
  }

  async why(card, place) {
    const categories = this.categories().flatMap((category) => category.cards);
    const where = place === this.game.players.length ? "envelope" : this.game.players[place];
    const answer = await this.ask(this.game, { explain: { card: categories[card].name, place: where } });
    const found = answer.explanation;
    const dialog = adviserAt("adviser-why");
    dialog.replaceChildren(
      make("h2", { id: "why-title" }, found?.conclusion ?? _("Why?")),
      make("div", { id: "why-text" }, found?.text ? whyParts(found) : make("p", {}, answer.error ?? found.problem)),
      make("div", { class: "row" }, (found?.entries ?? []).map((n) => make("button", { type: "button", class: "button tiny", onclick: () => { dialog.close(); this.act("edit", n); } }, _("Correct entry {number}", { number: n }))),
        make("button", { type: "button", class: "button primary", id: "why-close", onclick: () => dialog.close() }, _("Close"))));
    dialog.showModal();
    dialog.querySelector("#why-close").focus();
  }

  // ---- files ----

  saveFile() {
    const blob = new Blob([`${JSON.stringify(this.game, null, 1)}\n`], { type: "application/json" });
    downloadFile("clue-advice.json", blob);
  }

  openFile() {
    const file = make("input", { type: "file", accept: ".json,application/json" });
    file.onchange = async () => {
      let error;
      const before = this.game;
      try {
        const game = JSON.parse(await file.files[0].text());
        error = await this.change(() => game ?? {});
      } catch {
        error = _("This file is not JSON; save a game here, or with molehunt advise, and open that.");
      }
      this.fail(error);
      if (!error && this.game !== before) showToast(!before ? _("Opened. Undo takes its entries back, the last first.") : _("Opened. Undo brings back what was here before."));
    };
    file.click();
  }

  // ---- drawing ----

  categories() {
    return adviserCategories(this.game.cards, this.data.editions);
  }

  openSetup(game = null) {
    this.showSetup(game);
    this.goOn(adviserAt("adviser-setup").querySelector("select, input"));
  }

  backToGame() {
    this.showGame();
    this.goOnWithEntry();
  }

  showSetup(game = null) {
    this.fail("");
    adviserAt("adviser-setup").hidden = false;
    adviserAt("adviser-game").hidden = true;
    adviserAt("adviser-jump").hidden = true;
    this.setup.start(game);
    this.showTools();
    this.showLines();
  }

  showGame() {
    adviserAt("adviser-setup").hidden = true;
    adviserAt("adviser-game").hidden = false;
    adviserAt("adviser-jump").hidden = false;
    this.fail("");
    this.entry.begin(this.game, this.categories());
    this.showTools();
    this.showLines();
  }

  showLines() {
    const playing = !adviserAt("adviser-game").hidden;
    const words = this.thinking || (playing ? _("Cards: {hands}", { hands: this.game.players.map((name, place) => `${name === this.game.me ? _("you") : name} (${this.game.hand_sizes[place]})`).join(" · ") })
      : _("For a game of Clue at a real table: say what happens, and see what follows."));
    setText(adviserAt("adviser-lines"), words);
  }

  showTools() {
    const tools = adviserAt("adviser-tools");
    const playing = !adviserAt("adviser-game").hidden;
    const button = (id, words, click, disabled = false) => make("button", { type: "button", class: "button tiny", id: `adviser-${id}`, "data-key": id, disabled, onclick: click }, words);
    tools.hidden = !playing && (!this.answer || this.setup.game);
    tools.classList.toggle("all", Boolean(this.allTools)); // on a small screen what is rare stands behind a button
    keepFocus(tools, () => tools.replaceChildren(...[
      playing ? button("undo", _("Undo"), () => this.step("past", "future"), !this.past.length) : button("back", _("Back to the game"), () => this.backToGame()),
      playing ? button("redo", _("Redo"), () => this.step("future", "past"), !this.future.length) : null,
      playing && !this.allTools ? button("more", _("More …"), () => {
        this.allTools = true;
        this.showTools();
        adviserAt("adviser-table").focus();
      }) : null,
      playing ? button("table", _("Hand and names"), () => this.openSetup(this.game)) : null,
      playing ? button("save", _("Save as a file"), () => this.saveFile()) : null,
      playing ? button("open", _("Open …"), () => this.openFile()) : null,
      playing ? button("new", _("New game"), () => this.openSetup()) : null,
    ].filter(Boolean)));
  }

  show(answer) {
    this.answer = answer;
    const act = (what, n) => this.act(what, n);
    const conflict = adviserAt("adviser-conflict");
    conflict.hidden = !answer.conflict;
    this.part("adviser-conflict", answer.conflict ? conflictParts(answer, act, (slip) => this.mend(slip)) : []);
    this.part("entry-last", lastParts(answer, act));
    this.part("advice-body", adviceParts(answer, (cards) => this.entry.use(cards), this.rooms, (room) => this.reach(room)));
    this.part("grid-body", gridParts(answer, (card, place) => this.why(card, place)));
    this.part("envelope-body", envelopeParts(answer));
    this.log.keep(() => this.part("log-body", logParts(answer, act)), () => this.log.buttons[0]);
  }

  part(id, parts) {
    const root = adviserAt(id);
    const open = new Set([...root.querySelectorAll("details[open]")].map((details) => details.className));
    keepFocus(root, () => {
      root.replaceChildren(...parts);
      for (const details of root.querySelectorAll("details")) details.open = open.has(details.className);
    });
  }

  /** Tell those who hear the page what was `done` (Undo, Redo), what has changed by it, and what that has brought. */
  announce(before, answer, done = "") {
    const changed = [done, changeWords(before?.entries ?? [], answer.entries)];
    if (answer.conflict) {
      tell(changed.filter(Boolean).join(" ")); // the panel of the conflict is read out
      return;
    }
    const known = new Set((before?.certain ?? []).map((fact) => fact.text));
    const fresh = before ? answer.certain.filter((fact) => !known.has(fact.text)).map((fact) => fact.text) : [];
    const { remark = "" } = answer.entries.at(-1) ?? {};
    if (remark && answer.entries.length > (before?.entries.length ?? 0)) showToast(remark, 10, true);
    tell([...changed, fresh.length ? _("Now certain: {facts}.", { facts: fresh.join(", ") }) : "", answer.envelopes?.words ?? ""].filter(Boolean).join(" "));
    const same = before?.players.map((player) => player.name).join() === answer.players.map((player) => player.name).join();
    if (fresh.length && same && before.grid) showToast(fresh.length > 3 ? counted_in("Now certain: {facts} and {n} more.", "Now certain: {facts} and {n} more.", fresh.length - 3, { facts: fresh.slice(0, 3).join(", ") }) : _("Now certain: {facts}.", { facts: fresh.join(", ") }), 4, true);
  }
}

new AdviserPage();
