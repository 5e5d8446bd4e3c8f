"""The shapes of LangChain, LlamaIndex, Haystack and DSPy: how they are asked, and what they return.

Nothing is imported: an object of a library is recognised by the methods of its class, and a reply by its
fields. ``SHAPES`` are the objects; ``plain_reply`` reads the replies.
"""

import hashlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from assay.errors import SystemFailed, SystemLoadError
from assay.records import Passage
from assay.systems.protocol import fill_template

_QUESTIONS: Final = ("question", "input", "query", "user_input", "prompt", "text", "topic")
"""What fields that take the question are called, the likeliest first."""
_ASKED: Final = frozenset({"question", "query"})
"""Inputs of a prompt that are about the question, also if they may be left out."""
_GUESSED_WRONG: Final = (TypeError, KeyError, ValueError, AttributeError)
_ANSWERS: Final = ("answer", "result", "response", "output", "text", "content")
_DOCUMENTS: Final = (
    "context", "source_documents", "documents", "source_nodes", "contexts", "retrieved_contexts",
    "sources",
)  # fmt: skip
"""What fields with the retrieved documents are called."""
_THOUGHTS: Final = frozenset({"reasoning", "rationale", "trajectory"})
_IDS: Final = ("chunk_id", "id", "doc_id", "document_id")
_SOURCES: Final = ("source", "file_name", "file_path", "filename")
_PAGES: Final = ("page_label", "page_number", "page")
_SCORES: Final = ("score", "relevance_score", "_score")
_REASONS: Final = ("finish_reason", "stop_reason", "done_reason")

Values = Mapping[str, Any]
Ask = Callable[[Values], Any]
"""Asks with ``question``, ``settings`` and ``top_k``."""


class Shape(Struct, frozen=True, kw_only=True):
    """Objects of a library: the methods by which their class is known, and how they are asked.

    ``asking`` returns a function for an object, its method, and what ``INPUT`` declares. ``hooks`` are
    those of its methods that mean the same as ours of this name.
    """

    methods: tuple[str, ...]
    asking: Callable[[Any, Callable[..., Any], Any], Ask]
    hooks: tuple[str, ...] = ()


def shape_of(asked: Any) -> Shape | None:
    """The shape of an object; None if it is of no known library."""
    if inspect.isclass(asked) or inspect.ismodule(asked):
        return None
    return next(
        (
            each
            for each in SHAPES
            if all(callable(getattr(type(asked), m, None)) for m in each.methods)
        ),
        None,
    )


def framework_call(asked: Any, declared: Any = None) -> Callable[..., Any] | None:
    """A function of the question that asks an object of a known library, or by a method of it.

    ``declared`` is ``INPUT``: the name of the field that takes the question, or the whole input with
    ``{{question}}`` in it.
    """
    owner = getattr(asked, "__self__", None) if inspect.ismethod(asked) else asked
    shape = shape_of(owner)
    if shape is None:
        return None
    method = asked if owner is not asked else getattr(owner, shape.methods[0])
    ask = shape.asking(owner, method, declared)

    def call(question: str, settings: Values, top_k: int) -> Any:
        return ask({"question": question, "settings": settings, "top_k": top_k})

    return call


def declared_on(asked: Any, name: str) -> Any:
    """A hook or declaration of an object; a method of a library may only share the name."""
    shape = shape_of(asked)
    is_ours = shape is None or name in shape.hooks or not callable(getattr(type(asked), name, None))
    return getattr(asked, name, None) if is_ours else None


def _filled(declared: Any, values: Values) -> Any:
    """The input that ``INPUT`` declares.

    >>> _filled("query", {"question": "why?"}), _filled("{{question}}", {"question": "why?"})
    ({'query': 'why?'}, 'why?')
    """
    if isinstance(declared, str) and "{{" not in declared:
        return {declared: values["question"]}
    return fill_template(declared, values)


