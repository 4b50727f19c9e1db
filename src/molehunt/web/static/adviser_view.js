// What the adviser's page shows of an answer: who has what, the envelope, what to do, the entries, what contradicts what.

import { _, counted_in, inNumbers } from "./language.js";
import { clueArrowKeys, clueTrio } from "./clue_cards.js";
import { make } from "./dom.js";

const VIEW_ENVELOPES = 4; // how many are shown before one asks for more
const VIEW_SIGNS = { yes: "✓", no: "✕" };

/** The deck of an answer: all cards by number, each with `what`. */
export function answerDeck(answer) {
  return answer.categories.flatMap((category) => category.cards.map((card) => ({ ...card, said: card.said ?? card.name, what: category.what })));
}

/** The probabilities as a table; `why(card, place)` is called for what is certain. */
export function gridParts(answer, why) {
  if (!answer.grid) return [make("p", { class: "muted" }, _("Nothing can be said while entries contradict each other."))];
  const count = answer.players.length;
  const me = answer.players.findIndex((player) => player.me);
  const columns = [...Array.from({ length: count }, (_one, step) => (me + step) % count), count];
  const title = (column) => (column === count ? _("Envelope") : column === me ? _("You") : answer.players[column].name);
  const class_ = (column) => [column === me ? "me" : "", column === count ? "envelope" : "", answer.players[column]?.out ? "out" : ""].filter(Boolean).join(" ");
  const shown = new Set(answer.shown.map(([card, player]) => `${card},${player}`));
  const cell = (card, name, column, place) => {
    const { share, mark, text } = answer.grid[card][column];
    const where = `${name}, ${title(column)}`;
    const seen = shown.has(`${card},${column}`);
    if (!mark) {
      const made = make("td", { class: `${class_(column)} likely`, "data-cell": `${card},${column}` }, text);
      made.style.setProperty("--share", `${Math.round(100 * share)}%`);
      return made;
    }
    const said = mark === "yes" ? _("has it") : seen ? _("has it not, but has seen it in your hand") : _("has it not");
    return make("td", { class: `${class_(column)} ${mark}${seen ? " seen" : ""}` }, make("button", { type: "button", "data-cell": `${card},${column}`, "data-at": `${card},${place}`, "data-key": `grid ${card},${column}`,
      "aria-label": `${where}: ${said}. ${_("Why?")}`, title: `${where}: ${said}. ${_("Why?")}`, onclick: () => why(card, column) }, seen ? "◉" : VIEW_SIGNS[mark]));
  };
  const rows = answer.categories.flatMap((category) => [
    make("tr", { class: "clue-sheet-group" }, make("th", { scope: "colgroup", colspan: columns.length + 1 }, category.title)),
    ...category.cards.map(({ card, name: own, said: full = own }) => {
      const row = answer.grid[card];
      const name = answer.face_up.includes(card) ? _("{card} (face up)", { card: full }) : full;
      const inside = row[count];
      return make("tr", { class: inside.mark === "yes" ? "found" : inside.mark === "no" ? "away" : "" }, make("th", { scope: "row" }, make("span", {}, name)),
        columns.map((column, place) => cell(card, name, column, place)));
    }),
  ]);
  const table = make("table", { class: `clue-table own shares${columns.length > 4 ? " many" : ""}` }, make("caption", { class: "unseen" }, _("The probability of every card with every player and in the envelope")),
    make("thead", {}, make("tr", {}, make("td"), columns.map((column) => make("th", { scope: "col", class: class_(column), title: title(column) }, make("span", {}, title(column)))))),
    make("tbody", {}, rows));
  clueArrowKeys(table);
  return [make("div", { class: "clue-sheet-box" }, table),
    make("p", { class: "small muted clue-legend" }, _("✓ has it   ✕ has it not   ◉ has seen it in your hand   37 %: how likely. Press ✓ or ✕ to see why."))];
}

