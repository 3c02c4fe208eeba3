"""The repository that the build's environment names, and the links to it.

The code contains no address. A build without an address, such as a reader's, shows no
links to Binder, Colab and the source. A build reads ``REPOSITORY_URL``,
``REPOSITORY_REF``, ``SITE_BRANCH``, and ``SITE_URL`` if the site is not published at
GitHub's own address. GitHub Actions sets variables that replace the first two if unset.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

BINDER = "https://mybinder.org/v2"
COLAB = "https://colab.research.google.com/github"
SITE_BRANCH = "gh-pages"


@dataclass(frozen=True)
class Repository:
    """A repository, the branch that links open, and the branch of the built site."""

    url: str  # address of the repository for a browser
    ref: str  # branch, tag or commit that links open
    site_branch: str  # branch to which the built site is pushed
    # Address of the published site, if it is not GitHub's own for the repository.
    site_url: str = ""

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] = os.environ
    ) -> "Repository | None":
        """Return the repository that an environment names; None if it names none."""
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
        return cls(url, ref or "main", branch, environment.get("SITE_URL", ""))

    @classmethod
    def site_from_environment(cls) -> str | None:
        """Return the address of the published site; None if it is unknown."""
        repository = cls.from_environment()
        return repository.site if repository else None

    @property
    def on_github(self) -> bool:
        """Whether the repository is on github.com; Colab opens only such notebooks."""
        return urlsplit(self.url).hostname == "github.com"

    @property
    def site(self) -> str | None:
        """Address of the published site; None if it is unknown."""
        if self.site_url:
            return self.site_url.rstrip("/") + "/"
        if not self.on_github:
            return None
        owner, name = _path(self.url)[:2]
        host = f"{owner.lower()}.github.io"
        return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"

    def binder(self, notebook: str) -> str:
        """Return the address that opens a notebook of the repository on Binder."""
        if self.on_github:
            where = f"gh/{'/'.join(_path(self.url))}"
        else:
            where = f"git/{quote(self.url, safe='')}"
        target = quote(f"lab/tree/{notebook}", safe="")
        return f"{BINDER}/{where}/{quote(self.ref, safe='')}?urlpath={target}"

    def colab(self, notebook: str) -> str:
        """Return the address that opens a notebook's published copy on Colab."""
        branch = quote(self.site_branch, safe="")
        return f"{COLAB}/{'/'.join(_path(self.url))}/blob/{branch}/colab/{notebook}"

    def source(self, page: str) -> str:
        """Return the address of a page's source in the repository."""
        return f"{self.url}/blob/{quote(self.ref, safe='')}/{page}"


def _path(url: str) -> list[str]:
    return [part for part in urlsplit(url).path.split("/") if part]
