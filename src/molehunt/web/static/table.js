// A table: what the server says is shown, what the reader does is sent. The game's own module draws the board.

import { _, counted_in, inNumbers } from "./language.js";
import { Connection } from "./connection.js";
import { keepGame } from "./own_games.js";
import { forgetTable, keepTable, ownTables } from "./own_tables.js";
import { make, pageData, setAll, setText, showToast, tell } from "./dom.js";
import { OneStop } from "./one_stop.js";
import { SeatsBar, comparePanels, drawPanels } from "./panels.js";
import { Ending, WaitingRoom, endWords } from "./rooms.js";
import { tellOfMore } from "./scrolling.js";
import { Sheet } from "./sheet.js";
import { Sounds } from "./sounds.js";
import { Steady } from "./steady.js";
import { Talk } from "./talk.js";
import { askTwice } from "./twice.js";

const TABLE_NEAR_END = 40; // pixels from the end of the log within which it goes on scrolling
const TABLE_LONG = 20; // seconds that it is said that the adviser has moved
const TABLE_AGAIN = 2000; // milliseconds until a board that could not be fetched is asked for again
const TABLE_NOISES = { turned: "turn", cleared: "fall", broken: "break", mended: "mend", looked: "look",
  accused: "wrong", shown: "show", suggested: "ask" }; // by what a move has changed
const TABLE_WAITS = _("The server thinks for other tables, too; this one waits for its turn.");

/** The page of one seat, or of one who watches. */
class Table {
  constructor(token) {
    this.frame = null;
    this.board = null;
    this.loading = null;
    this.log = [];
    this.asking = new OneStop(tableAt("log"), ".why");
    this.seats = new SeatsBar(tableAt("seats"));
    this.sheet = new Sheet(tableAt("practice"), tableAt("board"));
    for (const one of ["answer", "help"]) tellOfMore(tableAt(one));
    this.steady = new Steady(document.body.classList.contains("with-stage") ? [document.querySelector(".status"), this.seats.list] : []);
    this.waiting = new WaitingRoom(tableAt("waiting"), (message) => this.send(message));
    this.ending = new Ending(tableAt("over"), (message) => this.send(message));
    this.connection = new Connection(`/ws/${token}`, (message) => this.handle(message), (open) => this.showConnection(open));
    this.talk = new Talk(tableAt("talk"), (message) => this.send(message));
    this.sounds = new Sounds();
    this.showSound();
    this.showNotify();
    tableAt("undo").onclick = () => this.takeBack();
    tableAt("hint").onclick = () => this.ask({ do: "hint" }, _("Thinking …"));
    tableAt("beliefs").onclick = () => this.ask({ do: "beliefs", move: null }, _("Thinking …"));
    tableAt("how").onclick = () => this.showGuide();
    tableAt("help-close").onclick = () => this.clearAnswer();
    tableAt("practice").onkeydown = (event) => this.closeByKey(event);
    const pace = tableAt("pace");
    pace.oninput = () => this.showPace();
    pace.onchange = () => this.send({ do: "pace", ms: Number(pace.value) });
    setInterval(() => this.showClock(), 250);
  }

  send(message) {
    const sent = this.connection.send(message);
    if (!sent) showToast(_("There is no connection just now. Try again in a moment."));
    return sent;
  }

  play(move) {
    if (!this.send({ do: "play", move, at: this.frame.moves })) this.board?.refused?.();
  }

  // A second click would take another move back, so there is none before the answer.
  takeBack() {
    const undo = tableAt("undo");
    this.takes = document.activeElement === undo;
    undo.disabled = this.send({ do: "undo" });
  }

  // Whoever takes moves back by the keyboard may take back another one, and loses their place where there is none.
  keepPlace() {
    const undo = tableAt("undo"); // which has the focus until the page is drawn without it
    if (this.takes && [document.body, undo].includes(document.activeElement)) this.goTo(undo);
    this.takes = false;
  }

