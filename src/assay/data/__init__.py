"""Data sets: reading questions, documents and recorded rows, with every fault placed."""
