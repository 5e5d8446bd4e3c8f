"""Systems under test: whatever can be asked a question and gives an answer.

``load_system("python:package.module:callable")`` and its kin make one from a word on the
command line; the classes are public for use from Python and in tests.
"""

from assay.systems.command import CommandSystem
from assay.systems.context import GUESSES, SystemContext, model_client
from assay.systems.http import HttpSystem
from assay.systems.load import load_system
from assay.systems.openai import OpenAISystem
from assay.systems.protocol import (
    ChecksSettings,
    CountsCalls,
    Prepares,
    Setting,
    System,
    check_settings,
)
from assay.systems.python import PythonSystem
from assay.systems.replay import ReplaySystem
from assay.systems.scripted import ScriptedSystem

__all__ = [
    "GUESSES",
    "ChecksSettings",
    "CommandSystem",
    "CountsCalls",
    "HttpSystem",
    "OpenAISystem",
    "Prepares",
    "PythonSystem",
    "ReplaySystem",
    "ScriptedSystem",
    "Setting",
    "System",
    "SystemContext",
    "check_settings",
    "load_system",
    "model_client",
]
