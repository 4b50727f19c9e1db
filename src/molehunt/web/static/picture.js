// A position as a PNG file, made of the sprite of the page; nothing comes from outside.

import { drawingOf } from "./svg.js";

const PICTURE_CARD = [60, 78];
const PICTURE_PITCH = [64, 82];
const PICTURE_EDGE = 26;
const PICTURE_SCALE = 2;
const PICTURE_LETTER = 10.8; // the width of a letter of the title, rather more than less

/** Draw a board of tunnels with a title as a PNG; the promise is of a Blob. */
export async function pictureOf(board, title, tags = new Map()) {
  return pictureOfSvg(pictureSvg(board, title, tags));
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
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png");
  });
}

function pictureSvg(board, title, tags) {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const [columns, rows] = [board.right - board.left + 1, board.bottom - board.top + 1];
  const top = PICTURE_EDGE + 30;
  const width = Math.ceil(Math.max(columns * PICTURE_PITCH[0], PICTURE_LETTER * title.length) + 2 * PICTURE_EDGE);
  const left = (width - columns * PICTURE_PITCH[0]) / 2;
  const height = rows * PICTURE_PITCH[1] + top + PICTURE_EDGE;
  const sprite = document.getElementById("sprite");
  const used = new Set(board.cells.map((cell) => cell.symbol));
  const symbols = [...sprite.querySelectorAll("symbol")].filter((symbol) => used.has(symbol.id));
  const serial = new XMLSerializer();
  const cells = board.cells.map((cell) => {
    const x = left + (cell.x - board.left) * PICTURE_PITCH[0] + 2;
    const y = top + (cell.y - board.top) * PICTURE_PITCH[1] + 2;
    const tag = tags.get(`${cell.x},${cell.y}`);
    return `<svg class="molehunt${cell.dark ? " dark" : ""}" style="max-width:none;height:${PICTURE_CARD[1]}px" overflow="visible" x="${x}" y="${y}" width="${PICTURE_CARD[0]}" height="${PICTURE_CARD[1]}" viewBox="0 0 60 78"><use href="#${cell.symbol}"/></svg>`
      + (tag ? `<text class="tag" x="${x + PICTURE_CARD[0] / 2}" y="${y + PICTURE_CARD[1] + 12}">${pictureEscape(tag)}</text>` : "");
  });
  const axes = [...Array(columns).keys()].map((at) => `<text class="axis" x="${left + (at + 0.5) * PICTURE_PITCH[0]}" y="${top - 5}">${board.left + at}</text>`)
    .concat([...Array(rows).keys()].map((at) => `<text class="axis" x="${left - PICTURE_EDGE / 2}" y="${top + (at + 0.5) * PICTURE_PITCH[1] + 4}">${board.top + at}</text>`));
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
    + serial.serializeToString(sprite.querySelector("style"))
    + `<style>text{font-family:system-ui,sans-serif}.axis,.tag{font-size:11px;text-anchor:middle;fill:${colour("--muted")}}.title{font-size:17px;font-weight:700;fill:${colour("--text")}}</style>`
    + symbols.map((symbol) => serial.serializeToString(symbol)).join("")
    + `<rect width="${width}" height="${height}" fill="${colour("--page")}"/>`
    + `<text class="title" x="${PICTURE_EDGE}" y="28">${pictureEscape(title)}</text>`
    + `<rect x="${left - 2}" y="${top - 2}" width="${columns * PICTURE_PITCH[0] + 4}" height="${rows * PICTURE_PITCH[1] + 4}" rx="8" fill="${colour("--mine")}" stroke="${colour("--mine-line")}"/>`
    + `${axes.join("")}${cells.join("")}</svg>`;
  return { text, width, height };
}

function pictureEscape(text) {
  return String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
