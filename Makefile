# `make VERB` is `python run.py VERB`: that file sets up what a verb needs, and runs it.
PYTHON ?= python3
VERBS  := book serve lab tidy readable handout key assignments quiz results pdf archive ledger check notebooks formulas \
          records readme lint format lock test test-slow firefox conformance model-conformance \
          kernels bench package clean

.DEFAULT_GOAL := book
.PHONY: help $(VERBS)

# CHAPTER=03 names a chapter by how its file begins; WITH="numpy==1.26.*" a requirement;
# FILES="class/*.csv" the results of students.
check notebooks tidy: ARGUMENTS = $(CHAPTER)
package: ARGUMENTS = $(WITH)
results: ARGUMENTS = $(FILES)

help $(VERBS):
	@$(PYTHON) run.py $@ $(ARGUMENTS)
