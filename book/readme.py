"""Write the README's pictures and badges: ``python -m book.readme`` (needs Chromium).

The pictures show a figure of chapter 2, on a light and on a dark page. If the build's
environment names a repository on GitHub, the README also gets badges and links.
"""

import re
from pathlib import Path

from book.browser import chromium
from book.build import ROOT
from book.repository import Repository

PAGE = "chapters/02-why-sqrt-dk.html"
STATE = "?walk.d_k=256#fig-walk"
SIZE = {"width": 1200, "height": 720}
_BADGES = re.compile(r"<!-- badges.*?-->\n(?:.+\n)*")
_MARK = "<!-- badges: `make readme` writes them here for a repository on GitHub -->\n"
FOLDER = ROOT / ".github" / "pictures"


def take(site: Path, folder: Path) -> None:
    """Write ``site-light.png`` and ``site-dark.png``."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for theme in ("light", "dark"):
            page = browser.new_page(viewport=SIZE, color_scheme=theme)
            page.goto(f"{(site / PAGE).as_uri()}{STATE}")
            page.locator(".abh-card").first.wait_for()
            page.screenshot(path=folder / f"site-{theme}.png")


def with_badges(readme: str, repository: Repository | None) -> str:
    """Return a README with new badges, or without badges if GitHub is not named."""
    lines = badges(repository) if repository and repository.on_github else []
    return _BADGES.sub(lambda _: _MARK + "".join(f"{line}\n" for line in lines), readme)


def badges(repository: Repository) -> list[str]:
    """Return the README's badges and links, one in each line."""
    first = "chapters/01-self-attention.ipynb"
    runs = f"{repository.url}/actions/workflows/pages.yml"
    launch = "https://mybinder.org/badge_logo.svg"
    colab = "https://colab.research.google.com/assets/colab-badge.svg"
    readable = f"{repository.url}/tree/{repository.site_branch}/readable/chapters"
    return [
        f"[![tests and site]({runs}/badge.svg)]({runs})",
        f"[![Binder]({launch})]({repository.binder(first)})",
        f"[![Colab]({colab})]({repository.colab(first)})",
        f"[**The course**]({repository.site}) ·",
        f"[its chapters as GitHub shows them]({readable})",
    ]


def main() -> None:
    """Take the pictures and write the badges."""
    take(ROOT / "_build" / "html", FOLDER)
    path = ROOT / "README.md"
    text = with_badges(path.read_text("utf-8"), Repository.from_environment())
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
