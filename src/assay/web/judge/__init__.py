"""Judges on the page: what they said about each answer, and how far they can be trusted."""

from assay.web.judge.read import RunJudges, flags, run_judges

__all__ = ["RunJudges", "flags", "run_judges"]
