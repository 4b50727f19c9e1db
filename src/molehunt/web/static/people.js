// A study with people: what is agreed to, the next game, questions, and taking all of it back. The server says what comes next.
// What is agreed to and asked is worded by the protocol, in English, and marked so.

import { _, counted_in, language } from "./language.js";
import { keepFor, make, pageData, recall, setText } from "./dom.js";
import { askTwice } from "./twice.js";

const STUDY_KEY = "molehunt.study"; // the address of who takes part, so that the browser finds it again
const studyData = pageData();
const studyAt = (id) => document.getElementById(id);

function studyTell(words) {
  studyAt("study-told").hidden = !words;
  setText(studyAt("study-told"), words);
}

/** Ask the server; what it refuses is told, and gives null. */
async function studyAsk(path, body) {
  try {
    const answer = await fetch(`/api/study${path}`, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
    const found = await answer.json();
    studyTell(answer.ok ? "" : found.error);
    return answer.ok ? found : null;
  } catch {
    studyTell(_("The server does not answer; try again in a moment."));
    return null;
  }
}

async function studyJoin(event) {
  event.preventDefault();
  const found = await studyAsk("", { agreed: studyAt("study-agree").checked });
  if (!found) return;
  keepFor(STUDY_KEY, found.link);
  location.assign(found.link);
}

// ---- what comes next ----

function studyShow(found) {
  if (!found) return;
  setText(studyAt("study-number"), _("person {number}", { number: found.number }));
  const shown = { game: studyGame, questions: studyQuestions, done: studyDone }[found.step](found);
  studyAt("study-next").replaceChildren(...shown);
  studyAt("study-next").hidden = false;
  studyAt("study-own").hidden = false;
  studyAt("study-stop").hidden = found.step !== "game";
  studyAt("study-strategies").hidden = !found.told.length;
  studyAt("study-blocks").replaceChildren(...found.told.map(studyBlock));
}

function studyGame(found) {
  return [
    make("h2", {}, _("Game {number} of {all} with {players} players", { number: found.nth, all: found.block, players: found.players })),
    make("p", {}, [counted_in("{played} of {n} game played.", "{played} of {n} games played.", found.games, { played: found.played }),
      _("Which of two strategies each computer player has is told after all games with {players} players.", { players: found.players })].join(" ")),
    make("p", {}, make("button", { type: "button", class: "button primary big", id: "study-play", onclick: async (event) => {
      event.currentTarget.disabled = true;
      const table = await studyAsk(`/${studyData.link}/game`, {});
      if (table) location.assign(table.link);
      else studyAt("study-play").disabled = false;
    } }, _("To the table"))),
  ];
}

function studyQuestions(found) {
  return [
    make("h2", {}, _("A few questions")),
    make("form", { class: "stack", id: "study-questions", lang: "en", onsubmit: async (event) => {
      event.preventDefault();
      const answers = Object.fromEntries(new FormData(event.currentTarget));
      studyShow(await studyAsk(`/${studyData.link}/answers`, { answers }));
    } }, found.questions.map(studyQuestion), make("p", {}, make("button", { class: "button primary big", id: "study-answer", lang: language }, _("Send")))),
  ];
}

function studyQuestion(question) {
  if (!question.choices.length) {
    return make("label", { class: "field", for: `q-${question.id}` }, make("span", {}, question.text),
      make("textarea", { id: `q-${question.id}`, name: question.id, rows: 3, maxlength: 2000 }));
  }
  return make("fieldset", {}, make("legend", { class: "legend" }, question.text), make("div", { class: "row" },
    question.choices.map((choice, number) => make("label", { class: "check", for: `q-${question.id}-${number}` },
      make("input", { type: "radio", name: question.id, id: `q-${question.id}-${number}`, value: choice, required: true }), make("span", {}, choice)))));
}

function studyDone(found) {
  return [make("h2", {}, _("Thank you")), make("p", {}, counted_in("{n} game played, and all questions answered. Nothing more is asked of you.",
    "{n} games played, and all questions answered. Nothing more is asked of you.", found.played))];
}

function studyBlock(games) {
  return make("table", { class: "statistics" },
    make("caption", {}, _("{players} players", { players: games[0].seats.length })),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, _("game")), games[0].seats.map((_who, seat) => make("th", { scope: "col" }, _("seat {number}", { number: seat + 1 }))))),
    make("tbody", {}, games.map((game, number) => make("tr", {}, make("th", { scope: "row" }, String(number + 1)),
      game.seats.map((who, seat) => make("td", {}, game.winners.includes(seat) ? make("strong", {}, _("{who}, won", { who })) : who))))));
}

// ---- stopping, and taking it back: each is asked once more ----

async function studyWithdraw() {
  const found = await studyAsk(`/${studyData.link}/withdraw`, {});
  if (!found) return;
  keepFor(STUDY_KEY, "");
  location.assign(found.link);
}

async function studyBegin() {
  const known = recall(STUDY_KEY);
  if (!studyData.link && known && !studyData.told) {
    location.replace(known);
    return;
  }
  if (studyData.told && known === location.pathname) keepFor(STUDY_KEY, "");
  studyTell(studyData.told);
  studyAt("study-consent").hidden = Boolean(studyData.link);
  studyAt("study-form").onsubmit = studyJoin;
  askTwice(studyAt("study-stop"), _("Play no more: surely"), async () => studyShow(await studyAsk(`/${studyData.link}/stop`, {})));
  askTwice(studyAt("study-withdraw"), _("Delete it for good"), studyWithdraw);
  if (studyData.link) {
    keepFor(STUDY_KEY, location.pathname);
    studyShow(await studyAsk(`/${studyData.link}`));
  }
}

studyBegin();
