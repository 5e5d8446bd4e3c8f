"""The page: a local server with a JSON interface, and the same page as one file."""
