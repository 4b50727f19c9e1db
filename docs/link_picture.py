"""Draws the picture that messengers show beside the address of a table: `.venv/bin/python docs/link_picture.py`."""

from __future__ import annotations

import argparse
import shutil
from base64 import b64encode

from playwright.sync_api import sync_playwright

from molehunt.web.pages import LINK_PICTURE, STATIC
from molehunt.web.sprite import sprite

WIDE, HIGH, PITCH = 1200, 630, (132, 172)
MINE = (
    ("", "P_SE", "P_EW", "P_SW", "goal"),
    ("start", "P_NESW", "P_EW", "P_EWN", "gold"),
    ("", "P_SW-r", "P_EW", "D_EW", "goal"),
)
"""Cards by rows."""
PAGE = """<!doctype html><style>
@font-face {{ font-family: Almendra; src: url(data:font/woff2;base64,{face}); }}
body {{ margin: 0; width: {wide}px; height: {high}px; overflow: hidden; position: relative; background: #33251a; }}
svg.card {{ position: absolute; width: {across}px; height: {down}px; }}
.words {{ position: absolute; left: 56px; top: 0; height: 100%; width: 430px;
  display: flex; flex-direction: column; justify-content: center; color: #f7ead4; font: 92px/1 Almendra; }}
.words svg {{ width: 150px; height: 150px; margin: 0 0 24px -12px; }}
</style>{sprite}<div class="words"><svg class="molehunt"><use href="#i-nugget"/></svg>molehunt</div>{cards}"""


def page() -> str:
    across, down = PITCH
    cards = "".join(
        f'<svg class="molehunt card" viewBox="0 0 60 78" style="left:{500 + across * column}px;top:{57 + down * row}px">'
        f'<use href="#c-{name}"/></svg>'
        for row, names in enumerate(MINE)
        for column, name in enumerate(names)
        if name
    )
    face = b64encode((STATIC / "fonts" / "almendra-latin-700-normal.woff2").read_bytes()).decode()
    return PAGE.format(
        face=face, wide=WIDE, high=HIGH, across=across, down=down, sprite=sprite("saboteur"), cards=cards
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="the program; by default chromium")
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=given.chromium, args=["--no-sandbox", "--disable-gpu"])
        drawn = browser.new_page(viewport={"width": WIDE, "height": HIGH}, color_scheme="light")
        drawn.set_content(page())
        drawn.evaluate("() => document.fonts.ready")
        drawn.screenshot(path=STATIC / LINK_PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
