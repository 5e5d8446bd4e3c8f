import assert from "node:assert/strict";
import { test } from "node:test";
import { type Change, sharedPart, wordDifference } from "../src/text/diff";
import { tokens } from "../src/text/token";

const written = (changes: Change[] | null): string =>
  (changes ?? [{ kind: "same" as const, text: "too different" }])
    .map(({ kind, text }) => (kind === "same" ? text : kind === "removed" ? `[-${text}-]` : `{+${text}+}`))
    .join("");

test("words by script: alphabets by word, Han by dictionary or character, joined again they are the text", () => {
  assert.deepEqual(tokens("Не превышает 42 000 руб."), ["Не", " ", "превышает", " ", "42", " ", "000", " ", "руб", "."]);
  assert.deepEqual(tokens("it's 4.2 e-mail"), ["it's", " ", "4.2", " ", "e-mail"]);
  for (const text of ["第３条第2款规定，三十日内。", "RAG系统的Recall@10为0.83", "👩‍⚖️ ok\n\tend", ""])
    assert.equal(tokens(text).join(""), text);
  assert.ok(tokens("摊主还应当向顾客退还差价").length >= 4);
});

test("a changed word is taken out and put in", () => {
  assert.equal(written(wordDifference("The fee is 230 crowns.", "The fee is 320 crowns.")), "The fee is [-230-]{+320+} crowns.");
});

test("in Chinese only the words that changed are marked", () => {
  const shown = written(wordDifference("摊主应当在三十日内退还差价。", "摊主应当在六十日内退还差价。"));
  assert.ok(shown.startsWith("摊主应当在"), shown);
  assert.ok(shown.endsWith("退还差价。"), shown);
  assert.ok(shown.includes("[-三十") && shown.includes("{+六十"), shown);
});

test("spaces between two changes belong to them", () => {
  assert.equal(written(wordDifference("a b c d", "a x y d")), "a [-b c-]{+x y+} d");
});

test("equal, empty and wholly new texts", () => {
  assert.deepEqual(wordDifference("same", "same"), [{ kind: "same", text: "same" }]);
  assert.deepEqual(wordDifference("", ""), []);
  assert.equal(written(wordDifference("", "new text")), "{+new text+}");
  assert.equal(sharedPart(wordDifference("one two", "three four") ?? []), 0);
});

test("removed and kept words are the first text, added and kept words the second, for any pair", () => {
  let seed = 7;
  const random = (most: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
  const text = (): string => Array.from({ length: random(40) }, () => ["a", "b", "合同", "да", " "][random(5)]).join(" ");
  for (let turn = 0; turn < 300; turn++) {
    const [before, after] = [text(), text()];
    const changes = wordDifference(before, after) ?? [];
    const side = (kind: string): string => changes.filter((change) => change.kind !== kind).map((change) => change.text).join("");
    assert.equal(side("added"), before);
    assert.equal(side("removed"), after);
  }
});

test("texts with thousands of changes give up instead of holding up the page", () => {
  const words = (mark: string): string => Array.from({ length: 20_000 }, (_, n) => `${mark}${n}`).join(" ");
  const started = performance.now();
  assert.equal(wordDifference(words("a"), words("b")), null);
  assert.ok(performance.now() - started < 5000);
});