/** The envelopes that are possible, the likeliest first. */
export function envelopeParts(answer) {
  if (!answer.envelopes) return [make("p", { class: "muted" }, _("Nothing can be said while entries contradict each other."))];
  const deck = answerDeck(answer);
  const { top, words, count } = answer.envelopes;
  const most = top[0]?.share || 1;
  const line = (solution) => {
    const bar = make("span", { class: "envelope-bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", `${Math.round((100 * solution.share) / most)}%`);
    return make("li", {}, bar, clueTrio(solution.cards.map((card) => deck[card])), make("span", { class: "envelope-share" }, solution.text));
  };
  return [
    make("p", { class: count === 1 ? "notice good" : "" }, words),
    make("ol", { class: "envelope-list" }, top.slice(0, VIEW_ENVELOPES).map(line)),
    top.length > VIEW_ENVELOPES ? make("details", { class: "envelope-more" }, make("summary", { "data-key": "envelopes" }, count > top.length ? _("{more} more of {all}", { more: top.length - VIEW_ENVELOPES, all: count }) : _("{more} more", { more: count - VIEW_ENVELOPES })),
      make("ol", { class: "envelope-list", start: VIEW_ENVELOPES + 1 }, top.slice(VIEW_ENVELOPES).map(line))) : null,
    count > 1 ? make("p", { class: "small muted" }, _("Here all ways in which the cards may lie count alike; the advice also weighs how people play.")) : null,
  ].filter(Boolean);
}

/** Why something is certain: `lines` of the reason, one an entry. */
export function whyParts(explanation) {
  const [first, ...lines] = explanation.text.split("\n").map((line) => line.trim());
  if (!lines.length) return [make("p", {}, first)];
  return [make("p", {}, _("This follows from:")), make("ul", { class: "why-list" }, lines.map((line) => make("li", {}, line.slice(0, 1).toUpperCase() + line.slice(1))))];
}

/** Whether to accuse, what to suggest, what has become certain; `use(cards)` fills in a suggestion.
 *
 * `rooms` are the numbers of those that I can reach, none meaning any; `reach(room)` adds one or takes it away. */
export function adviceParts(answer, use, rooms, reach) {
  if (answer.conflict) return [make("p", { class: "muted" }, _("There is no advice while entries contradict each other."))];
  if (answer.over) return [make("p", { class: "notice" }, answer.over)];
  const parts = [];
  const { accuse, suggest } = answer;
  const deck = answerDeck(answer);
  if (accuse?.problem) {
    parts.push(make("p", { class: "notice" }, accuse.problem));
  } else if (accuse) {
    parts.push(make("div", { class: accuse.accuse ? "advice-accuse yes" : "advice-accuse", id: "advice-accuse" },
      make("h3", {}, accuse.lines[0]), ...accuse.lines.slice(1).map((line) => make("p", { class: "small" }, line))));
  }
  if (suggest && !suggest.problem) parts.push(roomParts(answer, rooms, reach));
  if (suggest && !suggest.problem && suggest.rows.length) {
    parts.push(make("h3", {}, answer.may_accuse ? _("In your next turn, suggest") : _("In your turn, suggest")),
      make("div", { class: "advice-box", tabindex: rooms.size ? 0 : null, role: rooms.size ? "region" : null, "aria-label": rooms.size ? _("Suggestions in the rooms that you can reach") : null }, make("table", { class: "advice-table" }, make("caption", { class: "unseen" }, _("The best suggestions")),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, _("Cards")), make("th", { scope: "col" }, _("Tells you")), make("th", { scope: "col" }, _("Settles it")), make("td"))),
        make("tbody", {}, suggest.rows.map((row, place) => make("tr", { class: place ? "" : "best" },
          make("th", { scope: "row" }, clueTrio(row.cards.map((card) => deck[card]))),
          make("td", {}, inNumbers(row.gain, 2)), make("td", {}, row.settles || "–"),
          make("td", {}, make("button", { type: "button", class: "button tiny", "data-use": place, "data-key": `use ${place}`, "aria-label": _("I suggest {cards}", { cards: row.names }), onclick: () => use(row.cards) }, _("Use")))))))),
      make("p", { class: "small muted" }, _("Why the first: {why}", { why: suggest.why })),
      make("p", { class: "small muted" }, _("Tells you: how much the answer tells on average, in bits, of which {all} would tell all. Settles it: how often you then know the three cards. The order also weighs what the others learn by it.", { all: inNumbers(suggest.missing, 1) })));
  }
  if (suggest?.habits?.length) {
    parts.push(make("details", { class: "advice-habits" }, make("summary", { "data-key": "habits" }, _("How they seem to play")),
      make("ul", { class: "small" }, suggest.habits.map((line) => make("li", {}, line)))));
  }
  const others = answer.certain;
  if (others.length) {
    parts.push(make("details", { class: "advice-certain" }, make("summary", { "data-key": "certain" }, _("Certain by now: {number}", { number: others.length })),
      make("ul", {}, others.map((fact) => make("li", {}, `${fact.text}.`)))));
  }
  return parts;
}

