// What every page needs: making elements, drawing a card of the sprite, telling the reader, copying a link.

import { _, counted_in } from "./language.js";
import { isSigned, turnedWords } from "./turning.js";

const DOM_SVG = "http://www.w3.org/2000/svg";

/** Under which key the browser remembers the reader's name. */
export const NAME_KEY = "molehunt.name";

const DOM_TOLD = 8; // so many of the last words that were told stay on the page
const DOM_PERCENT = /(?<=\d) (?=%)/g;
let domTurn = 0; // how the mine of the page lies on the screen, as `turning.js` has it

/** An element: `make("button", {class: "button", onclick: go, "data-seat": 2}, "Go")`. Text is text, never markup. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  setAll(made, attributes);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false).map(domChild));
  return made;
}

// A text as it is shown: places as they lie, and no line is broken before a sign of percent.
function domWords(text) {
  return typeof text === "string" ? turnedWords(text, domTurn).replace(DOM_PERCENT, "\u00a0") : text;
}

// A text that names places in a mine keeps what the server said, so that it can be said anew.
function domChild(child) {
  if (!isSigned(child)) return domWords(child);
  const node = document.createTextNode(domWords(child));
  node.signed = child;
  return node;
}

/** Set attributes where they differ: null and false take one away, true sets it empty, functions are listeners. */
export function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element[name] = value;
    else if (value === null || value === undefined || value === false) domRemove(element, name);
    else domAttribute(element, name, value === true ? "" : String(value));
  }
  return element;
}

function domRemove(element, name) {
  element.removeAttribute(name);
  if (element.signed) delete element.signed[name];
}

function domAttribute(element, name, text) {
  const words = domWords(text);
  if (element.getAttribute(name) !== words) element.setAttribute(name, words);
  if (isSigned(text)) element.signed = { ...element.signed, [name]: text };
  else if (element.signed) delete element.signed[name];
}

/** Set the text of an element where it differs, so that no reader hears it again. */
export function setText(element, text) {
  const words = domWords(text);
  if (element.textContent !== words) element.textContent = words;
  if (element.firstChild) element.firstChild.signed = isSigned(text) ? text : undefined;
}

/** The mine comes to lie another way on the screen: what names places in it is said anew, wherever on the page. */
export function turnPage(turn) {
  if (turn === domTurn) return;
  domTurn = turn;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (typeof node.signed === "string") node.data = domWords(node.signed);
    else for (const [name, text] of Object.entries(node.signed ?? {})) node.setAttribute(name, domWords(text));
  }
}

/** A card (`c-...`) or an icon (`i-...`) of the sprite. It is decoration: what it hangs in has the words. */
export function drawSymbol(symbol, class_ = "") {
  const svg = document.createElementNS(DOM_SVG, "svg");
  svg.setAttribute("viewBox", symbol.startsWith("i-") ? "0 0 20 20" : "0 0 60 78");
  svg.setAttribute("class", `molehunt ${symbol.startsWith("i-") ? "icon" : "art"} ${class_}`.trim());
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(DOM_SVG, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
}

/** The page's data, {} where it has none. */
export function pageData() {
  const holder = document.getElementById("data");
  return holder ? JSON.parse(holder.textContent || "{}") : {};
}

/** Tell those who hear the page; nobody sees it. What follows at once does not take the place of what is still to be read out. */
export function tell(words) {
  const live = document.getElementById("live");
  if (!live || !words) return;
  live.append(make("p", {}, words));
  while (live.children.length > DOM_TOLD) live.firstChild.remove();
}

/** Show words at the foot of the page for some seconds; they are read out at once, unless they are `told` in another way. */
export function showToast(words, seconds = 6, told = false) {
  const toast = make("div", { class: "toast", "aria-hidden": told ? "true" : null }, words);
  document.getElementById("toasts").append(toast);
  setTimeout(() => toast.remove(), seconds * 1000);
}

/** Copy text; where the browser forbids it, show the text so that it can be copied by hand. */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    showToast(_("{what} copied.", { what }), 3);
  } catch {
    window.prompt(_("{what} to copy:", { what }), text);
  }
}

/** A QR code that the server draws at `path`, fetched when the reader opens it. */
export function qrCode(path, words) {
  const image = make("img", { class: "qr-code", alt: _("A QR code: point a phone's camera at it"), width: 200, height: 200 });
  return make("details", { class: "qr", ontoggle: () => setAll(image, { src: path }) }, make("summary", {}, words), image);
}

/** Hand the reader a file. */
export function downloadFile(name, blob) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Run `change`, and give the focus back to the element of the same key (data-key) where it was lost. */
export function keepFocus(root, change) {
  const before = document.activeElement;
  const key = root.contains(before) ? before.dataset.key : undefined;
  change();
  if (key !== undefined && !document.contains(before)) {
    root.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`)?.focus({ preventScroll: true });
  }
}

/** How much larger than usual the letters are that the reader's browser is set to: 1 where they are 16 pixels high. */
export function letterScale() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** A number of cards in words. */
export function countOfCards(number) {
  return counted_in("{n} card", "{n} cards", number);
}

/** What the browser remembers under a key, "" where it remembers nothing or may not. */
export function recall(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** Let the browser remember a value, where it may. */
export function keepFor(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // storage is forbidden: nothing is remembered
  }
}

/** Do something with what the browser keeps for this tab, where it may keep anything. */
export function withTabStorage(work) {
  try {
    work(sessionStorage);
  } catch {
    // storage is forbidden, or damaged: one begins anew
  }
}
