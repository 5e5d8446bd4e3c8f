// Blocks of data inside a file: base64 of gzip of JSON, unpacked when they are needed.

import { pause } from "./pause";
import { SourceError } from "./source";

const CHUNK = 1 << 20;

export class Blocks {
  private readonly unpacked = new Map<number, Promise<unknown>>();

  constructor(private readonly document: Document) {}

  /** The data of a block; unpacked once. */
  get<T>(block: number): Promise<T> {
    let data = this.unpacked.get(block);
    if (!data) this.unpacked.set(block, (data = this.unpack(block)));
    return data as Promise<T>;
  }

  private async unpack(block: number): Promise<unknown> {
    const element = this.document.getElementById(`assay-${block}`);
    if (!element) throw new SourceError("", "broken");
    if (!("DecompressionStream" in window)) throw new SourceError("", "unpacked");
    const bytes = await decoded(element.textContent);
    try {
      const stream = new Blob(bytes).stream().pipeThrough(new DecompressionStream("gzip"));
      return await new Response(stream).json();
    } catch {
      throw new SourceError("", "broken");
    }
  }
}

/** The bytes of a base64 text, in parts, so that the page stays quick meanwhile. */
async function decoded(text: string): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < text.length; at += CHUNK) {
    const letters = atob(text.slice(at, at + CHUNK));
    const bytes = new Uint8Array(letters.length);
    for (let index = 0; index < letters.length; index++) bytes[index] = letters.charCodeAt(index);
    parts.push(bytes);
    await pause();
  }
  return parts;
}
