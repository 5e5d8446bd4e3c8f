"""The address of a server: its URL, what must not be shown of it, and what decides who replies.

A key may be in the user part of a URL or in its query. The user part is sent as a header, as
HTTP prescribes; a key in the query is sent there, because a server may expect it. Neither is
shown: ``Address.shown`` is the address for messages and identities.
"""

import base64
import hashlib
import ipaddress
import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import SplitResult, quote, unquote, unquote_plus, urlencode, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

from msgspec import UNSET

from assay.config.system import ModelConfig
from assay.errors import UseError
from assay.mask import Redactor, add_secrets, is_credential, looks_secret, redactor
from assay.models.secret import Environment, Secret
from assay.redact.error_text import has_key_form

# Secrets in the query of a URL: known by the name of the parameter, or by the form of the value.
#
# A parameter that says who calls (``token``, ``sig``, ``subscription-key``) is a secret whatever its
# value is. Others are called alike whether they hold a key or a plain word (``code=en``); with them,
# and with names that say nothing, the value decides.

_RUN_TOGETHER: Final = re.compile(
    r"api.?key|secret|passw|authori[sz]ation|credential|bearer|signature|hmac"
    r"|(?:access|auth|id|api|session|function|subscription|shared|private).?(?:token|key)",
    re.IGNORECASE,
)
_MAY_BE_SECRET: Final = frozenset(
    ("assertion", "code", "invite", "nonce", "otp", "pass", "session", "sid", "sign", "ticket")
)
_SHORTEST: Final = 8
"""The shortest value that makes a secret of a parameter whose name leaves it open."""
_STRETCH: Final = re.compile(r"[A-Za-z0-9+/]{16,}")
_PIECE: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[+/]")
_LONGEST_PIECE: Final = 2.6
"""Letters of one case or digits that follow each other, on average; in words they are longer."""


def is_named_secret(name: str, value: str) -> bool:
    """Whether the name of a parameter says that its value is a secret, which may be exchanged.

    >>> is_named_secret("subscription-key", "a"), is_named_secret("sig", "b")
    (True, True)
    >>> is_named_secret("code", "xK2-9fQz8"), is_named_secret("code", "en")
    (True, False)
    """
    name = unquote_plus(name)
    if looks_secret(name) or _RUN_TOGETHER.search(name):
        return True
    return name.lower() in _MAY_BE_SECRET and len(value) >= _SHORTEST and _is_no_word(value)


def is_formed_secret(value: str) -> bool:
    """Whether a value looks like a key, whatever it is called.

    >>> is_formed_secret("x9Kd03LmQ2vT7bRw"), is_formed_secret("2024-05-01-preview")
    (True, False)
    """
    value = unquote_plus(value)
    return has_key_form(value) or any(map(_is_random, _STRETCH.findall(value)))


def secret_parameters(query: str) -> Iterator[tuple[str, str, bool]]:
    """The name and the value of each secret in a query, and whether its name says that it is one."""
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        is_named = is_named_secret(name, value)
        if value and (is_named or is_formed_secret(value)):
            yield name, value, is_named


def shown_query(query: str) -> str:
    """A query with ``***`` in place of each secret.

    >>> shown_query("k=5&token=abc&v=2024-10-21")
    'k=5&token=***&v=2024-10-21'
    """
    return "&".join(map(_shown_pair, query.split("&")))


def _shown_pair(pair: str) -> str:
    name, _, value = pair.partition("=")
    is_secret = is_named_secret(name, value) or is_formed_secret(value)
    return f"{name}=***" if is_secret else pair


def _is_no_word(value: str) -> bool:
    """Whether a value has digits among its letters, or capital letters after small ones.

    >>> _is_no_word("mainland"), _is_no_word("20240501"), _is_no_word("mainLand1")
    (False, False, True)
    """
    return len(_PIECE.findall(value)) > 1 and any(map(str.isalpha, value))


def _is_random(characters: str) -> bool:
    """Whether letters and digits change so often that the part consists of no words."""
    pieces = _PIECE.findall(characters)
    return any(map(str.isdigit, characters)) and len(characters) <= _LONGEST_PIECE * len(pieces)


class Address:
    """A base URL with further query parameters.

    ``shown`` is the URL without secrets. ``secrets`` are those of the URL, ``authorization`` is
    the header for its user part, if it has one, and ``query`` are the parameters that may be
    shown only as hashes: those that were configured separately from the URL. ``hidden`` are the hashes
    of those in the URL that look like a secret.
    """

    def __init__(
        self, base_url: str, query: Mapping[str, str], environment: Environment | None = None
    ) -> None:
        environment = environment or Environment()
        parts = _split(base_url)
        if parts is None:
            raise UseError(f"'base_url' {base_url} is not an address")
        self.secrets = url_secrets(base_url)
        self.authorization = _basic_authorization(parts)
        self.shown = shown_url(base_url)
        self.hidden = hidden_parameters(base_url)
        self.query: dict[str, str] = {}
        for name, value in query.items():
            expanded = environment.expand(value, f"query parameter {name}")
            self.query[name] = expanded.reveal()
            if looks_secret(name):
                self.secrets.append(Secret(expanded.reveal()))
                add_secrets([expanded.reveal()])
        pairs = [parts.query] if parts.query else []
        pairs += [urlencode(self.query)] if self.query else []
        self._host = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="")
        self._query = "&".join(pairs)
        self._urls: dict[str, str] = {}

    def url(self, path: str) -> str:
        """The address of an endpoint, with the query at its end."""
        url = self._urls.get(path)
        if url is None:
            whole = self._host._replace(path=self._host.path.rstrip("/") + path, query=self._query)
            url = self._urls[path] = urlunsplit(whole)
        return url

    def proxy(self) -> str | None:
        """The proxy through which the server is reached, without its user part."""
        proxies = getproxies()
        host = self._host.hostname or ""
        proxy = proxies.get(self._host.scheme)
        if not proxy or proxy_bypass(host):
            return None
        return shown_url(proxy)


