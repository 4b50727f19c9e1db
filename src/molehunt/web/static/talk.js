// What people at a table say to each other, and whom they show that they suspect.

import { _ } from "./language.js";
import { keepFocus, make, pageData, setAll, showToast } from "./dom.js";

/** The talk of a table in `root`; `send(message)` speaks to the server. */
export class Talk {
  constructor(root, send) {
    this.root = root;
    this.send = send;
    this.last = 0;
    this.lines = make("ol", { class: "talk-lines", "aria-label": _("What was said"), "aria-live": "polite", tabindex: "0" });
    this.suspects = make("div", { class: "talk-suspects", role: "group", "aria-label": _("Show that you suspect") });
    this.phrase = make("select", { id: "phrase", "aria-label": _("A phrase") }, (pageData().phrases ?? []).map((words, number) => make("option", { value: number }, words)));
    this.words = make("input", { id: "words", maxlength: 160, autocomplete: "off", "aria-label": _("Your own words"), placeholder: _("Your own words") });
    this.ownWords = make("form", { class: "talk-row", onsubmit: (event) => this.sayWords(event) }, this.words, make("button", { class: "button tiny" }, _("Send")));
    this.free = make("input", { type: "checkbox", id: "free-chat", onchange: () => this.send({ do: "chat", free: this.free.checked }) });
    this.allow = make("label", { class: "check small", for: "free-chat" }, this.free, make("span", {}, _("Own words are allowed")));
    root.append(make("div", { class: "row spread" }, make("h2", { id: "talk-title" }, _("Talk")), this.allow), this.lines, this.suspects,
      make("form", { class: "talk-row", onsubmit: (event) => this.sayPhrase(event) }, this.phrase, make("button", { class: "button tiny", id: "say" }, _("Say"))), this.ownWords);
  }

  /** Show what was said, and what may be. */
  update(frame) {
    const may = frame.can.includes("say");
    this.root.hidden = !may || frame.phase === "waiting";
    document.body.classList.toggle("talking", !this.root.hidden);
    for (const line of frame.talk.filter((one) => one.n > this.last)) this.add(line, frame);
    this.ownWords.hidden = !frame.chat;
    this.allow.hidden = !frame.can.includes("chat");
    this.free.checked = frame.chat;
    this.showSuspects(frame);
  }

  add(line, frame) {
    const name = frame.seats[line.seat].name;
    const item = make("li", {}, make("strong", {}, `${name}: `), line.text);
    item.style.setProperty("--tint", `var(--seat-${line.seat % 10})`);
    this.lines.append(item);
    this.lines.scrollTop = this.lines.scrollHeight;
    // Where the talk is further down the page, a line is shown above it, too; not those of before the page was opened.
    if (this.last && line.seat !== frame.you && matchMedia("(max-width: 56.25em), (max-height: 35em)").matches) showToast(`${name}: ${line.text}`, 4);
    this.last = line.n;
  }

  showSuspects(frame) {
    this.suspects.hidden = !frame.can.includes("suspect");
    const others = frame.seats.map((seat, number) => [seat, number]).filter(([, number]) => number !== frame.you);
    const state = JSON.stringify([others.map(([seat]) => seat.name), frame.suspects, this.suspects.hidden]);
    if (this.drawn === state) return;
    this.drawn = state;
    const marked = (whom) => frame.suspects.some(([who, other]) => who === frame.you && other === whom);
    keepFocus(this.suspects, () => this.suspects.replaceChildren(make("span", { class: "small muted" }, _("I suspect")), ...others.map(([seat, number]) =>
      setAll(make("button", { type: "button", class: "button tiny", "data-suspect": number, "data-key": `suspect ${number}`, onclick: () => this.send({ do: "suspect", seat: number }) }, seat.name),
        { "aria-pressed": String(marked(number)) }))));
  }

  sayPhrase(event) {
    event.preventDefault();
    this.send({ do: "say", phrase: Number(this.phrase.value) });
  }

  sayWords(event) {
    event.preventDefault();
    if (this.words.value.trim() && this.send({ do: "say", text: this.words.value.trim() })) this.words.value = "";
  }
}
