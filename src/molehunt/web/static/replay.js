// A finished game: any position, by any viewpoint, with beliefs and reasons. It works from a file as well, without a server.

import { _ } from "./language.js";
import { AnalysisDialog } from "./analysis.js";
import { copyText, downloadFile, make, pageData, setText, showToast } from "./dom.js";
import { OneStop } from "./one_stop.js";
import { SeatsBar, drawPanels } from "./panels.js";
import { pictureOf, pictureOfDrawing } from "./picture.js";
import { handsOf } from "./tunnel_parts.js";
import { placeSaid, turnedWords } from "./turning.js";

const REPLAY_STEP = 900; // milliseconds between moves while it plays
const REPLAY_LONGEST = 262_144; // bytes that the server takes
const REPLAY_LINK_AFTER = 250; // milliseconds: browsers refuse to write the address much more often

/** The replay of one game; `id` is null in a file of its own. */
class Replay {
  constructor(game, id, board) {
    this.game = game;
    this.id = id;
    this.at = 0;
    this.view = 0;
    this.last = game.log.reduce((most, entry) => Math.max(most, entry.n), game.positions[0].length - 1);
    this.shown = new Map(); // beliefs that were fetched
    this.asked = Boolean(game.beliefs);
    this.board = board;
    this.seats = new SeatsBar(replayAt("seats"));
    this.timer = null;
    this.build();
    this.readAddress();
    addEventListener("hashchange", () => this.readAddress());
  }

  build() {
    const game = this.game;
    setText(replayAt("label"), game.label);
    document.body.dataset.game = game.game;
    document.title = `${game.title} – molehunt`;
    const scrubber = replayAt("scrubber");
    scrubber.max = this.last;
    scrubber.oninput = () => this.go(Number(scrubber.value));
    for (const [id, to] of [["first", () => 0], ["back", () => this.at - 1], ["forth", () => this.at + 1], ["last", () => this.last]]) {
      replayAt(id).onclick = () => this.go(to());
    }
    replayAt("play").onclick = () => (this.timer ? this.pause() : this.start());
    const viewpoint = replayAt("viewpoint");
    viewpoint.replaceChildren(...game.viewpoints.map((point, number) => make("option", { value: number }, number ? _("Seen by {name}", { name: point.title }) : point.title)));
    viewpoint.onchange = () => {
      this.view = Number(viewpoint.value);
      this.show();
    };
    const believer = replayAt("believer");
    believer.replaceChildren(...game.seats.map((name, seat) => make("option", { value: seat }, name)));
    believer.onchange = () => this.showBeliefs();
    believer.setAttribute("aria-label", _("Whose beliefs"));
    replayAt("ask-beliefs").onclick = () => {
      this.asked = this.asking = true;
      this.showBeliefs();
    };
    this.buildLog();
    this.buildLinks();
    document.addEventListener("keydown", (event) => this.key(event));
    replayAt("replay-parts").hidden = false;
  }

  buildLog() {
    this.moves = new OneStop(replayAt("log"), ".jump");
    replayAt("log").replaceChildren(make("li", { "data-move": 0 }, make("button", { type: "button", class: "jump", onclick: () => this.go(0) }, _("The start"))),
      ...this.game.log.map((entry) => {
        const line = make("li", { "data-move": entry.n }, make("button", { type: "button", class: "jump", onclick: () => this.go(entry.n) },
          entry.n ? make("span", { class: "number" }, `${entry.n}`) : null, make("span", {}, entry.text)));
        if (entry.seat !== null && entry.seat !== undefined) line.style.setProperty("--tint", `var(--seat-${entry.seat % 10})`);
        return line;
      }));
  }

  buildLinks() {
    const { game } = this;
    for (const link of document.querySelectorAll(".server-only")) link.hidden = this.id === null;
    if (this.id !== null) {
      replayAt("record").href = `/replay/${this.id}/record`;
      replayAt("export").href = `/replay/${this.id}/export`;
    }
    replayAt("copy-link").onclick = () => copyText(location.href.split("#")[0] + this.hash(), _("Link to this move"));
    replayAt("png").hidden = !document.getElementById("sprite") && this.id === null && !this.board.drawn;
    replayAt("png").onclick = () => this.savePicture();
    replayAt("analyse").hidden = !game.analysis && this.id === null;
    replayAt("analyse").onclick = () => this.analysis.open(this.at);
    this.analysis = new AnalysisDialog(replayAt("analysis"), game.log, (move) => this.go(move),
      () => game.analysis ?? replayFetch(`/api/replay/${this.id}/analysis`));
  }

