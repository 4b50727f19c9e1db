// The faces of the cards of Clue: drawings of our own, found by words in a card's name. A card that none fits gets the sign of
// its category with the card's code, so any card set can be played with.

const FACE_SVG = "http://www.w3.org/2000/svg";

/** The picture of a card, 48 by 48; `what` is suspect, weapon or location. It is decoration: the name stands beside it. */
export function drawFace(card, what) {
  const svg = facePart("svg", { viewBox: "0 0 48 48", class: `clue-face clue-face-${what}`, "aria-hidden": "true" });
  const name = card.name.toLowerCase();
  const found = (FACE_DRAWINGS[what] ?? []).find(([words]) => words.some((word) => name.includes(word)));
  const parts = found ? found[1] : (FACE_SIGNS[what] ?? FACE_SIGNS.weapon)(faceTint(card.name));
  svg.append(...parts.map(([tag, attributes]) => facePart(tag, attributes)));
  if (!found) {
    const place = { suspect: [24, 45, 11], weapon: [26, 31, 15], location: [24, 39, 13] }[what] ?? [24, 30, 14];
    const code = facePart("text", { x: place[0], y: place[1], "font-size": place[2], class: "clue-face-code" });
    code.textContent = card.code.slice(0, 3);
    svg.append(code);
  }
  return svg;
}

