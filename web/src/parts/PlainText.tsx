// A text of the data, as text: characters that cannot be seen are shown as their escapes.

import { pieces } from "../text/visible";

export function PlainText({ text }: { text: string }) {
  return (
    <>
      {pieces(text).map((piece, at) => (piece.isEscape ? <span key={at} class="escape">{piece.text}</span> : piece.text))}
    </>
  );
}