  // ---- where we are ----

  readAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const seat = wanted.get("seat");
    const view = this.game.viewpoints.findIndex((point) => String(point.seat ?? "") === (seat ?? ""));
    this.view = Math.max(view, 0);
    const move = wanted.has("move") ? Number(wanted.get("move")) : this.at;
    this.at = Math.min(Math.max(Number.isInteger(move) ? move : 0, 0), this.last);
    this.show();
    if (wanted.has("analysis") && !replayAt("analyse").hidden) this.analysis.open(wanted.has("move") ? this.at : this.last);
  }

  hash() {
    const seat = this.game.viewpoints[this.view].seat;
    return `#move=${this.at}${seat === null ? "" : `&seat=${seat}`}`;
  }

  go(move, playing = false) {
    if (!playing) this.pause();
    this.at = Math.min(Math.max(move, 0), this.last);
    this.show();
  }

  start() {
    if (this.at >= this.last) this.at = 0;
    this.timer = setInterval(() => (this.at < this.last ? this.go(this.at + 1, true) : this.pause()), REPLAY_STEP);
    this.showPlaying();
    this.show();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  showPlaying() {
    replayAt("play").classList.toggle("playing", Boolean(this.timer));
    replayAt("play").setAttribute("aria-label", this.timer ? _("Pause") : _("Play the moves"));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea, dialog, .mine, .grid-box")) return;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.go(to);
    } else if (event.key === " " && !event.target.closest?.("button, a")) {
      event.preventDefault();
      replayAt("play").click();
    }
  }

  // ---- drawing ----

  frame() {
    const game = this.game;
    const position = { ...game.common, ...game.positions[this.view][this.at] };
    const point = game.viewpoints[this.view].seat;
    const next = game.log.find((entry) => entry.n === this.at + 1);
    const over = this.at === this.last ? game.outcome : null;
    return {
      game: game.game, label: game.label, phase: over ? "over" : "playing", you: point, mine: false, practice: false, can: [], moves: this.at,
      seats: game.seats.map((name, seat) => ({ seat, name, kind: game.agents[seat] ? "agent" : "person", agent: game.agents[seat], called: game.called[seat], here: true })),
      to_move: next?.seat ?? position.turn ?? null, over,
      position: { moves: [], ...position, ...(typeof position.board === "number" ? { board: game.boards[position.board] } : {}),
        ...(typeof position.drawing === "number" ? { drawing: game.boards[position.drawing], drawings: position.drawings?.map((board) => game.boards[board]) } : {}) },
    };
  }

  /** Show where we are; where the page has no drawing of it yet, once the server has sent it. */
  async show() {
    const frame = this.frame();
    if (this.id !== null && frame.position.drawing === null) {
      const wanted = this.wanted = `${this.at} ${this.view}`;
      frame.position.drawing = await this.drawingOf(this.at, frame.you);
      if (this.wanted !== wanted) return; // the reader has gone on
      if (frame.you === null) frame.position.drawings = frame.seats.map((_one, seat) => () => this.drawingOf(frame.moves, seat));
    }
    const position = frame.position;
    setText(replayAt("headline"), frame.over ? _("Game over") : position.headline ?? "");
    replayAt("lines").replaceChildren(...(position.lines ?? []).map((line) => make("span", {}, line)));
    this.board.update(frame);
    this.seats.update(frame, this.board);
    const entries = this.game.log.filter((entry) => entry.n === this.at && this.at > 0);
    setText(replayAt("move-words"), [...entries.map((entry) => entry.text), frame.over?.text].filter(Boolean).join(" ") || _("The cards are dealt."));
    replayAt("scrubber").value = this.at;
    replayAt("scrubber").setAttribute("aria-valuetext", _("Move {move} of {last}", { move: this.at, last: this.last }));
    setText(replayAt("at"), `${this.at} / ${this.last}`);
    replayAt("viewpoint").value = this.view;
    this.showSteps();
    this.showBeliefs(entries[0]?.seat);
    this.showLog();
    clearTimeout(this.linking);
    this.linking = setTimeout(() => replayKeepAddress(this.hash()), REPLAY_LINK_AFTER);
  }

  // Whoever has come to an end by the keyboard can go the other way from there.
  showSteps() {
    const here = document.activeElement;
    const [before, after] = [["first", "back"].map(replayAt), ["last", "forth"].map(replayAt)];
    for (const button of before) button.disabled = this.at === 0;
    for (const button of after) button.disabled = this.at === this.last;
    if (before.includes(here) && here.disabled) replayAt("forth").focus();
    if (after.includes(here) && here.disabled) replayAt("back").focus();
  }

  showLog() {
    const list = replayAt("log");
    for (const line of list.children) {
      const here = Number(line.dataset.move) === this.at;
      line.classList.toggle("here", here);
      line.firstElementChild.toggleAttribute("aria-current", here);
      if (here) line.firstElementChild.setAttribute("aria-current", "true");
    }
    const here = list.querySelector(".here");
    if (here && !list.contains(document.activeElement)) this.moves.stopAt(here.firstElementChild);
    if (here) list.scrollTop = here.offsetTop - list.clientHeight / 2 + here.offsetHeight / 2;
  }

  // ---- beliefs and reasons ----

  showBeliefs(mover) {
    const game = this.game;
    const believer = replayAt("believer");
    const point = game.viewpoints[this.view].seat;
    if (mover !== undefined && mover !== null && point === null) believer.value = mover;
    if (mover !== undefined && point !== null) believer.value = point;
    const seat = Number(believer.value);
    const can = this.id !== null || game.beliefs || game.reasons;
    document.querySelector(".beliefs-panel").hidden = !can;
    replayAt("ask-beliefs").hidden = this.asked;
    if (!can || !this.asked) return;
    if (game.beliefs || game.reasons) {
      this.showBelieved(game.beliefs?.[seat]?.[this.at] ?? [], game.reasons?.[this.at - 1] ?? "");
    } else {
      clearTimeout(this.fetching);
      this.fetching = setTimeout(() => this.fetchBeliefs(this.at, seat), this.shown.has(`${this.at} ${seat}`) ? 0 : REPLAY_LINK_AFTER);
    }
  }

  async fetchBeliefs(move, seat) {
    const key = `${move} ${seat}`;
    let found = this.shown.get(key);
    if (!found) {
      this.showBelieved([{ kind: "text", text: _("Thinking …") }], "");
      const [beliefs, reason] = await Promise.all([
        replayFetch(`/api/replay/${this.id}/beliefs?move=${move}&seat=${seat}`),
        move > 0 && this.game.agents[this.game.log.find((entry) => entry.n === move)?.seat] ? replayFetch(`/api/replay/${this.id}/why?move=${move}`) : {},
      ]);
      found = { panels: beliefs.panels ?? [{ kind: "text", text: beliefs.error ?? "" }], reason: reason.text ?? "" };
      if (!beliefs.error && !reason.error) this.shown.set(key, found); // what failed is asked for again
    }
    if (this.at !== move || Number(replayAt("believer").value) !== seat) return;
    this.showBelieved(found.panels, found.reason);
  }

  showBelieved(panels, reason) {
    const mover = this.game.log.find((entry) => entry.n === this.at)?.seat;
    const read = this.asking || document.activeElement === replayAt("believed");
    replayAt("believed").hidden = !panels.length && !reason;
    setText(replayAt("reason-title"), reason ? _("Why {name} did it", { name: this.game.seats[mover] }) : "");
    setText(replayAt("reason"), reason);
    setText(replayAt("believed-title"), reason && panels.length ? _("Beliefs of {name}", { name: this.game.seats[Number(replayAt("believer").value)] }) : "");
    drawPanels(replayAt("answer"), panels);
    replayAt("believed").scrollTop = 0;
    // The button that asked is gone, and there may be no beliefs here.
    if (read) replayAt(replayAt("believed").hidden ? "believer" : "believed").focus({ preventScroll: true });
    this.asking = false;
    this.showLog(); // there is more or less room for it now
  }

  /** The drawing of a position by the game, for a seat or for those who watch (null). */
  drawingOf(move, seat) {
    const key = `${move} ${seat}`;
    this.drawn ??= new Map();
    if (!this.drawn.has(key)) {
      const fetched = fetch(`/api/replay/${this.id}/drawing?move=${move}&seat=${seat ?? "public"}`).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(`status ${answer.status}`))));
      this.drawn.set(key, fetched.catch((error) => {
        this.drawn.delete(key);
        showToast(_("The drawing cannot be fetched: {why}", { why: error.message }));
        return "";
      }));
    }
    return this.drawn.get(key);
  }

  /** The sheet of Speed Clue as the seat has it; of who is to move, where all cards lie open. */
  async drawing() {
    const seat = this.game.viewpoints[this.view].seat;
    const answer = await fetch(`/api/replay/${this.id}/drawing?move=${this.at}${seat === null ? "" : `&seat=${seat}`}`);
    return pictureOfDrawing(await answer.text());
  }

  async savePicture() {
    const { position, you } = this.frame();
    try {
      position.drawing = position.drawing === null ? await this.drawingOf(this.at, you) : position.drawing;
      const tags = new Map((position.goals ?? []).map((goal) => [`${goal.x},${goal.y}`, turnedWords(placeSaid(goal.place), 0)]));
      const seen = you === null ? _("all cards open") : _("seen by {names}", { names: this.game.seats[you] });
      const title = _("{title}, move {move}: {seen}", { title: this.game.title, move: this.at, seen });
      const drawn = position.drawing ? await pictureOfDrawing(position.drawing)
        : document.getElementById("sprite") ? await pictureOf(position.board, title, tags, handsOf(this.frame())) : await this.drawing();
      downloadFile(`${this.game.game}-move-${this.at}.png`, drawn);
    } catch (error) {
      showToast(_("The picture cannot be drawn: {why}", { why: error.message }));
    }
  }
}

