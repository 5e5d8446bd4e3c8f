"""The jobs, a folder each: its files' formats, plan, scores, rows and tables."""