def _runnable(chain: Any, method: Callable[..., Any], declared: Any) -> Ask:
    """LangChain and LangGraph: a text, an object, or messages, as the input schema says."""
    is_guess = declared is None and (declared := _runnable_input(chain)) is None
    declared = "{{question}}" if is_guess else declared

    def ask(values: Values) -> Any:
        settings = values["settings"]
        options = {"config": {"configurable": dict(settings)}} if settings else {}
        try:
            return method(_filled(declared, values), **options)
        except _GUESSED_WRONG as error:
            if not is_guess:
                raise
            raise SystemFailed(
                f"{type(error).__name__}: {error}. It was given the question as a text, because its input "
                'schema does not say what it takes; if that is an object, write INPUT = "question" (the '
                "name of its field) into the module"
            ) from error

    return ask


def _runnable_input(chain: Any) -> Any:
    """What a runnable takes, by its input schema; None if this does not say."""
    try:
        schema = chain.get_input_jsonschema()
    except Exception:  # noqa: BLE001 - pydantic cannot describe every type
        state = getattr(getattr(chain, "builder", None), "input_schema", None)  # of a graph
        schema = {"properties": getattr(state, "__annotations__", None)}
    kinds = [schema, *schema.get("anyOf", ())]
    if any(each.get("type") == "string" for each in kinds):
        return "{{question}}"
    fields = schema.get("properties")
    if not fields:
        return None
    required = schema.get("required", [])
    if "messages" in fields and set(required) <= {"messages"}:
        return {"messages": [{"role": "user", "content": "{{question}}"}]}
    rest: dict[str, Any] = {name: [] for name in required if name == "chat_history"}
    names = [each for each in required if each not in rest] or list(fields)
    if len(names) > 1:  # the state of a graph also has what its nodes fill in
        names = [each for each in names if each not in {*_ANSWERS, *_DOCUMENTS}] or names
    return {_question_field(names): "{{question}}", **rest}


def _question_field(names: Sequence[str]) -> str:
    """The one of these fields that takes the question."""
    if len(names) == 1:
        return names[0]
    raise SystemLoadError(
        f"its input has the fields {', '.join(names)}, and it is not clear what to give them: write it "
        f'into the module, as INPUT = {{"{_likely(names)}": "{{{{question}}}}", …}}'
    )


def _likely(names: Sequence[str]) -> str:
    return next((name for name in _QUESTIONS if name in names), names[0])


def _engine(_: Any, method: Callable[..., Any], declared: Any) -> Ask:
    """LlamaIndex: a query engine or a chat engine takes a text."""
    return lambda values: method(_filled(declared or "{{question}}", values))


def _pipeline(pipeline: Any, method: Callable[..., Any], declared: Any) -> Ask:
    """Haystack: the question goes to all inputs that take a text and must be given.

    The documents that pass through the pipeline are asked for too.
    """
    data = declared if isinstance(declared, Mapping) else _pipeline_input(pipeline)
    outputs = pipeline.outputs(include_components_with_connected_outputs=True)
    wanted = {name for name, sockets in outputs.items() if "documents" in sockets}
    return lambda values: method(fill_template(data, values), include_outputs_from=wanted)


def _pipeline_input(pipeline: Any) -> dict[str, dict[str, str]]:
    data: dict[str, dict[str, str]] = {}
    for component, sockets in pipeline.inputs().items():
        for name, socket in sockets.items():
            if not (socket.get("is_mandatory") or name in _ASKED):
                continue
            if socket.get("type") not in (str, Any):
                raise SystemLoadError(
                    f"the input {component}.{name} of the pipeline takes no text: write into the module "
                    f'what its inputs get, as INPUT = {{"{component}": {{"{name}": …}}, …}}'
                )
            data.setdefault(component, {})[name] = "{{question}}"
    return data


def _module(module: Any, method: Callable[..., Any], declared: Any) -> Ask:
    """DSPy: a module takes the fields of its signature, or those of its ``forward``, by name."""
    declared = declared or _module_field(module)
    return lambda values: method(**_filled(declared, values))


