// Files that the reader saves.

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The bytes of a `data:` address. */
export function blobOf(address: string): Blob {
  const [head = "", body = ""] = address.split(",", 2);
  const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: head.slice(5).split(";")[0] ?? "" });
}

/** A name for a file: letters of any language, digits, dots and dashes. */
export function fileName(...parts: readonly string[]): string {
  return parts.join("-").replace(/[^\p{L}\p{N}._-]+/gu, "_");
}
