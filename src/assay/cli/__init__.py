"""The ``assay`` program. Each command has a file: it parses options, calls the library, prints."""