def _module_field(module: Any) -> str:
    parameters = list(inspect.signature(type(module).forward).parameters.values())[1:]
    names = [each.name for each in parameters if each.kind is not each.VAR_KEYWORD]
    if not names:  # it passes on what it is given to its only predictor
        names = [
            name for _, each in module.named_predictors() for name in each.signature.input_fields
        ]
    return _question_field(names)


SHAPES: Final = (
    Shape(methods=("invoke", "ainvoke", "get_input_jsonschema"), asking=_runnable),
    Shape(methods=("query", "aquery"), asking=_engine),
    Shape(methods=("chat", "achat"), asking=_engine, hooks=("reset",)),
    Shape(methods=("run", "inputs", "outputs"), asking=_pipeline, hooks=("close",)),
    Shape(methods=("__call__", "named_predictors", "forward"), asking=_module),
)
"""LangChain, LlamaIndex (query and chat engines), Haystack and DSPy."""


# What they return.


def pieces_of(reply: Any) -> Iterator[Any] | None:
    """What a streamed response of LlamaIndex yields, its documents last; None for anything else."""
    nodes = getattr(reply, "source_nodes", None)
    is_whole = nodes is None or hasattr(reply, "is_dummy_stream")  # that of a chat has both
    texts = None if is_whole else getattr(reply, "response_gen", None)
    if not isinstance(texts, Iterator):
        return None

    def pieces() -> Iterator[Any]:
        yield from texts
        yield {"passages": nodes}

    return pieces()


def plain_reply(reply: Any) -> Any:
    """The reply of a library as a mapping with ``answer`` and ``passages``; another one as it is.

    >>> plain_reply({"result": "30 days", "source_documents": [{"page_content": "Notice."}]})["answer"]
    '30 days'
    """
    if isinstance(reply, Mapping):
        return _from_mapping(reply)
    if hasattr(reply, "source_nodes"):
        return {"answer": getattr(reply, "response", None), "passages": reply.source_nodes}
    if callable(getattr(reply, "toDict", None)):
        return _from_prediction(reply)
    return reply if (fields := _message(reply)) is None else fields


def _from_mapping(reply: Values) -> Values:
    parts = [each for each in reply.values() if isinstance(each, Mapping)]
    if len(parts) == len(reply) and any({"replies", "answers"} & each.keys() for each in parts):
        return _from_components(reply)
    changed = dict(reply)
    messages = reply.get("messages")
    if isinstance(messages, list) and messages and (last := _message(messages[-1])) is not None:
        changed |= last
        # what tools have retrieved
        found = [getattr(each, "artifact", None) for each in messages]
        if lists := [each for each in found if isinstance(each, list) and _are_documents(each)]:
            changed.setdefault("passages", [document for each in lists for document in each])
    elif reply.get("answer") is None and reply.get("text") is None:
        name = next((each for each in _ANSWERS if reply.get(each) is not None), "answer")
        changed["answer"] = reply.get(name)
    changed |= _message(changed.get("answer")) or {}
    if "passages" not in changed:
        named = (reply[name] for name in _DOCUMENTS if name in reply)
        documents = next((each for each in named if _are_documents(each)), None)
        if documents is not None:
            changed["passages"] = [_with_text(each) for each in documents]
    return changed


def _from_components(outputs: Values) -> Values:
    """The outputs of the components of Haystack: the answer, and the documents that were used last."""
    fields: dict[str, Any] = {}
    for output in outputs.values():
        if documents := output.get("documents"):
            fields["passages"] = documents
        elif "documents" in output:
            fields.setdefault("passages", [])
    for output in outputs.values():
        metas = output.get("meta")
        for reply in (output.get("replies") or ())[:1]:
            meta = metas[0] if isinstance(metas, list) and metas else getattr(reply, "meta", {})
            text = reply if isinstance(reply, str) else getattr(reply, "text", None)
            fields |= {"answer": text, **_bill(meta)}
    for output in outputs.values():
        for answer in (output.get("answers") or ())[:1]:
            fields |= {
                "answer": getattr(answer, "data", None),
                **_bill(getattr(answer, "meta", {})),
            }
            if documents := getattr(answer, "documents", None):
                fields["passages"] = documents
    return fields


