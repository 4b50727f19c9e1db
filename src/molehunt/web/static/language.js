// The language of the page: texts stand in English where they are said, and the page brings what its language says for them.

/** The code of the language that the page speaks. */
export const language = document.documentElement.lang || "en";

const LANGUAGE_SAID = JSON.parse(document.getElementById("messages")?.textContent || "{}");
const LANGUAGE_RULES = new Intl.PluralRules(language);
const LANGUAGE_REGION = language === "en" ? "en-GB" : language; // lists without a comma before the last
const LANGUAGE_FORMS = ["zero", "one", "two", "few", "many", "other"].filter((form) => LANGUAGE_RULES.resolvedOptions().pluralCategories.includes(form));

/** A text in the language of the page, its places filled: `_("{name} is to move", { name })`. */
export function _(text, values = {}) {
  const said = LANGUAGE_SAID[text];
  return languageFilled(typeof said === "string" ? said : text, values);
}

/** The one of two texts that fits a number, in the language of the page; `{n}` is the number. */
export function counted_in(one, more, number, values = {}) {
  const forms = LANGUAGE_SAID[one];
  const said = Array.isArray(forms) ? forms[Math.min(LANGUAGE_FORMS.indexOf(LANGUAGE_RULES.select(number)), forms.length - 1)] : number === 1 ? one : more;
  return languageFilled(said, { n: number, ...values });
}

/** A text of a table, which is said in the language of the page where it is shown. */
export function later(text) {
  return text;
}

/** Words as a list: "a, b and c"; with `link` "disjunction", "a, b or c". */
export function listed(words, link = "conjunction") {
  return new Intl.ListFormat(LANGUAGE_REGION, { type: link }).format(words);
}

/** A number with so many places after the point. */
export function inNumbers(value, places) {
  return new Intl.NumberFormat(language, { minimumFractionDigits: places, maximumFractionDigits: places })
    .format(Math.abs(value) < 0.5 * 10 ** -places ? 0 : value); // nothing is -0.0
}

/** A chance, or a share, in percent, as core.words.percent_said writes it: what is not certain is not said to be. */
export function inPercent(chance) {
  const rounded = Math.floor(100 * chance + 0.5);
  if ((rounded === 0 || rounded === 100) && chance > 0 && chance < 1 - 1e-12) return rounded ? ">99 %" : "<1 %";
  return `${rounded} %`;
}

/** A day as people write it. */
export function inDate(day, style = "medium") {
  return new Intl.DateTimeFormat(LANGUAGE_REGION, { dateStyle: style }).format(day);
}

function languageFilled(text, values) {
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
}
