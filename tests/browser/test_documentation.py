"""The documentation site, built of a page with what its pages hold."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, expect

from browser.clicking import violations

ROOT = Path(__file__).parents[2]
AXE = AXE_FILE_PATH.read_text("utf-8")
WIDE = " ".join(["width"] * 40).replace(" ", "_")
PAGE = f"""# A page

## What was measured

| what | number |
| --- | --- |
| {WIDE} | 1 |

## What is short

| what | number |
| --- | --- |
| narrow | 2 |

[`code in a link`](index.md)

```sh
PYTHONPATH=here molehunt arena saboteur --seats {WIDE}
```

```python
print("{WIDE}", 0x1F, None)  # a comment
```

```python
print(2)
```
"""


@pytest.mark.parametrize("touch", [True, False], ids=["touch", "mouse"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_what_scrolls_is_a_tab_stop_and_all_of_it_is_read(
    browser: Browser, tmp_path: Path, touch: bool, colours: str
) -> None:
    mkdocs = pytest.importorskip("mkdocs.commands.build")
    config = pytest.importorskip("mkdocs.config")
    for folder in ("stylesheets", "javascripts"):
        shutil.copytree(ROOT / "docs" / folder, tmp_path / "docs" / folder)
    (tmp_path / "docs" / "index.md").write_text(PAGE)
    folders = {"docs_dir": str(tmp_path / "docs"), "site_dir": str(tmp_path / "site")}
    mkdocs.build(config.load_config(str(ROOT / "mkdocs.yml"), plugins=[], nav=["index.md"], **folders))
    context = browser.new_context(color_scheme=colours, has_touch=touch, is_mobile=touch)  # type: ignore[arg-type]
    try:
        page = context.new_page()
        page.goto((tmp_path / "site" / "index.html").as_uri())
        stops = page.locator(".md-content [tabindex='0']")
        expect(stops).to_have_count(3)
        wide, narrow = page.locator(".md-typeset__scrollwrap").all()
        expect(wide).to_have_attribute("tabindex", "0")
        expect(wide).to_have_attribute("aria-label", "What was measured")
        expect(narrow).not_to_have_attribute("tabindex", "0")
        wide.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement.scrollLeft > 0")
        expect(page.locator(".md-code__nav[role='none'] button")).to_have_count(3)
        assert violations(page, AXE) == []
    finally:
        context.close()