def route_digests(headers: Mapping[str, str | Secret], address: Address) -> dict[str, str]:
    """Hashes of what decides who replies, besides the address: headers, query and proxy.

    The values of headers that only say who calls are left out, so that a new key does not make
    the recorded replies useless.
    """
    route = {
        f"header {name.lower()}": hashed(value.reveal() if isinstance(value, Secret) else value)
        for name, value in headers.items()
        if name.lower() != "content-type" and not is_credential(name)
    }
    for name, value in address.query.items():
        if not looks_secret(name):
            route[f"query {name}"] = hashed(value)
    route |= address.hidden
    proxy = address.proxy()
    if proxy is not None:
        route["proxy"] = hashed(proxy)
    return route


def hashed(value: str) -> str:
    """A hash of a value that must not be stored."""
    return hashlib.blake2b(value.encode(), digest_size=8).hexdigest()


def url_secrets(url: str) -> list[Secret]:
    """The secrets in a URL: its password, or its user if there is none, and keys in its query."""
    parts = _split(url)
    if parts is None:
        return []
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    found = [password or user, f"{user}:{password}" if password else ""]
    found += [value for _, value, _ in secret_parameters(parts.query)]
    texts = {
        text
        for value in found
        if value
        for text in (value, unquote(value), unquote_plus(value), quote(value, ""))
    }
    add_secrets(texts)
    return [Secret(text) for text in sorted(texts, key=len, reverse=True)]


def shown_url(url: str) -> str:
    """A URL without its user part and without the values of keys in its query.

    >>> shown_url("https://me:pass@x.org/v1?api_key=abc&api-version=2")
    'https://x.org/v1?api_key=***&api-version=2'
    >>> shown_url("https://x.org/v1/")
    'https://x.org/v1/'
    """
    parts = _split(url)
    if parts is None:
        return url
    query = shown_query(parts.query)
    host = parts.netloc.rpartition("@")[2]
    if (host, query) == (parts.netloc, parts.query):
        return url
    return urlunsplit(parts._replace(netloc=host, query=query))


def hidden_parameters(url: str) -> dict[str, str]:
    """Hashes of what ``shown_url`` hides only because of its form: it may decide what is replied.

    >>> list(hidden_parameters("https://x.org/v1?token=abc&revision=x9Kd03LmQ2vT7bRw"))
    ['query revision']
    """
    parts = _split(url)
    query = parts.query if parts is not None else ""
    return {
        f"query {name}": hashed(value)
        for name, value, is_named in secret_parameters(query)
        if not is_named
    }


def leaves_computer(url: str) -> bool:
    """Whether what is sent to this address leaves the computer: its host is not on loopback.

    A name other than ``localhost`` is taken for another computer, whatever it stands for today.

    >>> [leaves_computer(url) for url in ("http://127.0.0.1:80/v1", "http://[::1]/", "http://x.org")]
    [False, False, True]
    """
    parts = _split(url)
    host = (parts.hostname if parts is not None else None) or ""
    if host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True


def key_problem(config: ModelConfig) -> str:
    """Why it is not known which key a model gets; empty if it is known.

    The key of the default provider must not reach another server, so a server that is neither the
    default one nor on this computer needs ``api_key_env``, unless it gets other credentials.

    >>> key_problem(ModelConfig(model="m", base_url="https://example.org/v1"))
    "'api_key_env' of m is missing: name the variable with the key for https://example.org/v1, or write 'api_key_env: null' if it needs none"
    >>> key_problem(ModelConfig(model="m", base_url="http://127.0.0.1:8000/v1"))
    ''
    """
    if config.api_key_env is not UNSET or config.key_variable:
        return ""
    names = (*config.headers, *config.query)
    has_others = bool(url_secrets(config.base_url)) or any(map(is_credential, names))
    if has_others or not leaves_computer(config.base_url):
        return ""
    return (
        f"'api_key_env' of {config.model} is missing: name the variable with the key for "
        f"{shown_url(config.base_url)}, or write 'api_key_env: null' if it needs none"
    )


def masking_redactor(url: str) -> Redactor | None:
    """The redactor for calls to this address; ``None`` if they are sent as they are."""
    active = redactor()
    return (
        active if active is not None and active.mode == "calls" and leaves_computer(url) else None
    )


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:  # not an address; the first call says so
        return None


def _basic_authorization(parts: SplitResult) -> Secret | None:
    user_part, at, _ = parts.netloc.rpartition("@")
    if not at:
        return None
    user, colon, password = user_part.partition(":")
    text = f"{unquote(user)}:{unquote(password)}"
    encoded = base64.b64encode(text.encode()).decode()
    secrets = [Secret(encoded), Secret(unquote(password if colon else user))]
    add_secrets([encoded])
    return Secret(f"Basic {encoded}", secrets)
