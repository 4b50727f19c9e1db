// The puzzle of the day: a position from a game, a question, and a streak that this browser keeps.

import { _, counted_in, inDate, inPercent } from "./language.js";
import { keepFor, make, pageData, recall, setText } from "./dom.js";
import { SeatsBar } from "./panels.js";

const PUZZLE_KEY = "molehunt.puzzles";
const PUZZLES_KEPT = 800;
const PUZZLE_DAY = 24 * 3600 * 1000; // milliseconds
const puzzleAt = (id) => document.getElementById(id);

/** What was answered, by day: {"2026-11-22": {chosen, right}}. */
function puzzlesDone() {
  try {
    const found = JSON.parse(recall(PUZZLE_KEY) || "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/** The day that a page is for, as 2026-11-22, on the reader's clock. */
function puzzleToday() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

function puzzleDayBefore(day) {
  return new Date(Date.parse(`${day}T00:00:00Z`) - PUZZLE_DAY).toISOString().slice(0, 10);
}

/** How many days in a row were answered rightly, up to today, or to yesterday where today is still open. */
function puzzleStreak(done, today) {
  let day = done[today] ? today : puzzleDayBefore(today);
  let count = 0;
  while (done[day]?.right) {
    count += 1;
    day = puzzleDayBefore(day);
  }
  return count;
}

function showStreak() {
  const days = puzzleStreak(puzzlesDone(), puzzleToday());
  setText(puzzleAt("puzzle-streak"), days ? counted_in("{n} day in a row.", "{n} days in a row.", days) : _("No streak yet: a right answer a day makes one."));
}

function answerPuzzle(puzzle, chosen) {
  const done = puzzlesDone();
  // The first answer counts.
  done[puzzle.day] ??= { chosen, right: chosen === puzzle.answer };
  keepFor(PUZZLE_KEY, JSON.stringify(Object.fromEntries(Object.entries(done).sort().slice(-PUZZLES_KEPT))));
  showAnswered(puzzle, done[puzzle.day].chosen);
}

/** Show what the options are worth, and why. */
function showAnswered(puzzle, chosen) {
  const best = puzzle.options[puzzle.answer].worth;
  [...puzzleAt("puzzle-options").children].forEach((item, number) => {
    const button = item.firstElementChild;
    const { worth } = puzzle.options[number];
    button.disabled = true;
    button.classList.toggle("right", number === puzzle.answer);
    button.classList.toggle("wrong", number === chosen && number !== puzzle.answer);
    if (number === chosen) button.setAttribute("aria-pressed", "true");
    setText(button.lastElementChild, inPercent(worth));
  });
  const points = Math.round((100 * (puzzle.options[chosen]?.worth ?? 0)) / best);
  puzzleAt("puzzle-result").replaceChildren(make("h3", {}, chosen === puzzle.answer ? _("Right.") : counted_in("{n} of 100 points.", "{n} of 100 points.", points)), make("p", {}, puzzle.why));
  puzzleTurnedUp();
  showStreak();
}

let puzzleTurnedUp = () => {}; // shows what follows from the position, which is no answer any more

/** Show the position as its game's board shows it, without moves; what follows from it only once the puzzle is answered. */
async function showPosition(puzzle) {
  const { Board } = await import(`./${pageData().board}`);
  puzzleAt("board").hidden = false;
  const board = new Board(puzzleAt("board"), null);
  const seatsBar = new SeatsBar(puzzleAt("seats"));
  const seats = puzzle.names.map((name, seat) => ({ seat, name, kind: "person", agent: null, called: "", here: true }));
  const show = (unsolved) => {
    const frame = { game: puzzle.game, phase: "playing", you: puzzle.you, mine: false, practice: false, can: [], moves: puzzle.story.length,
      seats, to_move: puzzle.to_move, over: null, position: { moves: [], ...puzzle.position, unsolved } };
    board.update(frame);
    seatsBar.update(frame, board);
  };
  show(true);
  puzzleTurnedUp = () => show(false);
}

async function showPuzzle(puzzle) {
  setText(puzzleAt("puzzle-day"), _("The puzzle of {day}", { day: inDate(new Date(`${puzzle.day}T12:00:00`), "full") }));
  setText(puzzleAt("puzzle-question"), puzzle.question);
  setText(puzzleAt("puzzle-told"), puzzle.told);
  puzzleAt("puzzle-story").replaceChildren(...puzzle.story.map((sentence) => make("li", {}, sentence)));
  puzzleAt("puzzle-options").replaceChildren(...puzzle.options.map((option, number) => make("li", {},
    make("button", { type: "button", class: "button", onclick: () => answerPuzzle(puzzle, number) }, make("span", {}, option.label), make("strong")))));
  if (puzzle.before) puzzleAt("puzzle-before").replaceChildren(make("a", { href: `/puzzle?day=${puzzle.before}` }, _("The puzzle of the day before")));
  puzzleAt("puzzle-parts").hidden = false;
  await showPosition(puzzle);
  showStreak();
  const before = puzzlesDone()[puzzle.day];
  if (before) showAnswered(puzzle, before.chosen);
}

async function startPuzzle() {
  const day = new URLSearchParams(location.search).get("day");
  if (day === null) {
    location.replace(`/puzzle?day=${puzzleToday()}`);
    return;
  }
  let found;
  try {
    found = await (await fetch(`/api/puzzle?day=${encodeURIComponent(day)}`)).json();
  } catch {
    found = { error: _("The server cannot be reached. Is it still running?") };
  }
  if (found.error) setText(puzzleAt("puzzle-told"), found.error);
  else await showPuzzle(found);
}

startPuzzle();