  // ---- what the server says ----

  handle(message) {
    const handler = { table: () => this.update(message), refused: () => this.refused(message), gone: () => this.gone(message),
      minds: () => this.seats.showMinds(message), reason: () => this.showReason(message), hint: () => this.showHint(message), beliefs: () => this.showBeliefs(message),
      moved: () => location.assign(message.link), moved_for: () => this.movedFor(message) }[message.type];
    if (handler) handler();
  }

  // The end of a round stays on the screen until the reader goes on, whatever happens meanwhile.
  held(frame, before) {
    const ended = frame.position?.ended;
    if (frame.position && this.rounds > (ended?.number ?? 0)) this.rounds = ended?.number ?? 0; // the end was taken back
    if (!ended || frame.over || frame.you === undefined) return frame;
    this.rounds ??= before || ended.moves === frame.moves ? 0 : ownTables().find((table) => table.path === location.pathname)?.rounds ?? ended.number;
    if (ended.number <= this.rounds) return frame;
    // Of the seats nothing is shown that belongs to the next round.
    const seats = frame.position.seats.map(({ seat, gold }) => ({ seat, gold, broken: [], looked: [], words: "" }));
    const position = { ...frame.position, board: ended.board, roles: ended.roles, seats, moves: [], hand: null, notice: null,
      headline: _("Round {number} is over", { number: ended.number }), lines: [] };
    const goOn = () => {
      this.rounds = ended.number;
      this.update(this.latest);
    };
    return { ...frame, position, can: [], practice: false, mine: false, due: frame.mine, to_move: null, held: ended, goOn };
  }

  async update(sent) {
    const follows = this.followsLog(); // before anything is changed: so nothing has to be laid out for it
    const before = this.frame;
    const frame = this.held(sent, before);
    this.latest = sent === this.latest ? sent : { ...sent, log: [], talk: [], log_from: sent.log_from + sent.log.length };
    this.frame = frame;
    this.log = [...this.log.slice(0, frame.log_from), ...frame.log];
    this.talk.update(sent); // what was said comes but once, also where a later frame comes before the board
    await this.loadBoard();
    if (this.frame !== frame) return; // a later frame has come while the board was loading
    if (!this.board) {
      this.showBanner(_("The board could not be fetched. Trying again …"));
      setTimeout(() => this.frame === frame && this.update(this.latest), TABLE_AGAIN);
      return;
    }
    document.body.dataset.game = frame.game;
    document.body.dataset.phase = frame.phase;
    document.body.classList.toggle("held", Boolean(frame.held));
    setText(tableAt("label"), frame.label);
    this.showHead(frame);
    this.waiting.update(frame);
    this.ending.update(frame);
    tableAt("seats").hidden = frame.phase === "waiting";
    tableAt("board").hidden = !frame.position;
    this.showNotice(frame); // before the board, which may scroll to where the reader goes on
    this.board.update(frame);
    this.seats.update(frame, this.board);
    this.showPractice(frame);
    this.keepPlace();
    this.showSpeed(frame);
    this.steady.keep(`${frame.phase} ${frame.position?.round} ${Boolean(frame.held)}`);
    this.showLog(frame, follows);
    setText(tableAt("watchers"), frame.watchers ? counted_in("{n} watching", "{n} watching", frame.watchers) : "");
    this.announce(frame, before);
    this.sound(frame, before);
    this.guide(frame);
    this.remember(frame);
    if (this.asksAgain && !frame.preparing) this.askAgain();
  }

