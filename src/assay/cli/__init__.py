"""The ``assay`` command: a file a command; each parses, calls the library, and renders."""
