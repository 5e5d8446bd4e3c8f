"""Damage a file: its bytes, its lines, its JSON values, or what is inside its archive."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

BYTES: Final = (
    b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\n", b"\x1b[2J", b'"', b"{", b"}",
    b"[", b"]", b",", b":", b"- ", b"&a ", b"*a", b"!!python/object:os.system x", b"<<: *a", b"%",
    b"\\ud800", "\u202e".encode(), b"9" * 5000, b"1e999", b"-" * 300, b"NaN",
)  # fmt: skip

VALUES: Final = (
    None, True, False, 0, -1, 1 << 70, 0.5, -1e308, "", " ", "x", "\x1b[2J\n", "\u202e", "５",
    "9" * 5000, [], {}, [[]], [None], {"": None}, [1, "a"], {"id": 1}, "2020-02-30", "NaN",
)  # fmt: skip

RAW: Final = (
    "9" * 5000, "-0", "1e999", "1E-999", "NaN", "Infinity", '"\\ud800"', '"\\u0000"',
    "[" * 3000 + "]" * 3000, "[" * 200_000, '{"a":' * 3000 + "1" + "}" * 3000,
)  # fmt: skip
"""JSON texts that Python cannot write, or that no reader should have to hold."""

BOMB: Final = "".join(
    f"{name}: &{name} [{', '.join([inner] * 9)}]\n"
    for name, inner in zip("abcdef", ["x", *(f"*{name}" for name in "abcde")], strict=True)
)
"""Aliases of aliases: 200 bytes that stand for half a million values."""

YAML: Final = (
    BOMB,
    "a: &a\n  b: *a\n",
    "[" * 2000,
    "? [a]\n: b\n",
    "- " * 500 + "x\n",
    "x: !!binary '='\n",
    "x: !!int 'a'\n",
    "x: 2020-99-99\n",
    "\t- x\n",
    "a: {<<: [x, y]}\n",
    f"n: {'9' * 5000}\n",
    "n: 1:99:99\n",
    "n: 0o99\n",
    "n: .inf\n",
    "n: !!timestamp x\n",
    "n: !!set {a, [b]}\n",
)


def mutated(data: bytes, kind: str, random: Random) -> bytes:
    """The data with one to three kinds of damage."""
    ways = _WAYS[kind]
    for _ in range(random.randint(1, 3)):
        data = random.choice(ways)(data, random)
    return data


def _bytes(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    match random.randint(0, 4):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + random.choice(BYTES) + data[at:]
        case 2:
            return data[:at] + random.choice(BYTES) + data[at + random.randint(1, 40) :]
        case 3:
            return data[:at] + bytes([random.randint(0, 255)]) + data[at + 1 :]
        case _:
            end = min(len(data), at + random.randint(1, 200))
            return data[:end] + data[at:end] * random.randint(1, 5) + data[end:]


def _lines(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    at = random.randint(0, len(lines) - 1)
    match random.randint(0, 3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[random.randint(0, len(lines) - 1)])
        case 2:
            lines[at] = random.choice(RAW).encode()
        case _:
            lines[at] = lines[at] + lines[random.randint(0, len(lines) - 1)]
    return b"\n".join(lines)


def _json_line(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    at = random.randint(0, len(lines) - 1)
    lines[at] = _json(lines[at], random)
    return b"\n".join(lines)


def _json(data: bytes, random: Random) -> bytes:
    """The JSON value with one of its parts replaced, removed, renamed or repeated."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _bytes(data, random)
    places = list(_places(value))
    if not places:
        return random.choice(RAW).encode()
    inside, key = places[random.randint(0, len(places) - 1)]
    mark = "\x01fuzz\x01"
    choice = random.randint(0, 5)
    if choice == 0:
        del inside[key]
    elif choice == 1:
        inside[key] = [inside[key]]
    elif choice == 2 and isinstance(inside, dict):
        inside[str(random.choice(VALUES))] = inside.pop(key)
    elif choice == 3:
        inside[key] = mark
    else:
        inside[key] = random.choice(VALUES)
    text = json.dumps(value, ensure_ascii=False, indent=None)
    return text.replace(json.dumps(mark), random.choice(RAW)).encode(errors="surrogatepass")


def _places(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    """Every container and key of a JSON value, to a small depth and number."""
    if depth > 5 or not isinstance(value, dict | list):
        return
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    for key in keys[:40]:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key], depth + 1)


def _yaml(data: bytes, random: Random) -> bytes:
    """The YAML text with a value replaced by something of another kind, or with a bomb."""
    lines = data.split(b"\n")
    at = random.randint(0, len(lines) - 1)
    if random.randint(0, 3) == 0:
        lines.insert(at, random.choice(YAML).encode())
        return b"\n".join(lines)
    key, colon, _ = lines[at].partition(b":")
    other = random.choice((
        "[a, b]", "{a: 1}", "null", "5", "true", "''", "2020-01-01", "[[[]]]", "9" * 5000, "-1",
        ".nan", "1e999", "'\\ud800'", '"\\x1b[2J"', "&a *a", "|", "~", "{}", "[]", "!!null x",
    ))  # fmt: skip
    lines[at] = key + colon + b" " + other.encode() if colon else lines[at] + other.encode()
    return b"\n".join(lines)


def _archive(data: bytes, random: Random) -> bytes:
    """The archive with the bytes of one of its members damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # noqa: BLE001 - it is no archive any more
        return _bytes(data, random)
    name = random.choice(sorted(members) or ["word/document.xml"])
    content = members.get(name, b"")
    match random.randint(0, 3):
        case 0:
            members[name] = b"<a>" * 60_000
        case 1:
            members[name] = content.replace(b"<w:p>", b"<w:tbl><w:tr><w:tc><w:p>")
        case _:
            members[name] = _bytes(content, random)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in members.items():
            archive.writestr(member, text)
    return buffer.getvalue()


_WAYS: Final[dict[str, tuple[Callable[[bytes, Random], bytes], ...]]] = {
    "jsonl": (_bytes, _lines, _json_line, _json_line, _json_line),
    "json": (_bytes, _json, _json, _json),
    "yaml": (_bytes, _yaml, _yaml),
    "text": (_bytes, _lines),
    "docx": (_bytes, _archive, _archive),
    "pdf": (_bytes,),
}