function replayAt(id) {
  return document.getElementById(id);
}

function replayKeepAddress(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    // a file in some browsers: its address stays as it is
  }
}

// In a file of its own the game is deflated JSON in base 64.
async function replayUnpacked(data) {
  if (!data.packed) return data;
  const bytes = Uint8Array.from(atob(data.packed), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

async function replayFetch(path) {
  try {
    const answer = await fetch(path);
    return await answer.json();
  } catch {
    return { error: _("The server cannot be reached. Is it still running?") };
  }
}

// ---- a record from a file ----

function replayOpenForm(fault) {
  replayAt("open").hidden = false;
  replayAt("open-error").hidden = !fault;
  setText(replayAt("open-error"), fault ?? "");
  const file = replayAt("file");
  file.onchange = () => file.files[0] && replayUpload(file.files[0]);
  const drop = document.querySelector(".drop-file");
  drop.ondragover = (event) => event.preventDefault();
  drop.ondrop = (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) replayUpload(event.dataTransfer.files[0]);
  };
}

/** The text of a file, of a long one, which holds many games, the first line: that game is shown. */
async function replayText(file) {
  if (file.size <= REPLAY_LONGEST) return file.text();
  const [first, ...more] = (await file.slice(0, REPLAY_LONGEST).text()).trimStart().split("\n");
  return more.length ? first : file.text();
}

async function replayUpload(file) {
  const fault = replayAt("open-error");
  fault.hidden = true;
  let said;
  try {
    said = await (await fetch("/api/replay", { method: "POST", body: await replayText(file) })).json();
  } catch {
    said = { error: _("The server cannot be reached, or the file cannot be read.") };
  }
  if (said.link) {
    location.assign(said.link);
    return;
  }
  fault.hidden = false;
  setText(fault, said.error);
  replayAt("file").value = "";
}

/** Show the game of the page's data; `Board` is the class that draws a position of it. */
export async function startReplay(Board) {
  const data = await replayUnpacked(pageData());
  const embedded = Boolean(data.positions);
  if (!embedded && !data.id) {
    replayOpenForm(data.told);
    return;
  }
  const game = embedded ? data : await replayFetch(`/api/replay/${data.id}`);
  if (!game.positions) {
    replayOpenForm(game.error ?? _("There is no such replay."));
    return;
  }
  new Replay(game, data.id ?? null, new Board(replayAt("board"), null));
}