/** The rooms to choose those from that I can reach. */
function roomParts(answer, rooms, reach) {
  return make("details", { class: "advice-rooms" }, make("summary", { "data-key": "rooms" }, rooms.size ? _("Rooms that you can reach: {number}", { number: rooms.size }) : _("Which rooms can you reach?")),
    make("div", { class: "pills" }, answer.categories.at(-1).cards.map(({ card, name: own, said: name = own }) => {
      const input = make("input", { type: "checkbox", "data-key": `room ${card}`, onchange: () => reach(card) });
      input.checked = rooms.has(card);
      return make("label", { class: "pill", "data-pick": `room ${card}` }, input, make("span", {}, name));
    })));
}

/** The entries, the last one first; `act(what, n)`: edit, insert or remove. */
export function logParts(answer, act) {
  if (!answer.entries.length) return [make("p", { class: "muted" }, _("Nothing was entered yet."))];
  const button = (what, words, label, n) => make("button", { type: "button", class: "button quiet tiny", [`data-${what}`]: n, "data-key": `${what} ${n}`, "aria-label": label, onclick: () => act(what, n) }, words);
  return [make("ol", { class: "log-list", reversed: true }, [...answer.entries].reverse().map((entry) => make("li", { class: entry.wrong ? "log-line wrong" : "log-line", "data-entry": entry.n },
    make("span", { class: "log-number" }, String(entry.n)), make("span", { class: "log-text" }, entry.text, entry.remark ? make("span", { class: "log-remark small" }, entry.remark) : null),
    make("span", { class: "log-acts" }, button("edit", _("Edit"), _("Edit entry {number}", { number: entry.n }), entry.n), button("insert", _("Insert before"), _("Insert before entry {number}", { number: entry.n }), entry.n),
      button("remove", _("Remove"), _("Remove entry {number}", { number: entry.n }), entry.n)))))];
}

/** The entry that was made last, so that a slip is seen at once; nothing where there is none. */
export function lastParts(answer, act) {
  const last = answer.entries.at(-1);
  if (!last) return [];
  return [make("p", { class: "small" }, _("Last entry: {entry}", { entry: last.text })),
    make("button", { type: "button", class: "button quiet tiny", "data-key": "edit last", "aria-label": _("Edit entry {number}", { number: last.n }), onclick: () => act("edit", last.n) }, _("Edit"))];
}

/** How the entries differ from those before, for who hears the page: the one that is new, was changed or is gone; "" where none or more differ. */
export function changeWords(before, entries) {
  const [old, now] = [before, entries].map((list) => list.map((entry) => entry.text));
  const start = [...now, null].findIndex((text, place) => text !== old[place]);
  const more = now.length - old.length;
  const follows = (skipped, kept) => old.slice(start + skipped).join("\n") === now.slice(start + kept).join("\n");
  const { text = "", remark = "", n } = entries[start] ?? {};
  if (more === 1 && follows(0, 1)) return [text, remark].filter(Boolean).join(" ");
  if (more === 0 && start < now.length && follows(1, 1)) return _("Entry {number} is now: {entry}", { number: n, entry: [text, remark].filter(Boolean).join(" ") });
  if (more === -1 && follows(1, 0)) return _("Removed: {entry}", { entry: old[start] });
  return "";
}

/** With which change of one entry all would agree, entry by entry, each at a tap; `mend(slip)` makes it. */
function slipParts(slips, mend) {
  if (!slips.length) return null;
  const numbers = [...new Set(slips.map((slip) => slip.n))];
  return make("div", { class: "conflict-slips" }, make("p", {}, _("With one of these changes all agree. Tap it, if it was so:")),
    numbers.map((n) => make("fieldset", { class: "entry-choice" }, make("legend", { class: "legend" }, _("Entry {number}", { number: n })),
      make("div", { class: "pills" }, slips.filter((slip) => slip.n === n).map((slip, place) => make("button", { type: "button", class: "button", "data-key": `slip ${n} ${place}`, onclick: () => mend(slip) }, slip.text))))));
}

/** What contradicts what, and how to mend it: `act(what, n)`, or `mend(slip)` with one of the changes that are likely. */
export function conflictParts(answer, act, mend) {
  return [make("h2", { id: "conflict-title" }, _("This cannot all be true")),
    make("p", { class: "preline" }, answer.conflict.reasons.join("\n")),
    slipParts(answer.conflict.slips, mend),
    make("div", { class: "row" }, answer.conflict.entries.map((n) => make("button", { type: "button", class: "button", "data-key": `mend ${n}`, onclick: () => act("edit", n) }, _("Correct entry {number}", { number: n }))),
      answer.conflict.of_hand ? make("button", { type: "button", class: "button", "data-key": "mend hand", onclick: () => act("setup", 0) }, _("Correct my hand")) : null,
      make("button", { type: "button", class: "button", "data-key": "mend undo", onclick: () => act("undo", 0) }, _("Undo the last change")))].filter(Boolean);
}
