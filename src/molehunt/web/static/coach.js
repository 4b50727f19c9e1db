// A first game, step by step: what to look at and what to do next, beside the part of the page that is meant.

import { _ } from "./language.js";
import { make, tell } from "./dom.js";

const COACH_SPOTS = ["above", "below", "above beside", "below beside"]; // of the screen; the first that covers least is taken
const COACH_KEPT = ".cell.lit, .cell:has(.place), .seat.lit, .hand .card, #actions .button, #log"; // what is not to be covered, either
const COACH_MEANT = 20; // so many of these is what the words are about worth
const COACH_TUNNELS = [
  { at: ".hand", words: _("These are your cards. Choose a tunnel: cells light up where it fits."), until: () => document.querySelector(".hand .picked") },
  { at: ".mine-box", words: _("Choose a lit cell, and the card is laid. Does nothing light up? Take another card; a card with a tool is for a player."), until: (frame, begun) => frame.moves > begun.moves },
];
const COACH_LAST = { at: "#hint", words: _("Not sure? Hint says what an adviser would play. After a move of the others, “why?” in the log says what it shows. Play on: you know enough.") };
// By game: where to look, what is said, and what is waited for; without that, the reader goes on.
const COACH_STEPS = {
  saboteur: [
    { at: "#lines", words: (frame) => (frame.position?.role === "saboteur" ? _("You are a saboteur: you win if no tunnel reaches the gold. Nobody else knows.")
      : _("You are a miner: dig a tunnel to the gold. One of the others may be a saboteur, who digs astray.")) },
    { at: ".mine-box", words: _("All tunnels begin at the ladder. Under one of the three goals lies the gold.") },
    ...COACH_TUNNELS,
    { at: "#seats", words: _("Now the others move. Watch who breaks whose tools, and whose tunnels lead away: so one finds a saboteur."), until: (frame) => frame.mine },
    COACH_LAST,
  ],
  duel: [
    { at: ".mine-box", words: _("Both dig from the ladder. Under one of the three goals lies the nugget: who joins it to the ladder first wins.") },
    ...COACH_TUNNELS,
    { at: "#seats", words: _("Now the other moves. A malus stops whoever has it from laying tunnels, until a bonus takes it away."), until: (frame) => frame.mine },
    COACH_LAST,
  ],
  speed_clue: [
    { at: ".clue-hand", words: _("These cards are yours, so they are not in the envelope. Find the three that are: a suspect, a weapon, a location.") },
    { at: ".clue-act", words: _("Choose one card of each kind and suggest them. The next player who has one of them must show you one."), until: (frame, begun) => frame.moves > begun.moves },
    { at: ".clue-sheet", words: _("The sheet notes who has what. What nobody can have is in the envelope.") },
    { at: "#seats", words: _("Now the others ask. Who cannot answer has none of the three cards: that tells you something, too."), until: (frame) => frame.mine },
    { ...COACH_LAST, words: _("Not sure? Hint says what an adviser would ask. When you know all three cards, accuse. Play on: you know enough.") },
  ],
};

/** The guide of a reader's first game; nothing where there is none for the game. */
export class Coach {
  constructor(game) {
    this.steps = COACH_STEPS[game] ?? [];
    this.step = -1;
    this.frame = null;
    this.words = make("p", {});
    this.next = make("button", { type: "button", class: "button primary tiny", onclick: () => this.goOn() });
    this.end = make("button", { type: "button", class: "button quiet tiny", onclick: () => this.finish() }, _("Leave me alone"));
    this.bubble = make("aside", { class: "coach", "aria-label": _("Your first game"), hidden: true }, this.words, make("div", { class: "row" }, this.next, this.end));
    document.body.append(this.bubble);
    document.addEventListener("click", () => setTimeout(() => this.check(), 0));
    addEventListener("resize", () => this.place());
  }

  /** Show a table frame. */
  update(frame) {
    this.frame = frame;
    if (frame.over) this.finish();
    else if (this.step < 0 && frame.mine) this.goOn();
    else this.check();
  }

  check() {
    const step = this.steps[this.step];
    if (step?.until?.(this.frame, this.begun)) this.goOn();
    else this.place(); // other cells may be lit now
  }

  goOn() {
    this.step += 1;
    this.begun = { moves: this.frame.moves };
    const step = this.steps[this.step];
    if (!step) {
      this.finish();
      return;
    }
    const words = typeof step.words === "function" ? step.words(this.frame) : step.words;
    this.words.textContent = words;
    const last = this.step === this.steps.length - 1;
    this.next.textContent = last ? _("I play on") : step.until ? _("Skip this") : _("Go on");
    this.bubble.hidden = false;
    this.point(step.at);
    tell(words);
  }

  point(selector) {
    document.querySelector(".coached")?.classList.remove("coached");
    document.querySelector(selector)?.classList.add("coached");
    this.place();
  }

  // The bubble stands where it covers least of what is meant and of what can be chosen; it stays where nothing is better.
  place() {
    if (this.bubble.hidden) return;
    const covered = new Map([this.spot, ...COACH_SPOTS].filter(Boolean).map((spot) => {
      this.bubble.className = `coach ${spot}`;
      return [spot, this.covered()];
    }));
    const least = Math.min(...covered.values());
    this.spot = [...covered.keys()].find((spot) => covered.get(spot) === least);
    this.bubble.className = `coach ${this.spot}`;
  }

  // How much is covered: all that is kept counts one, the part that is meant by how much of it.
  covered() {
    const bubble = this.bubble.getBoundingClientRect();
    const share = (element) => {
      const box = element.getBoundingClientRect();
      const wide = Math.min(box.right, bubble.right) - Math.max(box.left, bubble.left);
      const tall = Math.min(box.bottom, bubble.bottom) - Math.max(box.top, bubble.top);
      return wide > 0 && tall > 0 ? (wide * tall) / (box.width * box.height) : 0;
    };
    const meant = document.querySelector(".coached");
    return COACH_MEANT * (meant ? share(meant) : 0) + [...document.querySelectorAll(COACH_KEPT)].filter((element) => share(element) > 0).length;
  }

  finish() {
    document.querySelector(".coached")?.classList.remove("coached");
    this.bubble.hidden = true;
    this.steps = [];
  }
}
