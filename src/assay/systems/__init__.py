"""Systems under test: anything that answers questions.

``load_system("python:package.module:callable")`` creates a system from a specification given on
the command line. The classes are public, so that Python code and tests can use them directly.
"""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.systems.command import CommandSystem
    from assay.systems.context import KNOWN_PROVIDERS, SystemContext, model_client
    from assay.systems.http import HttpSystem
    from assay.systems.load import SYSTEMS, SystemFactory, load_here, load_system
    from assay.systems.openai import OpenAISystem
    from assay.systems.protocol import (
        ORDER_ONLY,
        AnswersOnLoop,
        ChecksSettings,
        CostsNothing,
        CountsCalls,
        HasNotes,
        KnowsChunks,
        KnowsSources,
        KnowsSpans,
        OrdersPassages,
        Prepares,
        PreparesSources,
        Replays,
        SeparatesVariants,
        Setting,
        System,
        TakesRow,
        WarmsUp,
        check_settings,
        corpus_sha256,
        lists_by_rank,
        local_copy,
        order_settings,
    )
    from assay.systems.python import PythonSystem
    from assay.systems.replay import ReplaySystem
    from assay.systems.scripted import ScriptedSystem
    from assay.systems.search_dimension import dimension
    from assay.systems.side_by_side import IDENTITY, SIDE_BY_SIDE, SYSTEM, SideBySide
    from assay.systems.thread import ThreadPool
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "AnswersOnLoop": "protocol",
            "ChecksSettings": "protocol",
            "CommandSystem": "command",
            "CostsNothing": "protocol",
            "CountsCalls": "protocol",
            "HasNotes": "protocol",
            "HttpSystem": "http",
            "IDENTITY": "side_by_side",
            "KNOWN_PROVIDERS": "context",
            "KnowsChunks": "protocol",
            "KnowsSources": "protocol",
            "KnowsSpans": "protocol",
            "ORDER_ONLY": "protocol",
            "OpenAISystem": "openai",
            "OrdersPassages": "protocol",
            "Prepares": "protocol",
            "PreparesSources": "protocol",
            "PythonSystem": "python",
            "ReplaySystem": "replay",
            "Replays": "protocol",
            "SIDE_BY_SIDE": "side_by_side",
            "SYSTEM": "side_by_side",
            "SYSTEMS": "load",
            "ScriptedSystem": "scripted",
            "SeparatesVariants": "protocol",
            "Setting": "protocol",
            "SideBySide": "side_by_side",
            "System": "protocol",
            "SystemContext": "context",
            "SystemFactory": "load",
            "TakesRow": "protocol",
            "ThreadPool": "thread",
            "WarmsUp": "protocol",
            "check_settings": "protocol",
            "corpus_sha256": "protocol",
            "dimension": "search_dimension",
            "lists_by_rank": "protocol",
            "load_here": "load",
            "load_system": "load",
            "local_copy": "protocol",
            "model_client": "context",
            "order_settings": "protocol",
        },
    )

__all__ = [
    "IDENTITY",
    "KNOWN_PROVIDERS",
    "ORDER_ONLY",
    "SIDE_BY_SIDE",
    "SYSTEM",
    "SYSTEMS",
    "AnswersOnLoop",
    "ChecksSettings",
    "CommandSystem",
    "CostsNothing",
    "CountsCalls",
    "HasNotes",
    "HttpSystem",
    "KnowsChunks",
    "KnowsSources",
    "KnowsSpans",
    "OpenAISystem",
    "OrdersPassages",
    "Prepares",
    "PreparesSources",
    "PythonSystem",
    "ReplaySystem",
    "Replays",
    "ScriptedSystem",
    "SeparatesVariants",
    "Setting",
    "SideBySide",
    "System",
    "SystemContext",
    "SystemFactory",
    "TakesRow",
    "ThreadPool",
    "WarmsUp",
    "check_settings",
    "corpus_sha256",
    "dimension",
    "lists_by_rank",
    "load_here",
    "load_system",
    "local_copy",
    "model_client",
    "order_settings",
]
