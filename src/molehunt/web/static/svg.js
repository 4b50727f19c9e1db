// Drawings that games make: SVG as text.

/** A drawing as {svg, width, height}: an element with a viewBox, and its size in its own units. */
export function drawingOf(text) {
  const holder = document.createElement("template");
  holder.innerHTML = text; // made by the server
  const svg = holder.content.querySelector("svg") ?? document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const box = (svg.getAttribute("viewBox") ?? "").trim().split(/[\s,]+/).map(Number);
  const [left, top, width, height] = box.length === 4 && box.every(Number.isFinite) && box[2] > 0 && box[3] > 0 ? box
    : [0, 0, parseFloat(svg.getAttribute("width")) || 600, parseFloat(svg.getAttribute("height")) || 400];
  svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  return { svg, width, height };
}
