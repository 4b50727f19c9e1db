// The faces of the pages come when the page stands: first what is played with, then its looks.

requestAnimationFrame(() => setTimeout(() => {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = "/static/fonts.css";
  document.head.append(sheet);
}));
