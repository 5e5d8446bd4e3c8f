"""A Python callable as the system under test: ``python:package.module:callable``.

The callable is written by the user. Its signature says what it receives (``signature``), its
module may declare settings (``declaration``) and hooks (``target``), and it is called in a thread
or on the event loop (``system``) or in a process of its own (``isolated``, ``worker``).
"""
