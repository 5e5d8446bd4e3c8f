"""Write what the page takes from Python: the types of its interface, colours and number formats.

With ``--check``, only say whether these files are up to date.
"""

import inspect
import json
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from assay.jobs.depth.map import listing as listing_api
from assay.report import look
from assay.web import api, depth_map, item_api, live_api
from assay.web import corpus as corpus_api
from assay.web import draft as draft_api
from assay.web import text_store as text_api
from assay.web.configure import api as configure_api
from assay.web.judge import api as judge_api
from assay.web.label import api as label_api
from assay.words import message as words_api

MODULES = (
    words_api,
    text_api,
    judge_api,
    item_api,
    api,
    live_api,
    label_api,
    configure_api,
    corpus_api,
    draft_api,
    listing_api,
    depth_map,
)

SOURCES = Path(__file__).parent.parent / "web" / "src"
LOOK = (
    "HEAT",
    "VARIANTS",
    "PAGE",
    "MINUS",
    "MISSING",
    "THOUSANDS",
    "GROUPED_FROM",
    "PERCENT",
    "NO_DATA_TEXT",
    "SMALLEST_P",
)
"""The constants of ``assay.report.look`` that the page uses."""
STYLE = """\
/* Made by tools/generate_types.py from src/assay/report/look.py; do not edit. */

:root {{
{light}
}}

:root[data-theme="dark"] {{
{dark}
}}

@media print {{
  :root,
  :root[data-theme="dark"] {{
{print}
  }}
}}
"""
PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
}
UNIONS = (Union, types.UnionType)
HEAD = "// Made by tools/generate_types.py from the structs of src/assay; do not edit.\n"


def typescript_types() -> str:
    """All types of the interface, in the order of the source."""
    named = [pair for module in MODULES for pair in vars(module).items()]
    aliases = {value: name for name, value in named if get_origin(value) in {Literal, *UNIONS}}
    parts = [HEAD]
    parts += [f"export type {name} = {_type(value, {})};\n" for value, name in aliases.items()]
    structs = dict.fromkeys(
        value for name, value in named if _is_struct(value) and not name.startswith("_")
    )
    parts += [_interface(struct, aliases) for struct in structs]
    return "\n".join(parts)


def _interface(struct: type[msgspec.Struct], aliases: Mapping[Any, str]) -> str:
    hints = get_type_hints(struct)
    comment = inspect.getdoc(struct) or ""
    lines = ["/**", *(f" * {line}".rstrip() for line in comment.splitlines()), " */"]
    lines.append(f"export interface {struct.__name__} {{")
    for field in msgspec.structs.fields(struct):
        hint, mark = hints[field.name], ""
        if struct.__struct_config__.omit_defaults and not field.required:  # absent, never null
            hint, mark = _without_none(hint), "?"
        lines.append(f"  readonly {field.encode_name}{mark}: {_type(hint, aliases)};")
    return "\n".join([*lines, "}\n"])


def _type(hint: Any, aliases: Mapping[Any, str]) -> str:
    """The TypeScript of a Python type; raises ``TypeError`` if there is none."""
    if hint in aliases:
        return aliases[hint]
    if hint in PLAIN:
        return PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _literal(hint)
    if origin in UNIONS:
        return _union(arguments, aliases)
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            inner = _type(arguments[0], aliases)
            return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
        return f"readonly [{', '.join(_type(part, aliases) for part in arguments)}]"
    if origin in {Mapping, dict}:
        return f"Readonly<Record<{', '.join(_type(part, aliases) for part in arguments)}>>"
    if _is_struct(hint):
        return hint.__name__
    raise TypeError(f"no TypeScript type is known for {hint}")


def _union(parts: tuple[Any, ...], aliases: Mapping[Any, str]) -> str:
    """A union; the parts of one that has a name are named by it."""
    for alias, name in aliases.items():
        known = get_args(alias) if get_origin(alias) in UNIONS else ()
        if known and set(known) < set(parts):
            return " | ".join(
                [name, *(_type(part, aliases) for part in parts if part not in known)]
            )
    return " | ".join(_type(part, aliases) for part in parts)


def _without_none(hint: Any) -> Any:
    parts = [part for part in get_args(hint) if part is not type(None)]
    return parts[0] if get_origin(hint) in UNIONS and len(parts) == 1 else hint


def _is_struct(value: Any) -> bool:
    """Whether this is a struct of the interface."""
    return (
        isinstance(value, type)
        and issubclass(value, msgspec.Struct)
        and value.__module__ in {module.__name__ for module in MODULES}
    )


def _literal(hint: Any) -> str:
    return " | ".join(f'"{value}"' for value in get_args(hint))


def look_constants() -> str:
    """The colours and number formats as constants."""
    lines = ["// Made by tools/generate_types.py from src/assay/report/look.py; do not edit.", ""]
    for name in LOOK:
        value = json.dumps(getattr(look, name), ensure_ascii=False, indent=2)
        value = value.replace("\u00a0", "\\u00a0")
        lines.append(f"export const {name} = {value} as const;")
    return "\n".join([*lines, ""])


def look_style() -> str:
    """The colours as properties of the page's style."""
    return STYLE.format(
        **{
            name: "\n".join(
                f"{'    ' if name == 'print' else '  '}--{key}: {colour};"
                for key, colour in colours.items()
            )
            for name, colours in look.PAGE.items()
        }
    )


def main() -> None:
    """Write or check the files."""
    texts = {
        "api.ts": typescript_types(),
        "look.ts": look_constants(),
        "style/look.css": look_style(),
    }
    for name, text in texts.items():
        target = SOURCES / name
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        if "--check" in sys.argv:
            raise SystemExit(f"out of date: web/src/{name}; run make docs")
        target.write_text(text, encoding="utf-8")
        print(f"wrote web/src/{name}")


if __name__ == "__main__":
    main()
