"""The page: a local server with a JSON interface, and the same page as one file.

The door loads what is asked for: a check of a text (``assay.web.configure``) runs in a process of
its own, which needs no server.
"""
