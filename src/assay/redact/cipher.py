"""Encryption of recorded calls with the secret of a key file."""

import hashlib
import os
from base64 import b64decode
from typing import Final

_NONCE: Final = 12


class Cipher:
    """Encrypts and decrypts with AES-256 in GCM; each text has a nonce of its own.

    Needs the library ``cryptography``.
    """

    def __init__(self, secret: str) -> None:
        # loaded where calls are encrypted: it takes 50 ms
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        main = b64decode(secret)
        self._name_key = hashlib.blake2b(b"names of calls", key=main, digest_size=32).digest()
        key = hashlib.blake2b(b"bodies of calls", key=main, digest_size=32).digest()
        self._aes = AESGCM(key)

    def name(self, key: bytes) -> bytes:
        """The name under which a call is stored, from which nobody can guess what was asked."""
        return hashlib.blake2b(key, key=self._name_key, digest_size=16).digest()

    def seal(self, data: bytes, name: bytes) -> bytes:
        """Encrypt data that belongs to this name."""
        nonce = os.urandom(_NONCE)
        return nonce + self._aes.encrypt(nonce, data, name)

    def unseal(self, data: bytes, name: bytes) -> bytes | None:
        """Decrypt; ``None`` if it was encrypted with another key, or changed."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above

        try:
            return self._aes.decrypt(data[:_NONCE], data[_NONCE:], name)
        except (InvalidTag, ValueError):
            return None
