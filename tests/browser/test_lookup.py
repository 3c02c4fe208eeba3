"""Lookup tables: the search field filters the rows, and the headings sort them."""

from playwright.sync_api import expect


def test_the_search_filters_rows_and_headings_sort_them(watch, site):
    page = watch().open(f"{site}/what-is-measured.html")
    box = page.locator(".lookup").first
    rows = box.locator("tbody tr:not([hidden])")
    count = rows.count()
    box.get_by_role("searchbox").fill("CROSS-ATTENTION layer")
    expect(box.get_by_role("status")).to_have_text(f"{rows.count()} of {count} rows")
    assert 0 < rows.count() < count
    for text in rows.all_inner_texts():
        assert "cross-attention" in text.lower()
        assert "layer" in text.lower()
    box.get_by_role("searchbox").fill("")
    heading = box.get_by_role("columnheader", name="runs")
    runs = box.get_by_role("button", name="runs")
    for sort, reverse in (("ascending", False), ("descending", True)):
        runs.click()
        expect(heading).to_have_attribute("aria-sort", sort)
        cells = rows.locator("td:nth-child(4)").all_inner_texts()
        found = [int(text.split()[0]) for text in cells]
        assert found == sorted(found, reverse=reverse)
        assert len(found) == count
    box.get_by_role("button", name="claim").click()
    assert box.locator("[aria-sort]").all_inner_texts() == ["claim"]
    runs.click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
