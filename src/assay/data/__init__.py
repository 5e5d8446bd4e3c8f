"""Data sets: readers of questions, documents and recorded rows that report where an error is."""