function facePart(tag, attributes) {
  const made = document.createElementNS(FACE_SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// --- How drawings are written ---------------------------------------------------------------------------------------------

const FACE_SKIN = "#ecc7a2";
const FACE_INK = "#35261b";

const faceFill = (d, fill) => ["path", { d, fill }];
const faceLine = (d, stroke, width = 2.4) => ["path", { d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" }];
const faceDot = (cx, cy, r, fill) => ["circle", { cx, cy, r, fill }];
const faceBox = (x, y, width, height, fill, rx = 1) => ["rect", { x, y, width, height, fill, rx }];

/** A head and shoulders, drawn over `behind` and under `before`. */
function faceFigure(coat, behind, before, skin = FACE_SKIN) {
  return [
    ...behind,
    faceFill("M5 48c0-11 8-15.5 19-15.5s19 4.5 19 15.5Z", coat),
    faceFill("M20 28h8v6c-2 3-6 3-8 0Z", skin),
    faceDot(24, 20.5, 9.2, skin),
    faceDot(20.6, 20.6, 1.15, FACE_INK), faceDot(27.4, 20.6, 1.15, FACE_INK),
    ...before,
  ];
}

const faceSmile = faceLine("M21.3 25.2q2.7 1.7 5.4 0", FACE_INK, 1.3);

// --- The known cards ------------------------------------------------------------------------------------------------------

const FACE_DRAWINGS = {
  suspect: [
    [["scarlet"], faceFigure("#c0222c",
      [faceFill("M12.5 38V19C12.5 10 17 6.5 24 6.5S35.5 10 35.5 19v19Z", "#3a1d14")],
      [faceFill("M15 20c0-8 4-11.5 9-11.5s9 3.5 9 11.5c-3-1-5-4-6-7-2 4-7 7-12 7Z", "#3a1d14"),
        faceFill("M21.5 25.2q2.5-1 5 0-2.5 2.6-5 0Z", "#b01522"), faceFill("M19 34l5 7 5-7Z", "#f3d9bd")])],
    [["mustard"], faceFigure("#d9a520", [],
      [faceFill("M13 16.5C13 8.5 18 5 24 5s11 3.5 11 11.5Z", "#efe2bd"), faceBox(9.5, 15, 29, 3.4, "#d7c48e", 1.7), faceBox(13.4, 12.4, 21.2, 2.2, "#8f6f2a"),
        faceFill("M17.2 25.8c2.6-2.6 5-2.3 6.8-.8 1.8-1.5 4.2-1.8 6.8.8-2 2.9-5 2.9-6.8.7-1.8 2.2-4.8 2.2-6.8-.7Z", "#6b4a21"),
        faceDot(24, 40, 1.4, "#8a6210"), faceDot(24, 45, 1.4, "#8a6210")])],
    [["green"], faceFigure("#2f7a3f", [],
      [faceFill("M14.6 19C14 11 18.5 8.8 24 8.8S34 11 33.4 19c-1.4-3.5-3-5-4.4-5.5-3 1-7 1-10 0-1.4.5-3 2-4.4 5.5Z", "#77716a"),
        faceFill("M18.5 31.5h11v4.2h-11Z", "#fffdf6"), faceBox(22, 31.5, 4, 4.2, "#22301f", 0), faceSmile])],
    [["peacock"], faceFigure("#1f5fa8",
      [faceFill("M30 12C33 5 38 2 43 2c0 6-3 11-9 14Z", "#168a86"), faceDot(39, 6.2, 2.3, "#f2c53d"), faceDot(39, 6.2, 1.1, "#173f7a"), faceDot(24, 8.5, 5, "#6d4530")],
      [faceFill("M14.6 21C14 13 18 10 24 10s10 3 9.4 11c-2-5-5-7-9.4-7s-7.4 2-9.4 7Z", "#6d4530"), faceSmile,
        ...[18, 21, 24, 27, 30].map((x, place) => faceDot(x, 33.5 + (place === 2 ? 1.6 : place % 2 ? 1 : 0), 1.3, "#f4f1e6"))])],
    [["plum"], faceFigure("#6d3a8c", [],
      [faceFill("M14.7 20c-1-7 1.3-9 2.6-9.5C19 8.5 29 8.5 30.7 10.5c1.3.5 3.6 2.5 2.6 9.5-1-2-1.6-4-1.8-6-4-2-11-2-15 0-.2 2-.8 4-1.8 6Z", "#4b3a33"),
        ["circle", { cx: 20.4, cy: 20.6, r: 3.3, fill: "none", stroke: FACE_INK, "stroke-width": 1.3 }], ["circle", { cx: 27.6, cy: 20.6, r: 3.3, fill: "none", stroke: FACE_INK, "stroke-width": 1.3 }],
        faceLine("M23.6 20.2h.8", FACE_INK, 1.3), faceFill("M24 36l-6-3v6.5Zm0 0l6-3v6.5Z", "#e8b53a"), faceSmile])],
    [["orchid"], faceFigure("#d36ba4",
      [faceFill("M13 31V19c0-9 5-12 11-12s11 3 11 12v12Z", "#1e1a1d")],
      [faceFill("M15 20c0-8 4-11 9-11s9 3 9 11c-1.5-3-2.5-4-3.5-5.5h-11c-1 1.5-2 2.5-3.5 5.5Z", "#1e1a1d"), faceSmile,
        ...[[34, 10.4], [37.6, 13], [36.2, 17.2], [31.8, 17.2], [30.4, 13]].map(([x, y]) => faceDot(x, y, 2.7, "#f7b7d8")), faceDot(34, 14, 2, "#f1c232"),
        faceFill("M17 34l7 6 7-6 3 1-10 13-10-13Z", "#fffdf6")])],
    [["white"], faceFigure("#46505c", [],
      [faceFill("M14.6 20C14 12 18.5 10 24 10s10 2 9.4 10c-2-4-5-5.5-9.4-5.5S16.6 16 14.6 20Z", "#b9b2a9"),
        faceFill("M13.5 14c-2-5 3-6 4-5 1-4 5-4 6.5-2 1.5-2 5.5-2 6.5 2 1-1 6 0 4 5-6-3-15-3-21 0Z", "#fffdf6"),
        faceLine("M13.5 14.2c6-3 15-3 21 0", "#9aa4ae", 1.2), faceFill("M15 33.6 24 37l9-3.4V48H15Z", "#fffdf6"), faceSmile])],
  ],
  weapon: [
    [["candle"], [faceFill("M24 3c4 5 4 8 0 10-4-2-4-5 0-10Z", "#f0a020"), faceBox(21, 13, 6, 12, "#d8c08a"), faceFill("M15 25h18l-3 5H18Z", "#b8862b"), faceBox(22, 29, 4, 9, "#b8862b"), faceFill("M12 44c0-4 5-6.5 12-6.5S36 40 36 44Z", "#94691a")]],
    [["dagger", "knife"], [faceFill("M41 5c1 7-9 18-17 24l-5-5C25 16 34 5 41 5Z", "#aab4bd"), faceFill("M41 5 21.5 26.5 19 24C25 16 34 5 41 5Z", "#cfd6dc"), faceLine("M14.5 22.5l11 11", "#8a6a22", 3.6), faceLine("M17 31 8 40", "#5a3a22", 5.6), faceDot(7.5, 40.5, 2.6, "#8a6a22")]],
    [["pipe", "piping"], [faceLine("M10 38 36 12", "#7d8791", 8), faceLine("M9 36.5 34.5 11", "#a7b0b8", 2), faceLine("M6.5 35.5l6 6M35 6.5l6.5 6.5", "#59636d", 4.4)]],
    [["revolver", "pistol", "gun"], [faceFill("M6 15h34v7H27l-2 4h-5l-5 15H6l5-17c-3-1-5-4-5-9Z", "#4c545c"), faceFill("M11 24l4 1-5 16H6Z", "#7a4a26"), faceBox(17, 14, 9.5, 9, "#79838c", 2), faceLine("M19.5 16v5M23.5 16v5", "#3c434a", 1.4), faceLine("M38 12.5v2.5", "#4c545c", 2.6), faceLine("M21 26c1 4 5 4 6 0", "#4c545c", 1.8)]],
    [["rope"], [["ellipse", { cx: 24, cy: 27, rx: 15, ry: 6.2, fill: "none", stroke: "#a97a3a", "stroke-width": 4.6 }], ["ellipse", { cx: 24, cy: 22, rx: 15, ry: 6.2, fill: "none", stroke: "#c79a55", "stroke-width": 4.6 }], ["ellipse", { cx: 24, cy: 17, rx: 15, ry: 6.2, fill: "none", stroke: "#dcb472", "stroke-width": 4.6 }],
      faceLine("M37 27c4 4 3 10-3 13", "#a97a3a", 4.2), ["ellipse", { cx: 24, cy: 17, rx: 15, ry: 6.2, fill: "none", stroke: "#8d6227", "stroke-width": 1, "stroke-dasharray": "2 3.4" }]]],
    [["wrench", "spanner"], [faceLine("M16 32 31 17", "#7d8791", 6.6), faceFill("M44 12c1 6-4 11-10 10l-8-8C25 8 30 3 36 4l-6 6 1.5 6.5L38 18Z", "#7d8791"), faceFill("M4 36c-1-6 4-11 10-10l8 8c1 6-4 11-10 10l6-6-1.5-6.5L10 30Z", "#7d8791"), faceLine("M17 30.5 30 17.5", "#b4bdc5", 1.8)]],
    [["poison"], [faceBox(19, 5, 10, 6, "#7a4a26"), faceFill("M20 11h8v6c7 2 9 8 9 14 0 8-5 13-13 13s-13-5-13-13c0-6 2-12 9-14Z", "#4f8f5c"), faceFill("M12 30h24c0 7-4 12-12 12s-12-5-12-12Z", "#2f6b3d"), faceDot(20, 32, 2.2, "#eef5e8"), faceDot(28, 32, 2.2, "#eef5e8"), faceLine("M20 38h8", "#eef5e8", 2)]],
    [["axe", "hatchet"], [faceLine("M12 42 32 10", "#7a4a26", 4.6), faceFill("M26 8c7-6 14-3 17 4-3 6-8 8-14 7-3-3-4-7-3-11Z", "#8e98a1")]],
  ],
  location: [
    [["ballroom"], [faceLine("M24 4v7M13 22v-6c3-5 19-5 22 0v6", "#a87b1f", 2.6), faceLine("M10 22c5 9 23 9 28 0", "#a87b1f", 2.6), ...[10, 19.3, 28.7, 38].flatMap((x, place) => { const y = place % 3 ? 24 : 18; return [faceBox(x - 1.7, y - 7, 3.4, 7, "#d8c08a"), faceFill(`M${x} ${y - 14}c2.4 3 2.4 5 0 6.5-2.4-1.5-2.4-3.5 0-6.5Z`, "#f0a020")]; }), faceFill("M24 30l3.5 6-3.5 8-3.5-8Z", "#7fb3d5")]],
    [["billiard", "games"], [faceBox(3, 9, 42, 31, "#6b4322", 5), faceBox(7, 13, 34, 23, "#2f7a4a", 2), ...[[8, 14], [40, 14], [8, 35], [40, 35]].map(([x, y]) => faceDot(x, y, 2.6, "#1d1712")), faceDot(18, 20, 3.8, "#f6f1e3"), faceDot(29, 19, 3.8, "#c0222c"), faceDot(25, 28, 3.8, "#e8b53a"), faceLine("M44 44 30 31", "#d8b27a", 2.4)]],
    [["conservatory", "garden", "greenhouse"], [...["M24 32C22 20 12 14 5 18c5 1 9 6 19 14Z", "M24 32C26 20 36 14 43 18c-5 1-9 6-19 14Z", "M24 32C18 20 17 9 22 4c-1 8 3 14 2 28Z", "M24 32c3-10 6-18 3-27 6 5 7 15-3 27Z"].map((d, place) => faceFill(d, ["#3c8a4b", "#2f7a3f", "#55a35f", "#419250"][place])), faceFill("M14 32h20l-3 13H17Z", "#b5632f"), faceBox(12.5, 30, 23, 4.5, "#cc7840")]],
    [["dining"], [faceDot(24, 25, 13, "#fdf8ec"), ["circle", { cx: 24, cy: 25, r: 12.4, fill: "none", stroke: "#8fa3b5", "stroke-width": 1.6 }], ["circle", { cx: 24, cy: 25, r: 7.4, fill: "none", stroke: "#8fa3b5", "stroke-width": 1.3 }], faceLine("M6 8v9M3 8v7c0 3 6 3 6 0V8M6 18v24", "#59636d", 2.2), faceLine("M43 42V8c-4 3-5 10-3.5 17H43", "#59636d", 2.2)]],
    [["hall"], [faceFill("M8 44V20C8 10 15 4 24 4s16 6 16 16v24Z", "#8a6a4a"), faceFill("M12 44V20c0-8 5-12 12-12s12 4 12 12v24Z", "#5d3c22"), faceLine("M24 8v36", "#3a2413", 1.8), faceDot(20.8, 28, 1.5, "#e8b53a"), faceDot(27.2, 28, 1.5, "#e8b53a"), faceFill("M15 20c0-5 3-8 7-8.5V20ZM33 20c0-5-3-8-7-8.5V20Z", "#f0d38a"), faceBox(4, 43, 40, 3.5, "#a89577")]],
    [["kitchen"], [faceLine("M17 4c-3 4 3 5 0 9M24 3c-3 4 3 6 0 10M31 4c-3 4 3 5 0 9", "#8fa3b5", 2.2), faceBox(8, 21, 32, 21, "#7d4e33", 5), faceBox(10, 21, 5, 21, "#a06a48", 2), faceBox(5, 17, 38, 5, "#5d3823", 2.5), faceLine("M3.5 27H8M40 27h4.5", "#5d3823", 3.6)]],
    [["library"], [faceBox(5, 9, 7, 31, "#8c2f39"), faceBox(13, 14, 6, 26, "#2f5f8a"), faceBox(20, 7, 8, 33, "#3f6b43"), faceFill("M30 14.5l6-1.8 7.5 25.5-6 1.8Z", "#b07a24"), ...["M5 15h7M5 33h7", "M20 13h8M20 33h8", "M13 19h6"].map((d) => faceLine(d, "#f0d38a", 1.6)), faceBox(3, 40, 42, 4, "#6b4a2d")]],
    [["lounge", "living"], [faceFill("M10 26V16c0-5 3-8 7-8h14c4 0 7 3 7 8v10Z", "#a8453a"), faceFill("M5 24c0-4 7-4 7 0v6h24v-6c0-4 7-4 7 0v16H5Z", "#8a3329"), faceBox(12, 28, 24, 6, "#c3685b", 2.5), faceLine("M9 41v3M39 41v3", "#4a2d18", 3), faceDot(19, 17, 1.2, "#6d241c"), faceDot(29, 17, 1.2, "#6d241c")]],
    [["study", "office"], [faceFill("M12 16 24 5l12 11Z", "#2f7a4a"), faceBox(11, 15, 26, 3.6, "#225c37", 1.8), faceBox(22.5, 18, 3, 20, "#a87b1f"), faceFill("M14 44c0-4 4-6.5 10-6.5S34 40 34 44Z", "#a87b1f"), faceFill("M15 20h18l4 8H11Z", "#f7d98a"), faceLine("M30 19v7", "#a87b1f", 1.3)]],
    [["bedroom"], [faceBox(5, 12, 4, 32, "#6b4322"), faceBox(39, 24, 4, 20, "#6b4322"), faceBox(7, 28, 34, 11, "#3f6d9c", 3), faceBox(10, 22, 12, 8, "#fdf8ec", 3)]],
    [["cellar", "vault"], [faceFill("M4 44V34h10V25h10v-9h10V7h10v37Z", "#8a7a67"), faceFill("M4 44V38h10v-9h10v-9h10v-9h10v33Z", "#6a5b4a")]],
  ],
};

// --- Any other card -------------------------------------------------------------------------------------------------------

const FACE_TINTS = ["#8a4b12", "#24618f", "#2d6a3e", "#8d2f5b", "#5b4a9c", "#0f6b6b", "#a3331f", "#5d6216"];

function faceTint(name) {
  let sum = 0;
  for (const sign of name) sum = (sum * 31 + sign.codePointAt(0)) % 9973;
  return FACE_TINTS[sum % FACE_TINTS.length];
}

const FACE_SIGNS = {
  suspect: (tint) => [faceFill("M3 48c0-13 9-17.5 21-17.5S45 35 45 48Z", tint), faceDot(24, 18, 11, tint)],
  weapon: (tint) => [faceFill("M4 25 14 10h30v30H14Z", tint), faceDot(12.5, 25, 2.8, "#fffaf0")],
  location: (tint) => [faceFill("M3 23 24 4l21 19-3 3-2-2v21H8V24l-2 2Z", tint)],
};
