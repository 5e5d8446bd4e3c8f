import assert from "node:assert/strict";
import { test } from "node:test";
import { csv } from "../src/charts/csv";
import { niceTicks } from "../src/charts/ticks";
import { CONFIGURE_WORDS } from "../src/configure/words";
import { CORPUS_WORDS } from "../src/corpus/words";
import { DRAFT_WORDS } from "../src/draft/words";
import { JUDGE_WORDS } from "../src/judge/words";
import { LABEL_WORDS } from "../src/label/words";
import { MAP_WORDS } from "../src/map/words";
import { fill, type Language, languageOf, LANGUAGES, plural, wordsOf } from "../src/words";

type Tree = string | readonly string[] | { readonly [name: string]: Tree };

function leaves(tree: Tree, path = ""): [string, string][] {
  if (typeof tree === "string") return [[path, tree]];
  return Object.entries(tree).flatMap(([name, part]) => leaves(part, `${path}.${name}`));
}

const isForm = (path: string): boolean => /\.(one|few|many|other)$/.test(path);

test("all languages have the same words with the same names in braces", () => {
  const all = (language: Language): Tree =>
    [wordsOf(language), LABEL_WORDS[language], DRAFT_WORDS[language], CONFIGURE_WORDS[language], CORPUS_WORDS[language], JUDGE_WORDS[language], MAP_WORDS[language]] as unknown as Tree;
  const english = new Map(leaves(all("en")));
  for (const language of LANGUAGES) {
    const words = new Map(leaves(all(language)));
    const plain = (names: Iterable<string>): string[] => [...names].filter((path) => !isForm(path)).sort();
    assert.deepEqual(plain(words.keys()), plain(english.keys()));
    for (const [path, text] of words) {
      assert.ok(text.trim(), `${language}${path}`);
      const wanted = english.get(path) ?? english.get(path.replace(/\.\w+$/, ".other")) ?? "";
      assert.deepEqual((text.match(/\{\w+\}/g) ?? []).sort(), (wanted.match(/\{\w+\}/g) ?? []).sort(), `${language}${path}`);
    }
  }
});

test("Russian has a form for each number", () => {
  const forms = wordsOf("ru").run.questions;
  const shown = [1, 2, 5, 11, 21, 104].map((n) => fill(plural(forms, n, "ru"), { n }));
  assert.deepEqual(shown, ["1 вопрос", "2 вопроса", "5 вопросов", "11 вопросов", "21 вопрос", "104 вопроса"]);
});

test("the language follows the browser's preferences", () => {
  assert.equal(languageOf(["de-DE", "zh-TW", "en"]), "zh");
  assert.equal(languageOf(["ru"]), "ru");
  assert.equal(languageOf(["fr"]), "en");
});

test("a CSV cell is quoted where it must be, and never run as a formula", () => {
  assert.equal(csv(["a", "b"], [["=1+1", -2.5], ['say "hi", twice', null]]), 'a,b\r\n\'=1+1,-2.5\r\n"say ""hi"", twice",\r\n');
});

test("axes have round numbers around the data", () => {
  assert.deepEqual(niceTicks(-24.4, 10.5, 5), [-30, -20, -10, 0, 10, 20]);
  assert.deepEqual(niceTicks(0, 0, 5), [-1, 0, 1]);
});