  // The lobby lists the tables at which one sits, from what this browser has kept.
  remember(frame) {
    const rounds = this.rounds ?? 0; // whose ends the reader has left: a page that is loaded again shows the next one again
    const state = `${frame.phase} ${frame.moves} ${rounds}`;
    if (frame.you === null || this.kept === state) return;
    this.kept = state;
    keepGame(location.pathname, this.latest);
    // It could not be taken up now, and may be another time; or it waits for its last move to be kept.
    const goesOn = frame.over && (!frame.position || frame.over.waits);
    keepTable({ path: location.pathname, label: frame.label, phase: goesOn ? "playing" : frame.phase, moves: frame.moves, rounds,
      with: frame.seats.filter((_one, seat) => seat !== frame.you).map((seat) => seat.name || _("a friend")).join(", ") });
  }

  // Who comes from "Learn a game" is told step by step what to do.
  async guide(frame) {
    if (location.hash !== "#first") return;
    this.coach ??= import("./coach.js").then(({ Coach }) => new Coach(frame.game));
    (await this.coach).update(this.frame);
  }

  // ---- what is heard ----

  sound(frame, before) {
    const turn = Boolean(frame.mine) && !frame.over && (!before?.mine || before.moves !== frame.moves);
    if (turn) this.notify(frame);
    if (before && !before.position && frame.position && !frame.moves) this.sounds.play("deal");
    if (!before || before.moves === frame.moves || (before.held && frame.held)) return; // a next round is not heard before it is seen
    const won = frame.over ? frame.over.winners.includes(frame.you) : frame.held && `${frame.held.roles[frame.you]}s` === frame.held.team;
    const name = frame.over || frame.held ? (won || frame.you === null ? "won" : "lost")
      : TABLE_NOISES[Object.keys(TABLE_NOISES).find((kind) => this.board.happened?.includes(kind))] ?? "card";
    this.sounds.play(name);
    if (turn && !before.mine) this.sounds.play("mine", 0.5);
  }

  showSound() {
    const button = tableAt("sound");
    const show = () => setAll(button, { "aria-pressed": String(!this.sounds.muted), title: this.sounds.muted ? _("Sounds are off") : _("Sounds are on") });
    button.onclick = () => {
      this.sounds.mute(!this.sounds.muted);
      show();
      this.sounds.play("mine");
    };
    show();
  }

  // Browsers let a page notify on this machine and over TLS alone, and only once the reader has agreed.
  showNotify() {
    const button = tableAt("notify");
    const show = () => { button.hidden = typeof Notification === "undefined" || !isSecureContext || Notification.permission !== "default"; };
    button.onclick = () => Notification.requestPermission().then(show);
    show();
  }

  notify(frame) {
    if (!document.hidden || typeof Notification === "undefined" || Notification.permission !== "granted") return;
    const told = new Notification(_("Your move"), { body: frame.label, tag: location.pathname });
    told.onclick = () => {
      focus();
      told.close();
    };
  }

  async loadBoard() {
    this.loading ??= import(`./${pageData().script}`).then(({ Board }) => {
      this.board = new Board(tableAt("board"), (move) => this.play(move));
      this.board.changed = () => this.seats.drawMore(this.board);
      this.showBanner("");
    });
    try {
      await this.loading;
    } catch {
      this.loading = null; // the network was away: it is asked for again
    }
  }

  refused(message) {
    showToast(message.reason);
    if (message.of === "undo" || !message.of) tableAt("undo").disabled = !this.frame?.can.includes("undo");
    this.keepPlace();
    this.board?.refused?.();
    if (tableAt("answer").classList.contains("thinking")) this.clearAnswer();
  }

  // Who was away finds a move that was not theirs: this stands longer than what answers a click.
  movedFor(message) {
    showToast(message.words, TABLE_LONG);
  }

  gone(message) {
    this.connection.close();
    if (!this.frame) forgetTable(location.pathname);
    this.showBanner(message.reason, make("a", { href: "/", class: "button tiny" }, _("To the lobby")));
  }

  showConnection(open) {
    if (this.connection?.done) return;
    this.asksAgain = Boolean(this.asked); // the answer went with the line
    this.board?.refused?.(); // and maybe a move: the next frame says whether it was made
    if (open) this.showBanner("");
    else if (this.frame) this.showBanner(_("Connection lost. Connecting again …"));
    else setText(tableAt("headline"), _("Connecting …"));
  }