def _from_prediction(prediction: Any) -> Values:
    """A prediction of DSPy: its answer is the field of this name, or its only text."""
    fields = dict(prediction.toDict())
    if fields.get("answer") is None:
        texts = [
            name for name, each in fields.items() if isinstance(each, str) and name not in _THOUGHTS
        ]
        if len(texts) != 1:
            raise SystemFailed(
                f"the prediction has the fields {', '.join(fields)}, and it is not clear which one is the "
                "answer: call it answer"
            )
        fields["answer"] = fields[texts[0]]
    usages = (prediction.get_lm_usage() or {}) if hasattr(prediction, "get_lm_usage") else {}
    if usages:
        fields["usage"] = {
            name: sum(each.get(name) or 0 for each in usages.values())
            for name in ("prompt_tokens", "completion_tokens")
        }
    return _from_mapping(fields)


def _message(value: Any) -> dict[str, Any] | None:
    """The fields of a message of a chat model: its text, usage and finish reason."""
    if isinstance(value, str | Mapping) or not hasattr(value, "response_metadata"):
        return None
    content = getattr(value, "content", None)
    if isinstance(content, list):
        parts = [each if isinstance(each, str) else each.get("text") for each in content]
        content = "".join(part for part in parts if isinstance(part, str))
    bill = _bill({**value.response_metadata, "usage": getattr(value, "usage_metadata", None)})
    return {"answer": content, **bill}


def _bill(meta: Any) -> dict[str, Any]:
    """The usage and the finish reason in what a library says about a call."""
    meta = meta if isinstance(meta, Mapping) else {}
    fields: dict[str, Any] = {}
    usage = meta.get("usage")
    if isinstance(usage, Mapping) and usage:
        fields["usage"] = {
            "prompt_tokens": usage.get("input_tokens", usage.get("prompt_tokens")),
            "completion_tokens": usage.get("output_tokens", usage.get("completion_tokens")),
        }
    reason = _first(meta, _REASONS)
    return fields | ({"finish_reason": reason} if isinstance(reason, str) else {})


def _are_documents(value: Any) -> bool:
    """Whether a value is a list of documents or of their texts; another list has another purpose."""
    return isinstance(value, list | tuple) and all(
        isinstance(each, str) or document_fields(each) is not None for each in value
    )


def _with_text(document: Any) -> Any:
    """A document that is a text, with an id that stays the same as long as the text does."""
    return {"id": _text_id(document), "text": document} if isinstance(document, str) else document


def _text_id(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def document_fields(item: Any) -> dict[str, Any] | None:
    """The fields of a passage from a document of a library; None if it is none.

    >>> document_fields({"page_content": "Notice.", "metadata": {"chunk_id": "c17", "page": 4}})
    {'id': 'c17', 'text': 'Notice.', 'page': 4, 'score': None, 'source': None}
    """
    if item is None or isinstance(item, str | Passage):
        return None
    node = _get(item, "node") or item
    metadata = _get(node, "metadata", _get(node, "meta"))
    if not isinstance(metadata, Mapping):
        return None
    text = _get(node, "page_content", _get(node, "content", _get(node, "text")))
    read = getattr(node, "get_content", None)
    text = read() if callable(read) else text
    if not isinstance(text, str):
        return None
    stated = _first(metadata, _IDS) or _get(node, "id", _get(node, "id_"))
    page, score = _first(metadata, _PAGES), _get(item, "score")
    source = _first(metadata, _SOURCES)
    return {
        "id": str(stated) if stated else _text_id(text),
        "text": text,
        "page": int(page) if str(page).isdecimal() else None,
        "score": score if score is not None else _first(metadata, _SCORES),
        "source": source if isinstance(source, str) else None,
    }


def _get(item: Any, name: str, default: Any = None) -> Any:
    value = item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
    return default if value is None else value


def _first(fields: Values, names: Sequence[str]) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)
