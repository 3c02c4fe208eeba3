"""What the build is told of its repository, and the links that follow from it.

Nothing here knows an address. A reader's build has none and shows no buttons;
a build in GitHub Actions is told by the CI itself; any other build by
``REPOSITORY_URL`` and ``REPOSITORY_REF``.
"""

import copy
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

BINDER = "https://mybinder.org/v2"
COLAB = "https://colab.research.google.com/github"
SITE_BRANCH = "gh-pages"


@dataclass(frozen=True)
class Repository:
    """A repository, and the branches that links and the site live on.

    Parameters
    ----------
    url : str
        Its address, as a browser opens it.
    ref : str
        Branch, tag or commit that links open.
    site_branch : str
        Branch to which the built site is pushed.
    """

    url: str
    ref: str
    site_branch: str

    @classmethod
    def told(cls, environment: Mapping[str, str] = os.environ) -> "Repository | None":
        """Read the repository from a build's environment.

        Raises
        ------
        ValueError
            If the address is not one that a browser can open.
        """
        url = environment.get("REPOSITORY_URL", "")
        if not url and environment.get("GITHUB_REPOSITORY"):
            server = environment.get("GITHUB_SERVER_URL", "https://github.com")
            url = f"{server}/{environment['GITHUB_REPOSITORY']}"
        if not url:
            return None
        url = url.rstrip("/").removesuffix(".git")
        if urlsplit(url).scheme != "https" or len(_path(url)) < 2:
            raise ValueError(
                f"REPOSITORY_URL must look like https://host/owner/name, got {url!r}"
            )
        ref = environment.get("REPOSITORY_REF") or environment.get("GITHUB_REF_NAME")
        branch = environment.get("SITE_BRANCH") or SITE_BRANCH
        return cls(url, ref or "main", branch)

    @property
    def on_github(self) -> bool:
        """Whether the address is GitHub's own, the only one that Colab opens."""
        return urlsplit(self.url).hostname == "github.com"

    def binder(self, notebook: str) -> str:
        """Address that opens a notebook of the repository on Binder."""
        if self.on_github:
            where = f"gh/{'/'.join(_path(self.url))}"
        else:
            where = f"git/{quote(self.url, safe='')}"
        target = quote(f"lab/tree/{notebook}", safe="")
        return f"{BINDER}/{where}/{quote(self.ref, safe='')}?urlpath={target}"

    def colab(self, notebook: str) -> str:
        """Address that opens a notebook's published copy on Colab."""
        branch = quote(self.site_branch, safe="")
        return f"{COLAB}/{'/'.join(_path(self.url))}/blob/{branch}/colab/{notebook}"

    def source(self, page: str) -> str:
        """Address of a page's source in the repository."""
        return f"{self.url}/blob/{quote(self.ref, safe='')}/{page}"


def _path(url: str) -> list[str]:
    return [part for part in urlsplit(url).path.split("/") if part]


def install_cell(repository: Repository) -> dict[str, Any]:
    """First cell of a notebook on Colab: installs the course from its repository."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": "install-the-course",
        "metadata": {"tags": ["remove-cell"]},
        "outputs": [],
        "source": "%pip install --quiet "
        f'"attention-by-hand[course] @ git+{repository.url}@{repository.ref}"',
    }


def write_colab_copies(source: Path, site: Path, repository: Repository) -> None:
    """Put a copy of each chapter, with `install_cell` first, into the site.

    What JupyterLab folds is folded there too.
    Colab opens notebooks from GitHub only and passes them no address, so the
    copy that it opens holds the address that this build was told of. The site's
    branch carries it: ``colab/chapters/NAME.ipynb``.

    Parameters
    ----------
    source : Path
        Folder that holds ``chapters``.
    site : Path
        The built site.
    repository : Repository
        Where the course is installed from.
    """
    for path in sorted(source.glob("chapters/*.ipynb")):
        notebook = copy.deepcopy(json.loads(path.read_text(encoding="utf-8")))
        for cell in notebook["cells"]:
            if cell["metadata"].get("jupyter", {}).get("source_hidden"):
                cell["metadata"]["cellView"] = "form"  # how Colab folds code
        notebook["cells"].insert(0, install_cell(repository))
        target = site / "colab" / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        target.write_text(text + "\n", encoding="utf-8")