  showBanner(words, ...more) {
    const banner = tableAt("banner");
    banner.hidden = !words;
    banner.replaceChildren(words, ...more);
  }

  // ---- above the board ----

  showHead(frame) {
    const position = frame.position;
    const words = frame.over ? endWords(frame) : frame.phase === "waiting" ? _("Waiting for players") : position?.headline ?? _("The players are coming …");
    setText(tableAt("headline"), words);
    tableAt("headline").classList.toggle("own-move", Boolean(frame.mine));
    const lines = position?.lines ?? (frame.preparing ? [_("The cards are being dealt.")] : []);
    const waits = frame.waits ? [make("span", { class: "waits" }, TABLE_WAITS)] : [];
    tableAt("lines").replaceChildren(...lines.map((line) => make("span", {}, line)), ...waits);
    document.title = `${frame.mine && !frame.over ? `● ${_("Your move")}` : tableAt("headline").textContent} – molehunt`;
    const undo = tableAt("undo");
    undo.hidden = !frame.practice || frame.phase !== "playing";
    undo.disabled = !frame.can.includes("undo");
    this.clock = frame.clock ? { ...frame.clock, at: performance.now() } : null;
    this.showClock();
  }

  showClock() {
    const clock = tableAt("clock");
    clock.hidden = !this.clock;
    if (!this.clock) return;
    const left = Math.max(0, this.clock.left - (performance.now() - this.clock.at) / 1000);
    const minutes = Math.floor(left / 60);
    setText(clock, left >= 60 ? `${minutes}:${String(Math.floor(left % 60)).padStart(2, "0")}` : `${Math.ceil(left)} s`);
    clock.classList.toggle("short", left < Math.min(10, this.clock.limit / 3));
  }

  // What the reader learned alone stands where else the last move stands.
  showNotice(frame) {
    const notice = frame.position?.notice ?? "";
    tableAt("notice").hidden = !notice;
    tableAt("latest").hidden = Boolean(notice);
    setText(tableAt("notice"), notice);
    const told = frame.over || frame.held || frame.position?.ended?.moves === frame.moves; // at length, as the end of the game or of a round
    setText(tableAt("latest"), told ? "" : this.log.at(-1)?.text ?? "");
  }

  // ---- beside the board ----

  showSpeed(frame) {
    const agents = frame.seats.some((seat) => seat.kind === "agent");
    tableAt("speed").hidden = !agents || frame.phase !== "playing" || !(frame.creator || frame.can.includes("pace"));
    const pace = tableAt("pace");
    if (document.activeElement !== pace && pace.value !== String(frame.pace)) pace.value = frame.pace;
    this.showPace();
  }

  showPace() {
    const seconds = Number(tableAt("pace").value) / 1000;
    setText(tableAt("pace-words"), seconds === 0 ? _("none") : `${inNumbers(seconds, 1)} s`);
    tableAt("pace").setAttribute("aria-valuetext", tableAt("pace-words").textContent);
  }

  showPractice(frame) {
    const hint = tableAt("hint");
    hint.hidden = !frame.practice || Boolean(frame.over);
    hint.disabled = !frame.can.includes("hint");
    tableAt("beliefs").hidden = !frame.can.includes("beliefs");
    if (this.answeredAt !== undefined && this.answeredAt !== frame.moves && !this.keepAnswer) this.clearAnswer();
  }

  // The panel beside the board holds how to play, or an answer; on a small screen it is there while it is asked for.
  showPanel(answered, open) {
    tableAt("help").hidden = answered;
    tableAt("answer").hidden = !answered;
    tableAt("practice").classList.toggle("asked", open);
    this.sheet.show(false);
  }

  showGuide() {
    this.openedBy(document.activeElement);
    this.clearAnswer();
    this.showPanel(false, true);
    tableAt("help").focus();
  }

