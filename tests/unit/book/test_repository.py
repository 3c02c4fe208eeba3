"""Addresses of Binder, Colab and the source, from environment variables."""

import pytest

from book.build import ENVIRONMENT as WATCHED
from book.repository import Repository

ENVIRONMENT = {
    "REPOSITORY_URL": "https://github.com/owner/name.git",
    "REPOSITORY_REF": "v1",
}
FILE = "chapters/01-self-attention.ipynb"


class Asked(dict):
    """An environment that remembers which variables it was asked for."""

    def __init__(self, **variables: str) -> None:
        super().__init__(variables)
        self.names = set()

    def get(self, name, *default):
        self.names.add(name)
        return super().get(name, *default)


def test_a_build_does_not_watch_a_variable_that_the_addresses_use():
    environment = Asked(GITHUB_REPOSITORY="owner/name")
    Repository.from_environment(environment)
    assert environment.names == set(WATCHED)


def test_the_ci_gives_another_repository_or_overrides_own_variables():
    ci = {
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "other/one",
        "GITHUB_REF_NAME": "a/branch",
        "SITE_BRANCH": "site",
    }
    repository = Repository.from_environment(ci)
    assert repository.source(FILE).startswith("https://github.com/other/one/blob/a%2F")
    assert "/blob/site/colab/" in repository.colab(FILE)
    own = Repository.from_environment({**ci, **ENVIRONMENT})
    assert (own.url, own.ref) == ("https://github.com/owner/name", "v1")


def test_another_host_has_colab_or_no_binder():
    environment = {"REPOSITORY_URL": "https://example.org/owner/name"}
    repository = Repository.from_environment(environment)
    assert not repository.on_github
    assert repository.binder(FILE).startswith(
        "https://mybinder.org/v2/git/https%3A%2F%2Fexample.org%2Fowner%2Fname/main?"
    )


@pytest.mark.parametrize("url", ["owner/name", "http://a.b/c/d", "https://a.b/x"])
def test_an_address_that_no_browser_opens_is_accepted(url):
    with pytest.raises(ValueError, match="REPOSITORY_URL must look like"):
        Repository.from_environment({"REPOSITORY_URL": url})
