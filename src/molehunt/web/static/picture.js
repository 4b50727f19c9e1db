// A position as a PNG file, made of the sprite of the page; nothing comes from outside.

import { _ } from "./language.js";
import { drawingOf } from "./svg.js";

const PICTURE_CARD = [60, 78];
const PICTURE_PITCH = [64, 82];
const PICTURE_EDGE = 26;
const PICTURE_SCALE = 2;
const PICTURE_LETTER = 10.8; // the width of a letter of the title, rather more than less

const PICTURE_HAND = 0.62; // a card of a hand, beside one of the mine
const PICTURE_NAME = 96; // pixels for a name before a hand

/** Draw a board of tunnels with a title, and the hands that are seen ([[name, cards], ...]), as a PNG; the promise is of a Blob. */
export async function pictureOf(board, title, tags = new Map(), hands = []) {
  return pictureOfSvg(pictureSvg(board, title, tags, hands));
}

/** A drawing that stands alone as a PNG. */
export async function pictureOfDrawing(drawing) {
  const { svg, width, height } = drawingOf(drawing);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  return pictureOfSvg({ text: new XMLSerializer().serializeToString(svg), width, height });
}

async function pictureOfSvg(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg.text], { type: "image/svg+xml" }));
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(image.src);
  }
  const canvas = document.createElement("canvas");
  canvas.width = svg.width * PICTURE_SCALE;
  canvas.height = svg.height * PICTURE_SCALE;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(_("the picture is too large")))), "image/png");
  });
}

function pictureSvg(board, title, tags, hands) {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const [columns, rows] = [board.right - board.left + 1, board.bottom - board.top + 1];
  const top = PICTURE_EDGE + 30;
  const most = Math.max(0, ...hands.map(([, cards]) => cards.length));
  const [handWidth, handHeight] = PICTURE_PITCH.map((side) => side * PICTURE_HAND);
  const width = Math.ceil(Math.max(columns * PICTURE_PITCH[0], PICTURE_LETTER * title.length, PICTURE_NAME + most * handWidth) + 2 * PICTURE_EDGE);
  const left = (width - columns * PICTURE_PITCH[0]) / 2;
  const below = rows * PICTURE_PITCH[1] + top + PICTURE_EDGE;
  const height = Math.ceil(below + hands.length * handHeight + (hands.length ? 12 : 0));
  const sprite = document.getElementById("sprite");
  const used = new Set([...board.cells, ...hands.flatMap(([, cards]) => cards)].map((card) => card.symbol));
  const symbols = [...sprite.querySelectorAll("symbol")].filter((symbol) => used.has(symbol.id));
  const serial = new XMLSerializer();
  const cells = board.cells.map((cell) => {
    const x = left + (cell.x - board.left) * PICTURE_PITCH[0] + 2;
    const y = top + (cell.y - board.top) * PICTURE_PITCH[1] + 2;
    const tag = tags.get(`${cell.x},${cell.y}`);
    return pictureCard(cell, x, y, 1)
      + (tag ? `<text class="tag" x="${x + PICTURE_CARD[0] / 2}" y="${y + PICTURE_CARD[1] + 12}">${pictureEscape(tag)}</text>` : "");
  });
  const held = hands.map(([name, cards], row) => {
    const y = below + row * handHeight;
    return `<text class="name" x="${PICTURE_EDGE}" y="${y + handHeight / 2 + 4}">${pictureEscape(name)}</text>`
      + cards.map((card, at) => pictureCard(card, PICTURE_EDGE + PICTURE_NAME + at * handWidth, y, PICTURE_HAND)).join("");
  });
  const axes = [...Array(columns).keys()].map((at) => `<text class="axis" x="${left + (at + 0.5) * PICTURE_PITCH[0]}" y="${top - 5}">${board.left + at}</text>`)
    .concat([...Array(rows).keys()].map((at) => `<text class="axis" x="${left - PICTURE_EDGE / 2}" y="${top + (at + 0.5) * PICTURE_PITCH[1] + 4}">${board.top + at}</text>`));
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
    + serial.serializeToString(sprite.querySelector("style"))
    + `<style>text{font-family:system-ui,sans-serif}.axis,.tag{font-size:11px;text-anchor:middle;fill:${colour("--muted")}}.tag{fill:#f0e6d6}.name{font-size:13px;font-weight:600;fill:${colour("--text")}}.title{font-size:17px;font-weight:700;fill:${colour("--text")}}</style>`
    + symbols.map((symbol) => serial.serializeToString(symbol)).join("")
    + `<rect width="${width}" height="${height}" fill="${colour("--page")}"/>`
    + `<text class="title" x="${PICTURE_EDGE}" y="28">${pictureEscape(title)}</text>`
    + `<rect x="${left - 2}" y="${top - 2}" width="${columns * PICTURE_PITCH[0] + 4}" height="${rows * PICTURE_PITCH[1] + 4}" rx="8" fill="${colour("--mine")}" stroke="${colour("--mine-line")}"/>`
    + `${axes.join("")}${cells.join("")}${held.join("")}</svg>`;
  return { text, width, height };
}

function pictureCard(card, x, y, scale) {
  const [width, height] = PICTURE_CARD.map((side) => side * scale);
  return `<svg class="molehunt${card.dark ? " dark" : ""}" style="max-width:none;height:${height}px" overflow="visible" x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 0 60 78"><use href="#${card.symbol}"/></svg>`;
}

function pictureEscape(text) {
  return String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