  ask(message, words) {
    if (!this.send(message)) return;
    this.openedBy(document.activeElement);
    this.asked = { message, moves: this.frame.moves };
    const answer = tableAt("answer");
    answer.classList.add("thinking");
    answer.replaceChildren(make("p", { class: "muted" }, words));
    tell(words); // the focus goes there with the answer alone
    this.showPanel(true, true);
  }

  // What was not answered before the connection was lost is asked anew.
  askAgain() {
    this.asksAgain = false;
    if (this.asked.message.do === "hint" && this.asked.moves !== this.frame.moves) this.clearAnswer();
    else this.connection.send(this.asked.message);
  }

  answer(...parts) {
    this.asked = null;
    const answer = tableAt("answer");
    answer.classList.remove("thinking");
    answer.replaceChildren(make("button", { type: "button", class: "button quiet tiny close", "aria-label": _("Close the answer"), onclick: () => this.clearAnswer() }, "✕"), ...parts);
    this.answeredAt = this.frame.moves;
    this.showPanel(true, true);
    answer.scrollTop = 0;
    answer.focus({ preventScroll: true });
  }

  clearAnswer() {
    const read = tableAt("practice").contains(document.activeElement);
    this.asked = null;
    this.asksAgain = false;
    tableAt("answer").replaceChildren();
    tableAt("answer").classList.remove("thinking");
    this.showPanel(false, false);
    this.answeredAt = undefined;
    if (read) this.leavePanel();
  }

  openedBy(element) {
    if (!tableAt("practice").contains(element)) this.opener = element;
  }

  // Whoever reads the panel as it closes goes on where they opened it.
  leavePanel() {
    this.goTo(this.opener);
  }

  /** Give the focus to an element, or where that cannot have it to the next that can be asked for something. */
  goTo(element) {
    const usable = (one) => one?.isConnected && one !== document.body && !one.disabled && one.checkVisibility();
    [element, tableAt("hint"), tableAt("beliefs"), tableAt("how")].find(usable)?.focus({ preventScroll: true });
  }

  closeByKey(event) {
    if (event.key !== "Escape" || !tableAt("practice").classList.contains("asked")) return;
    event.stopPropagation(); // the chosen card stays chosen
    this.clearAnswer();
  }

  showHint(message) {
    if (this.asked?.message.do !== "hint") return; // something else was asked since
    if (this.asked.moves !== this.frame.moves) {
      this.clearAnswer(); // it was for a move that is made
      return;
    }
    this.keepAnswer = false;
    const why = make("details", { class: "hint-why" }, make("summary", {}, _("Why")), make("p", { class: "prose" }, message.text), this.weighed(message.choices),
      make("p", { class: "muted small" }, _("This is what {agent} would do.", { agent: message.agent })));
    this.answer(make("p", { class: "hint" }, make("strong", {}, message.words)), why);
    why.open = !this.sheet.lies; // where the answer covers a part of the page, it is short
    this.board.point?.(message.move);
    this.sheet.show(true);
  }

  showReason(message) {
    this.keepAnswer = true;
    const before = make("div");
    const after = make("div");
    const [compared, rest] = comparePanels(message.before ?? [], message.after ?? []);
    drawPanels(before, rest);
    drawPanels(after, compared);
    const changes = compared.some((panel) => panel.rows?.some((row) => row.was));
    const title = message.guarded ? _("What move {move} shows", { move: message.move }) : _("Why {name} did it (move {move})", { name: message.name, move: message.move });
    this.answer(make("h2", {}, title), make("p", { class: "prose" }, message.text), this.weighed(message.choices),
      rest.length ? make("details", { class: "then expert", open: !compared.length }, make("summary", {}, _("Believed before")), before) : "",
      ...(compared.length ? [make("h2", { class: "then" }, changes ? _("Believed before → after") : _("Believed after")), after] : []),
      message.guarded && !message.kept ? this.askSecret(message) : "");
  }

