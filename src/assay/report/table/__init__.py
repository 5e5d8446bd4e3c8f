"""Tables, and functions that write them as Markdown, LaTeX, CSV, JSON or plain text."""
