// A first game, step by step: what to look at and what to do next, beside the part of the page that is meant.

import { _ } from "./language.js";
import { make, setText, tell } from "./dom.js";
import { changesOf } from "./motion.js";
import { bringIntoView } from "./reveal.js";

const COACH_TOP = 200; // pixels
// What a step may wait for, by the frame, the frame with which the step began, the frame before this one, and the place of the
// card that was chosen as the step began.
const COACH_LAYS = (frame, begun, before) => before.mine && frame.moves > before.moves && changesOf(before.position, frame.position).laid.length > 0;
const COACH_RETURNS = (frame, begun) => frame.mine && frame.moves > begun.moves;
const COACH_MOVES = (frame, begun, before) => before.mine && frame.moves > before.moves;
// Who plays on; where the guide lies on the page, who chooses a card needs to see all of it.
const COACH_PLAYS = (frame, begun, before, chosen) => COACH_MOVES(frame, begun, before)
  || (![-1, chosen].includes(coachChosen()) && getComputedStyle(document.querySelector(".coach")).position === "fixed");
const COACH_HAND = {
  at: ".hand",
  words: () => (document.querySelector(".hand .path") ? _("These are your cards. Choose a tunnel: cells light up where it fits.")
    : _("These are your cards, and none of them is a tunnel. Choose one: it is said what it can do.")),
  until: () => document.querySelector(document.querySelector(".hand .path") ? ".hand .path.picked" : ".hand .picked"),
};
const COACH_MINE = { at: ".mine-box", until: COACH_LAYS };
const COACH_LAST = { at: "#hint", words: _("Not sure? Hint says what an adviser would play. After a move of the others, “why?” in the log says what it shows. Play on: you know enough."), until: COACH_PLAYS };
// By game: where to look, what is said, and what is waited for; without that, the reader goes on.
const COACH_STEPS = {
  saboteur: [
    { at: "#lines", words: (frame) => (frame.position?.role === "saboteur" ? _("You are a saboteur: you win if no tunnel reaches the gold. Nobody else knows.")
      : _("You are a miner: dig a tunnel to the gold. One of the others may be a saboteur, who digs astray.")) },
    { at: ".mine-box", words: _("All tunnels begin at the ladder. Under one of the three goals lies the gold.") },
    COACH_HAND,
    { ...COACH_MINE, words: _("Choose a lit cell, and the card is laid. Does nothing light up? Take another card; a card with a tool is for a player.") },
    { at: "#seats", words: _("Now the others move. Watch who breaks whose tools, and whose tunnels lead away: so one finds a saboteur."), until: COACH_RETURNS },
    COACH_LAST,
  ],
  duel: [
    { at: ".mine-box", words: _("Both dig from the ladder. Under one of the three goals lies the nugget: who joins it to the ladder first wins.") },
    COACH_HAND,
    { ...COACH_MINE, words: _("Choose a lit cell, and the card is laid. Does nothing light up? Take another card; a malus is for the other player, a bonus for you.") },
    { at: "#seats", words: _("Now the other moves. A malus stops whoever has it from laying tunnels, until a bonus takes it away."), until: COACH_RETURNS },
    COACH_LAST,
  ],
  speed_clue: [
    { at: ".clue-hand", words: _("These cards are yours, so they are not in the envelope. Find the three that are: a suspect, a weapon, a location.") },
    { at: ".clue-act", words: _("Choose one card of each kind and suggest them. The next player who has one of them must show you one."), until: (frame, begun) => frame.position.record.some((made) => made.n > begun.position.record.length && made.by === frame.you && !made.awaited) },
    { at: ".clue-stage", words: _("This is what came of it: who has none of the three cards says so, and who shows you one shows it to nobody else.") },
    { at: ".clue-sheet", words: _("The sheet notes who has what. What nobody can have is in the envelope.") },
    { at: (frame) => (coachEnds(frame) ? ".clue-act" : "#seats"), words: (frame) => (coachEnds(frame) ? _("End your turn: the others ask.")
      : _("Now the others ask. Who cannot answer has none of the three cards: that tells you something, too.")), until: (frame) => frame.mine && !coachEnds(frame) },
    { ...COACH_LAST, words: _("Not sure? Hint says what an adviser would ask. When you know all three cards, accuse. Play on: you know enough.") },
  ],
};

// The place in the hand of the card that is chosen, -1 where none is.
function coachChosen() {
  return [...document.querySelectorAll(".hand .card")].findIndex((card) => card.classList.contains("picked"));
}

// Whether the last suggestion of Speed Clue was the reader's, who has still to end the turn.
function coachEnds(frame) {
  return frame.mine && frame.position.record.at(-1)?.by === frame.you;
}

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
    // The guide is a part of the headline, so that it covers nothing. What is below scrolls, or on small screens leaves it room.
    this.status = document.querySelector(".status");
    this.status.append(this.bubble);
    // At once, so that a next click finds what the guide has left free, and when all else has heard of the click, too.
    document.addEventListener("click", () => {
      this.check();
      setTimeout(() => this.check(), 0);
    });
  }

  /** Show a table frame. */
  update(frame) {
    const before = this.frame ?? frame;
    this.frame = frame;
    if (frame.over) this.finish();
    else if (this.step < 0 && frame.mine) this.goOn();
    else this.check(before);
  }

  check(before = this.frame) {
    const step = this.steps[this.step];
    if (!step) return;
    if (step.until?.(this.frame, this.begun, before, this.chosen)) this.goOn();
    else this.show(step);
  }

  goOn() {
    this.step += 1;
    this.begun = this.frame;
    this.chosen = coachChosen();
    const step = this.steps[this.step];
    if (!step) {
      this.finish();
      return;
    }
    const last = this.step === this.steps.length - 1;
    this.next.textContent = last ? _("I play on") : step.until ? _("Skip this") : _("Go on");
    // Who is to play on needs their hand.
    const hand = last ? document.querySelector(".with-stage .hand-area")?.offsetHeight ?? 0 : 0;
    this.bubble.style.setProperty("--free", `${hand}px`);
    this.bubble.hidden = false;
    this.pointed = null;
    this.show(step);
    tell(this.words.textContent);
  }

  // What is said, and where it points, may change with what happens.
  show(step) {
    const [words, at] = [step.words, step.at].map((part) => (typeof part === "function" ? part(this.frame) : part));
    setText(this.words, words);
    if (at !== this.pointed) this.point(at);
  }

  point(selector) {
    this.pointed = selector;
    document.querySelector(".coached")?.classList.remove("coached");
    const target = document.querySelector(selector);
    target?.classList.add("coached");
    if (!this.status.contains(target)) bringIntoView([target]);
    const box = target?.getBoundingClientRect();
    // On a small screen that does not scroll, what is small and at the top has the words below it, and all else above.
    this.bubble.classList.toggle("above", !box || box.top > COACH_TOP || box.height > COACH_TOP);
  }

  finish() {
    document.querySelector(".coached")?.classList.remove("coached");
    this.bubble.hidden = true;
    this.steps = [];
  }
}