  // What a player weighed, with its numbers, for those who open it.
  weighed(choices) {
    if (!choices.length) return "";
    return make("details", { class: "weighed" }, make("summary", {}, _("What was weighed, in numbers")), make("table", {},
      make("tbody", {}, choices.map((choice) => make("tr", {}, make("td", {}, choice.words), make("td", { class: "worth" }, choice.worth))))));
  }

  // The mover's own reasons tell what it is and holds: they are told on a second click alone.
  askSecret(message) {
    const ask = make("button", { type: "button", class: "button tiny danger", id: "ask-secret" }, _("{name}'s own reasons …", { name: message.name }));
    askTwice(ask, _("This tells secrets, as the role. Tell me all the same"), () => this.ask({ do: "why", move: message.move, secret: true }, _("Asking …")));
    return ask;
  }

  showBeliefs(message) {
    this.keepAnswer = true;
    const panels = make("div");
    drawPanels(panels, message.panels.length ? message.panels : [{ kind: "text", text: _("There are none: this player holds no beliefs.") }]);
    this.answer(make("h2", {}, message.agent ? _("What {agent} would believe on your seat", { agent: message.agent }) : _("Beliefs")), panels);
  }

  // Whether the reader is at the end of the log, and is to stay there.
  followsLog() {
    const list = tableAt("log");
    return list.scrollHeight - list.scrollTop - list.clientHeight < TABLE_NEAR_END;
  }

  showLog(frame, follows) {
    const list = tableAt("log");
    const told = this.log.slice(0, frame.held?.moves); // of the next round nothing is told while the end of one is shown
    const asks = Boolean(this.latest.practice || this.latest.can.includes("why"));
    this.asking.keep(() => {
      while (list.children.length > Math.min(frame.log_from, told.length)) list.lastChild.remove();
      if (asks !== this.asks) list.replaceChildren(); // every line has its question, or none
      this.asks = asks;
      told.slice(list.children.length).forEach((entry) => list.append(this.logLine(entry, frame)));
    }, () => this.asking.buttons.at(-1));
    list.tabIndex = list.querySelector(".why") ? -1 : 0; // it scrolls
    if (follows) list.scrollTop = list.scrollHeight;
  }

  logLine(entry, frame) {
    const line = make("li", { "data-move": entry.n || null, class: entry.n ? "" : "remark" }, make("span", { class: "log-text", id: entry.n ? `move-${entry.n}` : null }, entry.text));
    if (entry.seat !== null && entry.seat !== undefined) line.style.setProperty("--tint", `var(--seat-${entry.seat % 10})`);
    if (entry.agent && entry.n && this.asks) {
      line.append(make("button", { type: "button", class: "why", "data-why": entry.n, "aria-label": _("Why? Move {move}", { move: entry.n }), "aria-describedby": `move-${entry.n}`,
        onclick: () => this.ask({ do: "why", move: entry.n }, _("Asking …")) }, _("why?")));
    }
    return line;
  }

  announce(frame, before) {
    if (frame.held) return; // the end of a round is told where it is shown
    if (frame.waits && !before?.waits) tell(TABLE_WAITS);
    const back = (before?.moves ?? 0) - frame.moves;
    const moved = before?.moves !== frame.moves;
    const last = before?.held && !moved ? "" : back > 0 ? counted_in("{n} move taken back, yours and those after it.", "{n} moves taken back, yours and those after it.", back) : this.log.at(-1)?.text ?? "";
    const head = frame.over ? `${endWords(frame)}. ${frame.over.text}` : frame.position?.headline ?? "";
    if (moved || before.held || before.phase !== frame.phase) tell([last, head].filter(Boolean).join(" "));
  }
}

function tableAt(id) {
  return document.getElementById(id);
}

new Table(location.pathname.split("/").pop());
