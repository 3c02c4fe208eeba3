"""Write ``ledger.csv``: ``python -m course.ledger``."""

from course.ledger import CSV, as_csv, rows

CSV.write_text(as_csv(rows()), encoding="utf-8")
